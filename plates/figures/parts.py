"""What a figure is made of, checked at birth: axes, series, and the figure itself."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, get_args

from plates import numbers

Role = Literal["tied", "untied", "neutral"]
Weight = Literal["held-out", "training", "plain", "replicate"]
Kind = Literal["lines", "points", "bars"]

MOST_POINTS = 1000
MOST_SERIES = 60
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]|[\ud800-\udfff]")


class FigureError(ValueError):
    """A figure that cannot be drawn right; says which, what was wanted, what came and what to do."""


@dataclass(frozen=True)
class Axis:
    """One axis: what it measures and how its numbers are printed."""

    label: str
    """The quantity: "Loss"."""
    unit: str = ""
    """Its unit: "nats per token"; empty where the quantity counts itself."""
    form: str = "decimal"
    """The formatter of `plates.numbers` that prints its values in tables, read-outs and at named ticks."""
    short: str = ""
    """What a reader's switch calls it: "nats"; the label by default."""
    logarithmic: bool = False
    """Equal factors take equal lengths; every value must be above zero."""
    from_zero: bool = False
    """The axis starts at zero, as bars do in any case."""
    digits: int | None = None
    """Digits of these, for a form that takes them; the form's own by default."""
    ticks: tuple[float, ...] = ()
    """Where its ticks stand, rising, such as at the few values that were tried; at round numbers by default.

    They are those of the whole drawing: a detail, a second panel and a zoomed chart have round ones.
    """

    def __post_init__(self) -> None:
        """Refuse an unknown form and an empty label; turn any sequence into a tuple of plain numbers."""
        numbers.form(self.form)
        _text("axis", "label", self.label, needed=True)
        _text("axis", "unit", self.unit)
        where = f"axis {self.label!r}"
        object.__setattr__(self, "ticks", tuple(_plain(where, "ticks", self.ticks)))
        if list(self.ticks) != sorted(set(self.ticks)):
            raise FigureError(f"{where}: wanted rising ticks, got {self.ticks}; sort them")

    @property
    def title(self) -> str:
        """The label with its unit: "Loss, nats per token"."""
        return f"{self.label}, {self.unit}" if self.unit else self.label

    def read(self, value: Any) -> str:
        """Print one value as tables and read-outs show it."""
        if isinstance(value, str):
            return value
        digits = () if self.digits is None else (self.digits,)
        return numbers.form(self.form)(value, *digits)


@dataclass(frozen=True)
class Series:
    """One curve, one set of points or one set of bars."""

    name: str
    """What its label, its column and its switch say: "tied, held-out"."""
    x: tuple[Any, ...]
    """Where its points stand; for bars the names of the bars."""
    y: tuple[float, ...]
    """One value for each x."""
    role: Role = "neutral"
    """Whose data it is: this gives its colour and its line's pattern."""
    weight: Weight = "plain"
    """Held-out is drawn dark and thick, training light and thin; a replicate is thin, and bears no label."""
    broken: bool = False
    """Its line is broken: what tells two neutral ones apart."""
    names: tuple[str, ...] = ()
    """For points: the name of each, for the table and the read-out."""
    roles: tuple[Role, ...] = ()
    """For points and bars: whose data each is, where a series joins different ones; its own by default."""

    def __post_init__(self) -> None:
        """Turn any sequences, pandas columns included, into tuples of plain numbers; refuse what is none."""
        where = f"series {self.name!r}"
        _text("series", "name", self.name, needed=True)
        for field in ("x", "y", "names"):
            object.__setattr__(self, field, tuple(_plain(where, field, getattr(self, field))))
        _choice(where, "role", self.role, get_args(Role))
        _choice(where, "weight", self.weight, get_args(Weight))
        object.__setattr__(self, "roles", tuple(self.roles))
        for role in self.roles:
            _choice(where, "each of roles", role, get_args(Role))
        if len(self.x) != len(self.y):
            raise FigureError(f"{where}: wanted as many y as x, got {len(self.x)} x and {len(self.y)} y")
        if self.names and len(self.names) != len(self.x):
            raise FigureError(f"{where}: wanted {len(self.x)} names, one a point, got {len(self.names)}")
        if self.roles and len(self.roles) != len(self.x):
            raise FigureError(f"{where}: wanted {len(self.x)} roles, one a point, got {len(self.roles)}")
        if not 1 <= len(self.x) <= MOST_POINTS:
            raise FigureError(f"{where}: wanted 1 to {MOST_POINTS} points, got {len(self.x)}; thin the frame")

    @property
    def labelled(self) -> bool:
        """Whether its name stands beside it, and on a switch."""
        return self.weight != "replicate"

    def role_of(self, point: int) -> Role:
        """Tell whose data a point is."""
        return self.roles[point] if self.roles else self.role


