"""The pull towards repetition: what a model gives to the token just read, and what it writes by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from plates.intervals import Interval, student
from plates.pairs import Pair

LOOPS = "continuations.csv"


@dataclass(frozen=True)
class Own:
    """One model's share of the pull, over training and at its end."""

    steps: tuple[int, ...]
    probabilities: tuple[float, ...]
    """Mean probability of a position's own token, at each recorded step."""
    logits: tuple[float, ...]
    """Its logit less the mean logit."""
    tops: tuple[float, ...]
    """Share of positions at which it scores highest."""
    token_share: float
    """Of the tokens written greedily, those equal to the one before."""
    gram_share: float
    """Of the four-token passages written, those that the continuation held already."""
    rate: float
    """Share of positions whose own token does come once more."""

    @property
    def end_times(self) -> float:
        """The probability at the last step, as a multiple of the rate."""
        return self.probabilities[-1] / self.rate

    @property
    def peak(self) -> float:
        """The highest probability on the way."""
        return max(self.probabilities)

    @property
    def peak_step(self) -> int:
        """The step of that probability."""
        return self.steps[self.probabilities.index(self.peak)]

    @property
    def fallen_step(self) -> int:
        """The first recorded step with the token on top at under a tenth of the first places, or the last."""
        fallen = [step for step, top in zip(self.steps, self.tops, strict=True) if top < self.tops[0] / 10]
        return min(fallen, default=self.steps[-1])

    @property
    def fallen_top(self) -> float:
        """The share at that step."""
        return self.tops[self.steps.index(self.fallen_step)]


@dataclass(frozen=True, eq=False)
class Repeats:
    """The recorded pair, and what its seeds say where there are several; differences are untied − tied."""

    pairs: tuple[Pair, ...]
    """The recorded pair of the plate first."""

    @cached_property
    def models(self) -> tuple[tuple[Own, Own], ...]:
        """Each pair's tied and untied model."""
        return tuple((_own(pair, "tied"), _own(pair, "untied")) for pair in self.pairs)

    @property
    def tied(self) -> Own:
        """The recorded tied model."""
        return self.models[0][0]

    @property
    def untied(self) -> Own:
        """The recorded untied model."""
        return self.models[0][1]

    @property
    def rate(self) -> float:
        """Share of held-out positions whose own token does come once more."""
        return self.tied.rate

    @property
    def prompts(self) -> int:
        """Passages continued."""
        return int(self._loops["prompts"])

    @property
    def prompt_tokens(self) -> int:
        """Tokens of each."""
        return int(self._loops["prompt_tokens"])

    @property
    def continuation_tokens(self) -> int:
        """Tokens written after each."""
        return int(self._loops["continuation_tokens"])

    @cached_property
    def tokens(self) -> Interval | None:
        """Of the shares of written tokens that equal the one before, over the seeds."""
        return self._of(lambda own: own.token_share)

    @cached_property
    def grams(self) -> Interval | None:
        """Of the shares of four-token passages that came before, over the seeds."""
        return self._of(lambda own: own.gram_share)

    @cached_property
    def probability(self) -> Interval | None:
        """Of the probabilities at the last step, over the seeds."""
        return self._of(lambda own: own.probabilities[-1])

    @cached_property
    def logit(self) -> Interval | None:
        """Of the logits at the last step, over the seeds."""
        return self._of(lambda own: own.logits[-1])

    @property
    def _loops(self) -> dict[str, Any]:
        return self.pairs[0].rows(LOOPS, "tied")[0]

    def _of(self, value: Callable[[Own], float]) -> Interval | None:
        if len(self.pairs) < 2:
            return None
        return student([value(untied) - value(tied) for tied, untied in self.models])


def repeats(pairs: Sequence[Pair]) -> Repeats:
    """Take what pairs of one recipe say of repetition.

    Args:
        pairs: the recorded one first, and others where they are made.

    Returns:
        What they say.
    """
    return Repeats(tuple(pairs))


def _own(pair: Pair, head: str) -> Own:
    rows, (loops,) = pair.rows("repeats.csv", head), pair.rows(LOOPS, head)
    return Own(
        steps=tuple(row["step"] for row in rows),
        probabilities=tuple(row["own_probability"] for row in rows),
        logits=tuple(row["own_logit"] for row in rows),
        tops=tuple(row["own_top_share"] for row in rows),
        token_share=loops["repeated_token_share"],
        gram_share=loops["repeated_4gram_share"],
        rate=rows[0]["repeat_rate"],
    )
