"""Plates and appendices as their files say: number, title, figures, terms; read before pages are rendered."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import yaml

from plates.author_syntax import blanked, with_formulas, without_literals
from plates.formulas import FormulaError
from plates.names import hint

FOLDER = "plates"
_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
_FIGURE = re.compile(r"\bfigure\(\s*([\"'])(?P<name>[^\"'\n]+)\1")


class VolumeError(ValueError):
    """A term, figure or plate that the volume does not have."""


class PlateError(VolumeError):
    """A plate's file that says what it may not; the message begins with that file, from `docs`."""


@dataclass(frozen=True)
class Term:
    """A term, defined once in the volume."""

    name: str
    """As it stands in the list of terms: "Output head"."""
    definition: str
    """A sentence or two in Markdown, without macros."""
    also: tuple[str, ...]
    """Other names for it: "unembedding"."""
    source: str
    """The file that defines it, from `docs`."""

    @property
    def anchor(self) -> str:
        """The definition's place on its page."""
        return "term-" + re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


@dataclass(frozen=True)
class Plate:
    """One plate's file."""

    source: str
    """From `docs`: "plates/output-head.md"."""
    number: int
    title: str
    figures: tuple[str, ...]
    """Names of its figures, in order."""
    terms: tuple[Term, ...]

    @property
    def mark(self) -> str:
        """What its figures' numbers begin with: "7"."""
        return str(self.number)

    @property
    def label(self) -> str:
        """How a citation names it: "plate 7"."""
        return f"plate {self.number}"


@dataclass(frozen=True)
class Appendix:
    """A page that is no plate and shows figures of its own."""

    source: str
    """From `docs`: "evidence.md"."""
    mark: str
    """Its letter: "A"."""
    title: str
    figures: tuple[str, ...]
    """Names of its figures, in order."""

    @property
    def label(self) -> str:
        """How a citation names it: "appendix A"."""
        return f"appendix {self.mark}"


@dataclass(frozen=True)
class Volume:
    """All plates in print, in order of number, and the appendices, in order of letter."""

    plates: tuple[Plate, ...]
    appendices: tuple[Appendix, ...] = ()

    @property
    def sheets(self) -> tuple[Plate | Appendix, ...]:
        """All that may show figures."""
        return (*self.plates, *self.appendices)

    def sheet_of(self, source: str) -> Plate | Appendix | None:
        """Return the plate or appendix of that file, if the file is one."""
        return next((sheet for sheet in self.sheets if sheet.source == source), None)

    def plate_of(self, source: str) -> Plate | None:
        """Return the plate of that file, if the file is one."""
        return next((plate for plate in self.plates if plate.source == source), None)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """All terms, by alphabet."""
        return tuple(
            sorted((term for plate in self.plates for term in plate.terms), key=lambda t: t.name.lower())
        )

    def term(self, name: str) -> Term:
        """Find a term by its name or another of its names, in upper or lower case.

        Args:
            name: such as "logit".

        Returns:
            The term.

        Raises:
            VolumeError: no plate defines it; the nearest is offered.
        """
        if name.lower() not in self._by_name:
            near = hint(name.lower(), self._by_name, "terms are")
            raise VolumeError(f"no term {name!r}{near or '; define it under `terms:` in the front matter'}")
        return self._by_name[name.lower()]

    @cached_property
    def _by_name(self) -> dict[str, Term]:
        return {each.lower(): term for term in self.terms for each in (term.name, *term.also)}

    def figure_number(self, name: str) -> tuple[Plate | Appendix, str]:
        """Find the plate or appendix and the number, such as "7.1", of a figure.

        Args:
            name: such as "output-head-loss".

        Returns:
            The plate or appendix that shows it, and its number.

        Raises:
            VolumeError: none shows it; the nearest is offered.
        """
        for sheet in self.sheets:
            if name in sheet.figures:
                return sheet, f"{sheet.mark}.{sheet.figures.index(name) + 1}"
        names = [each for sheet in self.sheets for each in sheet.figures]
        raise VolumeError(f"no plate shows a figure {name!r}{hint(name, names, 'figures are')}")


_read: dict[Path, tuple[tuple[tuple[str, int, int], ...], Volume]] = {}


