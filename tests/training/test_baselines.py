import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from training.baselines import DISCOUNT, baseline_rows, bigram_losses, unigram
from training.corpus import Windows


@pytest.fixture
def stream():
    return np.random.default_rng(0).integers(7, size=300)  # of a vocabulary of 9: two are never seen


def by_hand(stream, x, y, vocab_size):
    """Interpolated absolute discounting, from its definition."""
    pairs, firsts = Counter(pairwise(stream)), Counter(stream[:-1])
    alone = (Counter(stream)[y] + 1) / (len(stream) + vocab_size)
    if not firsts[x]:
        return alone
    after = len({pair for pair in pairs if pair[0] == x})
    return max(pairs[x, y] - DISCOUNT, 0) / firsts[x] + DISCOUNT * after / firsts[x] * alone


def test_bigrams_are_those_of_the_definition_and_sum_to_one(stream):
    for x in range(9):
        losses = bigram_losses(stream, np.full(9, x), np.arange(9), 9)
        assert np.exp(-losses).sum() == pytest.approx(1.0)
        for y in range(9):
            assert losses[y] == pytest.approx(-math.log(by_hand(stream.tolist(), x, y, 9)))


def test_no_token_is_impossible(stream):
    assert unigram(stream, 9).min() > 0
    assert unigram(stream, 9).sum() == pytest.approx(1.0)


def test_the_rows_average_over_every_heldout_target(stream):
    inputs, targets = np.array([[1, 2, 3], [4, 8, 0]]), np.array([[2, 3, 4], [8, -1, -1]])
    rows = baseline_rows(stream, Windows(inputs, targets, np.zeros(2, np.int64)), 20, 9)
    assert [row[0] for row in rows] == ["uniform", "unigram", "bigram"]
    assert rows[0][1:] == pytest.approx([math.log(9), 4 * math.log2(9) / 20])
    wanted = [by_hand(stream.tolist(), x, y, 9) for x, y in ((1, 2), (2, 3), (3, 4), (4, 8))]
    assert rows[2][1] == pytest.approx(-np.log(wanted).mean())