@dataclass(frozen=True)
class OtherX:
    """The same points counted otherwise along x, such as tokens instead of steps."""

    axis: Axis
    values: tuple[float, ...]
    """One value for each x of every series, in the same order."""

    def __post_init__(self) -> None:
        """Turn any sequence into a tuple of plain numbers."""
        object.__setattr__(self, "values", tuple(_plain(f"axis {self.axis.label!r}", "values", self.values)))


@dataclass(frozen=True)
class Detail:
    """The stretch of x that an inset shows enlarged."""

    start: float
    end: float


@dataclass(frozen=True)
class Difference:
    """The second panel: one series minus another, point by point."""

    minuend: str
    """The series from which is taken."""
    subtrahend: str
    """The series that is taken away."""
    label: str
    """What it is called: "untied − tied"."""
    others: tuple[Series, ...] = ()
    """The same difference of other runs, at the same x: drawn thin beside it."""

    def __post_init__(self) -> None:
        """Turn any sequence into a tuple, and hold the others to their weight."""
        object.__setattr__(self, "others", tuple(self.others))
        for other in self.others:
            if other.labelled:
                raise FigureError(
                    f"difference {self.label!r}: wanted others of weight 'replicate', got {other.weight!r} "
                    f"in {other.name!r}"
                )


@dataclass(frozen=True)
class Figure:
    """One figure of a plate: a frame with all that its three layers need."""

    id: str
    """Its anchor on the page, "fig-" and lower-case words."""
    title: str
    """A short name, which opens the caption: no number, no full stop."""
    caption: str
    """Plain text in whole sentences."""
    description: str
    """What a reader who cannot see it should know: the shapes, the order, the values that matter."""
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    kind: Kind = "lines"
    other_x: OtherX | None = None
    exponential: Axis | None = None
    """A second reading of y, its exponential: perplexity for a loss in nats. Its form prints from y."""
    detail: Detail | None = None
    difference: Difference | None = None
    csv: str = ""
    """Where the page finds the data's file, relative to the page."""
    runs: tuple[str, ...] = ()
    """The recorded runs that it shows."""
    digest: str = ""
    """Sha256 of the recording's manifest, in hexadecimal digits."""
    recordings: tuple[tuple[str, str], ...] = ()
    """Where it rests on several: the name of each, and the sha256 of its manifest."""
    command: str = ""
    """What makes the data anew."""

    def __post_init__(self) -> None:
        """Refuse a frame that cannot be drawn right."""
        object.__setattr__(self, "series", tuple(self.series))
        object.__setattr__(self, "runs", tuple(self.runs))
        object.__setattr__(self, "recordings", tuple(self.recordings))
        check(self)

    @property
    def shared_x(self) -> bool:
        """Whether all series stand at the same x, so that one row of a table can hold them all."""
        return self.kind != "points" and all(one.x == self.series[0].x for one in self.series)

    def named(self, name: str) -> Series:
        """Give a series by its name."""
        for one in self.series:
            if one.name == name:
                return one
        names = ", ".join(repr(one.name) for one in self.series)
        raise FigureError(f"figure {self.id}: no series {name!r}; series are {names}")

    def difference_values(self) -> tuple[float, ...]:
        """Give the second panel's values, minuend less subtrahend; nothing where there is no such panel."""
        if self.difference is None:
            return ()
        ours, theirs = self.named(self.difference.minuend).y, self.named(self.difference.subtrahend).y
        return tuple(one - other for one, other in zip(ours, theirs, strict=True))

    @property
    def others(self) -> tuple[Series, ...]:
        """The other runs' differences in the second panel."""
        return self.difference.others if self.difference else ()


def second_title(figure: Figure, axis: Axis) -> str:
    """Say what the second panel measures, read along an axis: "untied − tied, nats per token"."""
    assert figure.difference is not None
    return f"{figure.difference.label}, {axis.unit or axis.label.lower()}"


def check(figure: Figure) -> None:
    """Refuse a figure whose parts do not fit each other.

    Raises:
        FigureError: says what was wanted, what came and what to do.
    """
    where = f"figure {figure.id!r}"
    if not isinstance(figure.id, str) or not re.fullmatch(r"fig(-[a-z0-9]+)+", figure.id):
        raise FigureError(f"{where}: wanted an id such as 'fig-output-head-loss': 'fig' and lower-case words")
    for field in ("title", "caption", "description"):
        _text(where, field, getattr(figure, field), needed=True)
    for field in ("csv", "command"):
        _text(where, field, getattr(figure, field))
    _choice(where, "kind", figure.kind, get_args(Kind))
    for digest in (figure.digest, *(digest for _, digest in figure.recordings)):
        numbers.sha(digest or "0" * 12)
    _check_series(where, figure)
    _check_panels(where, figure)


