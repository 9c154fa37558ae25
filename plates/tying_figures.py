"""The figure of tying, head's share against size, and the table of released models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from markupsafe import Markup

from plates import html, numbers
from plates.figures.render import Axis, Figure, Series
from plates.open_models import OpenModel
from plates.parameters import MICRO_TIED, MICRO_UNTIED
from plates.tying import families, head_share

MICRO = tuple(
    OpenModel(replace(shape, name=f"micro, {kind}"), "micro", 2026, 0, "this volume")
    for shape, kind in ((MICRO_TIED, "tied"), (MICRO_UNTIED, "untied"))
)
"""The plate's own pair, counted as the released models are."""
HEADER = (
    *("Model", "Year", "Vocabulary", "Width", "Blocks", "Parameters", "Head", "One table", "Share"),
    *("The other way", "Counts from"),
)


def share_figure(models: Sequence[OpenModel], csv: str) -> Figure:
    """Draw the head's share of each model against its size.

    Args:
        models: all released models of the list.
        csv: where the page finds them as a file.

    Returns:
        The figure: a point for each model, families joined in order of size.
    """
    return Figure(
        id="fig-tying-share",
        title="When tying is worth it",
        caption=_caption(models),
        description=_description(models),
        x=Axis("Parameters of the model", form="compact", logarithmic=True),
        y=Axis("Output head’s share of the model", form="percent", from_zero=True, digits=1),
        kind="points",
        series=tuple(_series(family, its) for family, its in families([*MICRO, *models]).items()),
        csv=csv,
        command="mkdocs build",
    )


def _series(family: str, its: Sequence[OpenModel]) -> Series:
    return Series(
        family,
        tuple(model.parameters.total for model in its),
        tuple(head_share(model) for model in its),
        names=tuple(model.name for model in its),
        roles=tuple(_role(model) for model in its),
    )


def _role(model: OpenModel) -> Literal["tied", "untied"]:
    return "tied" if model.shape.tied else "untied"


def _caption(models: Sequence[OpenModel]) -> str:
    return (
        f"Micro’s pair and {numbers.count(len(models))} released models. Blue discs are tied; red squares "
        "have a head of their own. Lines join a family’s models in order of size. These are counts, taken "
        "from shapes: they say what tying costs or saves, not how well it serves."
    )


def _description(models: Sequence[OpenModel]) -> str:
    small, large = (pick(models, key=lambda model: model.parameters.total) for pick in (min, max))
    most = max(models, key=head_share)
    return (
        f"The share falls as models grow: it is largest in {most.name}, {numbers.percent(head_share(most))}; "
        f"it is {numbers.percent(head_share(small))} in the smallest, {small.name}, and "
        f"{numbers.percent(head_share(large), 1)} in the largest, {large.name}. "
        f"Micro stands at {numbers.percent(head_share(MICRO[0]))} tied and "
        f"{numbers.percent(head_share(MICRO[1]))} untied."
    )


def models_table(models: Sequence[OpenModel]) -> Markup:
    """Print every released model with its counts and its source.

    Args:
        models: all released models of the list.

    Returns:
        A table in a frame that scrolls where it is too wide.
    """
    head = html.tag("tr", html.join(html.tag("th", name, scope="col") for name in HEADER))
    caption = (
        f"{numbers.count(len(models))} released models. The share is the head’s part of the model as "
        "released; so much would untying add to a tied model, or tying take from an untied one. "
        "The last count is what the model would then have."
    )
    rows = html.join(_row(model) for model in models)
    parts = [html.tag("caption", caption), html.tag("thead", head), html.tag("tbody", rows)]
    table = html.tag("table", html.join(parts), class_="readings models")
    return html.tag(
        "div",
        table,
        class_="wide-table",
        role="region",
        tabindex=0,
        aria_label="Table of released models",
        data_search_exclude="",
    )


def _row(model: OpenModel) -> Markup:
    shape, total = model.shape, model.parameters.total
    other = total + model.one_table if shape.tied else total - model.one_table
    cells = [
        model.year,
        *map(numbers.count, (shape.vocab_size, shape.d_model, shape.n_layers, total)),
        html.tag("span", _role(model), class_=_role(model)),
        numbers.count(model.one_table),
        numbers.percent(head_share(model), 1),
        numbers.count(other),
        model.source,
    ]
    name = html.tag("th", model.name, scope="row")
    return html.tag("tr", html.join([name, *(html.tag("td", cell) for cell in cells)]))
