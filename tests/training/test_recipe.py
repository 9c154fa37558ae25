from dataclasses import replace

import pytest

from training.recipe import (
    RECORDED_SEED,
    RECORDINGS,
    REPLICATE_SEEDS,
    SELECTION,
    SELECTION_SEED,
    TIED,
    UNTIED,
    choose_runs,
    differences,
)


def test_the_pair_differs_in_the_head_alone():
    assert set(differences(TIED, UNTIED)) == {"run", "head"}


def test_the_selection_is_tied_and_on_another_seed():
    assert {recipe.head for recipe in SELECTION} == {"tied"}
    assert RECORDED_SEED not in {recipe.seed for recipe in SELECTION}
    for recipe in SELECTION:
        assert set(differences(recipe, TIED)) <= {"run", "seed", "learning_rate"}


def test_the_recorded_learning_rate_is_among_the_candidates():
    assert TIED.learning_rate in [recipe.learning_rate for recipe in SELECTION]


def test_rows_stand_early_on_and_at_both_ends():
    steps = TIED.recorded_steps
    assert steps[:6] == (0, 10, 20, 30, 50, 100)
    assert steps[-1] == TIED.steps == 6000
    assert list(steps) == sorted(set(steps))


def test_a_run_shorter_than_its_first_rows_still_ends_on_a_row():
    assert replace(TIED, steps=25).recorded_steps == (0, 10, 20, 25)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"d_model": 130}, "multiple of n_heads"),
        ({"vocab_size": 256}, "end-of-text token"),
        ({"head": "loose"}, "'tied' or 'untied'"),
        ({"steps": 0}, "steps must be a whole number of at least 1"),
        ({"heldout_every": 0}, "heldout_every must be a whole number of at least 1"),
        ({"batch_size": 2.5}, "batch_size must be a whole number"),
        ({"n_layers": True}, "n_layers must be a whole number"),
        ({"learning_rate": float("nan")}, "learning_rate must be a finite number"),
        ({"learning_rate": float("inf")}, "learning_rate must be a finite number"),
        ({"seed": 1.5}, "seed must be a whole number of at least 0"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"warmup_steps": 0.5}, "warmup_steps must be a whole number of at least 0"),
        ({"context_length": 7}, "context_length must be a whole number of at least 8"),
        ({"beta1": 1.0}, "beta1 must be less than 1; got 1.0"),
        ({"beta2": 1.5}, "beta2 must be less than 1; got 1.5"),
        ({"gradient_clip": 0.0}, "gradient_clip must be more than 0, or nothing is learned"),
        ({"weight_decay": -0.1}, "weight_decay must be a finite number"),
    ],
)
def test_an_impossible_recipe_is_refused(change, complaint):
    with pytest.raises(ValueError, match=complaint):
        replace(TIED, **change)


def test_runs_are_chosen_by_name_or_all():
    pair = RECORDINGS["output-head"]
    assert choose_runs("output-head", pair, []) == pair
    for names in (["untied"], ["untied", "untied"]):
        assert choose_runs("output-head", pair, names) == (UNTIED,)
    with pytest.raises(ValueError, match="no run 'tide' in 'output-head'; runs are 'tied', 'untied'"):
        choose_runs("output-head", pair, ["tide"])


def test_every_recording_differs_from_the_pair_in_what_it_is_named_for():
    changes = {
        name: set().union(*(differences(TIED, run) for run in runs)) - {"run", "head", "seed"}
        for name, runs in RECORDINGS.items()
    }
    assert {name: fields for name, fields in changes.items() if fields} == {
        "quarter": {"train_every"},
        "learning-rate": {"learning_rate"},
        "wider": {"d_ff"},
        "deeper": {"n_layers"},
        "table-decay": {"table_weight_decay"},
    }
    assert {run.seed for name in RECORDINGS if name.startswith("seed-") for run in RECORDINGS[name]} == set(
        REPLICATE_SEEDS
    )
    assert len({RECORDED_SEED, SELECTION_SEED, *REPLICATE_SEEDS}) == 2 + len(REPLICATE_SEEDS)
