"""Begin a plate: python -m plates new "Attention" --number 3."""

from __future__ import annotations

import argparse
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from plates import front_matter, volume
from plates.new_files import NewPlate, NewPlateError, new_files, settings

LONGEST = 40
"""Characters of a plate's name; longer ones make poor addresses."""
REMEDY = "choose another title"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's options.

    Args:
        parser: the command's own.
    """
    parser.add_argument("title", help='the plate\'s title: "Attention"')
    parser.add_argument("--number", type=int, required=True, help="its place in the volume")


def main(options: argparse.Namespace) -> int:
    """Write a new plate into the book of this folder, or say why not.

    Args:
        options: what was asked for.

    Returns:
        0 when the plate stands, 1 when it was refused and nothing was written.
    """
    try:
        written = begin(Path(), options.title, options.number)
    except NewPlateError as error:
        return _refused(str(error))
    except volume.PlateError as error:
        return _refused(f"docs/{error}")
    except OSError as error:
        return _refused(f"{error.filename}: {error.strerror}; nothing was written")
    page, *others = written
    print(f"Wrote {', '.join(others)} and {page}.")
    print(f"Now change a sentence of {page} while make serve shows it; docs/authors.md says the rest.")
    return 0


def _refused(why: str) -> int:
    print(f"python -m plates new: {why}", file=sys.stderr)
    return 1


def begin(root: Path, title: str, number: int) -> list[str]:
    """Write all that a new plate needs, or nothing.

    Args:
        root: the folder that holds mkdocs.yml.
        title: the plate's title.
        number: its place in the volume.

    Returns:
        The files written, from the root: the plate's page first.

    Raises:
        NewPlateError: title or number will not do, or the book is not as it should be.
        PlateError: another page has a fault in its front matter.
    """
    book = settings(root)
    front_matter.hold(book.docs, book.theme, book.places)
    printed = volume.read(book.docs)
    plate = NewPlate(" ".join(title.split()), number, name_of(title))
    _check_number(number, book.places, printed)
    files = new_files(book, printed, plate)
    with _written(files):
        front_matter.hold(book.docs, book.theme, book.places)
    return [path.relative_to(root).as_posix() for path in files]


def name_of(title: str) -> str:
    """Make a plate's name of its title.

    Args:
        title: such as "The Output Head".

    Returns:
        Such as "the-output-head".

    Raises:
        NewPlateError: no name can be made of it.
    """
    if re.search(r"\{\{|\{%|[\x00-\x1f\x7f]", title):
        raise NewPlateError(f"wanted a title in one line without macros, came {title!r}")
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")
    if not name:
        raise NewPlateError(
            f"wanted a title with Latin letters or digits to make a name of, came {title!r}; {REMEDY}"
        )
    if len(name) > LONGEST:
        raise NewPlateError(f"wanted a name of at most {LONGEST} letters, came {name!r}; {REMEDY}")
    if name in ("index", "readme"):
        raise NewPlateError(f"name {name!r} is that of a folder's own page; {REMEDY}")
    return name


def _check_number(number: int, places: int, printed: volume.Volume) -> None:
    """Refuse a number that is none of the volume's, or another plate's."""
    taken = {plate.number: plate.source for plate in printed.plates}
    free = ", ".join(str(each) for each in range(1, places + 1) if each not in taken) or "none"
    if not 1 <= number <= places:
        raise NewPlateError(
            f"wanted a number from 1 to {places}, the places of the volume, came {number}; free are {free}"
        )
    if number in taken:
        raise NewPlateError(f"number {number} is taken by docs/{taken[number]}; free are {free}")


@contextmanager
def _written(files: Mapping[Path, str]) -> Iterator[None]:
    """Write all files, and take all back where one cannot be written or what follows fails."""
    before = {path: path.read_bytes() if path.exists() else None for path in files}
    try:
        for path, text in files.items():
            path.with_name(f".{path.name}.new").write_text(text, encoding="utf-8", newline="\n")
        for path in files:
            path.with_name(f".{path.name}.new").replace(path)
        yield
    except BaseException:
        for path, was in before.items():
            path.with_name(f".{path.name}.new").unlink(missing_ok=True)
            path.unlink(missing_ok=True) if was is None else path.write_bytes(was)
        raise
