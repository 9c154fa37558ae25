"""The figures of the evidence on losses: seeds, budget, learning rate, data."""

from __future__ import annotations

from collections.abc import Sequence

from plates import numbers
from plates.evidence.budget import Budget, Spent
from plates.evidence.data import Data
from plates.evidence.luck import Luck
from plates.evidence.rates import Rates
from plates.figures.render import Axis, Figure, Series
from plates.pairs import Pair

HELDOUT = Axis("Final held-out loss", "nats per token", form="nats")
STEP = Axis("Step", form="count", short="steps", from_zero=True)


def seeds_figure(luck: Luck) -> Figure:
    """Draw each pair's two ends: its training loss and its held-out loss."""
    return Figure(
        id="fig-evidence-seeds",
        title="The pair with several seeds",
        caption=(
            f"Final losses of the pairs of {numbers.count(luck.number)} seeds. A line joins the tied run, a "
            "blue disc, to the untied run of the same seed, a red square; a line that falls to the left is "
            "an untied model ahead on both texts."
        ),
        description=_span(luck.pairs),
        x=Axis("Final training loss", "nats per token", form="nats"),
        y=HELDOUT,
        kind="points",
        series=tuple(_joined(pair) for pair in luck.pairs),
        runs=("tied", "untied"),
    )


def _joined(pair: Pair) -> Series:
    runs = (pair.tied, pair.untied)
    return Series(
        f"seed {pair.seed}",
        tuple(float(run.final_train_loss) for run in runs),
        tuple(float(run.final_heldout_loss) for run in runs),
        names=tuple(f"{run.head}, seed {pair.seed}" for run in runs),
        roles=("tied", "untied"),
    )


def _span(pairs: Sequence[Pair]) -> str:
    """Say how far the ends lie apart, and in how many pairs the untied model is ahead."""
    ends = {head: [float(getattr(p, head).final_heldout_loss) for p in pairs] for head in ("tied", "untied")}
    spans = {head: f"{numbers.nats(min(each))} to {numbers.nats(max(each))}" for head, each in ends.items()}
    ahead = sum(pair.heldout < 0 for pair in pairs)
    return (
        f"On held-out text the tied runs end at {spans['tied']} nats, the untied ones at {spans['untied']}. "
        f"The untied run is ahead in {ahead} of {len(pairs)} pairs."
    )


def parameters_figure(budget: Budget) -> Figure:
    """Draw the larger models' losses against their parameters."""
    x = Axis("Parameters", form="compact")
    return _budget_figure(budget, "parameters", "What parameters buy", x, "parameters")


def arithmetic_figure(budget: Budget) -> Figure:
    """Draw the larger models' losses against the arithmetic for one token."""
    x = Axis("Multiply-adds for one token, forwards", form="compact")
    return _budget_figure(budget, "arithmetic", "What arithmetic buys", x, "multiply-adds for a token")


def _budget_figure(budget: Budget, measure: str, title: str, x: Axis, unit: str) -> Figure:
    each = {"tied": budget.tied, **{way.name: way for way in budget.ways}}
    said = ", ".join(
        f"{name} {numbers.compact(getattr(way, measure))} {unit} and "
        f"{numbers.nats(sum(way.losses) / len(way.losses))} nats"
        for name, way in each.items()
    )
    return Figure(
        id=f"fig-evidence-{measure}",
        title=title,
        caption=(
            "Final held-out losses of micro tied, untied, with a wider MLP and with more blocks: a point "
            "for each seed, "
            f"against {unit}. Blue discs are micro, tied; red squares, untied; the others, both tied, are "
            "in ink."
        ),
        description=f"In the mean over {len(budget.seeds)} seeds: {said}.",
        x=x,
        y=HELDOUT,
        kind="points",
        series=tuple(_points(way, budget.seeds, measure) for way in each.values()),
    )


def _points(way: Spent, seeds: Sequence[int], measure: str) -> Series:
    return Series(
        way.name,
        tuple(getattr(way, measure) for _ in seeds),
        way.losses,
        role="untied" if way.name == "untied" else "tied" if way.name == "tied" else "neutral",
        names=tuple(f"{way.name}, seed {seed}" for seed in seeds),
    )


def rates_figure(rates: Rates) -> Figure:
    """Draw the final losses of pairs at several learning rates."""
    ends = {
        head: tuple(float(getattr(pair, head).final_heldout_loss) for pair in rates.pairs)
        for head in ("tied", "untied")
    }
    said = "; ".join(
        f"at {numbers.learning_rate(rate)}, {numbers.nats(tied)} tied and {numbers.nats(untied)} untied"
        for rate, tied, untied in zip(rates.rates, ends["tied"], ends["untied"], strict=True)
    )
    return Figure(
        id="fig-evidence-rates",
        title="The pair at several learning rates",
        caption=(
            f"Final held-out losses with seed {rates.seed}: blue discs are tied, red squares untied. "
            "The rate is the peak of its schedule."
        ),
        description=f"Final held-out losses: {said}.",
        x=Axis("Peak learning rate", form="learning_rate", logarithmic=True, ticks=rates.rates),
        y=HELDOUT,
        kind="points",
        series=(
            Series("tied", rates.rates, ends["tied"], role="tied"),
            Series("untied", rates.rates, ends["untied"], role="untied"),
        ),
    )


def data_figure(data: Data) -> Figure:
    """Draw the differences over training, on all of the text and on a part of it."""
    whole, part = data.whole.pair, data.part.pair
    return Figure(
        id="fig-evidence-data",
        title="The difference where data repeats",
        caption=(
            "Untied loss less tied loss over training: on all training addresses with whole lines, on "
            "every fourth with "
            "broken ones; on held-out text dark, on training text light, both on the curves’ samples. Below "
            "zero the untied model is ahead."
        ),
        description=(
            f"At the end, on all addresses: {_both(whole)}. On every fourth address: {_both(part)}."
        ),
        x=STEP,
        y=Axis("Untied − tied", "nats per token", form="nats", short="nats"),
        series=(
            Series("held-out (all)", whole.steps, whole.heldout_curve, weight="held-out"),
            Series("training (all)", whole.steps, whole.train_curve, weight="training"),
            Series("held-out (quarter)", part.steps, part.heldout_curve, weight="held-out", broken=True),
            Series("training (quarter)", part.steps, part.train_curve, weight="training", broken=True),
        ),
        runs=("tied", "untied"),
    )


def _both(pair: Pair) -> str:
    return (
        f"{numbers.nats(pair.heldout_curve[-1], signed=True)} nats on held-out text and "
        f"{numbers.nats(pair.train_curve[-1], signed=True)} on training text"
    )
