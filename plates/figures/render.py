"""A frame becomes one figure in three layers: a drawing, a table, and data for a live chart.

    Figure(id="fig-output-head-loss", title="…", caption="…", description="…",
           x=Axis("Step", form="count"), y=Axis("Loss", "nats per token", form="nats"),
           series=(Series("tied", steps, losses, role="tied"),))

`render` gives HTML in one line, so that no Markdown can mangle it: no style attributes, no event handlers.
"""

from __future__ import annotations

import re
from html import escape

from plates.figures.layout import Layout, lay
from plates.figures.live import payload
from plates.figures.parts import Axis, Detail, Difference, Figure, FigureError, OtherX, Series
from plates.figures.svg import drawing
from plates.figures.table import bibtex, table
from plates.numbers import sha

__all__ = ["Axis", "Detail", "Difference", "Figure", "FigureError", "OtherX", "Series", "render"]

ZOOMS = (("in", "Zoom in", "+"), ("out", "Zoom out", "−"), ("all", "Show the whole", "whole"))


def render(figure: Figure, number: str, *, book: str = "The Transformer", address: str = "") -> str:
    """Print a figure as HTML.

    Args:
        figure: what to show.
        number: plate and place, "7.1".
        book: how a citation names the plate: "The Transformer, plate 7: The Output Head".
        address: the page's public address, for a citation; nothing where the book has none.

    Returns:
        One figure element in a single line.

    Raises:
        FigureError: the number is none, or the figure's parts do not fit each other.
    """
    if not isinstance(number, str) or not re.fullmatch(r"[0-9A-Z]+(\.[0-9]+)?", number):
        raise FigureError(f"figure {figure.id!r}: wanted a number such as '7.1', got {number!r}")
    layout = lay(figure)
    more = _details(figure, number, book, address)
    return (
        f'<figure class="fig fig-{figure.kind} fig-l{layout.left} fig-r{layout.right} fig-n{layout.narrow}" '
        f'id="{figure.id}" aria-labelledby="{figure.id}-name">'
        f'<div class="fig-stage" data-search-exclude>{drawing(figure, layout)}'
        f'<script type="application/json" class="fig-data">{payload(figure, layout)}</script></div>'
        f"{_tools(figure, layout)}"
        f"<figcaption>{_caption(figure, number)}{more}</figcaption></figure>"
    )


def _caption(figure: Figure, number: str) -> str:
    name = escape(figure.title)
    return (
        f'<p class="fig-caption"><span id="{figure.id}-name"><a class="fig-number" href="#{figure.id}" '
        f'title="Link to this figure">Figure {number}</a> <span class="fig-title">{name}.</span></span> '
        f"{escape(figure.caption)}</p>"
    )


def _tools(figure: Figure, layout: Layout) -> str:
    """Print the reader's switches, there from the start: so nothing moves when the chart goes live."""
    labelled = [(index, one) for index, one in enumerate(figure.series) if one.labelled]
    runs = (
        "".join(
            f'<button type="button" aria-pressed="true" data-series="{index}">'
            f'<i class="fig-key fig-{one.role} fig-{one.weight}{" fig-broken" if one.broken else ""}"></i>'
            f"{escape(one.name)}</button>"
            for index, one in labelled
        )
        if 1 < len(labelled) <= 8
        else ""
    )
    ys = _pair("y", figure.y, figure.exponential)
    xs = _pair("x", figure.x, figure.other_x.axis if figure.other_x else None)
    zoom = (
        "".join(
            f'<button type="button" data-zoom="{way}" aria-label="{spoken}">{sign}</button>'
            for way, spoken, sign in ZOOMS
        )
        if figure.kind != "bars"
        else ""
    )
    named = (("Shown", runs), ("Vertical axis", ys), ("Horizontal axis", xs), ("Zoom", zoom))
    groups = "".join(
        f'<span class="fig-group" role="group" aria-label="{label}">{buttons}</span>'
        for label, buttons in named
        if buttons
    )
    return f'<div class="fig-tools" data-search-exclude>{groups}</div>' if groups else ""


def _pair(way: str, first: Axis, second: Axis | None) -> str:
    if second is None:
        return ""
    return "".join(
        f'<button type="button" aria-pressed="{"false" if index else "true"}" data-{way}="{index}">'
        f"{escape(axis.short or axis.label.lower())}</button>"
        for index, axis in enumerate((first, second))
    )


def _details(figure: Figure, number: str, book: str, address: str) -> str:
    link = f'<a class="fig-csv" href="{escape(figure.csv)}" download>CSV</a>' if figure.csv else ""
    cite = escape(bibtex(figure, number, book, address)).replace("\n", "&#10;")
    points = (
        '<details class="fig-more" data-search-exclude><summary>Table and citation</summary>'
        f'<div class="fig-scroll" role="region" tabindex="0" aria-label="Table of figure {number}">'
        f"{table(figure, number)}</div><p>To cite this figure:</p>"
        f'<pre class="fig-cite" role="region" tabindex="0" aria-label="BibTeX entry, figure {number}">'
        f"{cite}</pre></details>"
    )
    return f'<div class="fig-notes">{points}{link}{_reproduce(figure)}</div>'


def _reproduce(figure: Figure) -> str:
    if not figure.command:
        return ""
    facts = [("Command", f"<code>{escape(figure.command)}</code>")]
    if figure.runs:
        facts.append(("Runs", ", ".join(f"<code>{escape(run)}</code>" for run in figure.runs)))
    if figure.digest:
        facts.append(("Manifest’s sha256", f'<code title="{figure.digest}">{sha(figure.digest)}</code>'))
    if figure.recordings:
        told = [
            f'{escape(name)} <code title="{digest}">{sha(digest)}</code>'
            for name, digest in figure.recordings
        ]
        facts.append(("Manifests’ sha256" if len(told) > 1 else "Manifest’s sha256", ", ".join(told)))
    items = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in facts)
    return (
        '<details class="fig-more" data-search-exclude><summary>Reproduce this figure</summary>'
        f"<dl>{items}</dl></details>"
    )
