"""The first layer: a drawing that needs no script, coloured by the page's CSS variables.

Curves are drawn in a plane of 1000 × 1000 units that is stretched over its panel, their strokes kept as thin
as they are; all letters stand outside that plane. Every recorded point is one vertex of its series' path.
"""

from __future__ import annotations

from html import escape

from plates.figures.layout import (
    BOTTOM,
    CHARACTER,
    GAP,
    INSET_LEFT,
    LINE,
    MAIN,
    PHONE,
    SECOND,
    TOP,
    Inset,
    Layout,
    label_lines,
)
from plates.figures.names import place_names
from plates.figures.parts import Figure, Series, second_title
from plates.figures.scale import Scale, spread

PLANE = 1000
BAR_SHARE = 0.72
DOT = "h.01"
"""Of a bar's place, what its bars fill together."""


def drawing(figure: Figure, layout: Layout) -> str:
    """Draw a figure.

    Args:
        figure: what to draw.
        layout: the places of its parts.

    Returns:
        One svg element without line breaks, the same for the same figure.
    """
    name = figure.id
    head = (
        f'<svg class="fig-drawing" height="{_em(layout.height)}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(figure.title)}</title>'
        f'<desc id="{name}-desc">{escape(figure.description)}</desc>'
    )
    panels = [_panel(layout, TOP, MAIN, layout.y, figure.y.title, _main(figure, layout))]
    bottom = TOP + MAIN
    if layout.second:
        panels.append(_second_panel(figure, layout, bottom + GAP))
        bottom += GAP + SECOND
    return head + "".join(panels) + _below(figure, layout, bottom) + "</svg>"


def _panel(layout: Layout, top: float, height: float, y: Scale, title: str, inner: str) -> str:
    rules = "".join(f"M0 {_unit(1 - y.place(tick))}H{PLANE}" for tick in y.ticks)
    at_tick = [(1 - y.place(tick)) * height for tick in y.ticks]
    numbers = "".join(
        f'<text class="fig-tick" x="-.6em" y="{_em(at)}" dy=".32em" text-anchor="end">{escape(label)}</text>'
        for at, label in zip(at_tick, y.labels, strict=True)
    )
    return (
        f'<svg class="fig-panel" y="{_em(top)}" height="{_em(height)}" overflow="visible">'
        f'<text class="fig-axis" x="-{layout.left}em" y="-1.3em">{escape(title)}</text>'
        f"{_plane(_path('fig-rule', rules))}{numbers}{inner}</svg>"
    )


def _main(figure: Figure, layout: Layout) -> str:
    curves = f'<g id="{figure.id}-curves">{"".join(_marks(figure, layout))}</g>'
    if layout.inset:
        ends = _ends(figure, layout.inset.y, layout.inset.height)
        return _plane(curves + _frame(layout.inset, layout)) + _inset(figure, layout, layout.inset, ends)
    if figure.kind == "lines":
        return _plane(curves) + _ends(figure, layout.y, MAIN)
    return _plane(curves) + _names(figure, layout)


def _second_panel(figure: Figure, layout: Layout, top: float) -> str:
    assert layout.second is not None
    assert figure.difference is not None
    y, values = layout.second, figure.difference_values()
    xs = figure.series[0].x
    others = "".join(
        _path(f"{_classes('fig-line', other)} fig-difference", _line(other.x, other.y, layout.x, y))
        for other in figure.others
    )
    line = _path("fig-line fig-neutral fig-plain fig-difference", _line(xs, values, layout.x, y))
    zero = _path("fig-zero", f"M0 {_unit(1 - y.place(0))}H{PLANE}")
    at = (1 - y.place(values[-1])) * SECOND
    label = _label(at, at, [figure.y.read(values[-1])], "fig-neutral", "fig-plain")
    inner = _plane(zero + others + line) + _margin(label)
    return _panel(layout, top, SECOND, y, second_title(figure, figure.y), inner)


