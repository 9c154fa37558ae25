"""A tied and an untied run that differ in nothing else, and runs of one recipe in several recordings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plates.names import Namespace
from plates.recorded.recordings import Recording, RecordingError


@dataclass(frozen=True, eq=False)
class Pair:
    """Two runs of a recording; every difference is untied − tied, in nats per token."""

    recording: Recording
    tied: Namespace
    """The tied run's row of `runs.csv`."""
    untied: Namespace
    """The untied run's row."""

    @property
    def seed(self) -> int:
        """Seed of both."""
        return int(self.tied.seed)

    @property
    def heldout(self) -> float:
        """Difference of the final held-out losses."""
        return float(self.untied.final_heldout_loss - self.tied.final_heldout_loss)

    @property
    def train(self) -> float:
        """Difference of the final training losses."""
        return float(self.untied.final_train_loss - self.tied.final_train_loss)

    @property
    def steps(self) -> tuple[int, ...]:
        """The recorded steps."""
        return tuple(self.recording.curve(self.tied.run)["step"].tolist())

    @property
    def heldout_curve(self) -> tuple[float, ...]:
        """Difference of the held-out losses at each recorded step."""
        return self._difference("heldout_loss")

    @property
    def train_curve(self) -> tuple[float, ...]:
        """Difference of the training losses at each recorded step."""
        return self._difference("train_loss")

    def curve(self, head: str, column: str) -> tuple[float, ...]:
        """Return a column of one run's curve, in order of steps.

        Args:
            head: "tied" or "untied".
            column: of `curves.csv`.
        """
        return tuple(self.recording.curve(getattr(self, head).run)[column].tolist())

    def rows(self, table: str, head: str) -> list[dict[str, Any]]:
        """Return one run's rows of a table of measurements, in order.

        Args:
            table: its file, such as "frequencies.csv".
            head: "tied" or "untied".
        """
        frame = self.recording.table(table)
        own = frame[frame["run"] == getattr(self, head).run]
        return [{str(key): value for key, value in row.items()} for row in own.to_dict("records")]

    def _difference(self, column: str) -> tuple[float, ...]:
        tied, untied = (self.curve(head, column) for head in ("tied", "untied"))
        return tuple(theirs - ours for ours, theirs in zip(tied, untied, strict=True))


def pair(recording: Recording, tied: str = "tied", untied: str = "untied") -> Pair:
    """Take two runs of a recording as a pair.

    Args:
        recording: that holds both.
        tied: name of the tied run.
        untied: name of the untied run.

    Returns:
        The pair.

    Raises:
        RecordingError: the runs' recipes differ in more than the head.
    """
    hold_alike(recording, tied, recording, untied, ("head",))
    return Pair(recording, recording.run(tied), recording.run(untied))


def pairs_in(recording: Recording) -> tuple[Pair, ...]:
    """Find all pairs of a recording, in the order of its runs."""
    recipes = recording.manifest["recipe"]
    runs = list(recording.runs.index)
    return tuple(
        pair(recording, tied, untied)
        for tied in runs
        for untied in runs
        if recording.run(tied).head == "tied" and set(differences(recipes[tied], recipes[untied])) == {"head"}
    )


def hold_alike(one: Recording, run: str, other: Recording, its_run: str, but: tuple[str, ...]) -> None:
    """Hold two runs to one recipe, so that what they are compared in is what differs.

    Args:
        one: a recording.
        run: a run of it.
        other: the same or another recording.
        its_run: a run of that.
        but: the settings in which the two may differ.

    Raises:
        RecordingError: they differ in another one, or the products were computed in another precision.
    """
    recipes = one.manifest["recipe"][run], other.manifest["recipe"][its_run]
    found = {key: both for key, both in differences(*recipes).items() if key not in but}
    if "precision" not in but and one.name != other.name:
        found |= differences(*({"precision": each.manifest["machine"]["precision"]} for each in (one, other)))
    for key, (ours, theirs) in found.items():
        raise RecordingError(
            f"{other.name}: run {its_run!r}: wanted {key} {ours!r}, as in run {run!r} of {one.name}, "
            f"came {theirs!r}; record both by the same recipe"
        )


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Name the settings in which two recipes differ, the runs' names apart, with both values."""
    return {key: both for key, both in _settings(one, other) if both[0] != both[1]}


def _settings(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    for key in dict.fromkeys([*one, *other]):
        if key != "run":
            yield key, (one.get(key), other.get(key))
