"""How much data? The pair on a part of the training text for the same steps, read more often."""

from __future__ import annotations

from dataclasses import dataclass

from plates.evidence.rates import printed_sign
from plates.pairs import Pair, hold_alike


@dataclass(frozen=True, eq=False)
class Reading:
    """A pair and how often it reads its training text; differences are untied − tied, in nats per token."""

    pair: Pair

    @property
    def passes(self) -> float:
        """How often each run reads its training text."""
        return int(self.pair.tied.tokens_seen) / self.train_tokens

    @property
    def train_tokens(self) -> int:
        """Tokens of the training text."""
        return int(self.pair.recording.manifest["corpus"]["train_tokens"])

    @property
    def addresses(self) -> int:
        """Addresses of the training text."""
        return int(self.pair.recording.manifest["corpus"]["train_addresses"])

    @property
    def lowest(self) -> float:
        """Difference of the lowest held-out losses on the way, each run's at its own best step."""
        return min(self.pair.curve("untied", COLUMN)) - min(self.pair.curve("tied", COLUMN))

    @property
    def tied_step(self) -> int:
        """The step at which the tied run's held-out loss is lowest."""
        return self._step("tied")

    @property
    def untied_step(self) -> int:
        """The step at which the untied run's held-out loss is lowest."""
        return self._step("untied")

    @property
    def tied_rise(self) -> float:
        """How far the tied run's held-out loss has risen from its lowest at the last step."""
        return self._rise("tied")

    @property
    def untied_rise(self) -> float:
        """The same for the untied run."""
        return self._rise("untied")

    @property
    def rises(self) -> bool:
        """Whether a run's held-out loss ends above its lowest, to the printed digit."""
        return printed_sign(self.tied_rise) > 0 or printed_sign(self.untied_rise) > 0

    def _step(self, head: str) -> int:
        curve = self.pair.curve(head, COLUMN)
        return self.pair.steps[curve.index(min(curve))]

    def _rise(self, head: str) -> float:
        curve = self.pair.curve(head, COLUMN)
        return curve[-1] - min(curve)


COLUMN = "heldout_loss"


@dataclass(frozen=True, eq=False)
class Data:
    """The pair on all of the training text and on a part of it."""

    whole: Reading
    part: Reading

    @property
    def flips(self) -> bool:
        """Whether one pair's sign on held-out text is the other's turned round, to the printed digit."""
        return printed_sign(self.whole.pair.heldout) * printed_sign(self.part.pair.heldout) < 0


def data(part: Pair, recorded: Pair) -> Data:
    """Compare a pair on a part of the training text with the recorded one.

    Raises:
        RecordingError: the two differ in more than that.
    """
    one, other = recorded, part
    hold_alike(one.recording, one.tied.run, other.recording, other.tied.run, ("train_every",))
    return Data(Reading(recorded), Reading(part))