def _below(figure: Figure, layout: Layout, bottom: float) -> str:
    """Draw the base line with its ticks, their numbers, and what x measures."""
    ticks = "".join(f"M{_unit(layout.x.place(at))} 0V{PLANE}" for at in layout.x.ticks)
    marks = (
        ""
        if figure.kind == "bars"
        else (
            f'<svg y="{_em(bottom)}" height=".4em" viewBox="0 0 {PLANE} {PLANE}" preserveAspectRatio="none" '
            f'overflow="visible">{_path("fig-base", f"M0 0H{PLANE}{ticks}")}</svg>'
        )
    )
    always = layout.x.sparse or (True,) * len(layout.x.ticks)
    numbers = "".join(
        f'<text class="fig-tick{"" if narrow else " fig-wide"}" x="{_share(layout.x.place(at))}" '
        f'y="{_em(bottom + 1.5)}" text-anchor="middle">{escape(label)}</text>'
        for at, label, narrow in zip(layout.x.ticks, layout.x.labels, always, strict=True)
    )
    title = (
        f'<text class="fig-axis" x="100%" y="{_em(bottom + BOTTOM - 0.5)}" text-anchor="end">'
        f"{escape(figure.x.title)}</text>"
    )
    return marks + numbers + title


def _inset(figure: Figure, layout: Layout, inset: Inset, ends: str) -> str:
    """Show a stretch of the main panel enlarged: no second drawing, but the same paths used again."""
    left, right = (layout.x.place(at) * PLANE for at in (inset.x.low, inset.x.high))
    top, bottom = ((1 - layout.y.place(at)) * PLANE for at in (inset.y.high, inset.y.low))
    window = f"{left:.1f} {top:.2f} {right - left:.1f} {bottom - top:.2f}"
    rules = "".join(f"M0 {_unit(1 - inset.y.place(tick))}H{PLANE}" for tick in inset.y.ticks)
    at_y = "".join(
        f'<text class="fig-tick fig-halo" x="-.5em" y="{_em((1 - inset.y.place(tick)) * inset.height)}" '
        f'dy=".32em" text-anchor="end">{escape(label)}</text>'
        for tick, label in zip(inset.y.ticks, inset.y.labels, strict=True)
    )
    at_x = "".join(
        f'<text class="fig-tick fig-halo" x="{_share(inset.x.place(tick))}" y="{_em(inset.height + 1.4)}" '
        f'text-anchor="{"end" if tick == inset.x.high else "middle"}">{escape(label)}</text>'
        for tick, label in zip(inset.x.ticks, inset.x.labels, strict=True)
    )
    return (
        f'<svg class="fig-inset" x="{_share(INSET_LEFT)}" width="{_share(1 - INSET_LEFT)}" '
        f'height="{_em(inset.height)}" overflow="visible">'
        f'<rect class="fig-paper" width="100%" height="100%"/>{_plane(_path("fig-rule", rules))}'
        f'<svg viewBox="{window}" preserveAspectRatio="none" overflow="hidden">'
        f'<use href="#{figure.id}-curves"/></svg>'
        f'<rect class="fig-frame" width="100%" height="100%"/>{at_y}{at_x}{ends}</svg>'
    )


def _frame(inset: Inset, layout: Layout) -> str:
    """Mark the stretch that the inset enlarges."""
    left, right = (_unit(layout.x.place(at)) for at in (inset.x.low, inset.x.high))
    top, bottom = (_unit(1 - layout.y.place(at)) for at in (inset.y.high, inset.y.low))
    return _path("fig-frame", f"M{left} {top}H{right}V{bottom}H{left}Z")


def _marks(figure: Figure, layout: Layout) -> list[str]:
    if figure.kind == "bars":
        return [path for index in range(len(figure.series)) for path in _bars(figure, layout, index)]
    drawn = []
    for one in figure.series:
        line = _line(one.x, one.y, layout.x, layout.y)
        drawn.append(_path(_classes("fig-line", one), line))
        if figure.kind == "points":
            drawn += _dots(one, line)
    return drawn


def _dots(one: Series, line: str) -> list[str]:
    """Draw a dot at each vertex of a line, those of one role together."""
    vertices = line.removeprefix("M").split("L")
    of: dict[str, list[str]] = {}
    for index, vertex in enumerate(vertices):
        of.setdefault(one.role_of(index), []).append(vertex)
    # Each dot is the cap of a stroke: on paper a square cap needs a stroke with a direction, however short.
    return [
        _path(f"fig-dot fig-{role} fig-{one.weight}", "".join(f"M{vertex}{DOT}" for vertex in its))
        for role, its in of.items()
    ]


def _line(xs: tuple[float, ...], ys: tuple[float, ...], x: Scale, y: Scale) -> str:
    vertices = (f"{_unit(x.place(a))} {_unit(1 - y.place(b))}" for a, b in zip(xs, ys, strict=True))
    return "M" + "L".join(vertices)


