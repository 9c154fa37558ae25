"""Is the difference more than luck? Five pairs of one recipe, each with a seed of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from plates import numbers
from plates.intervals import LEVEL, RESAMPLES, Interval, bootstrap, student
from plates.pairs import Pair, hold_alike
from plates.recorded.recordings import RecordingError


@dataclass(frozen=True, eq=False)
class Luck:
    """What the pairs say; differences are untied − tied, in nats per token."""

    pairs: tuple[Pair, ...]
    """The recorded pair of the plate first."""

    @cached_property
    def heldout(self) -> Interval:
        """Of the final held-out losses, over the seeds."""
        return student([pair.heldout for pair in self.pairs])

    @cached_property
    def others(self) -> Interval | None:
        """The same without the recorded pair, where two others are left at least."""
        return student([pair.heldout for pair in self.pairs[1:]]) if len(self.pairs) > 2 else None

    @property
    def lowest(self) -> float:
        """The least of the pairs' held-out differences."""
        return min(pair.heldout for pair in self.pairs)

    @property
    def highest(self) -> float:
        """The greatest of them."""
        return max(pair.heldout for pair in self.pairs)

    @property
    def is_last_apart(self) -> bool:
        """Whether the last pair's held-out difference lies outside the others', to the printed digit."""
        *others, last = (pair.heldout for pair in self.pairs)
        nearest = min(max(last, min(others)), max(others))
        return numbers.nats(last) != numbers.nats(nearest)

    @cached_property
    def train(self) -> Interval:
        """Of the final training losses, over the seeds."""
        return student([pair.train for pair in self.pairs])

    @cached_property
    def gap(self) -> Interval:
        """How much less is left of the training difference on held-out text, over the seeds."""
        return student([pair.heldout - pair.train for pair in self.pairs])

    @property
    def lost(self) -> float:
        """The part of the training difference that is gone on held-out text, of the means."""
        return 1 - self.heldout.mean / self.train.mean

    @cached_property
    def addresses(self) -> Interval:
        """Of the recorded pair alone, over the held-out addresses."""
        return over_addresses(self.pairs[0])

    @property
    def spread(self) -> float:
        """How far the tied runs' final held-out losses lie apart over the seeds."""
        tied = [float(pair.tied.final_heldout_loss) for pair in self.pairs]
        return max(tied) - min(tied)

    @property
    def number(self) -> int:
        """Pairs."""
        return len(self.pairs)

    @property
    def ahead(self) -> int:
        """Pairs in which the untied model ends ahead on held-out text."""
        return sum(pair.heldout < 0 for pair in self.pairs)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds, the recorded pair's first."""
        return tuple(pair.seed for pair in self.pairs)

    @property
    def made(self) -> tuple[str, ...]:
        """Names of the recordings."""
        return tuple(pair.recording.name for pair in self.pairs)

    @property
    def level(self) -> float:
        """Of every interval."""
        return LEVEL

    @property
    def resamples(self) -> int:
        """Draws of the bootstrap."""
        return RESAMPLES


def luck(pairs: Sequence[Pair]) -> Luck:
    """Compare pairs that differ in their seed alone.

    Args:
        pairs: the recorded one first.

    Returns:
        What they say.

    Raises:
        RecordingError: two pairs differ in more than the seed, or not even in that.
    """
    first = pairs[0]
    seeds = [pair.seed for pair in pairs]
    for pair in pairs:
        if seeds.count(pair.seed) > 1:
            raise RecordingError(
                f"{pair.recording.name}: seed {pair.seed} stands twice among the pairs; record another"
            )
    for other in pairs[1:]:
        hold_alike(first.recording, first.tied.run, other.recording, other.tied.run, ("seed",))
    return Luck(tuple(pairs))


def over_addresses(pair: Pair) -> Interval:
    """Draw a pair's held-out addresses anew: each a difference, weighted with its tokens."""
    tied, untied = (pair.rows("addresses.csv", head) for head in ("tied", "untied"))
    values = tuple(
        theirs["heldout_loss"] - ours["heldout_loss"] for ours, theirs in zip(tied, untied, strict=True)
    )
    return bootstrap(values, tuple(row["tokens"] for row in tied))


@dataclass(frozen=True)
class Lead:
    """Which model leads over a pair's recorded steps on held-out text, the start left out."""

    steps: int
    """Recorded steps after the start."""
    tied: int
    """Those at which the tied model is ahead, to the printed digit."""
    last: int
    """The last of these, or 0 where there is none."""


def lead(pair: Pair) -> Lead:
    """Count the steps at which a pair's tied model is ahead."""
    ahead = [
        step
        for step, value in zip(pair.steps, pair.heldout_curve, strict=True)
        if step and value > 0 and numbers.nats(value) != numbers.nats(0.0)
    ]
    return Lead(len(pair.steps) - 1, len(ahead), max(ahead, default=0))
