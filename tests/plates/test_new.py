"""A new plate: whole and green at once, or refused in one line with nothing written."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from plates import example, new
from plates.front_matter import hold
from plates.new_files import NewPlateError, _Loader
from plates.volume import PlateError, front_matter, read

PAGE = Path("docs/plates/attention.md")
WRITTEN = (
    "docs/plates/attention.md",
    "plates/plate_attention.py",
    "plates/data/attention-example.csv",
    "plates/contents.py",
    "mkdocs.yml",
)


def state(tree: Path) -> dict[str, bytes]:
    """Every file of a tree by its path."""
    return {
        path.relative_to(tree).as_posix(): path.read_bytes()
        for path in tree.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def nav(tree: Path) -> list[str]:
    """The pages listed under `Plates`."""
    told = yaml.load((tree / "mkdocs.yml").read_text(encoding="utf-8"), _Loader)
    return next(list(each["Plates"]) for each in told["nav"] if isinstance(each, dict))


def command(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "plates", "new", *words], cwd=tree, capture_output=True, text=True, timeout=120
    )


@pytest.fixture(scope="module")
def begun(copy_tree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the book with a third plate, begun by the command."""
    tree = copy_tree(tmp_path_factory.mktemp("new") / "tree")
    done = command(tree, "Attention", "--number", "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(name in done.stdout for name in WRITTEN)
    return tree


def test_it_writes_a_page_with_all_its_parts(begun):
    head = front_matter((begun / PAGE).read_text(encoding="utf-8"), "x")
    assert (head["title"], head["plate"]) == ("Attention", 3)
    assert [term["term"] for term in head["terms"]] == ["Attention"]
    assert nav(begun) == ["plates/attention.md", "plates/output-head.md"]
    assert not list(begun.rglob("*.new"))


def test_the_build_is_green_at_once_and_the_figure_works(begun, mkdocs, tmp_path):
    built = mkdocs(begun, tmp_path / "site", "--strict")
    assert built.returncode == 0, built.stdout
    page = (tmp_path / "site/plates/attention/index.html").read_text(encoding="utf-8")
    assert "Figure 3.1</a>" in page
    assert 'href="../../assets/data/attention-example.csv"' in page
    assert "No result of this volume" in page
    data = (tmp_path / "site/assets/data/attention-example.csv").read_text(encoding="utf-8")
    assert data == example.as_csv()


def test_the_authors_checks_find_nothing(begun):
    done = subprocess.run(
        [sys.executable, "-m", "plates", "check"], cwd=begun, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_it_writes_is_in_the_houses_style(begun):
    code = ["plates/plate_attention.py", "plates/contents.py"]
    for how in (["ruff", "check"], ["ruff", "format", "--check"], ["mypy", "--follow-imports=silent"]):
        done = subprocess.run(
            [sys.executable, "-m", *how, *code], cwd=begun, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_example_is_arithmetic():
    assert list(example.descend(0.5, 2)) == [0.5, 0.125, 0.03125]
    header, *rows = example.as_csv().splitlines()
    assert header == "run,step,loss"
    assert len(rows) == len(example.RUNS) * (example.STEPS + 1)
    printed = subprocess.run(example.COMMAND.split(), capture_output=True, text=True, timeout=60).stdout
    assert printed == example.as_csv()


def test_a_broken_example_is_told_by_line(tmp_path, monkeypatch):
    monkeypatch.setattr(example, "DATA", tmp_path)
    (tmp_path / "a-example.csv").write_text("run,step,loss\nx,0,0.5\nx,one,0.5\n")
    with pytest.raises(
        ValueError, match=r"^plates/data/a-example\.csv:3: column step: wanted a whole number"
    ):
        example.read("a-example.csv")


REFUSED = [
    (
        ("Attention", 7),
        "number 7 is taken by docs/plates/output-head.md; free are 1, 2, 3, 4, 5, 6, 8, 9, 10",
    ),
    (("Attention", 0), "wanted a number from 1 to 10, the places of the volume, came 0; free are 1, 2"),
    (("Attention", 11), "wanted a number from 1 to 10, the places of the volume, came 11"),
    (("Output: head!", 3), "name 'output-head' is taken by docs/plates/output-head.md; choose another title"),
    (("Tying", 3), "name 'tying' is taken in plates/contents.py; choose another title"),
    (("???", 3), "wanted a title with Latin letters or digits to make a name of, came '???'"),
    (("注意", 3), "wanted a title with Latin letters or digits to make a name of, came '注意'"),
    (("", 3), "wanted a title with Latin letters or digits to make a name of, came ''"),
    (("Index", 3), "name 'index' is that of a folder's own page"),
    (("A {{ b }}", 3), "wanted a title in one line without macros"),
    (("A\nb", 3), "wanted a title in one line without macros"),
    (("long " * 20, 3), "wanted a name of at most 40 letters"),
]


@pytest.mark.parametrize(("asked", "words"), REFUSED, ids=[str(each[0]) for each in REFUSED])
def test_what_is_refused_writes_nothing(copy_of_the_book, asked, words):
    before = state(copy_of_the_book)
    with pytest.raises(NewPlateError) as caught:
        new.begin(copy_of_the_book, *asked)
    assert str(caught.value).startswith(words)
    assert state(copy_of_the_book) == before


@pytest.fixture(scope="module")
def copy_of_the_book(copy_tree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that no test may change."""
    return copy_tree(tmp_path_factory.mktemp("still") / "tree")


def spoil(name: str, old: str, become: str):
    def spoilt(tree: Path) -> None:
        path = tree / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, become), encoding="utf-8")

    return spoilt


BOOKS = {
    "no book": (
        lambda tree: (tree / "mkdocs.yml").unlink(),
        "wanted a folder with mkdocs.yml, came one without",
    ),
    "no places": (
        spoil("mkdocs.yml", "    plates: 10 ", "    plates: ten "),
        "mkdocs.yml: extra.volume.plates: wanted a number of places, came 'ten'",
    ),
    "no YAML": (spoil("mkdocs.yml", "nav:", "nav: ["), "mkdocs.yml: wanted YAML, came"),
    "no list": (
        spoil("mkdocs.yml", "  - Plates:\n      - plates/output-head.md\n", ""),
        "mkdocs.yml: wanted a line `- Plates:` under nav",
    ),
    "a list in brackets": (
        spoil(
            "mkdocs.yml",
            "  - Plates:\n      - plates/output-head.md\n",
            "  - Plates: [plates/output-head.md]\n",
        ),
        "mkdocs.yml: wanted a line `- Plates:` under nav",
    ),
    "other imports": (
        spoil("plates/contents.py", "from plates import (", "from plates import open_facts, ("),
        "plates/contents.py: wanted `from plates import (`",
    ),
    "no table": (
        spoil("plates/contents.py", "FACTS:", "FACT:"),
        "plates/contents.py: wanted a table FACTS",
    ),
    "a faulty plate": (
        spoil("docs/plates/output-head.md", "plate: 7", "plate: seven"),
        "plates/output-head.md:3: plate: wanted a number from 1 to 10, came 'seven'",
    ),
}


@pytest.mark.parametrize("fault", BOOKS)
def test_a_book_that_is_not_as_it_should_be_is_left_alone(tree, fault):
    plant, words = BOOKS[fault]
    plant(tree)
    before = state(tree)
    with pytest.raises((NewPlateError, PlateError)) as caught:
        new.begin(tree, "Attention", 3)
    assert str(caught.value).startswith(words)
    assert state(tree) == before


@pytest.mark.parametrize("name", WRITTEN[1:])
def test_what_cannot_be_written_whole_is_taken_back(tree, monkeypatch, name):
    before, rename = state(tree), Path.replace

    def fail(path: Path, target: Path) -> Path:
        if target == tree / name:
            raise OSError("no space left")
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="no space left"):
        new.begin(tree, "Attention", 3)
    assert state(tree) == before


def test_a_name_may_differ_in_more_than_case(tree):
    (tree / "docs/plates/Attention.md").write_text("# A page\n")
    with pytest.raises(NewPlateError, match=r"name 'attention' is taken by docs/plates/Attention\.md"):
        new.begin(tree, "Attention", 3)


def test_the_command_says_one_line_and_fails(tree):
    done = command(tree, "Attention", "--number", "7")
    assert done.returncode == 1
    assert done.stdout == ""
    (said,) = done.stderr.splitlines()
    assert said.startswith(
        "python -m plates new: number 7 is taken by docs/plates/output-head.md; free are 1"
    )
    assert command(tree, "Attention", "--number", "three").returncode == 2
    assert command(tree, "Attention").returncode == 2


def test_the_command_tells_where_another_page_is_faulty_and_what_a_disk_refuses(tree, monkeypatch, capsys):
    monkeypatch.chdir(tree)
    monkeypatch.setattr(new, "_written", lambda files: (_ for _ in ()).throw(OSError(28, "No space", "x.md")))
    options = argparse.Namespace(title="Attention", number=3)
    assert new.main(options) == 1
    assert capsys.readouterr().err == "python -m plates new: x.md: No space; nothing was written\n"
    spoil("docs/plates/output-head.md", "plate: 7", "plate: seven")(tree)
    assert new.main(options) == 1
    assert capsys.readouterr().err.startswith("python -m plates new: docs/plates/output-head.md:3: plate: ")


def test_plates_stand_in_the_contents_by_number(tree):
    for title, number in (("Last", 10), ("First", 1), ("Attention", 3), ("3D \"Q*K\" & Über: #1, 'x'", 8)):
        new.begin(tree, title, number)
    assert [Path(page).stem for page in nav(tree)] == [
        *("first", "attention", "output-head", "3d-q-k-uber-1-x", "last")
    ]
    hold(tree / "docs", tree / "plates/theme", 10)
    plates = read(tree / "docs").plates
    assert [plate.number for plate in plates] == [1, 3, 7, 8, 10]
    assert plates[3].title == "3D \"Q*K\" & Über: #1, 'x'"
    assert plates[3].terms[0].name == plates[3].title
    assert "facts.plate_3d_q_k_uber_1_x " in (tree / "docs/plates/3d-q-k-uber-1-x.md").read_text()


def test_a_first_plate_of_all(tree):
    (tree / "docs/plates/output-head.md").unlink()
    spoil("mkdocs.yml", "      - plates/output-head.md\n", "")(tree)
    new.begin(tree, "Attention", 3)
    assert nav(tree) == ["plates/attention.md"]


def test_a_term_that_another_plate_defines_is_not_taken_from_it(tree):
    new.begin(tree, "Weight tying!", 3)
    new.begin(tree, "Logit", 4)
    terms = [plate.terms[0].name for plate in read(tree / "docs").plates]
    assert terms == ["Weight tying!", "Logit (4.1)", "Output head"]


@given(st.text(max_size=60))
def test_any_title_makes_a_name_or_is_refused(title):
    try:
        name = new.name_of(title)
    except NewPlateError:
        return
    assert name == name.lower()
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert name[0] != "-" != name[-1]
    assert 0 < len(name) <= new.LONGEST
