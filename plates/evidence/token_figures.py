"""The figures of the evidence on tokens: rare ones, repeats, the two roles of a row; and the baselines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plates import numbers
from plates.evidence.models import Ladder
from plates.evidence.repeats import Repeats
from plates.evidence.roles import Likeness, Roles
from plates.evidence.tokens import Rare
from plates.figures.parts import Role, Weight
from plates.figures.render import Axis, Figure, Series

LATER = Axis("Step", form="count", short="steps", logarithmic=True)
GROUP = Axis("Group of the vocabulary, rarest first", form="count", short="group")


def rare_figure(rare: Rare) -> Figure:
    """Draw the difference by frequency: the mean over the seeds, and each seed thin."""
    numbers_of = tuple(group.number for group in rare.groups)
    means = tuple(group.difference.mean for group in rare.groups)
    by_seed = zip(*(group.differences for group in rare.groups), strict=True)
    thin = tuple(
        Series(f"seed {seed}", numbers_of, values, weight="replicate")
        for seed, values in zip(rare.seeds, by_seed, strict=True)
    )
    return Figure(
        id="fig-evidence-rare",
        title="The difference by frequency",
        caption=(
            "Untied loss less tied loss on held-out tokens, by how often the token comes in the training "
            "text: ten equal "
            "groups of the vocabulary. The thick line is the mean over the seeds, each thin line one seed. "
            "Below zero the untied model is ahead."
        ),
        description=(
            f"In the mean the difference is {numbers.nats(means[0], signed=True)} nats for the rarest "
            "tokens and "
            f"{numbers.nats(means[-1], signed=True)} for the most frequent; it is lowest, "
            f"{numbers.nats(min(means), signed=True)}, in group {rare.lowest.number}."
        ),
        x=GROUP,
        y=Axis("Untied − tied", "nats per token", form="nats", short="nats", from_zero=True),
        series=(*thin, Series("mean", numbers_of, means, weight="held-out")),
    )


def probability_figure(repeats: Repeats) -> Figure:
    """Draw the probability of the token just read over training, beside the true rate of repeats."""
    tied = repeats.tied
    rate = (repeats.rate,) * len(tied.steps)
    return Figure(
        id="fig-evidence-repeat",
        title="The token just read, to come once more",
        caption=(
            "Mean probability that the recorded pair gives, on held-out text, to the token just read: tied "
            "in blue, untied in red and broken. "
            "The thin line is the rate at which that token does come once more. The axis of steps "
            "stretches the beginning."
        ),
        description=_course(repeats, "probabilities", f"the rate is {numbers.percent(repeats.rate, 2)}"),
        x=LATER,
        y=Axis("Probability", form="percent", short="share", logarithmic=True, digits=3),
        series=(*_heads(repeats, "probabilities"), _later("true rate", tied.steps, rate, "neutral")),
        runs=("tied", "untied"),
    )


def top_figure(repeats: Repeats) -> Figure:
    """Draw over training how often the token just read scores highest."""
    return Figure(
        id="fig-evidence-top",
        title="The token just read, scored highest",
        caption=(
            "Share of held-out positions at which the recorded pair scores no token higher than the one "
            "just read: tied in blue, untied in red and broken. "
            "Both axes stretch their lower end; the share before the first step is in the text."
        ),
        description=_course(
            repeats, "tops", f"the true rate of repeats is {numbers.percent(repeats.rate, 2)}"
        ),
        x=LATER,
        y=Axis("Share of positions", form="percent", short="share", logarithmic=True, digits=2),
        series=_heads(repeats, "tops"),
        runs=("tied", "untied"),
    )


def _heads(repeats: Repeats, what: str) -> tuple[Series, ...]:
    return tuple(
        _later(head, getattr(repeats, head).steps, getattr(getattr(repeats, head), what), head)
        for head in ("tied", "untied")
    )


def _later(name: str, steps: Sequence[int], values: Sequence[float], role: Role) -> Series:
    """A line without step 0, which a logarithmic axis has no place for."""
    weight: Weight = "training" if role == "neutral" else "held-out"
    points = [(step, value) for step, value in zip(steps, values, strict=True) if step]
    return Series(name, tuple(s for s, _ in points), tuple(v for _, v in points), role=role, weight=weight)


def _course(repeats: Repeats, what: str, more: str) -> str:
    """Say where both models begin and end."""
    ends = {head: getattr(getattr(repeats, head), what) for head in ("tied", "untied")}
    said = "; ".join(
        f"{head}, {numbers.percent(values[0], 3)} before the first step and "
        f"{numbers.percent(values[-1], 2)} at the end"
        for head, values in ends.items()
    )
    return f"{said[:1].upper()}{said[1:]}; {more}."


def roles_figure(roles: Roles) -> Figure:
    """Draw the likeness of a tied row to each of the untied model's rows, tables centred, by frequency."""
    measure = roles.centred
    ends = "; ".join(
        f"{name} {numbers.decimal(pick(measure.rarest))} for the rarest tokens and "
        f"{numbers.decimal(pick(measure.commonest))} for the most frequent"
        for name, pick in MEANS.items()
    )
    return Figure(
        id="fig-evidence-roles",
        title="Which row a tied row resembles",
        caption=(
            "Mean cosine of a token’s tied row with its rows in the untied model of the same seed, after the "
            "mean row of each table is taken out and the tied table is rotated onto each of the others; by "
            "how often the token comes in the training text, and over the seeds. "
            "The thin lines are what the rotations find where the tied rows belong to other tokens."
        ),
        description=f"Mean cosines: {ends}.",
        x=GROUP,
        y=Axis("Mean cosine", form="decimal", from_zero=True),
        series=tuple(_mean_line(name, measure.groups, pick) for name, pick in MEANS.items()),
    )


MEANS: dict[str, Callable[[Likeness], float]] = {
    "output rows": lambda one: one.output_mean,
    "input rows": lambda one: one.input_mean,
    "output, shuffled": lambda one: one.output_shuffled_mean,
    "input, shuffled": lambda one: one.input_shuffled_mean,
}


def _mean_line(name: str, groups: Sequence[Likeness], pick: Callable[[Likeness], float]) -> Series:
    return Series(
        name,
        tuple(group.number for group in groups),
        tuple(pick(group) for group in groups),
        weight="training" if name.endswith("shuffled") else "held-out",
        broken=name.startswith("input"),
    )


def ladder_figure(ladder: Ladder) -> Figure:
    """Draw the baselines and micro's pair."""
    said = ", ".join(f"{rung.name} {numbers.nats(rung.nats)}" for rung in ladder.rungs)
    return Figure(
        id="fig-evidence-baselines",
        title="Where micro stands",
        caption=(
            "Held-out loss of three models that only count, in ink, and of the recorded pair, tied in blue "
            "and untied as a red frame, all on the same tokens."
        ),
        description=f"Nats per token: {said}.",
        x=Axis("Model"),
        y=Axis("Held-out loss", "nats per token", form="nats", short="nats"),
        kind="bars",
        series=(
            Series(
                "held-out loss",
                tuple(rung.name.removeprefix("micro, ") for rung in ladder.rungs),
                tuple(rung.nats for rung in ladder.rungs),
                roles=("neutral", "neutral", "neutral", "tied", "untied"),
            ),
        ),
    )
