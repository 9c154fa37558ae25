"""What was measured beside the plate's pair: each finding, or nothing while it waits for a recording."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from plates.evidence.budget import WAYS, Budget, budget
from plates.evidence.data import Data, data
from plates.evidence.luck import Lead, Luck, lead, luck
from plates.evidence.models import Ladder, Precision, ladder, precision
from plates.evidence.planned import missing
from plates.evidence.rates import Decay, Rates, decay, rates
from plates.evidence.repeats import Repeats, repeats
from plates.evidence.roles import Roles, roles
from plates.evidence.tokens import Rare, rare
from plates.intervals import LEVEL
from plates.pairs import Pair, pair
from plates.recorded.recordings import Recording

Found = TypeVar("Found")
RECORDED = "output-head"
SEEDS = (RECORDED, "seed-11", "seed-12", "seed-13", "seed-14")
NEEDS: dict[str, tuple[str, ...]] = {
    "luck": SEEDS,
    "budget": (*SEEDS[:3], *WAYS),
    "rates": (RECORDED, "learning-rate"),
    "decay": (RECORDED, "table-decay"),
    "data": (RECORDED, "quarter"),
    "rare": SEEDS,
    "repeats": (RECORDED,),
    "roles": SEEDS,
    "ladder": (RECORDED,),
    "precision": (RECORDED, "float32"),
}
"""The recordings that each finding rests on."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """All findings; one that waits for a recording is None."""

    made: Mapping[str, Recording]
    """The planned recordings that are there, by name."""

    @property
    def level(self) -> float:
        """Of every interval."""
        return LEVEL

    @property
    def missing(self) -> tuple[str, ...]:
        """The planned recordings that are not made yet."""
        return missing(self.made)

    @property
    def waits(self) -> dict[str, tuple[str, ...]]:
        """For each finding the recordings that it waits for."""
        return {name: missing(self.made, *needed) for name, needed in NEEDS.items()}

    @cached_property
    def luck(self) -> Luck | None:
        """Is the difference more than luck?"""
        return self._found("luck", lambda: luck(self._pairs))

    @cached_property
    def budget(self) -> Budget | None:
        """What else could the parameters buy?"""
        return self._found("budget", lambda: budget(self._pairs, self.made))

    @cached_property
    def rates(self) -> Rates | None:
        """Does the learning rate decide it?"""
        return self._found("rates", lambda: rates(self.made["learning-rate"], self._recorded))

    @cached_property
    def further(self) -> Luck | None:
        """The pairs of `luck`, and last the one of `rates` that has their recipe, with a seed of its own."""
        if self.luck is None or self.rates is None:
            return None
        rate = float(self._recorded.tied.learning_rate)
        return luck([*self.luck.pairs, self.rates.at(rate)])

    @cached_property
    def decay(self) -> Decay | None:
        """Does the decay of the tables decide it?"""
        return self._found("decay", lambda: decay(pair(self.made["table-decay"]), self._recorded))

    @cached_property
    def data(self) -> Data | None:
        """How much data?"""
        return self._found("data", lambda: data(pair(self.made["quarter"]), self._recorded))

    @cached_property
    def rare(self) -> Rare | None:
        """Rare tokens and frequent ones."""
        return self._found("rare", lambda: rare(luck(self._pairs).pairs))

    @cached_property
    def repeats(self) -> Repeats | None:
        """The pull towards repetition: of the recorded pair, and over the seeds once all are made."""
        return self._found("repeats", lambda: repeats(self.luck.pairs if self.luck else [self._recorded]))

    @cached_property
    def roles(self) -> Roles | None:
        """Two roles of one table."""
        return self._found("roles", lambda: roles(luck(self._pairs).pairs))

    @cached_property
    def ladder(self) -> Ladder | None:
        """Where micro stands."""
        return self._found("ladder", lambda: ladder(self._recorded))

    @cached_property
    def lead(self) -> Lead | None:
        """Who leads on the way, in the recorded pair."""
        return self._found("ladder", lambda: lead(self._recorded))

    @cached_property
    def precision(self) -> Precision | None:
        """What do the shorter numbers cost?"""
        return self._found("precision", lambda: precision(self.made["float32"], self._recorded))

    @property
    def _recorded(self) -> Pair:
        return pair(self.made[RECORDED])

    @property
    def _pairs(self) -> list[Pair]:
        """The pairs that are made, the recorded one first."""
        return [pair(self.made[name]) for name in SEEDS if name in self.made]

    def _found(self, name: str, derive: Callable[[], Found]) -> Found | None:
        return None if missing(self.made, *NEEDS[name]) else derive()
