"""A built page as browsers take it: what it links to, what it fetches, its ids, texts and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

# What a browser fetches by itself; a link that a reader may follow is not among them.
FETCHED = {
    "script": ("src",),
    "img": ("src", "srcset"),
    "source": ("src", "srcset"),
    "iframe": ("src",),
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "input": ("src",),
    "use": ("href", "xlink:href"),
    "image": ("href", "xlink:href"),
}
FETCHING = {
    "dns-prefetch",
    "icon",
    "manifest",
    "modulepreload",
    "preconnect",
    "prefetch",
    "preload",
    "stylesheet",
}
# Their text is not the author's prose, or not text at all.
QUOTED = {"code", "pre", "script", "style", "math", "template"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_IN_CSS = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")

Attributes = dict[str, str]


@dataclass
class Built:
    """What the rules ask of a page; each with its line and column in the built file."""

    links: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    fetched: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    ids: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    words: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    """Text outside code and math, and the attributes that are read or followed."""
    silent: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    """Pictures that say nothing to those who cannot see them: their addresses; of drawings, nothing."""
    uncaptioned: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    """Figures without a caption: their ids, or nothing."""


def in_css(text: str) -> Iterator[str]:
    """Find the addresses that a style sheet fetches.

    Args:
        text: the style sheet.

    Yields:
        Each address as written.
    """
    for found in _IN_CSS.finditer(text):
        yield found[1] or found[2]


def read(html: str) -> Built:
    """Take a page apart.

    Args:
        html: the whole page.

    Returns:
        What the rules ask of it.
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.built


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.built = Built()
        self.open: list[str] = []
        """The elements around the place that is being read."""
        self.figures: list[tuple[str, tuple[int, int], list[str]]] = []
        """Open figures, with what their captions have said so far."""
        self.svgs: list[tuple[tuple[int, int], list[str]]] = []
        """Open drawings that must have a title, with what theirs have said so far."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        here = self.getpos()
        if tag not in VOID:
            self.open.append(tag)
        if said.get("id"):
            self.built.ids.append((said["id"], here))
        if tag in ("a", "area") and "href" in said:
            self.built.links.append((said["href"], here))
        self.built.fetched += [(address, here) for address in _fetched(tag, said)]
        read_out = (said.get(name, "") for name in ("href", "src", "alt", "title", "aria-label", "content"))
        self.built.words += [(words, here) for words in read_out if words]
        if tag == "img" and _is_silent(said):
            self.built.silent.append((said.get("src", ""), here))
        if tag == "figure":
            self.figures.append((said.get("id", ""), here, []))
        if tag == "svg" and said.get("role") == "img":
            named = said.get("aria-label", "") + said.get("aria-labelledby", "")
            self.svgs.append((here, [named]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.open:
            return
        while self.open.pop() != tag:
            pass
        if tag == "figure" and self.figures:
            name, here, words = self.figures.pop()
            self.built.uncaptioned += [] if "".join(words).strip() else [(name, here)]
        if tag == "svg" and self.svgs and "svg" not in self.open:
            here, words = self.svgs.pop()
            self.built.silent += [] if "".join(words).strip() else [("", here)]

    def handle_data(self, data: str) -> None:
        here = self.getpos()
        if self.figures and "figcaption" in self.open:
            self.figures[-1][2].append(data)
        if self.svgs and "title" in self.open:
            self.svgs[-1][1].append(data)
        if self.open and self.open[-1] == "style":
            self.built.fetched += [(address, here) for address in in_css(data)]
        if not QUOTED & set(self.open):
            self.built.words.append((data, here))


def _fetched(tag: str, said: Attributes) -> Iterator[str]:
    """The addresses that an element makes a browser fetch."""
    for name in FETCHED.get(tag, ()):
        value = said.get(name, "")
        each = (
            (part.split()[0] for part in value.split(",") if part.strip()) if name == "srcset" else (value,)
        )
        yield from (address for address in each if address)
    if tag == "link" and FETCHING & set(said.get("rel", "").lower().split()) and said.get("href"):
        yield said["href"]
    yield from in_css(said.get("style", ""))


def _is_silent(said: Attributes) -> bool:
    is_decoration = said.get("role") in ("presentation", "none") or said.get("aria-hidden") == "true"
    return not is_decoration and not said.get("alt", "").strip()
