"""What a new plate writes: its page, its module, its example, and its name where the book lists its parts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import yaml

from plates import example
from plates.volume import FOLDER, Volume

SHEETS = Path(__file__).parent / "data"


class NewPlateError(ValueError):
    """A plate that cannot be begun; nothing has been written."""


@dataclass(frozen=True)
class NewPlate:
    """A plate that is to be."""

    title: str
    number: int
    name: str
    """What its page is called, and with it its address: "attention"."""

    @property
    def facts(self) -> str:
        """What its facts are called on a page: "attention"."""
        word = self.name.replace("-", "_")
        return word if word[0].isalpha() else f"plate_{word}"

    @property
    def module(self) -> str:
        """What its module is called; the first word keeps it apart from the press's own."""
        return f"plate_{self.name.replace('-', '_')}"

    @property
    def figure(self) -> str:
        """What its first figure is called."""
        return f"{self.name}-example"


@dataclass(frozen=True)
class Settings:
    """What mkdocs.yml says that a new plate must know."""

    root: Path
    docs: Path
    theme: Path | None
    places: int
    """How many plates the volume has room for."""


class _Loader(yaml.SafeLoader):
    """Reads mkdocs.yml without the environment."""


# Such as `!ENV [BOOK_URL, ""]`: what it would give does not matter here.
_Loader.add_multi_constructor("!", lambda loader, tag, node: None)


class _Sheet(Template):
    """A file to fill in; Markdown, LaTeX and Python have their own uses for the dollar sign."""

    delimiter = "§"


def settings(root: Path) -> Settings:
    """Read the settings of the book.

    Args:
        root: the folder that holds mkdocs.yml.

    Returns:
        What a new plate must know.

    Raises:
        NewPlateError: there is no book here, or its settings do not say what is wanted.
    """
    if not (root / "mkdocs.yml").is_file():
        raise NewPlateError("wanted a folder with mkdocs.yml, came one without; go to the book's own folder")
    told = _loaded((root / "mkdocs.yml").read_text(encoding="utf-8"))
    places = ((told.get("extra") or {}).get("volume") or {}).get("plates")
    if type(places) is not int:
        raise NewPlateError(f"mkdocs.yml: extra.volume.plates: wanted a number of places, came {places!r}")
    theme = told.get("theme")
    folder = theme.get("custom_dir") if isinstance(theme, dict) else None
    return Settings(root, root / told.get("docs_dir", "docs"), root / folder if folder else None, places)


def new_files(book: Settings, printed: Volume, plate: NewPlate) -> dict[Path, str]:
    """Write all files of a new plate, in memory.

    Args:
        book: the book's settings.
        printed: the plates that there are.
        plate: the one that is to be.

    Returns:
        The text of each file, the page first and what lists it last.

    Raises:
        NewPlateError: a file of that name is there, or a list is not in the form that can be added to.
    """
    room, config = book.root / "plates", book.root / "mkdocs.yml"
    new = {
        book.docs / FOLDER / f"{plate.name}.md": _page(plate, printed),
        room / f"{plate.module}.py": _filled("new-plate.py.txt", plate),
        room / "data" / f"{plate.name}{example.SUFFIX}": example.as_csv(),
    }
    listed = (room / "contents.py").read_text(encoding="utf-8")
    _check_free(book, plate, list(new), listed)
    return {
        **new,
        room / "contents.py": _with_contents(listed, plate),
        config: _with_nav(config.read_text(encoding="utf-8"), plate, printed),
    }


def _page(plate: NewPlate, printed: Volume) -> str:
    taken = {name.lower() for term in printed.terms for name in (term.name, *term.also)}
    term = next(
        word
        for count in range(len(taken) + 1)
        if (word := f"{plate.title}{f' ({plate.number}.{count})' if count else ''}").lower() not in taken
    )
    said = {"title": plate.title, "keyword": plate.title.lower(), "term": term}
    # JSON's form of a text is one of YAML's and of Jinja's, whatever the text holds.
    quoted = {key: json.dumps(words, ensure_ascii=False) for key, words in said.items()}
    return _filled("new-plate.md", plate, **quoted, quoted=quoted["term"])


