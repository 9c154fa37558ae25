"""What the findings say beyond what the page's test holds: edges, refusals, and the figures' points."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from plates.evidence.budget import budget
from plates.evidence.drawn import DRAWN, draw, files
from plates.evidence.findings import Evidence
from plates.evidence.luck import Luck, lead, luck
from plates.evidence.planned import made
from plates.evidence.rates import printed_sign
from plates.figures.layout import lay
from plates.figures.render import render
from plates.output_head_figures import loss_figure, readings
from plates.pairs import Pair, pair
from plates.recorded.recordings import RecordingError, load
from tests.fixtures import planned as fixture
from tests.fixtures import recordings


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planned")
    fixture.write(folder)
    return folder


@pytest.fixture(scope="module")
def evidence(generated: Path) -> Evidence:
    return Evidence(made(generated))


@pytest.mark.parametrize("name", DRAWN)
def test_a_figures_file_holds_its_points_to_the_last_digit(evidence: Evidence, name: str) -> None:
    figure = draw(evidence, name)
    rows = list(csv.reader(io.StringIO(files(lambda: evidence)[f"evidence/{name}.csv"].decode())))
    numbers = {
        float(cell)
        for row in rows[1:]
        for cell in row
        if cell.replace(".", "").replace("e-", "").strip("-").isdigit()
    }
    for one in figure.series:
        assert set(one.y) <= numbers
        assert {x for x in one.x if not isinstance(x, str)} <= numbers
    assert all(len(row) == len(rows[0]) for row in rows)
    drawn = render(figure, "A.1")
    assert all(digest in drawn for _, digest in figure.recordings)
    assert figure.command in drawn


def test_the_command_of_one_recording_is_its_own(evidence: Evidence) -> None:
    assert draw(evidence, "evidence-top").command == "python -m training record"
    assert draw(evidence, "evidence-seeds").command == "python -m training record --all"


def test_no_file_is_written_of_faulty_recordings() -> None:
    def faulty() -> Evidence:
        raise RecordingError("broken")

    assert files(faulty) == {}
    assert files(lambda: Evidence({})) == {}


def test_the_workshop_shows_every_seed(generated: Path, evidence: Evidence) -> None:
    assert evidence.luck is not None
    recorded = load(generated / "output-head")
    figure = loss_figure(recorded, "", evidence.luck)
    assert [other.name for other in figure.others] == ["seed 11", "seed 12", "seed 13", "seed 14"]
    for other in figure.others:
        pair_ = pair(load(generated / other.name.replace(" ", "-")))
        assert other.y == pair_.heldout_curve
    assert "thin lines are the differences of 4 other seeds" in figure.caption
    assert loss_figure(recorded, "").others == ()
    table = str(readings(recorded, evidence.luck))
    assert "Held-out loss, 5 seeds" in table
    assert "means over 5 seeds, ± half of the 95% interval" in table
    assert "seeds" not in str(readings(recorded))


@pytest.mark.parametrize(
    ("value", "sign"), [(-0.2, -1), (0.2, 1), (0.0004, 0), (-0.0004, 0), (-0.0006, -1), (0.0, 0)]
)
def test_a_sign_is_the_one_that_is_printed(value: float, sign: int) -> None:
    assert printed_sign(value) == sign


def test_the_lead_is_counted_after_the_start(generated: Path) -> None:
    # At the start and at step 10 the untied run is behind, at the end ahead.
    found = lead(pair(load(generated / "output-head")))
    assert (found.steps, found.tied, found.last) == (2, 1, 10)


def resign(folder: Path, run: str, **recipe: object) -> None:
    """Have a manifest say something else of a run's recipe."""
    told = json.loads((folder / "manifest.json").read_text())
    told["recipe"][run] |= recipe
    del told["files"]
    (folder / "roles.csv").unlink(missing_ok=True)
    recordings.write_manifest(folder, **told)


