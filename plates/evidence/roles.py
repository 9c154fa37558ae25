"""Two roles of one table: does a tied row resemble an untied model's input row or its output row?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from plates.intervals import Interval, student
from plates.pairs import Pair

TABLES = ("input", "output", "shuffled")


@dataclass(frozen=True)
class Likeness:
    """Mean cosines of tied rows with another table's, one group of the vocabulary or all of it."""

    number: int
    """Of the group, from 1 for the rarest tokens; 0 for all."""
    input: tuple[float, ...]
    """With the untied model's input rows, one for each pair."""
    output: tuple[float, ...]
    """With its output rows."""
    shuffled: tuple[float, ...]
    """With its input rows after the tied rows are put in another order: what a rotation finds by chance."""

    @cached_property
    def lean(self) -> Interval:
        """The output's cosine less the input's, over the seeds."""
        return student([theirs - ours for ours, theirs in zip(self.input, self.output, strict=True)])

    @property
    def input_mean(self) -> float:
        """Over the seeds."""
        return sum(self.input) / len(self.input)

    @property
    def output_mean(self) -> float:
        """Over the seeds."""
        return sum(self.output) / len(self.output)

    @property
    def shuffled_mean(self) -> float:
        """Over the seeds."""
        return sum(self.shuffled) / len(self.shuffled)


@dataclass(frozen=True)
class Roles:
    """The likeness over the whole vocabulary, and in each group of frequency."""

    all: Likeness
    groups: tuple[Likeness, ...]
    seeds: tuple[int, ...]

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


def roles(pairs: Sequence[Pair]) -> Roles:
    """Compare tied tables with the tables of the untied runs beside them.

    Args:
        pairs: of one recipe, at least two.

    Returns:
        The likenesses.
    """
    found = [_cosines(pair) for pair in pairs]
    groups = sorted({group for table, group in found[0] if table == TABLES[0]})
    return Roles(
        _likeness(0, [_over_all(each) for each in found]),
        tuple(
            _likeness(group, [{table: each[table, group][1] for table in TABLES} for each in found])
            for group in groups
        ),
        tuple(pair.seed for pair in pairs),
    )


def _cosines(pair: Pair) -> dict[tuple[str, int], tuple[int, float]]:
    """Tokens and mean cosine by table and group."""
    frame = pair.recording.table("roles.csv")
    own = frame[(frame["tied_run"] == pair.tied.run) & (frame["untied_run"] == pair.untied.run)]
    return {
        (row["table"], int(row["group"])): (int(row["vocabulary_tokens"]), float(row["mean_cosine"]))
        for row in own.to_dict("records")
    }


def _over_all(cosines: dict[tuple[str, int], tuple[int, float]]) -> dict[str, float]:
    """The mean over all tokens, by table."""
    means = {}
    for wanted in TABLES:
        own = [each for (table, _), each in cosines.items() if table == wanted]
        means[wanted] = sum(tokens * value for tokens, value in own) / sum(tokens for tokens, _ in own)
    return means


def _likeness(number: int, by_pair: Sequence[dict[str, float]]) -> Likeness:
    return Likeness(number, *(tuple(each[table] for each in by_pair) for table in TABLES))
