"""How far a mean can be trusted: Student's interval over a few seeds, and a bootstrap over many texts."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import mean, stdev

LEVEL = 0.95
"""Of every interval: how often such an interval holds the true mean."""
RESAMPLES = 10_000
SEED = 0
"""Of the bootstrap's draws."""


@dataclass(frozen=True)
class Interval:
    """A mean and the interval around it."""

    mean: float
    low: float
    high: float
    number: int
    """Values that it rests on."""

    @property
    def half(self) -> float:
        """Half its width."""
        return (self.high - self.low) / 2

    @property
    def side(self) -> int:
        """Where it lies: -1 wholly below zero, 1 wholly above, 0 where it holds zero."""
        return -1 if self.high < 0 else 1 if self.low > 0 else 0


def student(values: Sequence[float], level: float = LEVEL) -> Interval:
    """Give Student's interval for the mean of a normal quantity.

    Args:
        values: independent ones, at least two.
        level: between 0 and 1.

    Returns:
        The mean of the values and its interval.

    Raises:
        ValueError: there are fewer than two values.
    Source: Student 1908, The probable error of a mean, Biometrika 6.
    """
    if len(values) < 2:
        raise ValueError(
            f"an interval over seeds wants two values or more, came {len(values)}; record more seeds"
        )
    middle = mean(values)
    half = quantile(len(values) - 1, level) * stdev(values) / math.sqrt(len(values))
    return Interval(middle, middle - half, middle + half, len(values))


@lru_cache(maxsize=64)
def quantile(freedom: int, level: float) -> float:
    """Give the t that Student's variable stays within, on both sides of zero, with a probability.

    Args:
        freedom: degrees of freedom, at least 1.
        level: the probability, between 0 and 1.

    Returns:
        The t, found by halving to the last digit.
    """
    low, high = 0.0, 1.0
    while within(high, freedom) < level:
        high *= 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if within(middle, freedom) < level else (low, middle)
    return high


def within(t: float, freedom: int) -> float:
    """Give the probability that Student's variable lies within t of zero; for whole freedoms a finite sum.

    Args:
        t: at least 0.
        freedom: degrees of freedom, at least 1.

    Returns:
        The probability.
    Source: Abramowitz and Stegun 1964, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = math.atan(t / math.sqrt(freedom))
    odd = freedom % 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0
    for power in range(1 + odd, freedom, 2):
        total += term
        term *= math.cos(angle) ** 2 * power / (power + 1)
    total *= math.sin(angle)
    return (angle + total) * 2 / math.pi if odd else total


@lru_cache(maxsize=64)
def bootstrap(
    values: tuple[float, ...], weights: tuple[int, ...], level: float = LEVEL, resamples: int = RESAMPLES
) -> Interval:
    """Give the interval of a weighted mean when its parts are drawn again with replacement.

    Args:
        values: one for each part, such as an address's loss.
        weights: of each part, such as its tokens.
        level: between 0 and 1.
        resamples: how often all parts are drawn.

    Returns:
        The weighted mean of the values, and the central share of those of the draws.
    Source: Efron 1979, Bootstrap methods: another look at the jackknife, The Annals of Statistics 7.
    """
    # Of all of Python's draws, `random()` alone is promised to stay the same from version to version.
    draw = random.Random(SEED).random
    parts = [(value * weight, weight) for value, weight in zip(values, weights, strict=True)]
    means = sorted(_mean([parts[int(draw() * len(parts))] for _ in parts]) for _ in range(resamples))
    tail = round(resamples * (1 - level) / 2)
    return Interval(_mean(parts), means[tail], means[-1 - tail], len(parts))


def _mean(parts: Sequence[tuple[float, int]]) -> float:
    return math.fsum(value for value, _ in parts) / sum(weight for _, weight in parts)
