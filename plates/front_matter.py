"""What the head of any page may say, held for all pages before one of them is rendered.

MkDocs and its theme take what they find: a number for a list ends in their own words after some pages are
out, and a word for a list is printed letter by letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from plates.names import hint
from plates.volume import (
    FOLDER,
    PlateError,
    appendix_in,
    front_matter,
    line_of,
    page_text,
    plate_in,
    read,
)

# What MkDocs takes for a page.
PAGES = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
# MkDocs reads such a first line, without a line of --- above it, as front matter too, all of it as text.
_LOOSE = re.compile(r" {0,3}[A-Za-z0-9_-]+:(?=\s)")


def hold(docs: Path, theme: Path | None, plates: object) -> None:
    """Hold every page's front matter, and the plates against each other.

    Args:
        docs: the folder of the pages.
        theme: the folder of the volume's own templates.
        plates: how many places the volume has, as `extra.volume.plates` says.

    Raises:
        PlateError: a page says what it may not; the first such fault.
    """
    for fault in faults(docs, theme, plates):
        raise fault


def faults(docs: Path, theme: Path | None, plates: object) -> Iterator[PlateError]:
    """Find all that the pages' front matter may not say.

    Args:
        docs: the folder of the pages.
        theme: the folder of the volume's own templates.
        plates: how many places the volume has, as `extra.volume.plates` says.

    Yields:
        The faults of each page, and where there are none, what two plates contradict each other in.
    """
    templates = sorted(path.name for path in theme.glob("*.html")) if theme else []
    is_sound = True
    for path in pages(docs):
        for fault in _page_faults(path, path.relative_to(docs).as_posix(), templates, plates):
            is_sound = False
            yield fault
    if is_sound:
        try:
            read(docs)
        except PlateError as error:
            yield error


def _page_faults(path: Path, source: str, templates: list[str], plates: object) -> Iterator[PlateError]:
    """The faults of one page; of those that keep the rest from being read, the first."""
    try:
        text = page_text(path, source)
        head = front_matter(text, source)
        told = list(_faults(head, source, templates, plates))
        yield from (PlateError(f"{source}:{line_of(text, key)}: {key}: {said}") for key, said in told)
        if not text.startswith("---") and (found := _LOOSE.match(text)):
            yield PlateError(
                f"{source}:1: front matter: wanted it between lines of ---, came {found[0].strip()!r}; "
                "add the lines, or begin the page with other words"
            )
        if not told and Path(source).parent.as_posix() == FOLDER:
            plate_in(text, source)
        if not told and Path(source).parent.as_posix() == ".":
            appendix_in(text, source)
    except PlateError as error:
        yield error


def pages(docs: Path) -> list[Path]:
    """Find all pages, without those in hidden folders, which MkDocs leaves out.

    Args:
        docs: the folder of the pages.

    Returns:
        Their files, in order.
    """
    found = (path for path in docs.rglob("*") if path.suffix in PAGES and path.is_file())
    return sorted(path for path in found if not any(part[0] == "." for part in path.relative_to(docs).parts))


def _faults(
    head: Mapping[str, Any], source: str, templates: list[str], plates: object
) -> Iterator[tuple[str, str]]:
    """Each key that says what it may not, with what was wanted, what came and what to do."""
    for key, (is_right, wanted, remedy) in KEYS.items():
        if key in head and not is_right(head[key]):
            yield key, f"wanted {wanted}, came {head[key]!r}; {remedy}"
    if "template" in head and head["template"] not in templates:
        near = hint(str(head["template"]), templates, "there are")
        yield "template", f"wanted a template of plates/theme, came {head['template']!r}{near}"
    if "plate" in head:
        yield from _plate_faults(head, source, plates)
    if "appendix" in head and Path(source).parent.as_posix() != ".":
        say = "move the file or take it out"
        yield "appendix", f"wanted appendices in docs/*.md alone, came {head['appendix']!r} here; {say}"


def _plate_faults(head: Mapping[str, Any], source: str, plates: object) -> Iterator[tuple[str, str]]:
    """What only a plate may not say."""
    number = head["plate"]
    if Path(source).parent.as_posix() != FOLDER or not source.endswith(".md"):
        yield (
            "plate",
            f"wanted plates in docs/{FOLDER}/*.md alone, came {number!r} here; move the file or take it out",
        )
    if type(plates) is int and (type(number) is not int or not 1 <= number <= plates):
        yield (
            "plate",
            f"wanted a number from 1 to {plates}, came {number!r}; choose one, or mend mkdocs.yml",
        )
    if head.get("render_macros") is False:
        yield "render_macros", "wanted a plate's macros rendered, came False; take the line out"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_plain(value: object) -> bool:
    return isinstance(value, str) and _is_text(value) and not re.search(r"\{\{|\{%", value)


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(_is_text(each) for each in value)


_PLAIN = (_is_plain, "text without macros", "write a line of words, in quotes if YAML takes it for more")
KEYS: dict[str, tuple[Callable[[object], bool], str, str]] = {
    "title": _PLAIN,
    "lede": _PLAIN,
    "description": _PLAIN,
    "keywords": (_is_list, "a list of texts", "write such as [logit, softmax]"),
    "hide": (_is_list, "a list of texts", "write such as [navigation, toc]"),
    "search": (lambda value: isinstance(value, dict), "keys with values", "write such as {exclude: true}"),
}
