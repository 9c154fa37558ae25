"""Intervals against printed tables, against the density integrated, and against a bootstrap by other code."""

from __future__ import annotations

import math

import numpy as np
import pytest

from plates.intervals import Interval, bootstrap, quantile, student, within

# Two-sided, at 95 and at 99 per cent: as every table of Student's t has them.
TABLE = {
    1: (12.706, 63.657),
    2: (4.303, 9.925),
    3: (3.182, 5.841),
    4: (2.776, 4.604),
    5: (2.571, 4.032),
    9: (2.262, 3.250),
    30: (2.042, 2.750),
    120: (1.980, 2.617),
}


@pytest.mark.parametrize("freedom", TABLE)
def test_quantiles_are_those_of_the_tables(freedom: int) -> None:
    assert [round(quantile(freedom, level), 3) for level in (0.95, 0.99)] == list(TABLE[freedom])


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 10])
@pytest.mark.parametrize("t", [0.1, 1.0, 3.5])
def test_the_probability_is_the_densitys_integral(freedom: int, t: float) -> None:
    factor = math.gamma((freedom + 1) / 2) / math.gamma(freedom / 2) / math.sqrt(freedom * math.pi)
    steps = 20_000
    middles = ((index + 0.5) * t / steps for index in range(steps))
    area = sum(factor * (1 + x * x / freedom) ** (-(freedom + 1) / 2) for x in middles) * t / steps
    assert within(t, freedom) == pytest.approx(2 * area, abs=1e-8)


def test_students_interval_by_hand() -> None:
    # Mean 3, variance 2.5, so the mean's own deviation is the root of 0.5.
    found = student([1, 2, 3, 4, 5])
    assert (found.mean, found.number) == (3, 5)
    assert found.half == pytest.approx(2.776445 * math.sqrt(0.5), abs=1e-5)
    assert found.low == pytest.approx(3 - found.half)


def test_one_value_has_no_interval() -> None:
    with pytest.raises(ValueError, match="wants two values or more, came 1; record more seeds"):
        student([1.0])


@pytest.mark.parametrize(
    ("low", "high", "side"), [(-2, -1, -1), (-1, 1, 0), (0, 1, 0), (1, 2, 1), (-1, 0, 0)]
)
def test_the_side_of_zero(low: float, high: float, side: int) -> None:
    assert Interval((low + high) / 2, low, high, 3).side == side


def test_the_bootstrap_is_that_of_other_code() -> None:
    chance = np.random.default_rng(1)
    values, weights = chance.normal(-0.03, 0.02, 24), chance.integers(2_000, 30_000, 24)
    found = bootstrap(tuple(values.tolist()), tuple(weights.tolist()))
    drawn = chance.integers(0, 24, (20_000, 24))
    means = (values * weights)[drawn].sum(axis=1) / weights[drawn].sum(axis=1)
    assert found.mean == pytest.approx(float((values * weights).sum() / weights.sum()))
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=5e-4)
    assert found.number == 24


def test_the_bootstrap_is_the_same_each_time() -> None:
    values, weights = (1.0, 2.0, 4.0), (3, 2, 1)
    assert bootstrap.__wrapped__(values, weights) == bootstrap.__wrapped__(values, weights)
    assert bootstrap((2.0, 2.0), (1, 5)) == Interval(2.0, 2.0, 2.0, 2)
