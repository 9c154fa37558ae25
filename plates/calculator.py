"""The reader's own model: controls for a shape, what follows from it, and examples that need no script.

What is printed here is printed again by `docs/assets/js/tying.js` as the reader changes the shape. The two
are held against each other for every released model; what both must know (fields, limits, models, the
drawing's axes) is written once, here, and travels in the page.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from plates import html, numbers
from plates.open_models import OpenModel
from plates.parameters import MICRO_TIED, QK_NORMS, ModelShape, arithmetic, count
from plates.tying import head_share, rule_of_thumb

CONTEXT = 1024
"""Tokens that a released model's token attends to, unless its positions are a learned table."""
DOMAIN = (1e6, 1e12)
"""Parameters at the two ends of the small drawing; its shares go from nothing to the whole."""


@dataclass(frozen=True)
class Field:
    """A number that the reader may choose."""

    name: str
    """As `ModelShape` calls it."""
    label: str
    symbol: str
    least: int
    most: int
    """Large enough for any model; small enough that every count stays exact in a script's numbers."""
    empty: str = ""
    """What an empty field means; it may not be empty where this says nothing."""
    slider: tuple[int, int] | None = None
    """The slider's ends."""


FIELDS = (
    Field("vocab_size", "Vocabulary", "V", 1, 10_000_000, slider=(256, 262_144)),
    Field("d_model", "Width", "d", 1, 131_072, slider=(64, 16_384)),
    Field("n_layers", "Blocks", "L", 1, 1_000, slider=(1, 128)),
    Field("n_heads", "Heads", "H", 1, 1_024, slider=(1, 128)),
    Field("d_ff", "MLP width", "f", 1, 1_048_576, slider=(64, 65_536)),
    Field("n_kv_heads", "Key and value heads", "K", 1, 1_024, "as many as heads"),
    Field("head_dim", "Width of a head", "h", 1, 1_024, "d divided by H"),
    Field("learned_positions", "Learned positions", "", 0, 10_000_000),
    Field("norms_per_layer", "Norms in a block", "", 0, 8),
    Field("context", "Tokens attended to", "", 1, 1_000_000),
)
FLAGS = (
    ("gated_mlp", "Gated MLP: three matrices, not two"),
    ("qkv_bias", "Biases on queries, keys and values"),
    ("linear_bias", "Biases on the attention’s output and the MLP"),
    ("norm_bias", "Biases in the norms"),
)
NORMS = dict(zip(QK_NORMS, ("none", "for each head", "over the whole width"), strict=True))
READINGS = (
    ("Parameters", "total_tied", "total_untied"),
    ("Output head’s share", "share_tied", "share_untied"),
    ("Beside the other", "fewer", "more"),
    ("Released, nearest in share", "nearest_tied", "nearest_untied"),
)
PARTICULARS = (
    ("One table", "one_table"),
    ("The same, in blocks of this model", "table_blocks"),
    ("Its memory in bf16", "memory_bf16"),
    ("Its memory in float32", "memory_float32"),
    ("Its share by the rule of thumb", "rule"),
    ("Multiply-adds for a token: head", "head_products"),
    ("Multiply-adds for a token: blocks", "block_products"),
    ("Head’s share of these", "products_share"),
)


def context_of(shape: ModelShape) -> int:
    """Choose how many tokens a token attends to: as many as have a learned position, else `CONTEXT`."""
    return shape.learned_positions or CONTEXT


def texts(shape: ModelShape, context: int, models: Sequence[OpenModel]) -> dict[str, str]:
    """Print all that follows from a shape, tied and untied.

    Args:
        shape: the model's shape; whether it is tied makes no difference.
        context: tokens attended to.
        models: the models to find the nearest among.

    Returns:
        Texts by name, as in `READINGS` and `PARTICULARS`, and a sentence, `said`.
    """
    parts, products = count(replace(shape, tied=True)), arithmetic(shape, context)
    table, tied = parts.table, parts.total
    untied = tied + table
    block = count(replace(shape, n_layers=shape.n_layers + 1)).total - count(shape).total
    share, more = numbers.percent(table / untied, 1), numbers.percent(table / tied, 1)
    return {
        "total_tied": numbers.count(tied),
        "total_untied": numbers.count(untied),
        "share_tied": more,
        "share_untied": share,
        "fewer": f"{share} fewer",
        "more": f"{more} more",
        "nearest_tied": nearest(table / tied, [one for one in models if one.shape.tied]),
        "nearest_untied": nearest(table / untied, [one for one in models if not one.shape.tied]),
        "one_table": numbers.count(table),
        "table_blocks": numbers.decimal(table / block, 1),
        "memory_bf16": numbers.memory(2 * table),
        "memory_float32": numbers.memory(4 * table),
        "rule": numbers.percent(rule_of_thumb(shape), 1),
        "head_products": numbers.count(products.head),
        "block_products": numbers.count(products.blocks),
        "products_share": numbers.percent(products.head_share, 1),
        "said": f"Tied, this shape has {numbers.compact(tied)} parameters, and one table is {more} of them. "
        f"Untied it has {numbers.compact(untied)}, and the head is {share}.",
    }


