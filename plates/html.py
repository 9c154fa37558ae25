"""Pieces of HTML that Markdown leaves alone: one line, and nothing in it that Markdown reads as its own."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from markupsafe import Markup

# As entities these stand for themselves in text and in raw HTML alike; a backslash would not.
# Quotes, and dashes or points in a row, are among them: the typographer would set an option's `--` as a dash.
_IN_TEXT = re.compile(r"""[\\`*_{}\[\]#|~^$"']|-(?=-)|(?<=-)-|\.(?=\.)|(?<=\.)\.""")
# A tag is taken as a whole before emphasis is looked for, but after code, links and escapes.
_IN_ATTRIBUTE = re.compile(r"[\\`{}\[\]]")


def _entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"


def safe(text: object) -> Markup:
    """Make text harmless: no tag, no entity, no Markdown, no line of its own.

    Args:
        text: any text, such as a value from a file; HTML of ours stays as it is.

    Returns:
        The same text for a page.
    """
    if isinstance(text, Markup):
        return text
    words = str(text)
    one_line = " ".join(words.split()) if "\n" in words or "\r" in words else words
    return Markup(_IN_TEXT.sub(_entity, html.escape(one_line, quote=False)))


def tag(name: str, content: object = "", **attributes: object) -> Markup:
    """Build one element.

    Args:
        name: the element's name.
        content: its content; text is made harmless.
        attributes: its attributes; `class_` gives `class`, `data_x` gives `data-x`, None leaves one out.

    Returns:
        The element.
    """
    said = ""
    for key, value in attributes.items():
        if value is not None:
            words = _IN_ATTRIBUTE.sub(_entity, html.escape(" ".join(str(value).split())))
            said += f' {key.rstrip("_").replace("_", "-")}="{words}"'
    return Markup(f"<{name}{said}>{safe(content)}</{name}>")


def join(pieces: Iterable[object], between: str = "") -> Markup:
    """Join pieces, text among them made harmless.

    Args:
        pieces: text or HTML of ours.
        between: HTML of ours to stand between them.

    Returns:
        All in one.
    """
    return Markup(between).join(safe(each) for each in pieces)


def table(
    caption: object,
    header: Sequence[object],
    rows: Iterable[Sequence[object]],
    classes: Sequence[str | None] = (),
    row_classes: Sequence[str | None] = (),
    searched: bool = True,
) -> Markup:
    """Build a captioned table whose first column names its rows.

    Args:
        caption: what the table shows.
        header: a cell per column.
        rows: a cell per column each.
        classes: a class per column, for its cells.
        row_classes: a class per row.
        searched: whether a search finds its words; one of hashes has none worth finding.

    Returns:
        The table.
    """
    of = [*classes, *[None] * (len(header) - len(classes))]
    head = join(tag("th", cell, scope="col", class_=name) for cell, name in zip(header, of, strict=True))
    lines = []
    for index, (first, *others) in enumerate(rows):
        named = tag("th", first, scope="row", class_=of[0])
        cells = [tag("td", cell, class_=name) for cell, name in zip(others, of[1:], strict=True)]
        row_class = row_classes[index] if index < len(row_classes) else None
        lines.append(tag("tr", join([named, *cells]), class_=row_class))
    parts = [tag("caption", caption), tag("thead", tag("tr", head)), tag("tbody", join(lines))]
    return tag("table", join(parts), class_="readings", data_search_exclude=None if searched else "")
