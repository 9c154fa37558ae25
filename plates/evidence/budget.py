"""What else could the untied head's parameters buy? Tied models that spend them on their blocks instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from plates.intervals import Interval, student
from plates.names import Namespace
from plates.output_head import shape_of
from plates.pairs import Pair, hold_alike
from plates.parameters import arithmetic
from plates.recorded.recordings import Recording, RecordingError

WAYS = {"wider": ("d_ff",), "deeper": ("n_layers",)}
"""Recordings of tied models that are larger, and the one setting that makes them so."""


@dataclass(frozen=True)
class Spent:
    """One way to spend parameters, over the seeds; losses are final held-out ones, nats per token."""

    name: str
    parameters: int
    arithmetic: int
    """Multiply-adds for one token, forwards."""
    losses: tuple[float, ...]
    """One for each seed."""
    tied: tuple[float, ...]
    """Those of micro, tied, with the same seeds."""

    @cached_property
    def change(self) -> Interval:
        """This way's losses less those of micro, tied."""
        return self.over(self.tied)

    def over(self, others: Sequence[float]) -> Interval:
        """This way's losses less others of the same seeds, with Student's interval."""
        return student([ours - theirs for ours, theirs in zip(self.losses, others, strict=True)])


@dataclass(frozen=True)
class Budget:
    """Micro, tied, and three ways to make it larger."""

    seeds: tuple[int, ...]
    tied: Spent
    untied: Spent
    wider: Spent
    deeper: Spent
    d_ff: int
    """Width of the wider model's MLP."""
    n_layers: int
    """Blocks of the deeper model."""

    @property
    def ways(self) -> tuple[Spent, ...]:
        """The three larger models."""
        return self.untied, self.wider, self.deeper

    @cached_property
    def wider_than_untied(self) -> Interval:
        """The wider model's losses less the untied one's."""
        return self.wider.over(self.untied.losses)

    @cached_property
    def deeper_than_untied(self) -> Interval:
        """The deeper model's losses less the untied one's."""
        return self.deeper.over(self.untied.losses)

    def more(self, way: Spent) -> tuple[float, float]:
        """How many more parameters and multiply-adds a way has, as shares of micro's, tied."""
        return way.parameters / self.tied.parameters - 1, way.arithmetic / self.tied.arithmetic - 1

    @property
    def untied_more(self) -> tuple[float, float]:
        """See `more`."""
        return self.more(self.untied)

    @property
    def wider_more(self) -> tuple[float, float]:
        """See `more`."""
        return self.more(self.wider)

    @property
    def deeper_more(self) -> tuple[float, float]:
        """See `more`."""
        return self.more(self.deeper)


def budget(pairs: Sequence[Pair], larger: Mapping[str, Recording]) -> Budget:
    """Compare what the same parameters buy in the head and in the blocks.

    Args:
        pairs: with the seeds of the larger models among them.
        larger: the recordings that `WAYS` names.

    Returns:
        The comparison, over the seeds that all have.

    Raises:
        RecordingError: a run has a seed that no pair has, or another recipe than that pair's tied run.
    """
    by_seed = {pair.seed: pair for pair in pairs}
    runs = {name: _by_seed(larger[name]) for name in WAYS}
    seeds = tuple(runs["wider"])
    for name, own in runs.items():
        for seed, run in own.items():
            if seed not in by_seed or seed not in seeds:
                raise RecordingError(f"{name}: run {run.run!r}: wanted a seed of all, came {seed}")
            ours = by_seed[seed]
            hold_alike(ours.recording, ours.tied.run, larger[name], run.run, WAYS[name])
    chosen = [by_seed[seed] for seed in seeds]
    tied = tuple(float(pair.tied.final_heldout_loss) for pair in chosen)
    made = {
        "tied": _spent("tied", chosen[0].recording, [pair.tied for pair in chosen], tied),
        "untied": _spent("untied", chosen[0].recording, [pair.untied for pair in chosen], tied),
        **{name: _spent(name, larger[name], [runs[name][seed] for seed in seeds], tied) for name in WAYS},
    }
    widest, deepest = (next(iter(runs[name].values())) for name in ("wider", "deeper"))
    return Budget(seeds, **made, d_ff=int(widest.d_ff), n_layers=int(deepest.n_layers))


def _by_seed(recording: Recording) -> dict[int, Namespace]:
    runs = [recording.run(name) for name in recording.runs.index]
    return {int(run.seed): run for run in runs}


def _spent(name: str, recording: Recording, runs: Sequence[Namespace], tied: tuple[float, ...]) -> Spent:
    shape = shape_of(recording, runs[0])
    return Spent(
        name,
        int(runs[0].parameters),
        arithmetic(shape, runs[0].context_length).total,
        tuple(float(run.final_heldout_loss) for run in runs),
        tied,
    )
