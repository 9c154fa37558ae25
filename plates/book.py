"""The book while it is built: its folders, its plates, its recordings, and the page being rendered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pybtex.database import BibliographyData

from plates import (
    bibliography,
    edition,
    example,
    front_matter,
    tying,
    volume,
)
from plates.checks.sources import warn
from plates.contents import DATA, FACTS, FIGURES, MODELS
from plates.edition import Edition
from plates.evidence import drawn, planned
from plates.evidence.findings import Evidence
from plates.figures.render import Figure
from plates.names import Namespace, UnknownNameError, hint
from plates.open_models import open_models
from plates.recorded import recordings
from plates.recorded.recordings import Recording
from plates.volume import Plate, Volume


@dataclass
class PageNotes:
    """What a page has said so far, for what must agree on it at its end."""

    cited: Counter[str] = field(default_factory=Counter)
    listed: bool = False
    """The bibliography has been printed."""
    defined: bool = False
    """The terms have been printed."""
    used: set[str] = field(default_factory=set)
    """The terms that have been linked, by the anchors of their definitions."""


class Book:
    """All that macros ask for; made anew for every build."""

    def __init__(self, env: Any) -> None:
        """Find the folders.

        Args:
            env: the macros plugin, or what stands in for it.
        """
        self.env = env
        self.root = Path(env.project_dir).resolve()
        self.docs = self.root / env.conf["docs_dir"]
        self.generated = self.root / "generated"
        self.notes = PageNotes()
        self._recordings: dict[str, Recording] = {}

    def hold(self) -> None:
        """Hold all pages' front matter, before one is rendered; a fault ends the build.

        Raises:
            Abort: a page says what it may not; file, line and what to do are named.
        """
        theme = self.env.conf["theme"]
        # Zensical names the folder from the settings' own, MkDocs from where it was started.
        folder = theme.get("custom_dir") if self.is_zensical else theme.custom_dir
        base = self.root if self.is_zensical else Path.cwd()
        places = self._about.get("plates")
        try:
            front_matter.hold(self.docs, base / folder if folder else None, places)
        except volume.PlateError as error:
            # As in `plates.pages`: a live server survives an Abort and prints its words alone.
            from mkdocs.exceptions import Abort

            raise Abort(f"docs/{error}") from error

    @property
    def is_zensical(self) -> bool:
        """Whether Zensical builds the book: its settings are a plain dictionary."""
        return isinstance(self.env.conf, dict)

    @property
    def _about(self) -> dict[str, Any]:
        """What the settings say of the volume."""
        return (self.env.conf.get("extra") or {}).get("volume") or {}

    def publish(self) -> None:
        """Lay the data's files under `docs`, where figures link to them: recordings, models, examples.

        The pages are held first: nothing is laid for a book that cannot be built.
        """
        self.hold()
        warn(self.docs, FIGURES, bool(self.env.conf.get("strict")))
        lay(self.generated, self.docs, lambda: self.evidence)

    @cached_property
    def volume(self) -> Volume:
        """The plates in print."""
        return volume.read(self.docs)

    @cached_property
    def works(self) -> BibliographyData:
        """The works that pages may cite."""
        return bibliography.read(self.docs / "references.bib")

    @property
    def page(self) -> str:
        """The file of the page being rendered, from `docs`."""
        page = self.env.page
        return str(page.file.src_uri if hasattr(page, "file") else page.path)

    @property
    def plate(self) -> Plate:
        """The plate being rendered."""
        plate = self.volume.plate_of(self.page)
        if plate is None:
            raise ValueError("only a plate may say this; wanted `plate:` and its number in the front matter")
        return plate

    def recording(self, name: str) -> Recording:
        """Return a checked recording; its files are looked at once a build."""
        if name not in self._recordings:
            self._recordings[name] = recordings.find(self.generated, name)
        return self._recordings[name]

    @cached_property
    def evidence(self) -> Evidence:
        """What the planned recordings say, as far as they are made."""
        return Evidence(planned.made(self.generated))

    def link(self, there: str) -> str:
        """Return the address of another page or file, as seen from the page."""
        directories = bool(self.env.conf["use_directory_urls"])
        return volume.link(self.page, there, directories, from_source=self.is_zensical)

    def data(self, recording: str, file: str) -> str:
        """Return the address of a recording's file, as seen from the page."""
        return self.link(f"{DATA}/{recording}/{file}")

    def data_address(self, recording: str, file: str) -> str:
        """Return the public address of a recording's file, or that from the page where the book has none."""
        site = str(self.env.conf.get("site_url") or "")
        return f"{site.rstrip('/')}/{DATA}/{recording}/{file}" if site else self.data(recording, file)

    def figure(self, name: str) -> Figure:
        """Draw a figure of the volume by its name."""
        if name not in FIGURES:
            raise UnknownNameError(f"no figure {name!r}{hint(name, FIGURES, 'figures are')}")
        return FIGURES[name](self)

    @property
    def title(self) -> str:
        """How a citation names the plate or appendix: "The Transformer, plate 7: The Output Head"."""
        sheet = self.volume.sheet_of(self.page) or self.plate
        return f"{self.name}, {sheet.label}: {sheet.title}"

    @property
    def name(self) -> str:
        """The volume's title."""
        return str(self._about.get("title", self.env.conf["site_name"]))

    @property
    def numeral(self) -> str:
        """The volume's number: "V"."""
        return str(self._about.get("numeral", ""))

    @property
    def address(self) -> str:
        """The page's public address, or nothing where the book has none."""
        site = self.env.conf.get("site_url") or ""
        return site.rstrip("/") + "/" + str(self.env.page.url) if site else ""

    @property
    def authors(self) -> str:
        """Who wrote the book, as one name."""
        return str(self.env.conf.get("site_author") or "")

    @cached_property
    def edition(self) -> Edition:
        """The state of the book that is printed."""
        return edition.read(self.root)


