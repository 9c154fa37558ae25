"""Where the names of sets of points stand: beside one of their points, on nothing else.

Heights are in em and fixed; widths are the reader's. So a place is tried twice, on the narrowest page and
on the narrowest wide one. A name that is free on both stands always, one that is free on the second stands
on wide pages, and one that is free nowhere is left to the table and the read-outs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from plates.figures.layout import CHARACTER, MAIN, PHONE, Layout, label_lines
from plates.figures.parts import Figure, Series

WIDE = 30.0
"""The panel's width in em on the narrowest page that is not narrow."""
DOT = 0.45
"""Half a dot's size, in em."""
HALF = 0.6
"""Half a name's height."""
SIDES = (
    (0.8, 0.0, "start"),
    (-0.8, 0.0, "end"),
    (0.0, -1.1, "middle"),
    (0.0, 1.1, "middle"),
    (0.6, -0.9, "start"),
    (0.6, 0.9, "start"),
    (-0.6, -0.9, "end"),
    (-0.6, 0.9, "end"),
)
"""Where a name may stand beside its point: to the right, to the left, above, below, and between these."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in em."""


@dataclass(frozen=True)
class Name:
    """A name and its place."""

    series: Series
    text: str
    x: float
    """A share of the panel's width."""
    y: float
    """In em from the panel's top."""
    aside: float
    """In em from x."""
    anchor: str
    narrow: bool = True
    """Whether it stands on narrow pages too."""

    def box(self, width: float) -> Box:
        """Give what it covers in a panel of that width, both in em."""
        length = len(self.text) * (CHARACTER + 0.03)
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * length
        left = self.x * width + self.aside - back
        return left, self.y - HALF, left + length, self.y + HALF


def place_names(figure: Figure, layout: Layout) -> list[Name]:
    """Find a free place for each series' name.

    Args:
        figure: one of points.
        layout: the places of its panel.

    Returns:
        The names that have a place, in the series' order.
    """
    rooms = {PHONE: layout.narrow, WIDE: layout.right}
    dots = {width: [box for one in figure.series for box in _dots(one, layout, width)] for width in rooms}
    lines = {width: [box for one in figure.series for box in _lines(one, layout, width)] for width in rooms}
    placed: list[Name] = []
    for one in figure.series:
        free: dict[float, list[Name]] = {}
        for width, room in rooms.items():
            shown = [name.box(width) for name in placed if name.narrow or width == WIDE]
            inside = [name for name in _candidates(one, layout) if _is_inside(name.box(width), width, room)]
            off_names = [name for name in inside if _is_free(name.box(width), dots[width] + shown)]
            free[width] = [name for name in off_names if _is_free(name.box(width), lines[width])] or off_names
        both = [name for name in free[WIDE] if name in free[PHONE]]
        if both or free[WIDE]:
            placed.append(both[0] if both else replace(free[WIDE][0], narrow=False))
    return placed


def _candidates(one: Series, layout: Layout) -> Iterator[Name]:
    """Each side of the last point, then of the first, then of those between."""
    points = list(_points(one, layout))
    text = " ".join(label_lines(one))
    for x, y in dict.fromkeys([points[-1], points[0], *points]):
        for aside, down, anchor in SIDES:
            yield Name(one, text, x, y + down, aside, anchor)


def _points(one: Series, layout: Layout) -> Iterator[tuple[float, float]]:
    for x, y in zip(one.x, one.y, strict=True):
        yield layout.x.place(x), (1 - layout.y.place(y)) * MAIN


def _dots(one: Series, layout: Layout, width: float) -> Iterator[Box]:
    for x, y in _points(one, layout):
        yield x * width - DOT, y - DOT, x * width + DOT, y + DOT


def _lines(one: Series, layout: Layout, width: float) -> Iterator[Box]:
    """Small boxes along the lines that join a series' points."""
    for (x, y), (a, b) in pairwise(_points(one, layout)):
        steps = int(max(abs(a - x) * width, abs(b - y)) / 0.3) + 1
        for step in range(steps + 1):
            across, down = (x + (a - x) * step / steps) * width, y + (b - y) * step / steps
            yield across - 0.1, down - 0.1, across + 0.1, down + 0.1


def _is_inside(box: Box, width: float, room: float) -> bool:
    return box[0] >= 0.2 and box[2] <= width + room and box[1] >= -0.4 and box[3] <= MAIN


def _is_free(box: Box, others: list[Box]) -> bool:
    left, top, right, bottom = box
    # A loop of its own: this is asked many thousand times, and a generator would double the time.
    for a, b, c, d in others:  # noqa: SIM110
        if left < c and a < right and top < d and b < bottom:
            return False
    return True
