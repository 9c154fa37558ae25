"""Plate 7's own figure and readings, drawn from its facts."""

from __future__ import annotations

from typing import Literal

from markupsafe import Markup

from plates import html, numbers
from plates.figure import Axis, Detail, Difference, Figure, OtherX, Series
from plates.output_head import RUNS, OutputHead, facts
from plates.recordings import Recording

# Whose curve, of which text, from which column; in the order of the figure's keys.
CURVES: tuple[tuple[Literal["tied", "untied"], Literal["held-out", "training"], str], ...] = (
    ("tied", "held-out", "heldout_loss"),
    ("tied", "training", "train_loss"),
    ("untied", "held-out", "heldout_loss"),
    ("untied", "training", "train_loss"),
)


def readings(recording: Recording) -> Markup:
    """Build the workshop's readings: parameters, what tying saves, final losses and their differences.

    Args:
        recording: the pair.

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
    return html.table(
        caption, ("Reading", "Tied", "Untied", "Untied − tied"), rows, (None, "tied", "untied", None)
    )


def loss_figure(recording: Recording, csv: str) -> Figure:
    """Draw the pair's losses over training.

    Args:
        recording: the pair.
        csv: where the page finds `curves.csv`.

    Returns:
        The figure: four curves, with the held-out difference beside them.
    """
    pair = facts(recording)
    steps = tuple(recording.curve("tied")["step"])
    return Figure(
        id="fig-output-head-loss",
        title="Loss of the tied and the untied model",
        caption=_caption(pair),
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
        difference=Difference("untied, held-out", "tied, held-out", "untied − tied"),
        csv=csv,
        runs=RUNS,
        digest=recording.digest,
        command=str(recording.manifest["command"]),
    )


def _caption(pair: OutputHead) -> str:
    return (
        f"Recorded runs of micro’s shape for {numbers.count(pair.steps)} steps on the same batches: "
        "tied output head in blue with solid lines, untied in red with broken ones; "
        "training loss is light, held-out loss dark."
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
