"""The evidence as its page prints it: recordings that fall either way, and some that are not made yet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from plates import bundle
from plates.evidence.drawn import DRAWN
from plates.evidence.findings import NEEDS
from tests.fixtures import books, planned
from tests.recomputed import FINDINGS, told

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
PAGE = "evidence.md"
FALLS = {
    "untied ahead": (planned.heldout, 1.0),
    "untied behind": (planned.behind, -1.0),
    "neither": (planned.level, 0.0),
}


def book(folder: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small book with the real page of the evidence; its recordings are the caller's to write."""
    monkeypatch.setattr(bundle, "ensure", lambda root: "no chart library")
    books.write(folder)
    shutil.rmtree(folder / "generated")
    shutil.copy(root / "docs" / PAGE, folder / "docs" / PAGE)
    asked = "# How\n\n## What is asked, and how it will be answered\n\nSo.\n"
    (folder / "docs" / "reproduce.md").write_text(asked)
    config = folder / "mkdocs.yml"
    config.write_text(config.read_text().replace("glossary.md]", f"glossary.md, {PAGE}, reproduce.md]"))
    return folder


def printed(folder: Path) -> tuple[str, BeautifulSoup]:
    """What the page says, figures apart, and the page itself."""
    build(load_config(str(folder / "mkdocs.yml")))
    page = BeautifulSoup((folder / "site/evidence/index.html").read_text(encoding="utf-8"), "html.parser")
    words = BeautifulSoup(str(page), "html.parser")
    for figure in words.find_all("figure"):
        figure.decompose()
    return " ".join(words.get_text(" ").split()), page


@pytest.mark.parametrize("fall", FALLS)
def test_the_page_says_what_other_code_finds(
    fall: str, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loss, way = FALLS[fall]
    folder = book(tmp_path, root, monkeypatch)
    planned.write(folder / "generated", loss=loss, way=way)
    words, page = printed(folder)
    for name, sentences in told(folder / "generated"):
        assert sentences, name
        assert [each for each in sentences if each.strip() not in words] == [], (name, words)
    assert "not made yet" not in words
    assert ("a seed can do more than so few let see" in words) == (fall == "untied behind"), (
        "seed 1 lies apart"
    )
    shown = [figure["id"] for figure in page.find_all("figure")]
    assert shown == [f"fig-{name}" for name in shown_in_order(root)]
    assert sorted(shown) == sorted(f"fig-{name}" for name in DRAWN)
    for figure in page.find_all("figure"):
        csv = folder / "site/evidence" / figure.select_one(".fig-csv")["href"]
        assert csv.resolve().is_file()
        assert "manifest" in figure.get_text().lower()


def shown_in_order(root: Path) -> list[str]:
    from plates.volume import figure_calls

    return [name for name, _ in figure_calls((root / "docs" / PAGE).read_text(encoding="utf-8"))]


@pytest.mark.parametrize("missing", [name for name in planned.PLAN if name not in ("output-head", "float32")])
def test_a_finding_waits_for_all_its_recordings(
    missing: str, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = book(tmp_path, root, monkeypatch)
    planned.write(folder / "generated", [name for name in planned.PLAN if name != missing])
    words, page = printed(folder)
    assert f"Not all of the planned recordings are made. Still to come: {missing} ." in words
    waiting = 0
    for name, sentences in told(folder / "generated"):
        if sentences is None:
            waiting += 1
        else:
            assert [each for each in sentences if each.strip() not in words] == [], name
    assert (
        words.count(f"This question waits for recordings that are not made yet: {missing} .") == waiting > 0
    )
    gone = {f"fig-{figure}" for figure, (finding, _) in DRAWN.items() if missing in NEEDS[finding]}
    assert not gone & {figure["id"] for figure in page.find_all("figure")}


def test_a_figure_shown_too_early_is_refused(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = book(tmp_path, root, monkeypatch)
    planned.write(folder / "generated", ["output-head"])
    page = folder / "docs" / PAGE
    page.write_text('---\ntitle: T\nappendix: A\n---\n\n{{ figure("evidence-rates") }}\n')
    with pytest.raises(Abort) as caught:
        printed(folder)
    assert "docs/evidence.md:6" in str(caught.value)
    assert (
        "figure 'evidence-rates' waits for recordings that are not made yet, learning-rate; show it wh"
        in str(caught.value)
    )


def test_a_broken_recording_is_told_by_the_page(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = book(tmp_path, root, monkeypatch)
    planned.write(folder / "generated")
    (folder / "generated/seed-11/curves.csv").unlink()
    with pytest.raises(Abort, match=r"docs/evidence\.md:8.*seed-11/curves\.csv: the file is missing"):
        printed(folder)


@pytest.mark.parametrize("text", ["{{ interval(3.5) }}", "{{ interval(facts.evidence.luck) }}"])
def test_an_interval_is_wanted(
    text: str, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = book(tmp_path, root, monkeypatch)
    planned.write(folder / "generated", ["output-head"])
    (folder / "docs" / PAGE).write_text(f"# A\n\n{text}\n")
    with pytest.raises(Abort, match="wants an interval of facts"):
        printed(folder)


def test_both_codes_know_the_same_findings() -> None:
    assert {name: set(needed) for name, (needed, _) in FINDINGS.items()} == {
        name: set(needed) for name, needed in NEEDS.items() if name != "precision"
    }
