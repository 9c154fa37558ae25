"""The third layer: the same points as a Plotly figure, in plotly.py's own form, written as plain JSON.

plotly.py itself would take most of a page's time, so a build writes what it would write, and the tests hold
every kind of chart to it.

Colours and sizes are left to the page's script, which takes them from CSS when the reader asks for the chart.
"""

from __future__ import annotations

import json
import math
from html import escape
from typing import Any

from plates import numbers
from plates.figures.layout import BOTTOM, GAP, MAIN, SECOND, TOP, Layout
from plates.figures.parts import Axis, Figure, Series, second_title
from plates.figures.scale import Scale

DECIMALS = 6
"""Of a value in the chart's data: far finer than a pixel. What is read is printed from the full value."""
DASHES = {
    ("tied", "held-out"): "solid",
    ("untied", "held-out"): "7px,3px",
    ("tied", "training"): "solid",
    ("untied", "training"): "4px,2px",
}
BROKEN = "6px,3px"
WIDTHS = {"held-out": 2.0, "training": 1.0, "plain": 1.6, "replicate": 0.7}
NO_TEMPLATE = {"data": {"scatter": [{"type": "scatter"}]}}
"""What plotly.py writes for the template "none"."""
_LINES: dict[str, Any] = {"type": "scatter", "mode": "lines"}
_SECOND = {**_LINES, "yaxis": "y2", "hovertemplate": "%{text}"}
SYMBOLS = {"tied": "circle", "untied": "square", "neutral": "circle"}


def payload(figure: Figure, layout: Layout) -> str:
    """Write what the script needs to draw the live chart.

    Args:
        figure: what holds the points.
        layout: the places that the drawing gave its parts.

    Returns:
        JSON that may stand inside a script element: it holds no "<".
    """
    live = chart(figure, layout) | {"book": _switches(figure, layout)}
    text = json.dumps(live, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def chart(figure: Figure, layout: Layout) -> dict[str, Any]:
    """Make the Plotly figure: the drawing's axes and the recorded points, in plain lists.

    Args:
        figure: what holds the points.
        layout: the places that the drawing gave its parts.

    Returns:
        What `plotly.graph_objects.Figure` takes, and gives back as JSON.
    """
    traces = [_trace(figure, one) for one in figure.series]
    if figure.difference:
        traces += [_difference(figure), *(_other(one) for one in figure.others)]
    return {"data": traces, "layout": _layout(figure, layout)}


def _trace(figure: Figure, one: Series) -> dict[str, Any]:
    common = {
        "name": plain(one.name),
        "x": [plain(value) if isinstance(value, str) else value for value in one.x],
        "y": [_short(value) for value in one.y],
        "meta": {"role": one.role, "weight": one.weight, **({"roles": list(one.roles)} if one.roles else {})},
        "hovertemplate": "%{text}",
    }
    if figure.exponential:
        common["customdata"] = list(map(figure.exponential.read, one.y))
    if figure.kind == "bars":
        return {"type": "bar", **common}
    dash = BROKEN if one.broken else DASHES.get((one.role, one.weight), "solid")
    line = {"width": WIDTHS[one.weight], "dash": dash}
    if figure.kind == "points":
        common["hovertemplate"] = "%{text}<extra></extra>"  # the read-out names the series already
        marker = {"symbol": _symbols(one), "size": 7}
        return {**_LINES, "mode": "lines+markers", "line": line | {"width": 0.5}, "marker": marker, **common}
    return {**_LINES, "line": line, **common}


def _symbols(one: Series) -> str | list[str]:
    return [SYMBOLS[role] for role in one.roles] or SYMBOLS[one.role]


def _difference(figure: Figure) -> dict[str, Any]:
    assert figure.difference is not None
    pair = (figure.named(figure.difference.minuend), figure.named(figure.difference.subtrahend))
    found = {
        **_SECOND,
        "name": plain(figure.difference.label),
        "x": list(pair[0].x),
        "y": [_short(value) for value in figure.difference_values()],
        "line": {"width": WIDTHS["plain"], "dash": "solid"},
        "meta": {"role": "neutral", "weight": "plain"},
    }
    if figure.exponential:
        found["customdata"] = [
            numbers.decimal(math.exp(ours) - math.exp(theirs), 1, signed=True)
            for ours, theirs in zip(pair[0].y, pair[1].y, strict=True)
        ]
    return found


def _other(one: Series) -> dict[str, Any]:
    """Another run's difference: thin, and in the series' own unit alone."""
    return {
        **_SECOND,
        "name": plain(one.name),
        "x": list(one.x),
        "y": [_short(value) for value in one.y],
        "line": {"width": WIDTHS[one.weight], "dash": "solid"},
        "meta": {"role": one.role, "weight": one.weight},
    }


def _layout(figure: Figure, layout: Layout) -> dict[str, Any]:
    whole = layout.height - TOP - BOTTOM
    parts: dict[str, Any] = {
        "xaxis": _axis(figure.x, layout.x, figure.kind) | {"anchor": "y2" if layout.second else "y"},
        "yaxis": _axis(figure.y, layout.y) | {"domain": [_short(1 - MAIN / whole), 1]},
        "hovermode": "x unified" if figure.kind == "lines" else "closest",
        "dragmode": False,
        "showlegend": False,
        "barmode": "group",
        "bargap": 0.28,
        "bargroupgap": 0.1,
        "template": NO_TEMPLATE,
    }
    if layout.second:
        parts["yaxis2"] = _axis(figure.y, layout.second) | {"domain": [0, _short(SECOND / whole)]}
        parts["hoversubplots"] = "axis"
    assert not layout.second or math.isclose(MAIN + GAP + SECOND, whole)
    return parts


def _axis(axis: Axis, scale: Scale, kind: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {
        "range": [_log(scale, scale.low), _log(scale, scale.high)],
        "tickvals": [_short(tick) for tick in scale.ticks],
        "ticktext": [plain(label) for label in scale.labels],
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "exponentformat": "none",
        "separatethousands": True,
        "tickformat": ".0%" if axis.form == "percent" else "",
    }
    if scale.logarithmic:
        found["type"] = "log"
    if kind == "bars":
        found["type"] = "category"
        found["range"] = [-0.5, len(scale.labels) - 0.5]
        found["tickvals"] = list(range(len(scale.labels)))
    return found


def _switches(figure: Figure, layout: Layout) -> dict[str, Any]:
    """Say what the reader may switch: the other x, the other y, and what each is called."""
    found: dict[str, Any] = {"kind": figure.kind, "top": TOP, "bottom": BOTTOM}
    found |= {"x": [figure.x.title], "y": [figure.y.title], "sparse": list(layout.x.sparse)}
    found["forms"] = [figure.x.form, figure.y.form]
    if figure.other_x:
        found["x"].append(figure.other_x.axis.title)
        found["tokens"] = list(figure.other_x.values)
    if figure.exponential:
        found["y"].append(figure.exponential.title)
    if figure.difference:
        found["difference"] = [
            figure.series.index(figure.named(name))
            for name in (figure.difference.minuend, figure.difference.subtrahend)
        ]
        found["second"] = [second_title(figure, figure.y)]
        if figure.exponential:
            found["second"].append(second_title(figure, figure.exponential))
    return found


def plain(text: str) -> str:
    """Escape a text for Plotly, which takes some tags in labels for markup."""
    return escape(text, quote=False)


def _log(scale: Scale, value: float) -> float:
    return _short(math.log10(value) if scale.logarithmic else value)


def _short(value: float) -> float:
    return value if isinstance(value, int) else round(value, DECIMALS)
