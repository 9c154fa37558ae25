"""What only the built book can be told: where links lead, what pages fetch, what is printed as it stood."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from plates.author_syntax import without_literals
from plates.check_html import Built, in_css, read
from plates.front_matter import pages as pages_of
from plates.names import hint
from plates.places import Fault, place
from plates.volume import link, page_text

HOME = "http://book.invalid/any/sub/path/"
"""No page may depend on standing at its host's root."""
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif")
# The page for a missing address is shown at any depth, so its links cannot be relative.
ANYWHERE = ("404.html",)
_LEFT = re.compile(r"\{[{%#:][^{}\n]{0,60}|[%#}]\}")


@dataclass(frozen=True)
class Slip:
    """A fault in the built book, before its place in the author's file is known."""

    page: str
    """The built file, from the site's folder."""
    here: tuple[int, int]
    message: str
    traces: tuple[str, ...]
    """What the author may have written for it, the likeliest first."""
    last: bool = False
    """Whether the last such place is meant, not the next one."""


@dataclass
class Site:
    """A built book beside its sources."""

    folder: Path
    docs: Path
    directories: bool
    """Whether a page's address is a folder, as `use_directory_urls` says."""
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
        return sorted([*self._placed(slips), *self._sheets(), *self._unused_pictures()])

    def _slips(self, name: str, page: Built) -> Iterator[Slip]:
        if name not in ANYWHERE:
            local = [each for each in page.fetched if not urlsplit(each[0]).netloc]
            for address, here in [*page.links, *local]:
                yield from self._dead(name, address, here)
        for address, here in page.fetched:
            if urlsplit(address).netloc:
                yield Slip(name, here, _foreign(address), (address,))
        for words, here in page.words:
            for left in _LEFT.findall(words):
                yield Slip(name, here, _unrendered(left), (left, f'"{left[:2]}"', f"'{left[:2]}'"))
        for name_of_place, here in _repeated(page.ids):
            say = f"id {name_of_place!r} stands twice on the page; give one of the two another"
            traces = (
                f"{{#{name_of_place}",
                f" #{name_of_place}",
                f'id="{name_of_place}"',
                f"id='{name_of_place}'",
            )
            yield Slip(name, here, say, traces, last=True)
        for picture, here in page.silent:
            say = "say in words what it shows: ![words](file); in HTML alt=…, or aria-label=… for a drawing"
            shown = (picture, Path(picture).name) if picture else ("<svg", "<img")
            what = f"picture {picture!r}" if picture else "a drawing"
            yield Slip(name, here, f"{what} has no text; {say}", shown)
        for figure, here in page.uncaptioned:
            say = "a figure without a caption; write one in <figcaption>"
            yield Slip(name, here, say, (f'id="{figure}"', "<figure") if figure else ("<figure",))

    def _dead(self, name: str, address: str, here: tuple[int, int]) -> Iterator[Slip]:
        """Tell a link inside the book that leads nowhere."""
        if urlsplit(address).scheme or urlsplit(address).netloc:
            return
        target = urlsplit(urljoin(HOME + name, address))
        anchor = unquote(target.fragment)
        traces = (f"({address}", f'"{address}', address, *([f"#{target.fragment}"] if anchor else []))
        if not target.geturl().startswith(HOME):
            say = "leaves the book's folder; write the way from this file, such as ../index.md"
            yield Slip(name, here, f"link {address!r} {say}", traces)
            return
        path = unquote(target.path.removeprefix(urlsplit(HOME).path))
        path += "index.html" if path == "" or path.endswith("/") else ""
        if not (self.folder / path).is_file():
            near = hint(address.partition("#")[0], self._ways(name)) or "; correct the way, or take it out"
            yield Slip(name, here, f"link {address!r} leads nowhere{near}", traces)
        elif (
            anchor
            and path in self.pages
            and anchor not in (known := [each for each, _ in self.pages[path].ids])
        ):
            near = hint(anchor, known, "places are")
            say = f"; or name the place there: ## Heading {{#{anchor}}}"
            yield Slip(name, here, f"link {address!r}: no place {anchor!r} on that page{near}{say}", traces)

    def _ways(self, name: str) -> set[str]:
        """The ways from a page to all others, as an author may write them."""
        here = self.sources.get(name, "index.md")
        files = [path.relative_to(self.docs).as_posix() for path in self.docs.rglob("*") if path.is_file()]
        up = "../" * here.count("/")
        return {link(here, there, self.directories) for there in self.sources.values()} | {
            file.removeprefix(f"{Path(here).parent}/")
            if file.startswith(f"{Path(here).parent}/")
            else up + file
            for file in files
        }

    def _placed(self, slips: list[Slip]) -> Iterator[Fault]:
        """Find each slip in the author's file; what is not there was made by a macro or the theme."""
        used: Counter[tuple[str, str]] = Counter()
        made: dict[str, list[Slip]] = {}
        for slip in slips:
            source = self.sources.get(slip.page)
            text = without_literals(page_text(self.docs / source, source)) if source else ""
            trace = next((each for each in slip.traces if each and each in text), None)
            if source and trace:
                starts = [found.start() for found in re.finditer(re.escape(trace), text)]
                start = starts[-1] if slip.last else starts[min(used[slip.page, trace], len(starts) - 1)]
                used[slip.page, trace] += 1
                yield Fault(
                    f"docs/{source}", *place(text, start + len(trace) - len(trace.lstrip('("'))), slip.message
                )
            else:
                made.setdefault(slip.message, []).append(slip)
        for message, those in made.items():
            names = list(dict.fromkeys(slip.page for slip in those))
            more = f" (and on {len(names) - 1} other pages)" if len(names) > 1 else ""
            source = self.sources.get(names[0])
            file, here = (f"docs/{source}", (0, 0)) if source else (f"site/{names[0]}", those[0].here)
            yield Fault(file, *here, f"{message}{more}")

    def _sheets(self) -> Iterator[Fault]:
        for path in sorted(self.folder.rglob("*.css")):
            name, text = self._name(path), path.read_text(encoding="utf-8")
            file = f"docs/{name}" if (self.docs / name).is_file() else f"site/{name}"
            for address in in_css(text):
                if urlsplit(address).netloc:
                    yield Fault(file, *place(text, text.index(address)), _foreign(address))

    def _unused_pictures(self) -> Iterator[Fault]:
        """Pictures among the author's files that no page, style sheet or script names."""
        texts = [path for path in self.folder.rglob("*") if path.suffix in (".html", ".css", ".js", ".xml")]
        named = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in texts)
        for path in sorted(self.docs.rglob("*")):
            if path.suffix.lower() in PICTURES and path.name not in named:
                name = path.relative_to(self.docs).as_posix()
                yield Fault(f"docs/{name}", 0, 0, "no page shows this picture; show it, or take it out")


def _foreign(address: str) -> str:
    say = "put the file under docs/assets, and write the way to it"
    return f"the page fetches {address!r} from another host; {say}"


def _unrendered(left: str) -> str:
    say = "write a whole macro, or set it as code between backticks"
    return f"{left.strip()!r} is printed as it stands; {say}"


def _repeated(ids: list[tuple[str, tuple[int, int]]]) -> Iterator[tuple[str, tuple[int, int]]]:
    seen: set[str] = set()
    for name, here in ids:
        if name in seen:
            yield name, here
        seen.add(name)
