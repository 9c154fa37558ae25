"""Does the recipe decide the comparison? Pairs at other learning rates, and one whose tables do not decay."""

from __future__ import annotations

from dataclasses import dataclass

from plates import numbers
from plates.pairs import Pair, hold_alike, pairs_in
from plates.recorded.recordings import Recording, RecordingError


@dataclass(frozen=True, eq=False)
class Rates:
    """Pairs at several learning rates, one seed each; differences are untied − tied, in nats per token."""

    pairs: tuple[Pair, ...]
    """In the order of their rates."""

    @property
    def seed(self) -> int:
        """Seed of all."""
        return self.pairs[0].seed

    @property
    def number(self) -> int:
        """Pairs."""
        return len(self.pairs)

    @property
    def rates(self) -> tuple[float, ...]:
        """Their peak learning rates."""
        return tuple(float(pair.tied.learning_rate) for pair in self.pairs)

    @property
    def differences(self) -> tuple[float, ...]:
        """Of the final held-out losses."""
        return tuple(pair.heldout for pair in self.pairs)

    def at(self, rate: float) -> Pair:
        """Return the pair of a rate.

        Raises:
            RecordingError: none has it.
        """
        if rate not in self.rates:
            known = ", ".join(map(str, self.rates))
            name = self.pairs[0].recording.name
            raise RecordingError(f"{name}: wanted a pair at the rate {rate}, came {known}; record one")
        return self.pairs[self.rates.index(rate)]

    @property
    def ahead(self) -> int:
        """Pairs in which the untied model is ahead, to the printed digit."""
        return sum(printed_sign(each) < 0 for each in self.differences)

    @property
    def behind(self) -> int:
        """Pairs in which it is behind, to the printed digit."""
        return sum(printed_sign(each) > 0 for each in self.differences)

    @property
    def best(self) -> float:
        """The best untied loss less the best tied loss, each at its own best rate."""
        tied, untied = ([float(getattr(p, head).final_heldout_loss) for p in self.pairs] for head in HEADS)
        return min(untied) - min(tied)

    @property
    def best_tied(self) -> float:
        """The rate at which the tied model ends lowest."""
        return self._best("tied")

    @property
    def best_untied(self) -> float:
        """The rate at which the untied model ends lowest."""
        return self._best("untied")

    def _best(self, head: str) -> float:
        run = min((getattr(pair, head) for pair in self.pairs), key=lambda run: run.final_heldout_loss)
        return float(run.learning_rate)


HEADS = ("tied", "untied")


def rates(recording: Recording, recorded: Pair) -> Rates:
    """Take a recording's pairs, which differ in their learning rate.

    Args:
        recording: that holds them.
        recorded: the pair of the plate.

    Returns:
        The pairs by rate.

    Raises:
        RecordingError: a pair differs from the plate's in more than seed and rate, or two have one rate.
    """
    found = sorted(pairs_in(recording), key=lambda pair: float(pair.tied.learning_rate))
    for one in found:
        but = ("seed", "learning_rate")
        hold_alike(recorded.recording, recorded.tied.run, recording, one.tied.run, but)
        hold_alike(found[0].recording, found[0].tied.run, recording, one.tied.run, ("learning_rate",))
    by_rate = Rates(tuple(found))
    if len(set(by_rate.rates)) < by_rate.number:
        said = f"wanted one pair at each learning rate, came {', '.join(map(str, by_rate.rates))}"
        raise RecordingError(f"{recording.name}: {said}; record each rate once")
    return by_rate


@dataclass(frozen=True, eq=False)
class Decay:
    """The pair without weight decay on its tables, beside the recorded one."""

    without: Pair
    recorded: Pair

    @property
    def is_same_sign(self) -> bool:
        """Whether the same model is ahead in both, to the printed digit."""
        return printed_sign(self.without.heldout) == printed_sign(self.recorded.heldout)

    @property
    def tied(self) -> float:
        """What leaving the decay out does to the tied model's final held-out loss."""
        return float(self.without.tied.final_heldout_loss - self.recorded.tied.final_heldout_loss)

    @property
    def untied(self) -> float:
        """The same for the untied model."""
        return float(self.without.untied.final_heldout_loss - self.recorded.untied.final_heldout_loss)


def decay(without: Pair, recorded: Pair) -> Decay:
    """Compare a pair whose tables do not decay with the recorded one.

    Raises:
        RecordingError: the two differ in more than that, or not in that.
    """
    one, other = recorded, without
    hold_alike(one.recording, one.tied.run, other.recording, other.tied.run, ("table_weight_decay",))
    for each, is_decayed in ((without, False), (recorded, True)):
        came = each.recording.manifest["recipe"][each.tied.run].get("table_weight_decay")
        if came is None or bool(came) != is_decayed:
            wanted = "above 0" if is_decayed else "of 0"
            said = f"wanted a table_weight_decay {wanted}, came {came!r}"
            raise RecordingError(f"{each.recording.name}: run {each.tied.run!r}: {said}; record it again")
    return Decay(without, recorded)


def printed_sign(difference: float) -> int:
    """Give the sign that a reader sees: zero to the printed digit is none."""
    if numbers.nats(abs(difference)) == numbers.nats(0.0):
        return 0
    return -1 if difference < 0 else 1
