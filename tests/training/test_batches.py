from dataclasses import replace

import numpy as np
import pytest

from training.batches import batch, passes


def test_a_batch_depends_on_seed_and_step_alone(small, material):
    stream = material.data.stream
    later = batch(stream, small, 9)
    for step in range(9):
        batch(stream, small, step)
    again = batch(stream, small, 9)
    assert all((a == b).all() for a, b in zip(later, again, strict=True))
    other = batch(stream, replace(small, seed=4), 9)
    assert (later[0] != other[0]).any()


def test_the_head_does_not_change_the_batches(small, material):
    untied = replace(small, run="untied", head="untied")
    for step in (0, 5, 11):
        assert (
            batch(material.data.stream, small, step)[0] == batch(material.data.stream, untied, step)[0]
        ).all()


def test_targets_are_the_next_tokens(small):
    stream = np.arange(1000)
    inputs, targets = batch(stream, small, 2)
    assert inputs.shape == targets.shape == (16, 16)
    assert (targets == inputs + 1).all()


def test_a_pass_reads_each_window_once_before_any_comes_again(small):
    stream = np.arange(16 * 33)  # 32 windows and room for the shift: two batches a pass
    for first in (0, 2, 4):
        starts = np.concatenate([batch(stream, small, first + i)[0][:, 0] for i in range(2)])
        assert len(set(starts)) == 32
        assert len(set(starts % 16)) == 1
    orders = [tuple(batch(stream, small, step)[0][:, 0] // 16) for step in (0, 2)]
    assert orders[0] != orders[1]


def test_passes_count_whole_readings(small):
    assert passes(16 * 33, small) == 12 * 16 / 32


def test_a_stream_too_short_for_two_windows_is_refused(small):
    with pytest.raises(ValueError, match="at least 32 tokens, got 31"):
        batch(np.arange(31), small, 0)
