"""Works cited: a BibTeX file to author-year links, and the list with its links back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup
from pybtex.database import BibliographyData, Entry, parse_string
from pybtex.exceptions import PybtexError
from pybtex.richtext import Text

from plates import html
from plates.names import hint

ADDRESSES = {"doi": "https://doi.org/", "eprint": "https://arxiv.org/abs/", "url": ""}
VENUES = ("journal", "booktitle", "publisher", "howpublished", "institution", "note")


class BibliographyError(ValueError):
    """A work that is not in the file, or a file that is not BibTeX."""


def read(path: Path) -> BibliographyData:
    """Read a BibTeX file.

    Args:
        path: the file.

    Returns:
        Its entries.

    Raises:
        BibliographyError: it is missing, or not BibTeX; each entry needs authors, a title and a year.
    """
    try:
        works = parse_string(path.read_text(encoding="utf-8"), "bibtex")
    except FileNotFoundError as error:
        raise BibliographyError(f"{path.name}: the file is missing; a page cites from it") from error
    except PybtexError as error:
        raise BibliographyError(f"{path.name}: {' '.join(str(error).split())}") from error
    for key, entry in works.entries.items():
        missing = [field for field in ("title", "year") if field not in entry.fields]
        missing += [] if entry.persons.get("author") else ["author"]
        if missing:
            raise BibliographyError(
                f"{path.name}: entry {key!r}: wanted title, year and author; no {missing[0]}"
            )
    return works


def entry(works: BibliographyData, key: str) -> Entry:
    """Find a work by its key; the nearest is offered where there is none."""
    if key not in works.entries:
        raise BibliographyError(f"references.bib: no work {key!r}{hint(key, works.entries, 'works are')}")
    return works.entries[key]


def citation(work: Entry, number: int, parenthetical: bool) -> Markup:
    """Build a citation: "Press and Wolf (2016)", or without brackets "Press and Wolf, 2016".

    Args:
        work: what is cited.
        number: which citation of that work on the page, from 1.
        parenthetical: whether the sentence sets the brackets itself.

    Returns:
        A link to the list of works.
    """
    names = _listed([_family(person) for person in work.persons["author"]], most=3)
    words = f"{names}, {_plain(work, 'year')}" if parenthetical else f"{names} ({_plain(work, 'year')})"
    return html.tag("a", words, class_="cite", id=f"cite-{work.key}-{number}", href=f"#ref-{work.key}")


def listing(works: Sequence[Entry], cited: Mapping[str, int]) -> Markup:
    """Build the list of works cited.

    Args:
        works: the works, in any order.
        cited: how often the page cites each, by key.

    Returns:
        A list by author and year.
    """
    ordered = sorted(
        works,
        key=lambda work: (_listed([_family(p) for p in work.persons["author"]]).lower(), work.fields["year"]),
    )
    items = [html.tag("li", _item(work, cited[work.key]), id=f"ref-{work.key}") for work in ordered]
    return html.tag("ul", html.join(items), class_="bibliography")


def _item(work: Entry, times: int) -> Markup:
    authors = _listed([_whole(person) for person in work.persons["author"]])
    venue = next((_plain(work, field) for field in VENUES if field in work.fields), "")
    pieces: list[object] = [
        f"{authors} ({_plain(work, 'year')}). ",
        html.tag("cite", _plain(work, "title")),
        ". ",
    ]
    pieces += [f"{venue}. "] if venue else []
    pieces += [_address(work), *(_back(work.key, number, times) for number in range(1, times + 1))]
    return html.join(pieces)


def _address(work: Entry) -> Markup:
    """A link to the work itself, by the best address the entry gives."""
    for field, base in ADDRESSES.items():
        if field in work.fields:
            label = f"arXiv:{_plain(work, field)}" if field == "eprint" else field.upper()
            return html.join([html.tag("a", label, href=base + _plain(work, field)), ". "])
    return Markup("")


def _back(key: str, number: int, times: int) -> Markup:
    where = f"Back to the citation, {number} of {times}" if times > 1 else "Back to the citation"
    link = html.tag(
        "a",
        f"↩{number if times > 1 else ''}",
        class_="backref",
        href=f"#cite-{key}-{number}",
        aria_label=where,
    )
    return html.join([link, " "])


def _plain(work: Entry, field: str) -> str:
    """A field as text: braces and accents of LaTeX are resolved."""
    return _text(work.fields[field]).strip()


def _family(person: object) -> str:
    return _named(person, ("prelast_names", "last_names"))


def _whole(person: object) -> str:
    return _named(person, ("first_names", "middle_names", "prelast_names", "last_names", "lineage_names"))


def _named(person: object, parts: tuple[str, ...]) -> str:
    names = [name for part in parts for name in getattr(person, part)]
    return _text(" ".join(names))


@lru_cache(maxsize=4096)
def _text(latex: str) -> str:
    return str(Text.from_latex(latex))


def _listed(names: Sequence[str], most: int = 99) -> str:
    """Names in a row: "Inan, Khosravi and Socher"; beyond the most, "Inan et al."."""
    if len(names) > most:
        return f"{names[0]} et al."
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
