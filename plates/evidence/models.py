"""Where micro stands among models that only count, and what the shorter numbers of its training cost."""

from __future__ import annotations

from dataclasses import dataclass

from plates.pairs import Pair, hold_alike
from plates.recorded.recordings import Recording


@dataclass(frozen=True)
class Rung:
    """A model and its loss on everything held out."""

    name: str
    nats: float
    """Per token."""
    bits: float
    """Per byte."""


@dataclass(frozen=True)
class Ladder:
    """The baselines and micro's pair, worst first as they are listed."""

    uniform: Rung
    unigram: Rung
    bigram: Rung
    tied: Rung
    untied: Rung

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """All."""
        return self.uniform, self.unigram, self.bigram, self.tied, self.untied

    @property
    def micro(self) -> Rung:
        """The better of micro's two."""
        return min(self.tied, self.untied, key=lambda rung: rung.nats)

    @property
    def below_bigram(self) -> float:
        """How far the better of micro's two is below the bigram model, nats per token."""
        return self.bigram.nats - self.micro.nats


def ladder(recorded: Pair) -> Ladder:
    """Set the recorded pair beside the baselines.

    Args:
        recorded: a pair whose recording holds the baselines.

    Returns:
        All of them.
    """
    rows = recorded.recording.table("baselines.csv").to_dict("records")
    counted = {
        row["model"]: Rung(row["model"], row["heldout_loss"], row["heldout_bits_per_byte"]) for row in rows
    }
    own = {
        run.head: Rung(f"micro, {run.head}", float(run.final_heldout_loss), float(run.heldout_bits_per_byte))
        for run in (recorded.tied, recorded.untied)
    }
    return Ladder(**counted, **own)


@dataclass(frozen=True)
class Precision:
    """The tied run with all products in float32, and the recorded one; a difference is the first less it."""

    exact: str
    """Its precision as the manifest names it."""
    recorded: str
    """That of the recorded run."""
    heldout_exact: float
    heldout_recorded: float
    train_exact: float
    train_recorded: float

    @property
    def heldout(self) -> float:
        """Difference of the final held-out losses."""
        return self.heldout_exact - self.heldout_recorded

    @property
    def heldout_gap(self) -> float:
        """The same without its sign."""
        return abs(self.heldout)

    @property
    def train(self) -> float:
        """Difference of the final training losses."""
        return self.train_exact - self.train_recorded


def precision(exact: Recording, recorded: Pair) -> Precision:
    """Compare the tied run in float32 with the recorded one.

    Raises:
        RecordingError: the two runs' recipes differ.
    """
    ours, theirs = recorded.tied, exact.run("tied")
    hold_alike(recorded.recording, ours.run, exact, theirs.run, ("precision",))
    return Precision(
        exact=str(exact.manifest["machine"]["precision"]),
        recorded=str(recorded.recording.manifest["machine"]["precision"]),
        heldout_exact=float(theirs.final_heldout_loss),
        heldout_recorded=float(ours.final_heldout_loss),
        train_exact=float(theirs.final_train_loss),
        train_recorded=float(ours.final_train_loss),
    )
