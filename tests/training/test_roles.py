import itertools

import numpy as np
import pytest

from training.roles import align, centre, cosines, role_rows


@pytest.fixture
def random():
    return np.random.default_rng(0)


def rotation(random, width):
    return np.linalg.qr(random.standard_normal((width, width)))[0]


def test_a_turned_table_is_turned_back(random):
    table = random.standard_normal((50, 8))
    turned = table @ rotation(random, 8)
    np.testing.assert_allclose(align(turned, table), table, atol=1e-12)
    np.testing.assert_allclose(cosines(turned, 3 * table), np.ones(50))


def test_no_other_rotation_brings_the_rows_nearer(random):
    rows, onto = random.standard_normal((2, 40, 5))
    best = np.square(align(rows, onto) - onto).sum()
    for _ in range(200):
        assert np.square(rows @ rotation(random, 5) - onto).sum() >= best


def test_the_table_that_was_copied_is_found(random):
    outputs, inputs = random.standard_normal((2, 60, 6))
    tied = outputs @ rotation(random, 6) + 0.01 * random.standard_normal((60, 6))
    rows = role_rows(tied, inputs, outputs, random.integers(60, size=1000))
    mean = means(rows)
    for centred in ("no", "yes"):
        assert mean.pop(("output", centred, "no")) > 0.99
    assert max(mean.values()) < 0.6
    assert [row[:5] for row in rows[:10]] == [["input", "no", "no", group, 6] for group in range(1, 11)]


def means(rows):
    return {
        kind: np.mean([row[5] for row in rows if tuple(row[:3]) == kind])
        for kind in itertools.product(("input", "output"), ("no", "yes"), ("no", "yes"))
    }


def test_a_direction_that_all_rows_share_is_no_likeness_of_tokens(random):
    tied, inputs, outputs = random.standard_normal((3, 400, 6))
    outputs, tied = outputs + 5 * rotation(random, 6)[0], tied + 5 * rotation(random, 6)[0]
    mean = means(role_rows(tied, inputs, outputs, random.integers(400, size=4000)))
    for shuffled in ("no", "yes"):
        assert mean["output", "no", shuffled] > 0.8
        assert mean["output", "yes", shuffled] < 0.2
        assert mean["input", "yes", shuffled] < 0.2


def test_what_is_centred_has_no_mean_and_its_distances(random):
    table = random.standard_normal((30, 4)) + 7.0
    np.testing.assert_allclose(centre(table).mean(axis=0), np.zeros(4), atol=1e-12)
    np.testing.assert_allclose(centre(table)[1] - centre(table)[0], table[1] - table[0])


def test_a_row_of_zeros_resembles_nothing(random):
    table = random.standard_normal((20, 4))
    table[3] = 0.0
    assert cosines(table, table)[3] == 0.0
