"""Where a figure's panels, margins and labels stand, in units of the drawing's own type size (em).

Heights and margins are in em and the width is the reader's: so the drawing fills any column, from a phone's
to a wide page's, with its letters at one size. Margins come in steps, each a class in `figure.css`, and the
page needs no style attribute.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plates.figures.parts import Axis, Figure, FigureError, Series
from plates.figures.scale import LINE_ROOM, MARKER_ROOM, Scale, scale

TOP = 2.4
"""Above the first panel: the line that says what y measures."""
MAIN = 23.0
GAP = 3.0
"""Between two panels: the second one's line."""
SECOND = 7.0
BOTTOM = 3.4
"""Below the last panel: the ticks' numbers and the line that says what x measures."""
LINE = 1.25
"""From one line of a label to the next."""
CHARACTER = 0.52
"""The mean width of a character in the serifs that the book asks for."""
WIDEST_LABEL = 16
PHONE = 14.0
"""The width in em that the panel has on the narrowest phone: what stands side by side must fit there."""
DESK = 36.0
"""The same on a page that is not narrow: over 42 em with its margins, as figure.css says."""
INSET_LEFT = 0.36
"""Where the inset begins, as a share of the width."""


@dataclass(frozen=True)
class Inset:
    """An enlarged part of the main panel, in its empty upper right corner."""

    x: Scale
    y: Scale
    height: float
    """In em."""


@dataclass(frozen=True)
class Layout:
    """All places of one figure."""

    x: Scale
    y: Scale
    second: Scale | None
    inset: Inset | None
    left: int
    """Left margin in em, a whole number of steps."""
    right: int
    """Right margin in em."""
    narrow: int
    """Right margin in em on narrow pages, where labels are short."""

    @property
    def height(self) -> float:
        """Height of the whole drawing in em."""
        return TOP + MAIN + BOTTOM + (GAP + SECOND if self.second else 0.0)


def lay(figure: Figure) -> Layout:
    """Find the place of everything in a figure."""
    room = MARKER_ROOM if figure.kind == "points" else LINE_ROOM
    y = scale(_bars_from_zero(figure), [value for one in figure.series for value in one.y], room=room)
    x = _x_scale(figure)
    second = _second(figure) if figure.difference else None
    inset = _inset(figure, x, y) if figure.detail else None
    ticks = [*y.labels, *(second.labels if second else ())]
    ends = [figure.y.read(figure.difference_values()[-1])] if figure.difference else []
    named = [one for one in figure.series if one.labelled]
    right = _margin([*ends, *(line for one in named for line in label_lines(one))])
    narrow = _margin([*ends, *(line for one in named for line in wrap(short(one.name)))])
    left = math.ceil(max(map(len, ticks)) * CHARACTER + 0.9)
    return Layout(x, y, second, inset, left, *((1, 1) if figure.kind == "bars" else (right, narrow)))


def _second(figure: Figure) -> Scale:
    others = [value for other in figure.others for value in other.y]
    return scale(replace(figure.y, ticks=()), (0.0, *figure.difference_values(), *others), 3, 0.08)


def _margin(lines: list[str]) -> int:
    return math.ceil(max(map(len, lines), default=0) * CHARACTER + 1.6)


def short(name: str) -> str:
    """Give what a label says where room is scarce: the part of a name before its first comma."""
    return name.split(",", maxsplit=1)[0]


def label_lines(one: Series) -> list[str]:
    """Break a series' name into the lines of its label."""
    return wrap(one.name)


def wrap(text: str) -> list[str]:
    """Break a text into short lines; a longer word, and what does not fit into three lines, is cut."""
    lines = textwrap.wrap(text, WIDEST_LABEL, max_lines=3, placeholder=" …", break_on_hyphens=False)
    return lines or [text[: WIDEST_LABEL - 1] + "…"]


def _bars_from_zero(figure: Figure) -> Axis:
    if figure.kind != "bars":
        return figure.y
    return replace(figure.y, logarithmic=False, from_zero=True)


def _x_scale(figure: Figure) -> Scale:
    if figure.kind == "bars":
        names = figure.series[0].x
        places = tuple(index + 0.5 for index in range(len(names)))
        return Scale(0.0, float(len(names)), False, 1.0, places, names)
    values = [value for one in figure.series for value in one.x]
    room = 0.0 if figure.kind == "lines" else MARKER_ROOM
    laid = _fitting(figure.x, values, room)
    stride = next(each for each in range(1, 99) if _fits(laid.labels[::each], PHONE))
    return replace(laid, sparse=tuple(index % stride == 0 for index in range(len(laid.ticks))))


def _fitting(axis: Axis, values: list[float], room: float) -> Scale:
    """Lay a scale with as many ticks as have room for their labels side by side on a wide page."""
    for ticks in (7, 6, 5, 4, 3):
        laid = scale(axis, values, ticks, room)
        if _fits(laid.labels, DESK):
            return laid
    if axis.ticks:
        said = f"wanted ticks with room for their labels, got {len(axis.ticks)}; leave some out"
        raise FigureError(f"axis {axis.label!r}: {said}")
    return scale(axis, values, 2, room)


def _fits(labels: Sequence[str], width: float) -> bool:
    """Whether labels have room side by side; one always has."""
    return sum(map(len, labels)) * CHARACTER + 1.2 * len(labels) <= width or len(labels) < 2


def _inset(figure: Figure, x: Scale, y: Scale) -> Inset:
    assert figure.detail is not None
    start, end = figure.detail.start, figure.detail.end
    points = [point for one in figure.series for point in zip(one.x, one.y, strict=True)]
    inside = [value for at, value in points if start <= at <= end]
    below = [value for at, value in points if x.place(at) >= INSET_LEFT - 0.08]
    free = (1 - y.place(max(below))) * MAIN - 2.6
    if free < 5:
        raise FigureError(f"figure {figure.id!r}: no room above the curves for the detail; leave it out")
    along = scale(replace(figure.x, from_zero=False, ticks=()), (start, end), 3, 0.0)
    along = replace(along, ticks=(start, end), labels=tuple(map(figure.x.read, (start, end))))
    upright = scale(replace(figure.y, from_zero=False, ticks=()), inside, 5, 0.06)
    return Inset(along, upright, round(min(free, MAIN * 0.72), 2))