def _filled(sheet: str, plate: NewPlate, **values: str) -> str:
    text = (SHEETS / sheet).read_text(encoding="utf-8")
    names = {"number": str(plate.number), "facts": plate.facts, "figure": plate.figure}
    return _Sheet(text).substitute({**names, **values})


def _check_free(book: Settings, plate: NewPlate, paths: list[Path], listed: str) -> None:
    """Refuse a name that a file, a figure or a set of facts bears already."""
    for path in paths:
        # A disk may hold upper and lower case for one.
        beside = {other.name.lower(): other for other in path.parent.iterdir()}
        if other := beside.get(path.name.lower()):
            shown = other.relative_to(book.root).as_posix()
            raise NewPlateError(f"name {plate.name!r} is taken by {shown}; choose another title")
    for name in (plate.facts, plate.figure):
        if f'"{name}"' in listed:
            raise NewPlateError(f"name {name!r} is taken in plates/contents.py; choose another title")


def _with_contents(text: str, plate: NewPlate) -> str:
    """Name the plate's module in `plates/contents.py`: in the imports and in both tables."""
    imports = re.search(r"^from plates import \(\n(?P<names>(?: {4}\w+,\n)+)\)", text, re.MULTILINE)
    if not imports:
        raise NewPlateError("plates/contents.py: wanted `from plates import (`, a name a line; write it so")
    names = sorted([*imports["names"].splitlines(), f"    {plate.module},"])
    text = text.replace(imports["names"], "\n".join(names) + "\n")
    for table in ("FIGURES", "FACTS"):
        found = re.search(rf"^{table}\b.*?^(?=\}})", text, re.MULTILINE | re.DOTALL)
        if not found:
            raise NewPlateError(f"plates/contents.py: wanted a table {table} that ends with a line of }}")
        text = text[: found.end()] + f"    **{plate.module}.{table},\n" + text[found.end() :]
    return text


def _with_nav(text: str, plate: NewPlate, printed: Volume) -> str:
    """Name the page in the `nav` of mkdocs.yml, among the plates by its number."""
    page = f"{FOLDER}/{plate.name}.md"
    numbers = {each.source: each.number for each in printed.plates}
    lines = text.splitlines(keepends=True)
    entries = [
        (index, found)
        for index, line in enumerate(lines)
        if (found := re.match(rf"(?P<before>\s*- (?:[^#]*: )?)(?P<page>{FOLDER}/\S+\.md)\s*(?:#|$)", line))
    ]
    label = next((index for index, line in enumerate(lines) if re.match(r"\s*- Plates:\s*$", line)), None)
    if entries:
        later = [index for index, found in entries if numbers.get(found["page"], 0) > plate.number]
        indent = re.match(r"\s*", entries[0][1]["before"])
        at, space = (later[0] if later else entries[-1][0] + 1), indent[0] if indent else ""
    elif label is not None:
        at, space = label + 1, " " * (len(lines[label]) - len(lines[label].lstrip()) + 4)
    else:
        raise NewPlateError(
            "mkdocs.yml: wanted a line `- Plates:` under nav for the plate to stand in; add it"
        )
    text = "".join([*lines[:at], f"{space}- {page}\n", *lines[at:]])
    if page not in set(_pages(_loaded(text).get("nav"))):
        raise NewPlateError(
            f"mkdocs.yml: nav: no place found for {page}; write each plate on a line of its own"
        )
    return text


def _loaded(text: str) -> dict[str, Any]:
    try:
        told = yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        raise NewPlateError(f"mkdocs.yml: wanted YAML, came {' '.join(str(error).split())}") from error
    return told if isinstance(told, dict) else {}


def _pages(nav: Any) -> Iterator[str]:
    """All pages of a `nav`."""
    for each in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else [nav]:
        if isinstance(each, str):
            yield each
        elif each:
            yield from _pages(each)
