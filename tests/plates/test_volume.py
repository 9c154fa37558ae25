"""Plates as their files say, and what a file may not say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plates.front_matter import faults, hold
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
    ("plate: 7\ntitle: a: b", "not allowed here; put a text with a colon or other signs of YAML in quotes"),
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
        "plate: 7\ntitle: T\nterms: [{term: L, definition: 'a $\\nope$'}]",
        r'plates/a.md:4: terms: L: formula: Unknown command "\nope"; correct it',
    ),
    (
        "plate: 7\ntitle: T\nterms: [{term: L, definition: d}, {term: l, definition: d}]",
        "plates/a.md:4: terms: wanted each term once in the volume, came 'l'; term 'l' is taken by",
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
        (
            ("One", 1, ""),
            ("Two", 1, ""),
            "plates/b.md:3: plate: wanted each number once .* is taken by plates/a.md",
        ),
        (
            ("One", 1, ""),
            ("One", 2, ""),
            "plates/b.md:4: terms: wanted each term once .* 'one term' is taken by plates/a.md",
        ),
        (
            ("One", 1, "figure('x')"),
            ("Two", 2, "figure('x')"),
            "plates/b.md:8: figure: wanted each figure once .* 'x' is taken by plates/a.md",
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


def test_all_faults_of_all_pages_are_found(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "---\ntitle: 7\nplate: 0\nkeywords: x\n---\n")
    write(tmp_path, "b.md", "---\ntitle: [\n---\n")
    write(tmp_path, "c.md", "---\ntitle: T\nplate: 1\nterms: Logit\n---\n")
    write(tmp_path, "d.md", "Title: Words\n")
    assert [re.split("; put a text|: wanted", str(fault))[0] for fault in faults(tmp_path, None, 10)] == [
        "plates/a.md:2: title",
        "plates/a.md:4: keywords",
        "plates/a.md:3: plate",
        "plates/b.md:3: front matter: expected the node content, but found '<stream end>'",
        "plates/c.md:4: terms",
        "plates/d.md:1: front matter",
    ]


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


WRONG = [
    ("keywords: 5", "x.md:2: keywords: wanted a list of texts, came 5; write such as [logit, softmax]"),
    ("keywords: word", "x.md:2: keywords: wanted a list of texts, came 'word'; write"),
    ("title: T\nkeywords: [5, null]", "x.md:3: keywords: wanted a list of texts, came [5, None]; write"),
    ("keywords: [' ']", "x.md:2: keywords: wanted a list of texts, came [' ']"),
    ("search: 5", "x.md:2: search: wanted keys with values, came 5; write such as {exclude: true}"),
    ("hide: 5", "x.md:2: hide: wanted a list of texts, came 5; write such as [navigation, toc]"),
    ("hide: toc", "x.md:2: hide: wanted a list of texts, came 'toc'"),
    (
        "template: nope.html",
        "x.md:2: template: wanted a template of plates/theme, came 'nope.html'",
    ),
    ("template: volum.html", "came 'volum.html'; did you mean 'volume.html'?"),
    ("template: 5", "x.md:2: template: wanted a template of plates/theme, came 5"),
    ("template: [volume.html]", "x.md:2: template: wanted a template of plates/theme, came ['volume.html']"),
    ('title: ""', "x.md:2: title: wanted text without macros, came ''; write a line of words"),
    ("title: 2024-01-01", "x.md:2: title: wanted text without macros, came datetime.date(2024, 1, 1)"),
    ("lede: [a]", "x.md:2: lede: wanted text without macros, came ['a']"),
    ("'lede': 5", "x.md:2: lede: wanted text without macros, came 5"),
    ("lede:", "x.md:2: lede: wanted text without macros, came None"),
    ('lede: "{{ nope }}"', "x.md:2: lede: wanted text without macros, came '{{ nope }}'"),
    ('lede: "{% if x %}"', "x.md:2: lede: wanted text without macros, came '{% if x %}'"),
    ("description: [x]", "x.md:2: description: wanted text without macros, came ['x']"),
    ("title: a: b", "x.md:2: front matter: "),
    ("title: 2024-13-45", "x.md:2: front matter: wanted YAML, came month must be in 1..12; correct it"),
    ("title: a\x01", "x.md:2: front matter: wanted YAML, came unacceptable character"),
    ("title: T\nplate: 7", ":3: plate: wanted plates in docs/plates/*.md alone, came 7 here; move the file"),
]


@pytest.mark.parametrize("name", ["x.md", "deep/x.md", "plates/sub/x.md", "x.markdown"])
@pytest.mark.parametrize(("head", "words"), WRONG, ids=[each[0] for each in WRONG])
def test_any_page_with_front_matter_of_the_wrong_type(
    tmp_path: Path, name: str, head: str, words: str
) -> None:
    page = tmp_path / "docs" / name
    page.parent.mkdir(parents=True)
    page.write_text(f"---\n{head}\n---\nlede: text\n", encoding="utf-8")
    (tmp_path / "theme").mkdir()
    (tmp_path / "theme/volume.html").write_text("")
    with pytest.raises(PlateError) as caught:
        hold(tmp_path / "docs", tmp_path / "theme", 10)
    assert words.replace("x.md", name) in str(caught.value)
    assert str(caught.value).startswith(f"{name}:")


def test_front_matter_that_is_right_is_let_through(tmp_path: Path) -> None:
    (tmp_path / "theme").mkdir()
    (tmp_path / "theme/volume.html").write_text("")
    head = (
        "title: T\nlede: L {x}\ndescription: >-\n  D\nkeywords: [a, b]\nhide: [toc]\nsearch: {exclude: true}"
    )
    write(tmp_path, "a.md", f"---\n{head}\ntemplate: volume.html\nplate: 10\n---\n")
    (tmp_path / "b.md").write_bytes(b"\xef\xbb\xbf---\r\nrender_macros: false\r\n---\r\n# B: c\r\n")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden/c.md").write_bytes(b"\xe9")
    hold(tmp_path, tmp_path / "theme", 10)
    hold(tmp_path, tmp_path / "theme", None)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("plate: 11", "plates/a.md:3: plate: wanted a number from 1 to 10, came 11; choose one, or mend"),
        ("plate: 0", "plates/a.md:3: plate: wanted a number from 1 to 10, came 0"),
        ("plate: true", "plates/a.md:3: plate: wanted a number from 1 to 10, came True"),
        ("plate:", "plates/a.md:3: plate: wanted a number from 1 to 10, came None"),
        (
            "plate: 7\nrender_macros: false",
            "plates/a.md:4: render_macros: wanted a plate's macros rendered, came False; take the line out",
        ),
    ],
)
def test_what_a_plate_may_not_say(tmp_path: Path, head: str, words: str) -> None:
    write(tmp_path, "a.md", f"---\ntitle: T\n{head}\n---\n")
    with pytest.raises(PlateError) as caught:
        hold(tmp_path, None, 10)
    assert str(caught.value).startswith(words)


def test_plates_are_held_against_each_other_with_all_pages(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        write(tmp_path, name, "---\ntitle: T\nplate: 7\n---\n")
    with pytest.raises(
        PlateError, match=r"^plates/b\.md:3: plate: wanted each number once in the volume, came '7'"
    ):
        hold(tmp_path, None, 10)


def test_front_matter_without_its_lines_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("keywords: word\n\nWords.\n")
    with pytest.raises(
        PlateError, match=r"^a\.md:1: front matter: wanted it between lines of ---, came 'keywords:'"
    ):
        hold(tmp_path, None, 10)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_page_that_is_not_utf_8_is_told_by_its_byte(tmp_path: Path, mark: bytes) -> None:
    (tmp_path / "a.md").write_bytes(mark + b"# A\n\ncaf\xe9\n")
    with pytest.raises(PlateError) as caught:
        hold(tmp_path, None, 10)
    assert str(caught.value) == (
        f"a.md:3: encoding: wanted UTF-8, came byte 0xe9 at offset {len(mark) + 8}; save the file as UTF-8"
    )


@pytest.mark.parametrize(
    ("here", "there", "address"),
    [
        ("glossary.md", "plates/output-head.md", "plates/output-head/"),
        ("plates/output-head.md", "tying.md", "../tying/"),
        ("plates/output-head.md", "assets/data/a.csv", "../assets/data/a.csv"),
        ("index.md", "plates/output-head.md", "plates/output-head/"),
    ],
)
def test_an_address_may_start_from_the_pages_file(here, there, address):
    """Zensical goes on from there; see tests/site/test_movable.py."""
    assert link(here, there, True, from_source=True) == address
