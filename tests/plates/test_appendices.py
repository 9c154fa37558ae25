"""Appendices: pages that are no plates and show figures of their own, by letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from plates.front_matter import faults
from plates.volume import PlateError, read

PLATE = "---\ntitle: One\nplate: 7\n---\n{{ figure('loss') }}\n"
PAGE = "---\ntitle: {title}\nappendix: {letter}\n---\n{body}\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "plates").mkdir()
    (tmp_path / "plates" / "one.md").write_text(PLATE)
    (tmp_path / "index.md").write_text("# Home\n")
    return tmp_path


def write(docs: Path, name: str, title: str = "More", letter: str = "A", body: str = "") -> None:
    (docs / name).write_text(PAGE.format(title=title, letter=letter, body=body))


def test_figures_bear_the_letter(docs: Path) -> None:
    write(docs, "z.md", letter="A", body="{{ figure('a') }}\n\n{{ figure('b') }}")
    write(docs, "a.md", letter="B", body="{{ figure('c') }}")
    volume = read(docs)
    assert [(each.source, each.mark) for each in volume.appendices] == [("z.md", "A"), ("a.md", "B")]
    assert [volume.figure_number(name)[1] for name in ("loss", "a", "b", "c")] == ["7.1", "A.1", "A.2", "B.1"]
    assert [sheet.label for sheet in volume.sheets] == ["plate 7", "appendix A", "appendix B"]
    assert volume.sheet_of("z.md") == volume.appendices[0]
    assert volume.sheet_of("index.md") is None
    assert volume.plate_of("z.md") is None


def test_a_changed_appendix_is_read_again(docs: Path) -> None:
    write(docs, "a.md")
    assert read(docs).appendices[0].title == "More"
    write(docs, "a.md", title="Other")
    assert read(docs).appendices[0].title == "Other"


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("title: T\nappendix: a", "a.md:3: appendix: wanted a capital letter, came 'a'; write one"),
        ("title: T\nappendix: 1", "a.md:3: appendix: wanted a capital letter, came 1; write one"),
        ("appendix: A", "a.md:1: title: wanted text, came None; write one"),
    ],
)
def test_a_head_that_says_what_it_may_not(docs: Path, head: str, words: str) -> None:
    (docs / "a.md").write_text(f"---\n{head}\n---\nText.\n")
    with pytest.raises(PlateError) as caught:
        read(docs)
    assert str(caught.value) == words
    assert [str(fault) for fault in faults(docs, None, 10)] == [words]


def test_two_pages_may_not_contradict_each_other(docs: Path) -> None:
    write(docs, "a.md")
    write(docs, "b.md")
    with pytest.raises(PlateError, match=r"b\.md:3: appendix: wanted each letter once .* is taken by a\.md"):
        read(docs)
    write(docs, "b.md", letter="B", body="{{ figure('loss') }}")
    with pytest.raises(PlateError, match=r"wanted each figure once .* 'loss' is taken by plates/one\.md"):
        read(docs)


def test_an_appendix_stands_beside_the_plates(docs: Path) -> None:
    write(docs / "plates", "a.md")
    (found,) = faults(docs, None, 10)
    assert str(found).startswith(
        "plates/a.md:3: appendix: wanted appendices in docs/*.md alone, came 'A' here"
    )
