"""Rare tokens and frequent ones: the difference by how often a token comes in the training text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import mean

from plates.intervals import Interval, student
from plates.pairs import Pair


@dataclass(frozen=True)
class Group:
    """A group of the vocabulary; differences are untied − tied, in nats per token."""

    number: int
    """From 1, the rarest."""
    vocabulary_tokens: int
    least_count: int
    most_count: int
    heldout_tokens: int
    share: float
    """Of the held-out tokens, those of this group."""
    differences: tuple[float, ...]
    """One for each pair."""
    tied_loss: float
    """Mean held-out loss of the pairs' tied models on its tokens, nats per token."""
    untied_loss: float
    """The same of their untied models."""

    @cached_property
    def difference(self) -> Interval:
        """Over the seeds."""
        return student(self.differences)

    @property
    def part(self) -> float:
        """What the group adds to the difference over all held-out tokens."""
        return self.share * self.difference.mean


@dataclass(frozen=True)
class Rare:
    """All groups, the rarest first."""

    groups: tuple[Group, ...]
    seeds: tuple[int, ...]

    @property
    def rarest(self) -> Group:
        """The group of the rarest tokens."""
        return self.groups[0]

    @property
    def commonest(self) -> Group:
        """The group of the most frequent tokens."""
        return self.groups[-1]

    @property
    def lowest(self) -> Group:
        """The group in which the untied model gains most, or loses least."""
        return min(self.groups, key=lambda group: group.difference.mean)

    @property
    def untied(self) -> int:
        """Groups in which the untied model is ahead, zero outside the interval."""
        return sum(group.difference.side < 0 for group in self.groups)

    @property
    def tied(self) -> int:
        """Groups in which the tied model is ahead, zero outside the interval."""
        return sum(group.difference.side > 0 for group in self.groups)

    @property
    def number(self) -> int:
        """Groups."""
        return len(self.groups)

    @cached_property
    def contrast(self) -> Interval:
        """The difference in the rarest group less that in the commonest, over the seeds."""
        return student(
            [a - b for a, b in zip(self.rarest.differences, self.commonest.differences, strict=True)]
        )

    @property
    def commonest_part(self) -> float:
        """The commonest group's part of the whole difference."""
        return self.commonest.part / self._whole

    @property
    def rarest_part(self) -> float:
        """The rarest group's part of it."""
        return self.rarest.part / self._whole

    @property
    def _whole(self) -> float:
        """The difference over all held-out tokens."""
        return sum(group.part for group in self.groups)


def rare(pairs: Sequence[Pair]) -> Rare:
    """Split the pairs' difference by the frequency of the token that was to be predicted.

    Args:
        pairs: of one recipe, at least two.

    Returns:
        The groups.
    """
    tables = [[pair.rows("frequencies.csv", head) for head in ("tied", "untied")] for pair in pairs]
    first = tables[0][0]
    total = sum(row["heldout_tokens"] for row in first)
    groups = []
    for index, row in enumerate(first):
        ours, theirs = (
            [table[index]["heldout_loss"] for table in heads] for heads in zip(*tables, strict=True)
        )
        own = tuple(untied - tied for tied, untied in zip(ours, theirs, strict=True))
        counts = (row["vocabulary_tokens"], row["least_count"], row["most_count"], row["heldout_tokens"])
        groups.append(
            Group(row["group"], *counts, row["heldout_tokens"] / total, own, mean(ours), mean(theirs))
        )
    return Rare(tuple(groups), tuple(pair.seed for pair in pairs))
