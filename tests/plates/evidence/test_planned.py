"""The plan is the recorder's own, and a recording counts as made once all that is planned of it is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from plates.evidence import planned
from plates.recipes import plan
from plates.recorded.recordings import RecordingError
from tests.fixtures import planned as fixture
from tests.fixtures import recordings
from training.recipe import RECORDINGS


def test_the_plan_is_the_recorders() -> None:
    ours = {each.name: set(each.runs) for each in planned.planned()}
    assert ours == {name: {recipe.run for recipe in recipes} for name, recipes in RECORDINGS.items()}


def test_the_fixture_plans_the_same() -> None:
    assert {name: {recipe["run"] for recipe in recipes} for name, recipes in fixture.PLAN.items()} == {
        each.name: set(each.runs) for each in planned.planned()
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("recording,runs\na,b\n", "plan.csv:1: wanted the columns recording,runs,holds; came"),
        (
            "recording,runs,holds\na,b,c\na,b,c\n",
            "plan.csv:2: wanted each recording once, with runs; came 'a'",
        ),
        ("recording,runs,holds\na,,c\n", "plan.csv:2: wanted each recording once, with runs; came 'a'"),
    ],
)
def test_a_broken_plan_is_refused(tmp_path: Path, text: str, words: str) -> None:
    table = tmp_path / "plan.csv"
    table.write_text(text)
    with pytest.raises(ValueError, match=words):
        planned.planned(table)


def test_what_is_made_and_what_is_missing(tmp_path: Path) -> None:
    fixture.write(tmp_path, ["output-head", "wider"])
    made = planned.made(tmp_path)
    assert list(made) == ["output-head", "wider"]
    assert planned.missing(made, "wider", "deeper", "output-head") == ("deeper",)
    assert planned.missing(made) == tuple(name for name in fixture.PLAN if name not in made)


def test_one_of_an_earlier_plan_is_not_made_yet(tmp_path: Path) -> None:
    recordings.write(tmp_path, "learning-rate")
    assert planned.made(tmp_path) == {}, "it lacks runs"


def test_a_broken_one_is_a_fault_and_no_gap(tmp_path: Path) -> None:
    fixture.write(tmp_path, ["seed-11"])
    (tmp_path / "seed-11" / "manifest.json").unlink()
    with pytest.raises(RecordingError, match=r"seed-11/manifest\.json: the file is missing"):
        planned.made(tmp_path)


def test_the_table_tells_both(tmp_path: Path) -> None:
    fixture.write(tmp_path, ["output-head"])
    table = str(plan(planned.planned(), planned.made(tmp_path)))
    assert table.count(">not yet</td>") == len(fixture.PLAN) - 1
    cells = list(BeautifulSoup(table, "html.parser").select("tbody tr")[0])
    on = "Test(R) <CPU> *2*, bf16"
    said = ["output-head", "the pair of Plate 7, seed 7", "31\u00a0January 2026", on]
    assert [cell.get_text() for cell in cells] == said
    assert [cell["class"] for cell in cells] == [["whole"], *[["words"]] * 3]
    told = json.loads((tmp_path / "output-head/manifest.json").read_text())
    del told["files"]
    recordings.write_manifest(
        tmp_path / "output-head", **{**told, "machine": {**told["machine"], "device": "cuda"}}
    )
    assert "&#42;2&#42; with cuda, bf16<" in str(plan(planned.planned(), planned.made(tmp_path)))
