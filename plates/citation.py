"""How to cite a plate: a BibTeX entry, computed from its file and from the edition that is printed."""

from __future__ import annotations

import re
from html import escape

from markupsafe import Markup

from plates.edition import Edition
from plates.figures.table import TEX
from plates.volume import Plate


def entry(plate: Plate, volume: str, numeral: str, authors: str, address: str, edition: Edition) -> str:
    """Write a BibTeX entry for a plate.

    Args:
        plate: what is cited.
        volume: the volume's title.
        numeral: the volume's number, "V".
        authors: who wrote it, as one name.
        address: the page's address, or nothing where the book has none.
        edition: the state that is printed.

    Returns:
        The entry, in lines.
    """
    fields = {
        # Braces within keep one name of several words whole, and a title's capitals.
        "author": authors and "{" + authors.translate(TEX) + "}",
        "title": "{" + plate.title.translate(TEX) + "}",
        "booktitle": volume.translate(TEX),
        "volume": numeral.translate(TEX),
        "chapter": str(plate.number),
        "year": str(edition.day.year),
        "url": address.translate({ord("{"): "%7B", ord("}"): "%7D"}),
        "note": _state(edition).translate(TEX),
    }
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
    key = re.sub(r"[^a-z0-9]+", "-", volume.lower()).strip("-")
    return "\n".join([f"@incollection{{{key}-{plate.number},", *lines, "}"])


def block(text: str, name: str) -> Markup:
    """Set an entry as a block that the page's script gives a button to copy it.

    Args:
        text: the entry.
        name: what it cites: "Plate 7".

    Returns:
        The block, in one line.
    """
    # Line ends as entities, and Markdown's own signs with them: Markdown leaves the block alone.
    words = re.sub(r"[\n{}\\*_`]", lambda found: f"&#{ord(found[0])};", escape(text))
    label = escape(f"BibTeX entry, {name}")
    block = f'<pre role="region" tabindex="0" aria-label="{label}"><code>{words}</code></pre>'
    return Markup(f'<div class="highlight plate-cite" data-search-exclude>{block}</div>')


def _state(edition: Edition) -> str:
    if edition.is_clean:
        return f"Commit {edition.short}"
    return (
        f"Proof, changed since commit {edition.short}" if edition.commit else "Proof, of no recorded commit"
    )
