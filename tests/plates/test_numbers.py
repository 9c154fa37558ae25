"""The one formatter: what it prints, and what it refuses."""

import math

import numpy as np
import pytest

from plates import numbers


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: numbers.count(1852544), "1,852,544"),
        (lambda: numbers.count(-1200), "−1,200"),
        (lambda: numbers.count(np.int64(8192)), "8,192"),
        (lambda: numbers.compact(1852544), "1.85 million"),
        (lambda: numbers.compact(2901120, 2), "2.9 million"),
        (lambda: numbers.compact(8030261248), "8.03 billion"),
        (lambda: numbers.compact(525336576), "525 million"),
        (lambda: numbers.compact(525336576, 1), "500 million"),
        (lambda: numbers.compact(999_999_999), "1 billion"),
        (lambda: numbers.compact(999_999), "1 million"),
        (lambda: numbers.compact(400_000_000_000, 3), "400 billion"),
        (lambda: numbers.compact(1.2e12, 2), "1.2 trillion"),
        (lambda: numbers.compact(8192), "8,192"),
        (lambda: numbers.compact(-2_000_000), "−2 million"),
        (lambda: numbers.memory(2 * 1_048_576), "2.1 MB"),
        (lambda: numbers.memory(1_050_673_152), "1.05 GB"),
        (lambda: numbers.memory(999_500), "1 MB"),
        (lambda: numbers.memory(999), "999 bytes"),
        (lambda: numbers.memory(0), "0 bytes"),
        (lambda: numbers.percent(0.566), "57%"),
        (lambda: numbers.percent(0.0654, 1), "6.5%"),
        (lambda: numbers.percent(0.125), "13%"),
        (lambda: numbers.points(-0.0302), "−3.0"),
        (lambda: numbers.points(0.00123, 2), "0.12"),
        (lambda: numbers.nats(4.2083), "4.208"),
        (lambda: numbers.nats(4.148 - 4.208, signed=True), "−0.060"),
        (lambda: numbers.nats(0.06, signed=True), "+0.060"),
        (lambda: numbers.nats(0.0001, signed=True), "0.000"),
        (lambda: numbers.nats(-0.0001), "0.000"),
        (lambda: numbers.nats(-0.0), "0.000"),
        (lambda: numbers.bits(1.2345), "1.234"),  # the double below 1.2345
        (lambda: numbers.perplexity(math.log(8192)), "8,192.0"),
        (lambda: numbers.perplexity(4.2), "66.7"),
        (lambda: numbers.decimal(1234.5), "1,234.50"),
        (lambda: numbers.decimal(0.04, 1, signed=True), "0.0"),
        (lambda: numbers.decimal(3.14, 1, signed=True), "+3.1"),
        (lambda: numbers.times(5.31), "5.3\u00a0×"),
        (lambda: numbers.minutes(624), "10.4 minutes"),
        (lambda: numbers.learning_rate(0.002), "0.002"),
        (lambda: numbers.learning_rate(1e-05), "0.00001"),
        (lambda: numbers.learning_rate(1), "1"),
        (lambda: numbers.sha("0123456789abcdef" * 4), "0123456789ab"),
        (lambda: numbers.day("2026-01-31"), "31\u00a0January 2026"),
        (lambda: numbers.day("2026-12-01"), "1\u00a0December 2026"),
        (lambda: numbers.tick(2000.0, 2000.0), "2,000"),
        (lambda: numbers.tick(-0.05, 0.05), "−0.05"),
        (lambda: numbers.tick(0.1 + 0.2, 0.1), "0.3"),
        (lambda: numbers.tick(4.0, 0.25), "4.00"),
        (lambda: numbers.tick(0, 1), "0"),
    ],
)
def test_prints(call, text):
    assert call() == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "4.2", None, True, 1j])
@pytest.mark.parametrize("name", sorted(set(numbers.FILTERS)))
def test_refuses_what_is_no_finite_number(name, value):
    with pytest.raises(ValueError, match=name):
        numbers.FILTERS[name](value)


def test_refuses_a_fraction_as_a_count():
    with pytest.raises(ValueError, match="round it first"):
        numbers.count(1.5)


def test_refuses_a_loss_whose_exponential_overflows():
    with pytest.raises(ValueError, match="overflows"):
        numbers.perplexity(1000)


@pytest.mark.parametrize("digest", ["", "0123", "XYZ" * 20, "ABCDEF" * 10])
def test_refuses_what_is_no_digest(digest):
    with pytest.raises(ValueError, match="digest"):
        numbers.sha(digest)


@pytest.mark.parametrize(
    "date", ["", "31.1.2026", "2026-02-30", "2026-1-3", "20260131", "2026-01-31T12:00", 20260131]
)
def test_refuses_what_is_no_date(date):
    with pytest.raises(ValueError, match=r"day: wanted an ISO date such as 2026-01-31, got "):
        numbers.day(date)


@pytest.mark.parametrize("name", ["sha", "day"])
def test_what_prints_no_number_is_no_form(name):
    with pytest.raises(ValueError, match=f"no number form '{name}'; forms are bits, "):
        numbers.form(name)


def test_refuses_no_digits():
    with pytest.raises(ValueError, match="at least 1"):
        numbers.compact(5, 0)


def test_form_by_name():
    assert numbers.form("nats")(1) == "1.000"
    with pytest.raises(ValueError, match="no number form 'nat'"):
        numbers.form("nat")
