"""Where things stand in a drawing: scales with ticks at round numbers, labels that keep their distance."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from plates import numbers
from plates.figures.parts import Axis, FigureError

ROUND = (1.0, 2.0, 5.0, 10.0)
LEAST = 1e-9
LADDERS = (((1, 2, 5), 1), ((1, 3), 1), ((1,), 1), ((1,), 2), ((1,), 3), ((1,), 6))
"""Ticks of a logarithmic axis, from dense to sparse: factors within a decade, and from decade to decade."""

LINE_ROOM, MARKER_ROOM = 0.03, 0.06
"""Free above and below lines, and around markers, as shares of the values' spread."""
SHORT = 8.0
"""A logarithmic axis over a smaller factor has evenly spaced ticks: the others would be too few."""


@dataclass(frozen=True)
class Scale:
    """A stretch of numbers laid along an axis."""

    low: float
    high: float
    logarithmic: bool
    spacing: float
    """Distance of neighbouring ticks; zero on a logarithmic scale, and where the axis names its ticks."""
    ticks: tuple[float, ...]
    labels: tuple[str, ...]
    sparse: tuple[bool, ...] = ()
    """For each tick whether its label stands on narrow pages too; empty where all do."""

    def place(self, value: float) -> float:
        """Give a value's place: 0 at the low end, 1 at the high end."""
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def scale(axis: Axis, values: Iterable[float], most_ticks: int = 6, room: float = LINE_ROOM) -> Scale:
    """Lay a scale that holds all values.

    Args:
        axis: what is measured; gives the form of the labels.
        values: at least one finite number.
        most_ticks: the number of ticks that is not exceeded.
        room: what is left free at each end, as a share of the values' spread; a logarithmic axis has its own.

    Returns:
        The scale, its ticks at round numbers where the axis names none.

    Raises:
        FigureError: the axis names a tick that lies outside.
    """
    laid = _round(axis, list(values), most_ticks, room)
    if not axis.ticks:
        return laid
    beyond = [tick for tick in axis.ticks if not laid.low <= tick <= laid.high]
    if beyond:
        said = f"wanted ticks from {laid.low:g} to {laid.high:g}, got {beyond[0]:g}"
        raise FigureError(f"axis {axis.label!r}: {said}; leave it out")
    return replace(laid, spacing=0.0, ticks=axis.ticks, labels=tuple(map(axis.read, axis.ticks)))


def _round(axis: Axis, found: list[float], most_ticks: int, room: float) -> Scale:
    """Lay a scale with its ticks at round numbers."""
    low, high = min(found), max(found)
    if axis.logarithmic:
        return _logarithmic(axis, low, high, most_ticks)
    if axis.from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    size = max(abs(low), abs(high), LEAST)
    if high - low < size * LEAST:  # one value, or values that no axis could tell apart
        half = size / 2 if size > LEAST else 0.5
        low, high = low - half, high + half
    spread = high - low
    low = low if axis.from_zero and low == 0 else low - room * spread
    high = high if axis.from_zero and high == 0 else high + room * spread
    return _linear(axis, low, high, most_ticks)


def _linear(axis: Axis, low: float, high: float, most_ticks: int) -> Scale:
    spacing = round_spacing((high - low) / most_ticks)
    first, last = math.ceil(low / spacing - 1e-9), math.floor(high / spacing + 1e-9)
    ticks = tuple(index * spacing for index in range(first, last + 1))
    return Scale(low, high, False, spacing, ticks, tuple(_label(axis, tick, spacing) for tick in ticks))


def _logarithmic(axis: Axis, low: float, high: float, most_ticks: int) -> Scale:
    grow = max((high / low) ** 0.04, 1.05)
    low, high = low / grow, high * grow
    if high / low <= SHORT:
        return replace(_linear(axis, low, high, most_ticks), logarithmic=True, spacing=0.0)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks: list[float] = []
    for factors, step in LADDERS:
        decades = range(first - first % step, last + 1, step)
        ticks = [factor * 10.0**decade for decade in decades for factor in factors]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) <= most_ticks:
            break
    return Scale(low, high, True, 0.0, tuple(ticks), tuple(_label(axis, tick, tick) for tick in ticks))


def round_spacing(least: float) -> float:
    """Give the smallest of 1, 2 and 5 times a power of ten that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(one * power for one in ROUND if one * power >= least * (1 - 1e-9))


def _label(axis: Axis, value: float, spacing: float) -> str:
    if axis.form == "percent":
        return numbers.tick(value * 100, spacing * 100) + "%"
    size, name = next((one for one in numbers.NAMES if abs(value) >= one[0]), (1, ""))
    if axis.form == "compact" and name:
        return f"{numbers.tick(value / size, spacing / size)} {name}"
    return numbers.tick(value, spacing)


def spread(wanted: Sequence[float], distance: float, low: float, high: float) -> list[float]:
    """Move labels apart as little as needed, keeping their order.

    Args:
        wanted: where each label would stand by itself, in any order.
        distance: the least distance between two labels.
        low: where the first may stand.
        high: where the last may stand, if all fit.

    Returns:
        Where each label stands, in the order of `wanted`.
    """
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    groups: list[list[float]] = []  # each: sum of (wanted - own offset), number of labels
    for index in order:
        groups.append([wanted[index], 1.0])
        while len(groups) > 1 and _start(groups[-2]) + groups[-2][1] * distance > _start(groups[-1]):
            total, number = groups.pop()
            groups[-1][0] += total - number * groups[-1][1] * distance
            groups[-1][1] += number
    places: list[float] = []
    for group in groups:
        places.extend(_start(group) + step * distance for step in range(int(group[1])))
    places = _inside(places, distance, low, high)
    return [places[order.index(index)] for index in range(len(wanted))]


def _start(group: list[float]) -> float:
    return group[0] / group[1]


def _inside(places: list[float], distance: float, low: float, high: float) -> list[float]:
    for index in range(len(places)):
        places[index] = max(places[index], low + index * distance)
    top = len(places) - 1
    for index in range(len(places)):
        places[index] = min(places[index], max(high, low + top * distance) - (top - index) * distance)
    return places