def nearest(share: float, models: Sequence[OpenModel]) -> str:
    """Find the model whose head has the nearest share.

    Args:
        share: the head's part, between 0 and 1.
        models: the models to choose from.

    Returns:
        Its name; the first where two are as near.
    """
    return min(models, key=lambda model: abs(head_share(model) - share)).name


def place(total: int, share: float) -> tuple[float, float]:
    """Find a model's place in the small drawing, in percent from its left and top, its edges at most."""
    low, high = DOMAIN
    across = math.log(total / low) / math.log(high / low)
    return 100 * min(1.0, max(0.0, across)), 100 * (1 - share)


def known(models: Sequence[OpenModel]) -> dict[str, Any]:
    """Gather what the script must know.

    Args:
        models: all released models of the list.

    Returns:
        Fields with their limits, the drawing's axis, and every model's fields, micro's first.
    """
    fields = [[one.name, one.label, one.least, one.most, bool(one.empty), one.slider] for one in FIELDS]
    shapes = {"micro": MICRO_TIED, **{model.name: model.shape for model in models}}
    return {
        "fields": fields,
        "flags": [name for name, _ in FLAGS],
        "domain": DOMAIN,
        "models": [[name, *form(shape), int(shape.tied)] for name, shape in shapes.items()],
    }


def form(shape: ModelShape) -> list[int | str]:
    """Say what the form holds for a shape: numbers, flags, norms; empty where it follows from the rest."""
    values = {**vars(shape), "context": context_of(shape)}
    if shape.n_kv_heads == shape.n_heads:
        values["n_kv_heads"] = ""
    if shape.n_heads * shape.head_dim == shape.d_model:
        values["head_dim"] = ""
    return [
        *(values[field.name] for field in FIELDS),
        *(int(values[name]) for name, _ in FLAGS),
        shape.qk_norm,
    ]


def examples(models: Sequence[OpenModel], names: Sequence[str] = ("Llama 3 8B", "Gemma 3 270M")) -> Markup:
    """Print worked examples: micro and some released models, all that the calculator says of them.

    Args:
        models: all released models of the list.
        names: those to show.

    Returns:
        A table in a frame that scrolls where it is too wide.
    """
    by_name = {one.name: one.shape for one in models}
    shapes = {"micro": MICRO_TIED, **{name: by_name[name] for name in names}}
    found = [texts(shape, context_of(shape), models) for shape in shapes.values()]
    sizes = (("Vocabulary", "vocab_size"), ("Width", "d_model"), ("Blocks", "n_layers"))
    lines: list[tuple[str, ...]] = [
        *(
            (label, *(numbers.count(getattr(shape, field)) for shape in shapes.values()))
            for label, field in sizes
        ),
        ("Tied or untied", "both", *("tied" if by_name[name].tied else "untied" for name in names)),
        *(
            (f"{label}, {kind}", *(one[key] for one in found))
            for label, *keys in READINGS[:2]
            for kind, key in zip(("tied", "untied"), keys, strict=True)
        ),
        *((label, *(one[key] for one in found)) for label, key in PARTICULARS),
        ("Tokens attended to", *(numbers.count(context_of(shape)) for shape in shapes.values())),
    ]
    table = html.table("Worked examples.", ("Reading", *shapes), lines)
    return html.tag(
        "div", table, class_="wide-table", role="region", tabindex=0, aria_label="Table of worked examples"
    )


def data(models: Sequence[OpenModel]) -> Markup:
    """Write what the script must know as JSON for the page."""
    text = json.dumps(known(models), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    safe = text.replace("<", "\\u003c")
    return Markup(f'<script type="application/json" class="calc-data">{safe}</script>')