def read(docs: Path) -> Volume:
    """Read all plates and appendices, once for as long as their files do not change.

    Args:
        docs: the folder of the pages.

    Returns:
        The volume.

    Raises:
        PlateError: a file's front matter is not what it must be, or two pages contradict each other.
    """
    paths = sorted([*(docs / FOLDER).glob("*.md"), *docs.glob("*.md")])
    state = tuple((str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in paths)
    if docs not in _read or _read[docs][0] != state:
        _read[docs] = (state, _volume(docs, paths))
    return _read[docs][1]


def _volume(docs: Path, paths: list[Path]) -> Volume:
    """All plates and appendices among the files, held against each other."""
    texts = {source: page_text(docs / source, source) for source in _sources(docs, paths)}
    inside = [plate_in(text, source) for source, text in texts.items() if _is_inside(source)]
    beside = [appendix_in(text, source) for source, text in texts.items() if not _is_inside(source)]
    plates = sorted((each for each in inside if each is not None), key=lambda plate: plate.number)
    appendices = sorted((each for each in beside if each is not None), key=lambda each: each.mark)
    sheets: tuple[Plate | Appendix, ...] = (*plates, *appendices)
    _once("number", "plate", [(plate.mark, plate.source) for plate in plates], texts)
    _once("letter", "appendix", [(each.mark, each.source) for each in appendices], texts)
    _once("figure", "figure", [(name, sheet.source) for sheet in sheets for name in sheet.figures], texts)
    terms = [term for plate in plates for term in plate.terms]
    names = [(name.lower(), term.source) for term in terms for name in (term.name, *term.also)]
    _once("term", "terms", names, texts)
    return Volume(tuple(plates), tuple(appendices))


def _sources(docs: Path, paths: list[Path]) -> list[str]:
    return [path.relative_to(docs).as_posix() for path in paths]


def _is_inside(source: str) -> bool:
    return posixpath.dirname(source) == FOLDER


def _once(what: str, key: str, pairs: list[tuple[str, str]], texts: dict[str, str]) -> None:
    seen: dict[str, str] = {}
    for name, source in pairs:
        if name in seen:
            remedy = f'refer to it: {{{{ ref("fig-{name}") }}}}' if what == "figure" else "choose another"
            raise PlateError(
                f"{source}:{_place(texts[source], key, name)}: {key}: wanted each {what} once in the volume, "
                f"came {name!r}; {what} {name!r} is taken by {seen[name]}, {remedy}"
            )
        seen[name] = source


def _place(text: str, key: str, name: str) -> int:
    """The line of a key, or of the last call for a figure."""
    found = [start for each, start in figure_calls(text) if each == name]
    return text.count("\n", 0, found[-1]) + 1 if key == "figure" and found else line_of(text, key)


def figure_calls(text: str) -> list[tuple[str, int]]:
    """Find the figures that a page shows.

    Args:
        text: the whole file.

    Returns:
        Name and place, in characters from the beginning, of each call.
    """
    return [
        (found["name"], found.start()) for found in _FIGURE.finditer(without_literals(without_head(text)))
    ]


def page_text(path: Path, source: str) -> str:
    """Read a page.

    Args:
        path: the file.
        source: its name, for messages.

    Returns:
        The whole file.

    Raises:
        PlateError: it is not UTF-8.
    """
    whole = path.read_bytes()
    try:
        text = whole.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = whole.count(b"\n", 0, error.start) + 1
        raise PlateError(
            f"{source}:{line}: encoding: wanted UTF-8, came byte 0x{whole[error.start]:02x} at offset "
            f"{error.start}; save the file as UTF-8"
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


@lru_cache(maxsize=1024)
def front_matter(text: str, source: str) -> Mapping[str, Any]:
    """Read the head of a page.

    Args:
        text: the whole file.
        source: its name, for messages.

    Returns:
        The values by key; empty where there is no front matter.

    Raises:
        PlateError: it is not YAML, or not keys with values.
    """
    found = _FRONT.match(text)
    try:
        head = _yaml(found[1] or "") if found else {}
    except yaml.MarkedYAMLError as error:
        # The mark counts from 0 and does not see the opening line.
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        said = f"{error.problem or error}; put a text with a colon or other signs of YAML in quotes"
        raise PlateError(f"{source}:{line}: front matter: {said}") from error
    except (yaml.YAMLError, ValueError) as error:
        # Such as a date that no calendar has, or a control character: no place is told.
        said = " ".join(str(error).split())
        raise PlateError(f"{source}:2: front matter: wanted YAML, came {said}; correct it") from error
    if not isinstance(head, dict | None):
        raise PlateError(f"{source}:2: front matter: wanted keys with values, came {type(head).__name__}")
    return head or {}


def _yaml(text: str) -> Any:
    """Read YAML with libyaml, where Python's has it; what it refuses is told in the slower reader's words."""
    try:
        return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return yaml.safe_load(text)


def without_head(text: str) -> str:
    """Blank out the front matter; line numbers and columns stay as they are.

    Args:
        text: the whole file.

    Returns:
        The whole file, its head in blanks.
    """
    return _FRONT.sub(lambda found: blanked(found[0]), text, count=1)


@lru_cache(maxsize=1024)
def plate_in(text: str, source: str) -> Plate | None:
    """Read a plate.

    Args:
        text: the whole file.
        source: its name, from `docs`.

    Returns:
        The plate, or None where the page is none.

    Raises:
        PlateError: its front matter is not what it must be.
    """
    head = front_matter(text, source)
    if "plate" not in head:
        return None
    number = head["plate"]
    if type(number) is not int or number < 1:
        raise PlateError(
            f"{source}:{line_of(text, 'plate')}: plate: wanted a number of 1 or more, came {number!r}"
        )
    if not isinstance(head.get("title"), str):
        raise PlateError(
            f"{source}:{line_of(text, 'title')}: title: wanted text, came {head.get('title')!r}; write one"
        )
    figures = tuple(name for name, _ in figure_calls(text))
    return Plate(source, number, head["title"], figures, _terms(head.get("terms") or [], text, source))


@lru_cache(maxsize=1024)
def appendix_in(text: str, source: str) -> Appendix | None:
    """Read an appendix.

    Args:
        text: the whole file.
        source: its name, from `docs`.

    Returns:
        The appendix, or None where the page is none.

    Raises:
        PlateError: its front matter is not what it must be.
    """
    head = front_matter(text, source)
    if "appendix" not in head:
        return None
    for key, wanted in (("appendix", "a capital letter"), ("title", "text")):
        value = head.get(key)
        if not isinstance(value, str) or (key == "appendix" and not re.fullmatch("[A-Z]", value)):
            raise PlateError(
                f"{source}:{line_of(text, key)}: {key}: wanted {wanted}, came {value!r}; write one"
            )
    figures = tuple(name for name, _ in figure_calls(text))
    return Appendix(source, head["appendix"], head["title"], figures)


def line_of(text: str, key: str) -> int:
    """The line of a key of the front matter, or 1 where it is not there.

    Args:
        text: the whole file.
        key: such as "terms".

    Returns:
        The line, from 1.
    """
    head = _FRONT.match(text)
    found = re.search(rf"^[\"']?{re.escape(key)}[\"']?[ \t]*:", head[0] if head else "", re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _terms(values: object, text: str, source: str) -> tuple[Term, ...]:
    """The front matter's `terms:`, each with `term` and `definition`, and `also` where it has other names."""
    place = f"{source}:{line_of(text, 'terms')}: terms"
    if not isinstance(values, list):
        raise PlateError(f"{place}: wanted a list, came {type(values).__name__}")
    terms = []
    for value in values:
        also = value.get("also", []) if isinstance(value, dict) else None
        also = [also] if isinstance(also, str) else also
        if not isinstance(also, list) or set(value) - {"term", "definition", "also"}:
            raise PlateError(
                f"{place}: wanted `term`, `definition` and perhaps `also` for each, came {value!r}"
            )
        texts = [value.get("term"), value.get("definition"), *also]
        if not all(isinstance(each, str) and each.strip() for each in texts):
            raise PlateError(f"{place}: wanted text for term, definition and also, came {value!r}")
        if "{{" in without_literals(value["definition"]):
            raise PlateError(f"{place}: wanted a definition without macros, came {value['definition']!r}")
        try:
            with_formulas(value["definition"])
        except FormulaError as error:
            raise PlateError(f"{place}: {value['term']}: {error}") from error
        terms.append(Term(value["term"], value["definition"], tuple(also), source))
    return tuple(terms)


def link(here: str, there: str, directories: bool, from_source: bool = False) -> str:
    """Build the address of a page or file as seen from a page.

    Args:
        here: the page's file, from `docs`: "plates/output-head.md".
        there: the other page's file, or any other file, from `docs`.
        directories: whether a page's address is a folder, as `use_directory_urls` says.
        from_source: whether to start from the page's file, not from its address: Zensical turns a relative
            address in a page from the one into the other by itself.

    Returns:
        A relative address, such as "../../reproduce/".
    """
    base, target = (_address(each, directories) for each in (here, there))
    if base == target:
        return ""
    relative = posixpath.relpath(target or ".", posixpath.dirname(here if from_source else base) or ".")
    return relative + "/" if target.endswith("/") or not target else relative


def _address(source: str, directories: bool) -> str:
    stem, extension = posixpath.splitext(source)
    if extension != ".md":
        return source
    if not directories:
        return f"{stem}.html"
    folder, name = posixpath.split(stem)
    if name in ("index", "README"):
        return folder + "/" if folder else ""
    return f"{stem}/"