def _bars(figure: Figure, layout: Layout, index: int) -> list[str]:
    """Draw one series' bars, those of one role together; each begins at its foot and goes to its value."""
    width, one = BAR_SHARE / len(figure.series), figure.series[index]
    base = _unit(1 - layout.y.place(0))
    of: dict[str, list[str]] = {}
    for place, value in enumerate(one.y):
        left = place + (1 - BAR_SHARE) / 2 + index * width
        a, b = _unit(layout.x.place(left)), _unit(layout.x.place(left + width * 0.9))
        bar = f"M{a} {base}V{_unit(1 - layout.y.place(value))}H{b}V{base}Z"
        of.setdefault(one.role_of(place), []).append(bar)
    return [_path(f"fig-bar fig-{role} fig-{one.weight}", "".join(its)) for role, its in of.items()]


def _ends(figure: Figure, y: Scale, height: float) -> str:
    """Write each series' name beside its curve's end, moved apart where they would touch."""
    named = [one for one in figure.series if one.labelled]
    wanted = [(1 - y.place(one.y[-1])) * height for one in named]
    distance = LINE * max((len(label_lines(one)) for one in named), default=1)
    places = spread(wanted, distance, 0, height)
    return _margin(
        "".join(
            _label(at, place, label_lines(one), f"fig-{one.role}", f"fig-{one.weight}")
            for one, at, place in zip(named, wanted, places, strict=True)
        )
    )


def _names(figure: Figure, layout: Layout) -> str:
    """Write each series' name beside one of its points, or each bar's value at its end."""
    if figure.kind == "bars":
        return "".join(_values(figure, layout, index) for index in range(len(figure.series)))
    return "".join(
        f'<text class="{_classes("fig-name fig-halo", one.series)}{"" if one.narrow else " fig-wide"}" '
        f'x="{_share(one.x)}" y="{_em(one.y)}" dx="{_em(one.aside)}" dy=".32em" text-anchor="{one.anchor}">'
        f"{escape(one.text)}</text>"
        for one in place_names(figure, layout)
    )


def _values(figure: Figure, layout: Layout, index: int) -> str:
    """Print each bar's value at its end, where all fit side by side; else the table alone has them."""
    one, width = figure.series[index], BAR_SHARE / len(figure.series)
    printed = [figure.y.read(value) for series in figure.series for value in series.y]
    if max(map(len, printed)) * CHARACTER > width * PHONE / len(one.x):
        return ""
    texts = []
    for place, value in enumerate(one.y):
        middle = place + (1 - BAR_SHARE) / 2 + (index + 0.45) * width
        at = (1 - layout.y.place(value)) * MAIN + (-0.5 if value >= 0 else 1.2)
        texts.append(
            f'<text class="fig-tick" x="{_share(layout.x.place(middle))}" y="{_em(at)}" '
            f'text-anchor="middle">{escape(figure.y.read(value))}</text>'
        )
    return "".join(texts)


def _label(at: float, place: float, lines: list[str], *classes: str) -> str:
    """Write a label of one or more lines; where room is scarce only what stands before the first comma."""
    first = place - (len(lines) - 1) * LINE / 2
    text, comma = "", False
    for index, line in enumerate(lines):
        always, mark, rest = ("", "", line) if comma else line.partition(",")
        comma = comma or bool(mark)
        more = f'<tspan class="fig-wide">{escape(mark + rest)}</tspan>' if mark or rest else ""
        text += f'<tspan x="1.2em" y="{_em(first + index * LINE)}" dy=".32em">{escape(always)}{more}</tspan>'
    leader = f'<line class="fig-leader" x1=".25em" y1="{_em(at)}" x2=".95em" y2="{_em(place)}"/>'
    return f'{leader}<text class="{" ".join(("fig-name", *classes))}">{text}</text>'


def _margin(inner: str) -> str:
    return f'<svg class="fig-ends" x="100%" width="1" height="1" overflow="visible">{inner}</svg>'


def _plane(inner: str) -> str:
    return (
        f'<svg class="fig-plane" viewBox="0 0 {PLANE} {PLANE}" preserveAspectRatio="none" '
        f'overflow="visible">{inner}</svg>'
    )


def _path(classes: str, path: str) -> str:
    return f'<path class="{classes}" d="{path}"/>'


def _classes(first: str, one: Series) -> str:
    return f"{first} fig-{one.role} fig-{one.weight}{' fig-broken' if one.broken else ''}"


def _unit(share: float) -> str:
    """Print a place in the plane to a tenth of its units, as short as it goes."""
    return f"{round(share * PLANE, 1) + 0.0:g}"


def _em(length: float) -> str:
    return f"{round(length, 2):g}em"


def _share(share: float) -> str:
    return f"{round(share * 100, 2):g}%"