def _check_series(where: str, figure: Figure) -> None:
    if not 1 <= len(figure.series) <= MOST_SERIES:
        raise FigureError(f"{where}: wanted 1 to {MOST_SERIES} series, got {len(figure.series)}")
    names = [one.name for one in figure.series]
    if len(set(names)) < len(names):
        raise FigureError(f"{where}: wanted a name for each series alone, got {names}")
    if figure.kind == "bars" and figure.x.ticks:
        raise FigureError(f"{where}: wanted no ticks on x, where bars have their names; leave them out")
    for one in figure.series:
        _check_shape(f"{where}, series {one.name!r}", figure, one)


def _check_shape(where: str, figure: Figure, one: Series) -> None:
    words = [isinstance(value, str) for value in one.x]
    if any(words) != (figure.kind == "bars") or any(words) != all(words):
        raise FigureError(f"{where}: wanted names as x for bars and numbers for all else, got {one.x[:3]}")
    if figure.kind == "lines" and len(one.x) < 2:
        raise FigureError(f"{where}: wanted two points or more for a line, got one; use kind='points'")
    if figure.kind == "lines" and any(b <= a for a, b in zip(one.x, one.x[1:], strict=False)):
        raise FigureError(f"{where}: wanted x rising from point to point; sort the frame and drop repeats")
    if figure.kind == "lines" and one.roles:
        raise FigureError(
            f"{where}: wanted roles of its points for points and bars alone, got {one.roles[:3]}"
        )
    if figure.kind == "bars" and one.x != figure.series[0].x:
        raise FigureError(f"{where}: wanted the same bars in every series, got {one.x[:3]}")
    for axis, values in ((figure.x, one.x), (figure.y, one.y)):
        if axis.logarithmic and any(isinstance(value, str) or value <= 0 for value in values):
            raise FigureError(f"{where}: wanted values above zero on the logarithmic axis {axis.label!r}")


def _check_panels(where: str, figure: Figure) -> None:
    wants = figure.other_x or figure.detail or figure.difference
    if wants and (figure.kind != "lines" or not figure.shared_x):
        raise FigureError(f"{where}: wanted lines at the same x for other_x, detail and difference")
    if figure.other_x and len(figure.other_x.values) != len(figure.series[0].x):
        raise FigureError(
            f"{where}: wanted {len(figure.series[0].x)} values in other_x, got {len(figure.other_x.values)}"
        )
    if figure.detail:
        inside = [x for x in figure.series[0].x if figure.detail.start <= x <= figure.detail.end]
        if len(inside) < 2:
            raise FigureError(f"{where}: wanted two points or more in {figure.detail}, got {len(inside)}")
    figure.difference_values()
    names = [one.name for one in (*figure.series, *figure.others)]
    if len(set(names)) < len(names):
        raise FigureError(f"{where}: wanted a name for each other difference alone, got {names}")
    for other in figure.others:
        if other.x != figure.series[0].x:
            raise FigureError(
                f"{where}: wanted the other difference {other.name!r} at the same x as the series"
            )


def _plain(where: str, field: str, values: Iterable[Any]) -> Iterable[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise FigureError(f"{where}: wanted a sequence as {field}, got {values!r}")
    for index, value in enumerate(values):
        if isinstance(value, str) and field not in ("y", "ticks"):
            _text(where, f"{field}[{index}]", value, needed=True)
            yield value
        elif isinstance(value, bool) or not isinstance(value, Real) or field == "names":
            raise FigureError(f"{where}: wanted a number as {field}[{index}], got {value!r}")
        elif not math.isfinite(value):
            raise FigureError(f"{where}: wanted a finite number as {field}[{index}], got {value!r}")
        else:
            yield int(value) if isinstance(value, Integral) else float(value)


def _text(where: str, field: str, value: object, needed: bool = False) -> None:
    if not isinstance(value, str) or CONTROL.search(value) or (needed and not value.strip()):
        raise FigureError(f"{where}: wanted {'some' if needed else 'plain'} text as {field}, got {value!r}")


def _choice(where: str, field: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise FigureError(f"{where}: wanted {field} to be one of {', '.join(choices)}; got {value!r}")
