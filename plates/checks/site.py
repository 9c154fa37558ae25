"""What only the built book can be told: where links lead, what pages fetch, what is printed as it stood."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from plates.checks.html import Built, in_css, read
from plates.checks.traces import Slip, placed
from plates.front_matter import pages as pages_of
from plates.names import hint
from plates.places import Fault, place
from plates.volume import link

HOME = "http://book.invalid/any/sub/path/"
"""No page may depend on standing at its host's root."""
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif")
NAMING = (".html", ".css", ".js", ".xml")
# The page for a missing address is shown at any depth, so its links cannot be relative.
ANYWHERE = ("404.html",)
# Macros and attributes, footnotes, and links by name.
_LEFT = re.compile(r"\{[{%#:][^{}\n]{0,60}\}*|[%#}]\}|\[\^[\w-]+\]|\[[^\[\]\n]+\]\[[^\[\]\n]*\]")


@dataclass
class Site:
    """A built book beside its sources."""

    folder: Path
    docs: Path
    directories: bool
    """Whether a page's address is a folder, as `use_directory_urls` says."""
    theme: Path | None = None
    """The volume's own templates, which may name pictures too."""
    pages: dict[str, Built] = field(init=False)
    sources: dict[str, str] = field(init=False)
    """The author's file of each page."""

    def __post_init__(self) -> None:
        found = sorted(self.folder.rglob("*.html"))
        self.pages = {self._name(path): read(path.read_text(encoding="utf-8")) for path in found}
        written = [path.relative_to(self.docs).as_posix() for path in pages_of(self.docs)]
        self.sources = {self._address(source): source for source in written}

    def _name(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    def _address(self, source: str) -> str:
        address = link("index.md", source, self.directories)
        return f"{address}index.html" if not address or address.endswith("/") else address

    def faults(self) -> list[Fault]:
        """Check every page and style sheet.

        Returns:
            The faults, at their places in the author's files where those have them.
        """
        slips = [slip for name, page in self.pages.items() for slip in self._slips(name, page)]
        return sorted([*placed(slips, self.sources, self.docs), *self._sheets(), *self._unused_pictures()])

    def _slips(self, name: str, page: Built) -> Iterator[Slip]:
        yield from self._dead_links(name, page)
        for address, here in page.fetched:
            if _parts(address)[1]:
                yield Slip(name, here, _foreign(address), (address,))
        for words, here in page.words:
            for left in _LEFT.findall(words):
                yield Slip(name, here, _unrendered(left), (left, f'"{left[:2]}"', f"'{left[:2]}'"))
        yield from _repeated_ids(name, page)
        yield from _silent_pictures(name, page)
        for figure, here in page.uncaptioned:
            say = "a figure without a caption; write one in <figcaption>"
            yield Slip(name, here, say, (f'id="{figure}"', "<figure") if figure else ("<figure",))

    def _dead_links(self, name: str, page: Built) -> Iterator[Slip]:
        """Links inside the book, and what a page fetches from it, that lead nowhere."""
        if name in ANYWHERE:
            return
        for address, here in [*page.links, *page.fetched]:
            if not any(_parts(address)) and (said := self._dead(name, address)):
                fragment = f"#{address.partition('#')[2]}" if "#" in address else address
                traces = (f"({address}", f'"{address}', address, fragment)
                yield Slip(name, here, f"link {address!r}{said}", traces)

    def _dead(self, name: str, address: str) -> str:
        """What is wrong with a link, or nothing."""
        try:
            target = urlsplit(urljoin(HOME + name, address))
        except ValueError:
            return " is no address; correct it"
        if not target.geturl().startswith(HOME):
            say = "write the way from this file, such as ../index.md"
            return f" leaves the book's folder; {say}{self._near(name, address.strip('/.'), '.md')}"
        path = unquote(target.path.removeprefix(urlsplit(HOME).path))
        path += "index.html" if path == "" or path.endswith("/") else ""
        if not (self.folder / path).is_file():
            way = address.partition("#")[0]
            near = self._near(name, way, posixpath.splitext(way)[1])
            return f" leads nowhere{near or '; correct the way, or take the link out'}"
        anchor = unquote(target.fragment)
        places = [each for each, _ in self.pages[path].ids] if path in self.pages else [anchor]
        if anchor and anchor not in places:
            near = hint(anchor, places, "places are")
            return f": no place {anchor!r} on that page{near}; or name it there: ## Heading {{#{anchor}}}"
        return ""

    def _near(self, name: str, way: str, extension: str) -> str:
        """Offer the nearest way from a page to another, or to a file with that extension."""
        here = self.sources.get(name, "index.md")
        is_page = extension in ("", ".md", ".htm", ".html")
        files = [
            path.relative_to(self.docs) for path in self.docs.rglob("*.md" if is_page else f"*{extension}")
        ]
        ways = [posixpath.relpath(file.as_posix(), posixpath.dirname(here) or ".") for file in files]
        if is_page and extension != ".md":
            ways += [link(here, there, self.directories) for there in self.sources.values()]
        near = get_close_matches(way, ways, n=1)
        return f"; did you mean {near[0]!r}?" if near else ""

    def _sheets(self) -> Iterator[Fault]:
        for path in sorted(self.folder.rglob("*.css")):
            name, text = self._name(path), path.read_text(encoding="utf-8")
            file = f"docs/{name}" if (self.docs / name).is_file() else f"site/{name}"
            for address in in_css(text):
                if _parts(address)[1]:
                    yield Fault(file, *place(text, text.index(address)), _foreign(address))

    def _unused_pictures(self) -> Iterator[Fault]:
        """Pictures among the author's files that no page, style sheet, script or template names."""
        built = [path for path in self.folder.rglob("*") if path.suffix in NAMING]
        own = [path for path in self.theme.rglob("*") if path.suffix in NAMING] if self.theme else []
        named = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in [*built, *own])
        for path in sorted(self.docs.rglob("*")):
            if path.suffix.lower() in PICTURES and path.name not in named:
                name = path.relative_to(self.docs).as_posix()
                yield Fault(f"docs/{name}", 0, 0, "no page shows this picture; show it, or take it out")


def _foreign(address: str) -> str:
    say = "put the file under docs/assets, and write the way to it"
    return f"the page fetches {address!r} from another host; {say}"


def _unrendered(left: str) -> str:
    say = "write a whole macro, or set it as code between backticks"
    if left.startswith("["):
        name = left.strip("[]").rpartition("[")[2] or left.strip("[]").partition("]")[0]
        say = f"write what it names, [{name}]: and then the words or the way, in a paragraph of its own"
    return f"{left.strip()!r} is printed as it stands; {say}"


def _repeated_ids(name: str, page: Built) -> Iterator[Slip]:
    seen: set[str] = set()
    for one, here in page.ids:
        if one in seen:
            say = f"id {one!r} stands twice on the page; give one of the two another"
            yield Slip(name, here, say, (f"{{#{one}", f" #{one}", f'id="{one}"', f"id='{one}'"), last=True)
        seen.add(one)


def _silent_pictures(name: str, page: Built) -> Iterator[Slip]:
    say = "say in words what it shows: ![words](file); in HTML alt=…, or aria-label=… for a drawing"
    for picture, here in page.silent:
        what = f"picture {picture!r}" if picture else "a drawing"
        traces = (picture, Path(picture).name) if picture else ("<svg", "<img")
        yield Slip(name, here, f"{what} has no text; {say}", traces)


def _parts(address: str) -> tuple[str, str]:
    """Scheme and host of an address as it is written in a page; nothing of one that is none."""
    try:
        return urlsplit(address)[:2]
    except ValueError:
        return "", ""