def lay(generated: Path, docs: Path, evidence: Callable[[], Evidence]) -> None:
    """Lay the data's files under `docs`: recordings, models, examples, and what figures are drawn from.

    Args:
        generated: the folder of all recordings.
        docs: the folder of the pages.
        evidence: gives what the planned recordings say.
    """
    besides = {
        MODELS: tying.as_csv(open_models()).encode(),
        **example.files(),
        **drawn.files(evidence),
    }
    recordings.publish(generated, docs / DATA, besides)


def lay_all(root: Path) -> None:
    """Lay the data's files before a build, for a builder that looks for files before it asks for pages.

    Args:
        root: the folder of mkdocs.yml.
    """
    generated = root / "generated"
    lay(generated, root / "docs", lambda: Evidence(planned.made(generated)))


class Facts:
    """Derived facts by name, `facts.output_head`; each is derived when it is first asked for."""

    def __init__(self, book: Book) -> None:
        """Remember where to ask.

        Args:
            book: the book.
        """
        self._book = book
        self._known: dict[str, Namespace] = {}

    def __getattr__(self, name: str) -> Namespace:
        if name not in FACTS:
            raise AttributeError(name)
        if name not in self._known:
            self._known[name] = public(f"facts.{name}", FACTS[name](self._book))
        return self._known[name]

    def __getitem__(self, name: str) -> Namespace:
        # A template asks for the attribute first and for the item next: here the answer is a helpful one.
        raise UnknownNameError(f"facts: no {name!r}{hint(name, FACTS, 'there are')}")


def public(label: str, thing: Any) -> Namespace:
    """All public values of an object, fields and properties, as a namespace.

    Args:
        label: what it is, for messages.
        thing: any object whose properties take no arguments.

    Returns:
        Its values by name.
    """
    names = [name for name in dir(thing) if not name.startswith("_")]
    return Namespace(label, {name: value for name in names if not callable(value := getattr(thing, name))})
