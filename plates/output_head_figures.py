"""Plate 7's own figure and readings, drawn from its facts."""

from __future__ import annotations

from statistics import mean
from typing import Literal

from markupsafe import Markup

from plates import html, numbers
from plates.evidence.luck import Luck
from plates.figures.render import Axis, Detail, Difference, Figure, OtherX, Series
from plates.output_head import RUNS, OutputHead, facts
from plates.recorded.recordings import Recording

# Whose curve, of which text, from which column; in the order of the figure's keys.
CURVES: tuple[tuple[Literal["tied", "untied"], Literal["held-out", "training"], str], ...] = (
    ("tied", "held-out", "heldout_loss"),
    ("tied", "training", "train_loss"),
    ("untied", "held-out", "heldout_loss"),
    ("untied", "training", "train_loss"),
)


def readings(recording: Recording, luck: Luck | None = None) -> Markup:
    """Build the workshop's readings: parameters, what tying saves, final losses and their differences.

    Args:
        recording: the pair.
        luck: the same pair with other seeds, once these are recorded.

    Returns:
        A table.
    """
    pair = facts(recording)
    losses = [
        ("Final training loss", numbers.nats, pair.train_tied, pair.train_untied),
        ("Final held-out loss", numbers.nats, pair.heldout_tied, pair.heldout_untied),
        ("Held-out bits per byte", numbers.bits, pair.bits_tied, pair.bits_untied),
    ]
    rows: list[tuple[str, str, str, str]] = [
        (
            "Parameters",
            numbers.count(pair.parameters_tied),
            numbers.count(pair.parameters_untied),
            f"+{numbers.count(pair.saved)}",
        ),
        (
            "Saved by tying",
            numbers.count(pair.saved),
            numbers.count(0),
            f"{numbers.percent(pair.extra_share)} of the tied model",
        ),
    ]
    rows += [(name, form(a), form(b), numbers.nats(b - a, signed=True)) for name, form, a, b in losses]
    caption = (
        f"Readings after {numbers.count(pair.steps)} steps. Losses are in nats per token; "
        "differences were taken before rounding."
    )
    if luck:
        rows += [_over_seeds(f"{name}, {luck.number} seeds", luck, column) for name, column in FINAL]
        caption += (
            f" The last two rows are means over {numbers.count(luck.number)} seeds, "
            f"± half of the {numbers.percent(luck.level)} interval."
        )
    return html.table(
        caption, ("Reading", "Tied", "Untied", "Untied − tied"), rows, (None, "tied", "untied", None)
    )


FINAL = (("Training loss", "final_train_loss"), ("Held-out loss", "final_heldout_loss"))


def _over_seeds(name: str, luck: Luck, column: str) -> tuple[str, str, str, str]:
    """One reading over the seeds: both means, and the difference with half of its interval."""
    tied, untied = ([float(getattr(p, head)[column]) for p in luck.pairs] for head in RUNS)
    difference = luck.train if column == "final_train_loss" else luck.heldout
    told = f"{numbers.nats(difference.mean, signed=True)} ± {numbers.nats(difference.half)}"
    return name, numbers.nats(mean(tied)), numbers.nats(mean(untied)), told


def loss_figure(recording: Recording, csv: str, luck: Luck | None = None) -> Figure:
    """Draw the pair's losses over training.

    Args:
        recording: the pair.
        csv: where the page finds `curves.csv`.
        luck: the same pair with other seeds, once these are recorded.

    Returns:
        The figure: four curves, and the held-out difference with those of the other seeds beside them.
    """
    pair = facts(recording)
    steps = tuple(recording.curve("tied")["step"])
    return Figure(
        id="fig-output-head-loss",
        title="Loss of the tied and the untied model",
        caption=_caption(pair, luck),
        description=_description(pair),
        x=Axis("Step", form="count", short="steps", from_zero=True),
        y=Axis("Loss", "nats per token", form="nats", short="nats"),
        series=tuple(
            Series(f"{run}, {weight}", steps, tuple(recording.curve(run)[column]), role=run, weight=weight)
            for run, weight, column in CURVES
        ),
        other_x=OtherX(
            Axis("Tokens seen", form="count", short="tokens"), tuple(recording.curve("tied")["tokens_seen"])
        ),
        exponential=Axis("Perplexity", form="perplexity", short="perplexity"),
        detail=Detail(pair.steps // 2, pair.steps),
        difference=Difference("untied, held-out", "tied, held-out", "untied − tied", _others(luck)),
        csv=csv,
        runs=RUNS,
        digest=recording.digest,
        command=str(recording.manifest["command"]),
    )


def _others(luck: Luck | None) -> tuple[Series, ...]:
    """The held-out differences of the other seeds, thin."""
    pairs = luck.pairs[1:] if luck else ()
    return tuple(
        Series(f"seed {pair.seed}", pair.steps, pair.heldout_curve, weight="replicate") for pair in pairs
    )


def _caption(pair: OutputHead, luck: Luck | None) -> str:
    more = f" Below, thin lines are the differences of {luck.number - 1} other seeds." if luck else ""
    return (
        f"Recorded runs of micro’s shape for {numbers.count(pair.steps)} steps on the same batches: "
        "tied output head in blue with solid lines, untied in red with broken ones; "
        f"training loss is light, held-out loss dark.{more}"
    )


def _description(pair: OutputHead) -> str:
    order = {
        "untied": "the untied run ends below the tied one",
        "tied": "the tied run ends below the untied one",
        "neither": "the two runs end level",
    }[pair.better]
    return (
        f"All four curves fall from near {numbers.nats(pair.uniform_loss)} nats, fast at first, then slowly. "
        f"On held-out text {order}: {numbers.nats(pair.heldout_tied)} tied, "
        f"{numbers.nats(pair.heldout_untied)} untied."
    )
