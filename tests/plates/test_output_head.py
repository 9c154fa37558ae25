"""Plate 7's facts follow from the recording, and words follow the sign."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from plates.figures.render import render
from plates.output_head import OutputHead, facts
from plates.output_head_figures import loss_figure, readings
from plates.recorded.recordings import RecordingError, load
from tests.fixtures import recordings as fixture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fixture.write(tmp_path / "generated")


def pair(tmp_path: Path, tied: float, untied: float) -> OutputHead:
    return facts(load(fixture.write(tmp_path / "g", final={"tied": (3.9, tied), "untied": (3.8, untied)})))


def test_the_facts_of_a_pair(folder: Path) -> None:
    said = facts(load(folder))
    assert (said.parameters_tied, said.parameters_untied, said.saved) == (1_852_544, 2_901_120, 8192 * 128)
    assert said.extra_share == said.table_share == pytest.approx(0.566, abs=5e-4)
    assert said.saved_share == pytest.approx(0.361, abs=5e-4)
    assert said.blocks_for_saved == pytest.approx(1_048_576 / (4 * 128**2 + 2 * 128 * 512 + 2 * 128))
    assert said.mlp_for_saved == 3
    assert (said.heldout_tied, said.heldout_untied) == (4.25, 4.1875)
    assert said.heldout_difference == -0.0625
    assert (said.steps, said.tokens_seen) == (20, 40_960)
    assert said.passes == pytest.approx(40_960 / 2_300_000)
    assert said.uniform_loss == math.log(8192) == pytest.approx(said.first_heldout_tied)
    assert said.head_share == pytest.approx(0.533, abs=5e-4)
    assert said.training_flops == pytest.approx(11.8e6, rel=1e-3)


@pytest.mark.parametrize(
    ("tied", "untied", "words"),
    [
        (4.25, 4.1875, ("better", "an improvement", "untied")),
        (4.1875, 4.25, ("worse", "a loss", "tied")),
        (4.25, 4.25, ("no better", "a difference", "neither")),
        (4.25, 4.2502, ("no better", "a difference", "neither")),
        (4.25, 4.2506, ("worse", "a loss", "tied")),
    ],
)
def test_words_follow_the_sign_that_is_printed(
    tmp_path: Path, tied: float, untied: float, words: tuple[str, str, str]
) -> None:
    said = pair(tmp_path, tied, untied)
    assert (said.untied_is, said.untying_is, said.better) == words
    assert said.heldout_gap == abs(untied - tied)


def rewrite(folder: Path, old: str, new: str, **recipe: object) -> None:
    """Change a row of runs.csv, and the recipe with it."""
    path = folder / "runs.csv"
    path.write_text(path.read_text().replace(old, new), newline="")
    told = json.loads((folder / "manifest.json").read_text())["recipe"]
    fixture.write_manifest(folder, recipe={run: {**each, **recipe} for run, each in told.items()})


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("1852544", "1852545", "run 'tied': wanted 1852544 parameters, as its shape gives, came 1852545"),
        ("2901120", "1852544", "run 'untied': wanted 2901120 parameters, as its shape gives, came 1852544"),
        ("\ntied,tied", "\ntied,untied", "run 'tied': wanted head 'tied', came 'untied'"),
    ],
)
def test_counts_and_heads_are_those_recorded(folder: Path, old: str, new: str, words: str) -> None:
    (folder / "roles.csv").unlink()  # a table of pairs, which this is none of
    rewrite(folder, old, new)
    manifest = json.loads((folder / "manifest.json").read_text())
    for recipe in manifest["recipe"].values():
        recipe.pop("head")
    fixture.write_manifest(folder, recipe=manifest["recipe"])
    with pytest.raises(RecordingError, match=words):
        facts(load(folder))


def test_a_pair_that_differs_in_more_than_the_head_is_refused(folder: Path) -> None:
    path = folder / "runs.csv"
    path.write_text(path.read_text().replace("untied,untied,1,", "untied,untied,2,"), newline="")
    fixture.write_manifest(folder, recipe={"tied": {}, "untied": {}})
    with pytest.raises(
        RecordingError, match="wanted one seed in both runs, came 1 in 'tied' and 2 in 'untied'"
    ):
        facts(load(folder))


def test_readings_print_what_the_recording_holds(folder: Path) -> None:
    table = str(readings(load(folder)))
    for printed in (
        "1,852,544",
        "2,901,120",
        "+1,048,576",
        "57% of the tied model",
        "4.250",
        "4.188",
        "−0.063",
    ):
        assert f">{printed}<" in table, printed
    assert "\n" not in table
    assert "<caption>Readings after 20 steps" in table


def test_the_figure_holds_every_recorded_point(folder: Path) -> None:
    recording = load(folder)
    figure = loss_figure(recording, "x/curves.csv")
    assert [one.name for one in figure.series] == [
        "tied, held-out", "tied, training", "untied, held-out", "untied, training",
    ]  # fmt: skip
    assert figure.series[2].y == tuple(recording.curve("untied")["heldout_loss"])
    assert figure.digest == recording.digest
    drawn = render(figure, "7.1")
    assert 'href="x/curves.csv"' in drawn
    assert "\n" not in drawn


def test_the_figures_words_follow_the_sign(tmp_path: Path) -> None:
    one = load(fixture.write(tmp_path / "a", final={"tied": (3.9, 4.5), "untied": (3.8, 4.4)}))
    other = load(fixture.write(tmp_path / "b", final={"tied": (3.9, 4.4), "untied": (3.8, 4.5)}))
    assert (
        "the untied run ends below the tied one: 4.500 tied, 4.400 untied" in loss_figure(one, "").description
    )
    assert (
        "the tied run ends below the untied one: 4.400 tied, 4.500 untied"
        in loss_figure(other, "").description
    )
