"""What is compared differs in what is compared alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plates.pairs import hold_alike, pair, pairs_in
from plates.recorded.recordings import Recording, RecordingError, load
from tests.fixtures import planned as fixture
from tests.fixtures import recordings


@pytest.fixture
def generated(tmp_path: Path) -> Path:
    fixture.write(tmp_path, ["output-head", "seed-11", "learning-rate", "float32"])
    return tmp_path


def changed(generated: Path, name: str, run: str, **recipe: object) -> Recording:
    """A recording whose manifest says something else of a run."""
    told = json.loads((generated / name / "manifest.json").read_text())
    told["recipe"][run] |= recipe
    del told["files"]
    (generated / name / "roles.csv").unlink()
    recordings.write_manifest(generated / name, **told)
    return load(generated / name)


def test_a_pair_and_its_differences(generated: Path) -> None:
    found = pair(load(generated / "output-head"))
    tied, untied = (fixture.heldout(recipe) for recipe in fixture.PLAN["output-head"])
    assert found.heldout == untied - tied
    assert found.train == pytest.approx(untied - tied - 0.0625)
    assert (found.seed, found.steps) == (7, (0, 10, 20))
    assert found.heldout_curve == pytest.approx((0.015625, 0.125, untied - tied))
    assert len(found.rows("frequencies.csv", "untied")) == 10


def test_all_pairs_of_a_recording(generated: Path) -> None:
    found = pairs_in(load(generated / "learning-rate"))
    assert [(each.tied.run, each.untied.run) for each in found] == [
        (f"tied-{rate}", f"untied-{rate}") for rate in fixture.RATES
    ]


def test_a_pair_differs_in_the_head_alone(generated: Path) -> None:
    with pytest.raises(RecordingError) as caught:
        pair(changed(generated, "output-head", "untied", weight_decay=0.2))
    assert str(caught.value) == (
        "output-head: run 'untied': wanted weight_decay 0.1, as in run 'tied' of output-head, came 0.2; "
        "record both by the same recipe"
    )


def test_recordings_are_held_to_one_recipe_and_one_precision(generated: Path) -> None:
    one, other, exact = (load(generated / name) for name in ("output-head", "seed-11", "float32"))
    hold_alike(one, "tied", other, "tied", ("seed",))
    with pytest.raises(RecordingError, match=r"seed-11: run 'tied': wanted seed 7, as in .*, came 11"):
        hold_alike(one, "tied", other, "tied", ())
    with pytest.raises(
        RecordingError, match=r"float32: run 'tied': wanted precision 'bf16', as in .*, came 'fp32'"
    ):
        hold_alike(one, "tied", exact, "tied", ())
    hold_alike(one, "tied", exact, "tied", ("precision",))
    with pytest.raises(RecordingError, match="wanted warmup None, as in run 'tied' of output-head, came 5"):
        hold_alike(one, "tied", changed(generated, "seed-11", "tied", warmup=5), "tied", ("seed",))