CHANGED = [
    (
        "seed-11",
        "tied",
        "luck",
        "seed-11: run 'tied': wanted warmup None, as in run 'tied' of output-head, came 5",
    ),
    (
        "wider",
        "wider-7",
        "budget",
        "wider: run 'wider-7': wanted warmup None, as in run 'tied' of output-head",
    ),
    (
        "learning-rate",
        "tied-0.002",
        "rates",
        "run 'tied-0.002': wanted warmup None, as in run 'tied' of output",
    ),
    (
        "table-decay",
        "tied",
        "decay",
        "table-decay: run 'untied': wanted warmup 5, as in run 'tied' of table-decay",
    ),
    (
        "quarter",
        "tied",
        "data",
        "quarter: run 'untied': wanted warmup 5, as in run 'tied' of quarter, came None",
    ),
    (
        "float32",
        "tied",
        "precision",
        "float32: run 'tied': wanted warmup None, as in run 'tied' of output-head",
    ),
]


@pytest.mark.parametrize(("name", "run", "finding", "words"), CHANGED, ids=[each[0] for each in CHANGED])
def test_runs_of_another_recipe_are_not_compared(
    tmp_path: Path, name: str, run: str, finding: str, words: str
) -> None:
    fixture.write(tmp_path)
    both = {"seed-11": ("tied", "untied"), "learning-rate": ("tied-0.002", "untied-0.002")}
    for each in both.get(name, (run,)):
        resign(tmp_path / name, each, warmup=5)
    with pytest.raises(RecordingError) as caught:
        getattr(Evidence(made(tmp_path)), finding)
    assert words in str(caught.value)


@pytest.mark.parametrize("came", [0.1, None])
def test_the_undecayed_pair_is_undecayed(tmp_path: Path, came: float | None) -> None:
    fixture.write(tmp_path)
    for run in ("tied", "untied"):
        resign(tmp_path / "table-decay", run, table_weight_decay=came)
    with pytest.raises(
        RecordingError, match=f"table-decay: run 'tied': wanted a table_weight_decay of 0, came {came}"
    ):
        _ = Evidence(made(tmp_path)).decay


def test_each_rate_is_wanted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipes = [
        {**each, "learning_rate": 0.004} if "0.002" in each["run"] else each
        for each in fixture.PLAN["learning-rate"]
    ]
    monkeypatch.setitem(fixture.PLAN, "learning-rate", recipes)
    fixture.write(tmp_path)
    with pytest.raises(
        RecordingError, match=r"learning-rate: wanted one pair at each learning rate, came 0\.004, "
    ):
        _ = Evidence(made(tmp_path)).rates


def test_a_larger_model_needs_a_pair_of_its_seed(evidence: Evidence) -> None:
    pairs = [pair(evidence.made[name]) for name in ("output-head", "seed-11")]
    with pytest.raises(RecordingError, match="wider: run 'wider-12': wanted a seed of all, came 12"):
        budget(pairs, evidence.made)


def test_the_rates_have_their_ticks(evidence: Evidence) -> None:
    assert lay(draw(evidence, "evidence-rates")).x.labels == ("0.002", "0.004", "0.008")


@pytest.mark.parametrize(
    ("gaps", "is_apart"),
    [
        ((-0.03, -0.01, -0.02), False),
        ((-0.03, -0.01, -0.0306), True),
        ((-0.03, -0.01, -0.0304), False),
        ((-0.03, -0.01, 0.5), True),
    ],
)
def test_apart_is_what_is_printed_apart(gaps: tuple[float, ...], is_apart: bool) -> None:
    pairs = tuple(SimpleNamespace(heldout=gap) for gap in gaps)
    assert Luck(cast("tuple[Pair, ...]", pairs)).is_last_apart is is_apart


def test_a_rate_without_a_pair_is_told(evidence: Evidence) -> None:
    assert evidence.rates is not None
    with pytest.raises(
        RecordingError, match=r"learning-rate: wanted a pair at the rate 0\.1, came 0\.002, 0\.0"
    ):
        evidence.rates.at(0.1)


def test_two_seeds_that_are_one_are_refused(evidence: Evidence) -> None:
    twice = [pair(evidence.made["output-head"])] * 2
    with pytest.raises(RecordingError, match="output-head: seed 7 stands twice among the pairs"):
        luck(twice)
