"""Plates as their files say, and what a file may not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from plates.volume import PlateError, VolumeError, front_matter, link, read

PLATE = """---
title: {title}
plate: {number}
terms:
- term: {title} term
  definition: What it is.
---
{body}
"""


def write(docs: Path, name: str, text: str) -> None:
    (docs / "plates").mkdir(parents=True, exist_ok=True)
    (docs / "plates" / name).write_text(text, encoding="utf-8")


def test_plates_stand_in_order_of_number(tmp_path: Path) -> None:
    write(tmp_path, "a.md", PLATE.format(title="Last", number=9, body='{{ figure("c") }}'))
    write(
        tmp_path, "b.md", PLATE.format(title="First", number=2, body="{{ figure('a') }}\n\n{{ figure('b') }}")
    )
    write(tmp_path, "notes.md", "# No plate\n")
    volume = read(tmp_path)
    assert [plate.title for plate in volume.plates] == ["First", "Last"]
    assert volume.figure_number("b")[1] == "2.2"
    assert volume.figure_number("c") == (volume.plates[1], "9.1")
    assert [term.name for term in volume.terms] == ["First term", "Last term"]
    assert volume.term("FIRST term").anchor == "term-first-term"


def test_figures_in_code_and_comments_do_not_count(tmp_path: Path) -> None:
    body = (
        '`{{ figure("a") }}`\n\n```\n{{ figure("b") }}\n```\n<!-- {{ figure("c") }} -->\n\n{{ figure("d") }}'
    )
    write(tmp_path, "a.md", PLATE.format(title="One", number=1, body=body))
    assert read(tmp_path).plates[0].figures == ("d",)


def test_a_changed_plate_is_read_again(tmp_path: Path) -> None:
    write(tmp_path, "a.md", PLATE.format(title="One", number=1, body=""))
    first = read(tmp_path)
    assert read(tmp_path) is first
    write(tmp_path, "a.md", PLATE.format(title="Other", number=1, body=""))
    assert read(tmp_path).plates[0].title == "Other"


FAULTS = [
    ("plate: seven\ntitle: T", "plates/a.md:2: plate: wanted a number of 1 or more, came 'seven'"),
    ("title: T\nplate: 0", "plates/a.md:3: plate: wanted a number of 1 or more, came 0"),
    ("plate: true\ntitle: T", "plates/a.md:2: plate: wanted a number of 1 or more, came True"),
    ("plate: 7", "plates/a.md:1: title: wanted text, came None"),
    ("plate: 7\ntitle: 7", "plates/a.md:3: title: wanted text, came 7"),
    ("plate: 7\ntitle: [", "plates/a.md:4: front matter: "),
    ("plate: 7\ntitle: a: b", "plates/a.md:3: front matter: "),
    ("- plate", "plates/a.md:2: front matter: wanted keys with values, came list"),
    ("plate: 7\ntitle: T\nterms: Logit", "plates/a.md:4: terms: wanted a list, came str"),
    (
        "plate: 7\ntitle: T\nterms: [Logit]",
        "plates/a.md:4: terms: wanted `term`, `definition` and perhaps `also`",
    ),
    (
        "plate: 7\ntitle: T\nterms: [{term: Logit}]",
        "plates/a.md:4: terms: wanted text for term, definition and also",
    ),
    ("plate: 7\ntitle: T\nterms: [{term: L, definition: d, see: x}]", "plates/a.md:4: terms: wanted `term`"),
    ("plate: 7\ntitle: T\nterms: [{term: L, definition: '{{ x }}'}]", "wanted a definition without macros"),
    (
        "plate: 7\ntitle: T\nterms: [{term: L, definition: d}, {term: l, definition: d}]",
        "plates/a.md: term 'l' is taken by plates/a.md",
    ),
]


@pytest.mark.parametrize(("head", "words"), FAULTS, ids=[each[1] for each in FAULTS])
def test_front_matter_that_says_what_it_may_not(tmp_path: Path, head: str, words: str) -> None:
    write(tmp_path, "a.md", f"---\n{head}\n---\nText.\n")
    with pytest.raises(PlateError) as caught:
        read(tmp_path)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (("One", 1, ""), ("Two", 1, ""), "plates/b.md: number '1' is taken by plates/a.md"),
        (("One", 1, ""), ("One", 2, ""), "plates/b.md: term 'one term' is taken by plates/a.md"),
        (
            ("One", 1, "figure('x')"),
            ("Two", 2, "figure('x')"),
            "plates/b.md: figure 'x' is taken by plates/a.md",
        ),
    ],
)
def test_plates_may_not_contradict_each_other(
    tmp_path: Path, first: tuple[str, int, str], second: tuple[str, int, str], words: str
) -> None:
    for name, (title, number, body) in (("a.md", first), ("b.md", second)):
        write(tmp_path, name, PLATE.format(title=title, number=number, body=body))
    with pytest.raises(PlateError, match=words):
        read(tmp_path)


def test_what_is_not_there_is_answered_with_the_nearest(tmp_path: Path) -> None:
    write(tmp_path, "a.md", PLATE.format(title="One", number=1, body="{{ figure('loss') }}"))
    with pytest.raises(VolumeError, match=r"no term 'one terms'; did you mean 'one term'\?"):
        read(tmp_path).term("one terms")
    with pytest.raises(VolumeError, match=r"no plate shows a figure 'los'; did you mean 'loss'\?"):
        read(tmp_path).figure_number("los")
    (tmp_path / "plates/a.md").unlink()
    with pytest.raises(VolumeError, match="define it under `terms:` in the front matter"):
        read(tmp_path).term("x")


def test_a_page_without_front_matter_has_none() -> None:
    assert front_matter("# Title\n", "x.md") == front_matter("---\n---\n", "x.md") == {}


@pytest.mark.parametrize(
    ("here", "there", "directories", "address"),
    [
        ("plates/a.md", "plates/a.md", True, ""),
        ("plates/a.md", "plates/b.md", True, "../b/"),
        ("plates/a.md", "reproduce.md", True, "../../reproduce/"),
        ("plates/a.md", "index.md", True, "../../"),
        ("index.md", "plates/a.md", True, "plates/a/"),
        ("plates/index.md", "plates/a.md", True, "a/"),
        ("plates/a.md", "assets/x.csv", True, "../../assets/x.csv"),
        ("index.md", "assets/x.csv", True, "assets/x.csv"),
        ("plates/a.md", "plates/b.md", False, "b.html"),
        ("plates/a.md", "index.md", False, "../index.html"),
        ("plates/a.md", "assets/x.csv", False, "../assets/x.csv"),
    ],
)
def test_addresses_are_relative(here: str, there: str, directories: bool, address: str) -> None:
    assert link(here, there, directories) == address
