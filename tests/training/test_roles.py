import numpy as np
import pytest

from training.roles import align, cosines, role_rows


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
    mean = {name: np.mean([row[3] for row in rows if row[0] == name]) for name in {row[0] for row in rows}}
    assert mean["output"] > 0.99
    assert mean["input"] < 0.6
    assert mean["shuffled"] < 0.6
    assert [row[:3] for row in rows[:10]] == [["input", group, 6] for group in range(1, 11)]


def test_a_row_of_zeros_resembles_nothing(random):
    table = random.standard_normal((20, 4))
    table[3] = 0.0
    assert cosines(table, table)[3] == 0.0
