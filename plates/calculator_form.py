"""The controls of the reader's own model, as plain HTML: hidden until their script runs."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from plates import html, numbers
from plates.calculator import (
    FIELDS,
    FLAGS,
    NORMS,
    PARTICULARS,
    READINGS,
    Field,
    context_of,
    data,
    place,
    texts,
)
from plates.open_models import OpenModel
from plates.parameters import MICRO_TIED, count
from plates.tying import families, head_share

MAIN = 5
"""Fields that stand at the top; the others are finer parts of the shape."""
TICKS = ((1e6, "1 million"), (1e8, "100 million"), (1e10, "10 billion"), (1e12, "1 trillion"))


def calculator(models: Sequence[OpenModel], scripts: Sequence[str], style: str) -> Markup:
    """Build the reader's own model, showing micro.

    Args:
        models: all released models of the list.
        scripts: addresses of its scripts, in order.
        style: address of its style sheet.

    Returns:
        One element; without scripts, nothing of it is seen.
    """
    shown = texts(MICRO_TIED, context_of(MICRO_TIED), models)
    top = html.join([_picker(models), *map(_field, FIELDS[:MAIN]), _flag(*FLAGS[0])])
    finer = html.join([*map(_field, FIELDS[MAIN:]), *(_flag(*flag) for flag in FLAGS[1:]), _norms()])
    inner = html.join(
        [
            html.tag(
                "form",
                html.join(
                    [
                        _group("The model", top, "calc-main"),
                        html.tag(
                            "details",
                            html.join(
                                [
                                    html.tag("summary", "Finer parts of the shape"),
                                    _group("Finer parts", finer, "calc-finer"),
                                ]
                            ),
                        ),
                    ]
                ),
                class_="calc-form",
                novalidate="",
                autocomplete="off",
                aria_label="A model’s shape",
            ),
            html.tag("p", "", class_="calc-note", role="status", hidden=""),
            html.tag("p", shown["said"], class_="calc-said", role="status", data_out="said"),
            _readings(shown),
            _drawing(models),
            _particulars(shown),
            html.tag(
                "p",
                html.join(
                    [
                        html.tag("a", "Address of this model", class_="calc-link", href="#model"),
                        html.tag("button", "Back to micro", type="button", class_="calc-reset"),
                    ]
                ),
                class_="calc-links",
            ),
            data(models),
        ]
    )
    sheet = _void("link", rel="stylesheet", href=style)
    own = html.join(html.tag("script", "", src=address, defer="") for address in scripts)
    box = html.tag("div", inner, class_="calc", id="model", hidden="", data_search_exclude="")
    return html.tag("div", html.join([sheet, box, own]), class_="calc-frame")


def _void(name: str, **attributes: object) -> Markup:
    """Build an element that has no end tag."""
    return Markup(html.tag(name, "", **attributes).removesuffix(f"</{name}>"))


def _group(legend: str, inner: Markup, name: str) -> Markup:
    head = html.tag("legend", legend, class_="book-hidden")
    return html.tag("fieldset", html.join([head, html.tag("div", inner, class_=f"calc-grid {name}")]))


def _picker(models: Sequence[OpenModel]) -> Markup:
    groups = [
        html.tag(
            "optgroup",
            html.join(html.tag("option", model.name, value=model.name) for model in its),
            label=name,
        )
        for name, its in families(models).items()
    ]
    first = [
        html.tag("option", "a shape of your own", value=""),
        html.tag("option", "micro", value="micro", selected=""),
    ]
    label = html.tag("label", "Start from", for_="calc-name")
    select = html.tag("select", html.join([*first, *groups]), id="calc-name", name_="name")
    return html.tag("div", html.join([label, select]), class_="calc-field calc-picker")


def _field(field: Field) -> Markup:
    """One number: its label, its field, its slider where it has one, and the place of a message."""
    key = f"calc-{field.name}"
    symbol = html.tag("i", field.symbol) if field.symbol else ""
    words = html.join([field.label, " " if symbol else "", symbol])
    number = _void(
        "input",
        type="number",
        id=key,
        name_=field.name,
        min=field.least,
        max=field.most,
        step=1,
        inputmode="numeric",
        placeholder=field.empty or None,
        aria_describedby=f"{key}-fault",
        required=None if field.empty else "",
    )
    slider = (
        _void(
            "input",
            type="range",
            min=0,
            max=1,
            step=1,
            value=0,
            data_for=field.name,
            aria_label=f"{field.label}, slider",
        )
        if field.slider
        else ""
    )
    fault = html.tag("span", "", class_="calc-fault", id=f"{key}-fault", aria_live="polite")
    parts = [html.tag("label", words, for_=key), number, slider, fault]
    return html.tag("div", html.join(parts), class_="calc-field")


def _flag(name: str, label: str) -> Markup:
    box = _void("input", type="checkbox", id=f"calc-{name}", name_=name)
    return html.tag(
        "div", html.join([box, html.tag("label", label, for_=f"calc-{name}")]), class_="calc-flag"
    )


def _norms() -> Markup:
    options = html.join(html.tag("option", words, value=name) for name, words in NORMS.items())
    label = html.tag("label", "Norms on queries and keys", for_="calc-qk_norm")
    return html.tag(
        "div",
        html.join([label, html.tag("select", options, id="calc-qk_norm", name_="qk_norm")]),
        class_="calc-field",
    )


def _readings(shown: dict[str, str]) -> Markup:
    head = html.tag(
        "tr",
        html.join(
            html.tag("th", name, scope="col", class_=kind)
            for name, kind in (("Reading", None), ("Tied", "tied"), ("Untied", "untied"))
        ),
    )
    rows = html.join(
        html.tag(
            "tr",
            html.join(
                [
                    html.tag("th", label, scope="row"),
                    html.tag("td", shown[tied], class_="tied", data_out=tied),
                    html.tag("td", shown[untied], class_="untied", data_out=untied),
                ]
            ),
        )
        for label, tied, untied in READINGS
    )
    parts = [
        html.tag("caption", "This model, tied and untied."),
        html.tag("thead", head),
        html.tag("tbody", rows),
    ]
    return html.tag("table", html.join(parts), class_="readings")


def _particulars(shown: dict[str, str]) -> Markup:
    rows = html.join(
        html.tag(
            "tr", html.join([html.tag("th", label, scope="row"), html.tag("td", shown[key], data_out=key)])
        )
        for label, key in PARTICULARS
    )
    parts = [html.tag("caption", "What one table costs, tied or not."), html.tag("tbody", rows)]
    return html.tag("table", html.join(parts), class_="readings calc-particulars")


def _drawing(models: Sequence[OpenModel]) -> Markup:
    """Draw where this model stands among the released ones; the script moves the two marks."""
    dots = "".join(
        f'<path class="calc-dot calc-{kind}" d="{_dots([m for m in models if m.shape.tied == tied])}"/>'
        for kind, tied in (("tied", True), ("untied", False))
    )
    rules = "".join(f"M0 {at}H1000" for at in (0, 250, 500, 750))
    plane = (
        '<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" overflow="visible">'
        f'<path class="calc-rule" d="{rules}"/><path class="calc-base" d="M0 1000H1000"/>{dots}</svg>'
    )
    ups = "".join(
        f'<text x="-.5em" y="{100 - share}%" dy=".32em" text-anchor="end">{share}%</text>'
        for share in (0, 25, 50, 75, 100)
    )
    acrosses = "".join(
        f'<text x="{place(int(size), 0)[0]:.2f}%" y="100%" dy="1.5em" text-anchor="{anchor}">{words}</text>'
        for (size, words), anchor in zip(TICKS, ("start", "middle", "middle", "end"), strict=True)
    )
    return Markup(
        '<figure class="calc-figure"><svg class="calc-place" role="img" aria-labelledby="calc-place-title">'
        '<title id="calc-place-title">The head’s share of this model, tied and untied, against its '
        f"parameters, among {numbers.count(len(models))} released models</title>"
        f"{plane}{ups}{acrosses}{_marks()}</svg>"
        "<figcaption>Head’s share against parameters: this model’s two forms, ringed, among the released "
        "ones, tied as discs and untied as squares. What lies beyond an edge is shown at it.</figcaption>"
        "</figure>"
    )


def _dots(models: Sequence[OpenModel]) -> str:
    places = (place(model.parameters.total, head_share(model)) for model in models)
    return "".join(f"M{x * 10:.1f} {y * 10:.1f}h0" for x, y in places)


def _marks() -> str:
    parts = count(MICRO_TIED)
    marks = ""
    # The names stand at two heights, or they would cover each other where the two forms nearly meet.
    for kind, total, lift in (("tied", parts.total, -0.8), ("untied", parts.total + parts.table, 0.5)):
        x, y = place(total, parts.table / total)
        marks += (
            f'<svg class="calc-mark calc-{kind}" x="{x:.2f}%" y="{y:.2f}%" overflow="visible" '
            f'data-mark="{kind}">'
            + ('<circle r="7"/>' if kind == "tied" else '<rect x="-6" y="-6" width="12" height="12"/>')
            + f'<text x="1em" dy="{lift}em">{kind}</text></svg>'
        )
    return marks
