"""Two roles of one table: does a tied row resemble an untied model's input row or its output row?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from plates.intervals import Interval, student
from plates.pairs import Pair

TABLES = ("input", "output")
Comparison = tuple[str, bool]
"""An untied model's table, and whether the tied rows are shuffled."""


@dataclass(frozen=True)
class Likeness:
    """Mean cosines of tied rows with another table's, one group of the vocabulary or all of it."""

    number: int
    """Of the group, from 1 for the rarest tokens; 0 for all."""
    input: tuple[float, ...]
    """With the untied model's input rows, one for each pair."""
    input_shuffled: tuple[float, ...]
    """The same after the tied rows are put in another order: what belongs to no token."""
    output: tuple[float, ...]
    """With its output rows."""
    output_shuffled: tuple[float, ...]
    """The same after the tied rows are put in another order."""

    @cached_property
    def lean(self) -> Interval:
        """The output's cosine less the input's, over the seeds."""
        return student([theirs - ours for ours, theirs in zip(self.input, self.output, strict=True)])

    @property
    def input_mean(self) -> float:
        """Over the seeds."""
        return _mean(self.input)

    @property
    def input_shuffled_mean(self) -> float:
        """Over the seeds."""
        return _mean(self.input_shuffled)

    @property
    def output_mean(self) -> float:
        """Over the seeds."""
        return _mean(self.output)

    @property
    def output_shuffled_mean(self) -> float:
        """Over the seeds."""
        return _mean(self.output_shuffled)


@dataclass(frozen=True)
class Measure:
    """One way to compare: the likeness over the whole vocabulary, and in each group of frequency."""

    all: Likeness
    groups: tuple[Likeness, ...]

    @property
    def output_groups(self) -> int:
        """Groups that lean to the output, zero outside the interval."""
        return sum(group.lean.side > 0 for group in self.groups)

    @property
    def input_groups(self) -> int:
        """Groups that lean to the input, zero outside the interval."""
        return sum(group.lean.side < 0 for group in self.groups)

    @property
    def rarest(self) -> Likeness:
        """The group of the rarest tokens."""
        return self.groups[0]

    @property
    def commonest(self) -> Likeness:
        """The group of the most frequent tokens."""
        return self.groups[-1]


@dataclass(frozen=True)
class Roles:
    """The tables compared as was planned, and once more without what all rows of a table share."""

    planned: Measure
    """As the tables are."""
    centred: Measure
    """With the mean row of each table taken out of it before the rotation."""
    seeds: tuple[int, ...]
    unseen: bool
    """Whether some tokens of the rarest group never come in the training text."""

    @property
    def shared(self) -> bool:
        """Whether over half the planned cosine with the output rows is found among other tokens' rows too."""
        return self.planned.all.output_shuffled_mean > self.planned.all.output_mean / 2


def roles(pairs: Sequence[Pair]) -> Roles:
    """Compare tied tables with the tables of the untied runs beside them.

    Args:
        pairs: of one recipe, at least two.

    Returns:
        The likenesses.
    """
    return Roles(
        _measure(pairs, "no"),
        _measure(pairs, "yes"),
        tuple(pair.seed for pair in pairs),
        any(_holds_unseen(pair) for pair in pairs),
    )


def _measure(pairs: Sequence[Pair], centred: str) -> Measure:
    found = [_cosines(pair, centred) for pair in pairs]
    groups = sorted({group for _, group in found[0]})
    return Measure(
        _likeness(0, [_over_all(each) for each in found]),
        tuple(
            _likeness(
                number,
                [
                    {kind: one for (kind, group), (_, one) in each.items() if group == number}
                    for each in found
                ],
            )
            for number in groups
        ),
    )


def _cosines(pair: Pair, centred: str) -> dict[tuple[Comparison, int], tuple[int, float]]:
    """Tokens and mean cosine by comparison and group."""
    frame = pair.recording.table("roles.csv")
    own = frame[
        (frame["tied_run"] == pair.tied.run)
        & (frame["untied_run"] == pair.untied.run)
        & (frame["centred"] == centred)
    ]
    return {
        ((row["table"], row["shuffled"] == "yes"), int(row["group"])): (
            int(row["vocabulary_tokens"]),
            float(row["mean_cosine"]),
        )
        for row in own.to_dict("records")
    }


def _over_all(cosines: dict[tuple[Comparison, int], tuple[int, float]]) -> dict[Comparison, float]:
    """The mean over all tokens, by comparison."""
    means = {}
    for wanted in product(TABLES, (False, True)):
        own = [each for (kind, _), each in cosines.items() if kind == wanted]
        means[wanted] = sum(tokens * value for tokens, value in own) / sum(tokens for tokens, _ in own)
    return means


def _likeness(number: int, by_pair: Sequence[dict[Comparison, float]]) -> Likeness:
    kinds = product(TABLES, (False, True))
    return Likeness(number, *(tuple(each[kind] for each in by_pair) for kind in kinds))


def _holds_unseen(pair: Pair) -> bool:
    """Whether a token of group 1 has a training count of zero; the groups are those of the frequencies."""
    rarest, *_ = pair.rows("frequencies.csv", "tied")
    return bool(rarest["least_count"] == 0)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
