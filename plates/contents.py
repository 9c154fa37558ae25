"""What the plates bring: every figure and every set of facts of the volume, by name.

`python -m plates new` writes its plate in here: into the imports and at the end of both tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plates import (
    earlier_printing,
    open_facts,
    output_head,
    output_head_figures,
    tying,
    tying_figures,
)
from plates.evidence import drawn
from plates.figures.render import Figure
from plates.open_models import open_models

if TYPE_CHECKING:
    from plates.book import Book

DATA = "assets/data"
"""Where a page finds the data's files, from `docs`."""
MODELS = "open-models.csv"

FIGURES: dict[str, Callable[[Book], Figure]] = {
    "output-head-loss": lambda book: output_head_figures.loss_figure(
        book.recording("output-head"), book.data("output-head", "curves.csv"), book.evidence.luck
    ),
    **drawn.FIGURES,
    "tying-share": lambda book: tying_figures.share_figure(open_models(), book.link(f"{DATA}/{MODELS}")),
}
FACTS: dict[str, Callable[[Book], Any]] = {
    "output_head": lambda book: output_head.facts(book.recording("output-head")),
    "evidence": lambda book: book.evidence,
    "earlier_printing": lambda book: earlier_printing.facts(),
    "open_models": lambda book: open_facts.facts(open_models()),
    "tying": lambda book: tying.facts(open_models()),
}
