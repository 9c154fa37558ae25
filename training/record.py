"""Record a run: checkpoints while it goes, and at its end what the final weights are worth."""

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from training import files
from training.engine import Engine, versions
from training.material import Material
from training.measure import measure_result
from training.recipe import Recipe
from training.train import Trainer, train

CHECKPOINT_EVERY = 200
"""Steps between checkpoints: what a kill can cost, about a minute of work on the machine of the recording."""


@dataclass(frozen=True)
class Progress:
    """Where a run is, for whoever shows it."""

    run: str
    step: int
    steps: int
    loss: float | None
    """Loss of the last batch, nats per token."""
    steps_per_second: float | None
    """Mean over this process's own steps."""


Report = Callable[[Progress], None]


def record_run(
    recipe: Recipe, engine: Engine, material: Material, checkpoint: Path, report: Report
) -> dict[str, Any]:
    """Record one run to its end, going on from its checkpoint if there is one.

    Args:
        recipe: the run.
        engine: what it is computed with.
        material: the corpus in tokens.
        checkpoint: the run's checkpoint file.
        report: called after every step.

    Returns:
        The finished run's checkpoint: identity, state, rows and result; no result on ranks that do not write.

    Raises:
        RecordingError: the checkpoint was made by another recipe, engine or corpus; nothing is changed.
        NonFiniteLossError: the run diverged; its last checkpoint is kept.
    """
    identity = {
        "recipe": recipe.as_dict(),
        "engine": engine.as_dict(),
        "corpus": {"sha256": material.corpus_sha256, "tokenizer_sha256": material.tokenizer_sha256},
        "versions": versions(),
    }
    # Of several ranks the writing one holds the lock; the others only read what it left.
    with files.lock_run(checkpoint.parent) if engine.writes else nullcontext():
        saved = files.load_checkpoint(checkpoint)
        if saved is not None:
            refuse_changes(checkpoint, saved["identity"], identity)
            if saved["result"] is not None:
                return saved
        return _go_on(Trainer(recipe, material.data, engine), identity, material, saved, checkpoint, report)


def refuse_changes(checkpoint: Path, saved: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raise a RecordingError that names every value in which a checkpoint differs from what is asked for."""
    changes = [
        f"{part}.{name} was {saved[part].get(name)!r} and is now {value!r}"
        for part, values in wanted.items()
        for name, value in values.items()
        if saved[part].get(name) != value
    ]
    if changes:
        raise files.RecordingError(
            f"{checkpoint}: this run was begun otherwise: {'; '.join(changes)}. Ask for what it was begun "
            f"with, or delete {checkpoint.parent} to record it anew"
        )


def _go_on(
    trainer: Trainer,
    identity: dict[str, Any],
    material: Material,
    saved: dict[str, Any] | None,
    checkpoint: Path,
    report: Report,
) -> dict[str, Any]:
    rows: list[list[float]] = []  # step, training loss, then the fields of the held-out Scores
    clock, measuring_seconds = Clock(0.0), 0.0
    if saved is not None:
        trainer.restore(saved["state"])
        rows, clock = saved["rows"], Clock(saved["elapsed_seconds"])
        measuring_seconds = saved["measuring_seconds"]
    first = trainer.step

    def keep(result: dict[str, Any] | None = None) -> dict[str, Any]:
        current = {
            "identity": identity,
            "state": trainer.state(),
            "rows": rows,
            "elapsed_seconds": clock.seconds,
            "measuring_seconds": measuring_seconds,
            "result": result,
        }
        if trainer.engine.writes:
            files.save_checkpoint(checkpoint, current)
        return current

    for record in train(trainer):
        measuring_seconds += record.measuring_seconds
        if record.train is not None and record.heldout is not None:
            rows.append([record.step, record.train.loss, *astuple(record.heldout)])
        speed = (record.step - first) / clock.here if record.step > first else None
        report(Progress(trainer.recipe.run, record.step, trainer.recipe.steps, record.batch_loss, speed))
        # Not at step 0: a run resumed there would measure its first row a second time.
        if record.step and record.step % CHECKPOINT_EVERY == 0:
            keep()
    return keep(measure_result(trainer, material) if trainer.engine.writes else None)


class Clock:
    """Seconds that a run has taken, over all the processes that worked on it."""

    def __init__(self, before: float) -> None:
        self._before, self._start = before, time.perf_counter()

    @property
    def here(self) -> float:
        """Seconds in this process."""
        return time.perf_counter() - self._start

    @property
    def seconds(self) -> float:
        """Seconds in all."""
        return self._before + self.here
