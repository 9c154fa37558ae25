"""Re-run the start of a recording and hold it against the committed curves."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training import files
from training.engine import Engine, describe_machine, versions
from training.errors import reason
from training.material import Material
from training.recipe import Recipe
from training.train import Trainer, train

TOLERANCE = 0.002
"""Largest difference of a loss that counts as agreement, nats per token. Over the first 30 steps of the pair
the recording's own engine came back exactly; two threads moved a loss by at most 0.00002, an uncompiled step
by 0.00005 and float32 by 0.00007. Another seed moved the losses of steps 10 to 30 by 0.016 to 0.028."""


@dataclass(frozen=True)
class Comparison:
    """One recorded loss beside the re-run's, nats per token."""

    run: str
    step: int
    column: str
    recorded: float
    rerun: float

    @property
    def difference(self) -> float:
        """Re-run minus recorded."""
        return self.rerun - self.recorded

    @property
    def agrees(self) -> bool:
        """Whether the two are within the tolerance."""
        return abs(self.difference) <= TOLERANCE


def read_curves(folder: Path) -> dict[tuple[str, int], dict[str, float]]:
    """Read the committed losses, by run and step.

    Raises:
        RecordingError: there is no recording, or it is not a table of curves.
    """
    path = folder / "curves.csv"
    try:
        with path.open(newline="", encoding="utf-8") as file:
            return {
                (row["run"], int(row["step"])): {
                    name: float(row[name]) for name in ("train_loss", "heldout_loss")
                }
                for row in csv.DictReader(file)
            }
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise files.RecordingError(
            f"{path}: wanted the recorded curves, got {reason(error)}; "
            "restore the file or record it: python -m training record"
        ) from error


def refuse_other_recipe(recipe: Recipe, manifest: dict[str, Any]) -> None:
    """Raise a RecordingError that names every field in which a run was recorded with another recipe."""
    recorded = manifest["recipe"].get(recipe.run)
    if recorded is None:
        raise files.RecordingError(
            f"{files.MANIFEST}: no run {recipe.run!r}; runs are {', '.join(manifest['recipe'])}"
        )
    changes = [
        f"{name} was {recorded.get(name)!r} and is now {value!r}"
        for name, value in recipe.as_dict().items()
        if recorded.get(name) != value
    ]
    if changes:
        raise files.RecordingError(
            f"run {recipe.run!r} was recorded with another recipe: {'; '.join(changes)}; "
            "record it anew or restore training/recipe.py"
        )


def compare(
    recipe: Recipe,
    steps: int,
    engine: Engine,
    material: Material,
    curves: dict[tuple[str, int], dict[str, float]],
    report: Callable[[int], None],
) -> list[Comparison]:
    """Run the first steps of a recipe again and compare every recorded row among them.

    Args:
        recipe: the run, whole: its schedule is that of all its steps.
        steps: how far to go.
        engine: what to compute with.
        material: the corpus in tokens.
        curves: the recorded losses.
        report: called with each step.

    Returns:
        Two comparisons, training and held-out, for each recorded step up to `steps`.

    Raises:
        RecordingError: the curves have no row of the run among those steps.
    """
    if not any(run == recipe.run and step <= steps for run, step in curves):
        raise files.RecordingError(
            f"curves.csv: no row of run {recipe.run!r} up to step {steps}; "
            "record it: python -m training record"
        )
    comparisons = []
    for record in train(Trainer(recipe, material.data, engine)):
        report(record.step)
        recorded = curves.get((recipe.run, record.step))
        if recorded is not None and record.train is not None and record.heldout is not None:
            rerun = {"train_loss": record.train.loss, "heldout_loss": record.heldout.loss}
            comparisons += [
                Comparison(recipe.run, record.step, name, recorded[name], rerun[name]) for name in rerun
            ]
        if record.step >= steps:
            break
    return comparisons


def differing_circumstances(manifest: dict[str, Any], engine: Engine) -> list[str]:
    """Name what differs between the recording's machine, engine and versions and those here."""
    here = {"machine": describe_machine(engine), "versions": versions()}
    return [
        f"{name} was {manifest[part].get(name)!r}, here {value!r}"
        for part, values in here.items()
        for name, value in values.items()
        if manifest[part].get(name) != value
    ]
