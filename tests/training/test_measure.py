import numpy as np
import pytest

from training.corpus import Windows
from training.measure import address_rows, continuation_row, frequency_groups, frequency_rows


def test_groups_are_equally_many_tokens_rarest_first():
    counts = np.array([5, 0, 9, 1, 2, 8, 3, 7, 6, 4, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140])
    groups = frequency_groups(counts)
    assert np.bincount(groups).tolist() == [2] * 10
    assert groups[[1, 3]].tolist() == [0, 0]
    assert groups[[18, 19]].tolist() == [9, 9]


def test_tokens_of_one_count_are_told_apart_by_their_number():
    assert frequency_groups(np.ones(20, dtype=np.int64)).tolist() == [i // 2 for i in range(20)]


def test_the_groups_losses_make_up_the_whole():
    random = np.random.default_rng(0)
    targets = random.integers(40, size=(30, 8))
    targets[-1, 5:] = -1
    losses = np.where(targets >= 0, random.random((30, 8)), 0.0)
    windows = Windows(targets, targets, np.zeros(30, np.int64))
    stream = random.integers(30, size=500)
    rows = frequency_rows(losses, windows, stream, 40)
    assert sum(row[1] for row in rows) == 40
    assert rows[0][2:4] == [0, 0]
    assert sum(row[4] for row in rows) == windows.tokens == 237
    assert sum(row[4] * row[5] for row in rows) == pytest.approx(losses.sum())


def test_a_group_without_a_target_is_left_out():
    targets = np.full((1, 4), 39)
    windows = Windows(targets, targets, np.zeros(1, np.int64))
    rows = frequency_rows(np.ones((1, 4)), windows, np.arange(40).repeat(np.arange(40)), 40)
    assert [row[0] for row in rows] == [10]


def test_repetitions_are_counted_as_by_hand():
    prompts = np.array([[1, 2], [3, 4]])
    continuations = np.array([[2, 5, 6, 7, 8, 5, 6, 7, 8], [9, 9, 9, 9, 9, 9, 1, 2, 3]])
    # The first repeats its prompt's last token once; the second has five nines after a nine.
    # Four-grams, six of each: 5678 comes twice; of 9999 there are three, so two again.
    assert continuation_row(prompts, continuations) == [2, 2, 9, 6 / 18, 3 / 12]


def test_addresses_share_out_every_token(material):
    heldout = material.data.heldout
    losses = (heldout.targets >= 0) * 2.5
    rows = address_rows(losses, material)
    assert [row[0] for row in rows] == [address.name for address in material.split.heldout]
    assert sum(row[2] for row in rows) == heldout.tokens
    assert {row[4] for row in rows} == {2.5}
