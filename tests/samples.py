"""Made-up figures of each kind, with the shapes of real ones: two runs, some model families, a few bars."""

from __future__ import annotations

import math
import random
import shutil
from dataclasses import replace
from pathlib import Path

from plates import bundle
from plates.figures.render import Axis, Detail, Difference, Figure, OtherX, Series, render

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "docs" / "assets"
STEPS = (0, 10, 20, 30, 50, *range(100, 6001, 50))
TOKENS_A_STEP = 16 * 128


def falling(end: float, noise: float, seed: int) -> tuple[float, ...]:
    """Losses that fall from ln 8192 to about `end`, fast and then slowly."""
    chance = random.Random(seed)
    return tuple(
        end
        + (math.log(8192) - end) * (0.7 * math.exp(-step / 150) + 0.3 * math.exp(-step / 1500))
        + chance.gauss(0, noise) * min(1, step / 200)
        for step in STEPS
    )


def loss_figure(**changes: object) -> Figure:
    """Four curves with all that a figure of lines can have."""
    figure = Figure(
        id="fig-loss",
        title="Loss of two runs",
        caption="Two made-up runs: tied in blue, untied in red; training light, held-out dark.",
        description="Both fall from 9.011 nats to a little over 4.",
        x=Axis("Step", form="count", short="steps", from_zero=True),
        y=Axis("Loss", "nats per token", form="nats", short="nats"),
        series=(
            Series("tied, held-out", STEPS, falling(4.21, 0.004, 1), role="tied", weight="held-out"),
            Series("tied, training", STEPS, falling(3.9, 0.03, 2), role="tied", weight="training"),
            Series("untied, held-out", STEPS, falling(4.15, 0.004, 3), role="untied", weight="held-out"),
            Series("untied, training", STEPS, falling(3.8, 0.03, 4), role="untied", weight="training"),
        ),
        other_x=OtherX(
            Axis("Tokens seen", form="count", short="tokens"), tuple(step * TOKENS_A_STEP for step in STEPS)
        ),
        exponential=Axis("Perplexity", form="perplexity", short="perplexity"),
        detail=Detail(3000, 6000),
        difference=Difference("untied, held-out", "tied, held-out", "untied − tied"),
        csv="curves.csv",
        runs=("tied", "untied"),
        digest="0123456789abcdef" * 4,
        command="python -m training record",
    )
    return replace(figure, **changes)


def replicated_figure(**changes: object) -> Figure:
    """The same, with the differences of two further seeds in the second panel and a thin third run."""
    others = tuple(
        Series(f"seed {seed}", STEPS, falling(0.05, 0.01, seed), weight="replicate") for seed in (5, 6)
    )
    figure = loss_figure(id="fig-replicated")
    difference = Difference("untied, held-out", "tied, held-out", "untied − tied", others)
    thin = Series("third run", STEPS, falling(4.3, 0.004, 7), weight="replicate")
    return replace(figure, difference=difference, series=(*figure.series, thin), **changes)


def points_figure(**changes: object) -> Figure:
    """Families of points on a logarithmic axis."""
    figure = Figure(
        id="fig-share",
        title="The head’s share",
        caption="A share that falls as models grow.",
        description="It falls from above a half to a fiftieth.",
        x=Axis("Parameters", form="compact", logarithmic=True),
        y=Axis("Share of one table", form="percent", from_zero=True),
        kind="points",
        series=(
            Series("micro", (1852544,), (0.566,), role="tied", names=("micro",)),
            Series("family A", (1e9, 3.2e9, 8e9), (0.21, 0.123, 0.065), role="untied", names=("d", "e", "f")),
            Series("family B", (2e8, 1e9, 2.7e10), (0.63, 0.3, 0.052), role="tied", names=("a", "b", "c")),
        ),
    )
    return replace(figure, **changes)


def bars_figure(**changes: object) -> Figure:
    """Two sets of bars."""
    parts = ("table", "head", "MLP")
    figure = Figure(
        id="fig-parts",
        title="Parameters by part",
        caption="Where the parameters are.",
        description="The untied head doubles the table.",
        x=Axis("Part"),
        y=Axis("Parameters", form="count"),
        kind="bars",
        series=(
            Series("tied", parts, (1048576, 0, 524288), role="tied"),
            Series("untied", parts, (1048576, 1048576, 524288), role="untied"),
        ),
    )
    return replace(figure, **changes)


def page(*figures: Figure, scheme: str = "default", scripts: bool = True) -> str:
    """A small page that shows figures as the book does, its files beside it in `assets`."""
    shown = "".join(f"<p>Text before.</p>{render(one, f'7.{n}')}" for n, one in enumerate(figures, 1))
    script = '<script src="assets/js/figure.js" defer></script>' if scripts else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Figures</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        '<link rel="stylesheet" href="assets/css/book.css">'
        '<link rel="stylesheet" href="assets/css/figure.css"><link rel="stylesheet" href="page.css">'
        f'{script}</head><body data-md-color-scheme="{scheme}">'
        f"<main><h1>Figures</h1>{shown}</main></body></html>"
    )


def lay_assets(folder: Path, library: bool = True) -> None:
    """Put the book's own styles and scripts beside pages that are to be, with the chart library if wanted."""
    if library:
        bundle.ensure(ROOT)
    for name in ("css", "js", *(["vendor"] if library else [])):
        shutil.copytree(ASSETS / name, folder / "assets" / name)
    (folder / "page.css").write_text(PAGE_CSS)


PAGE_CSS = """html { font-size: 125%; }
body { margin: 0; background: var(--book-paper); color: var(--book-ink); }
main { max-width: 29rem; margin: 1rem auto; padding: 0 16px; }"""
