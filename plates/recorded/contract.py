"""What the rows of a recording must say; `generated/README.md` says it in words."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from plates.tables import Kind, Row, TableError, real, text, whole

CURVES: dict[str, Kind] = {
    "run": text,
    "step": whole,
    "tokens_seen": whole,
    "train_loss": real,
    "heldout_loss": real,
}
RUNS: dict[str, Kind] = {
    "run": text,
    "head": text,
    "seed": whole,
    "vocab_size": whole,
    "d_model": whole,
    "n_layers": whole,
    "n_heads": whole,
    "d_ff": whole,
    "context_length": whole,
    "parameters": whole,
    "steps": whole,
    "batch_size": whole,
    "tokens_seen": whole,
    "learning_rate": real,
    "final_train_loss": real,
    "final_heldout_loss": real,
    "heldout_bits_per_byte": real,
    "elapsed_seconds": real,
}
HEADS = ("tied", "untied")


def fault(row: Row, column: str, wanted: object, came: object) -> TableError:
    """An error at a row's column: what was wanted and what came."""
    return TableError(f"{row['line']}: column {column}: wanted {wanted}, came {came!r}")


def check_runs(runs: list[Row], recipes: Mapping[str, Any]) -> None:
    """Hold the table of runs to itself and to the manifest's recipes.

    Args:
        runs: rows with the columns of `RUNS`.
        recipes: from the manifest: a recipe per run.

    Raises:
        TableError: a run is unknown, twice or missing, or a value contradicts another.
    """
    lines: dict[str, int] = {}
    for row in runs:
        if row["run"] in lines:
            raise fault(row, "run", f"each run once (first on line {lines[row['run']]})", row["run"])
        if row["run"] not in recipes:
            raise fault(row, "run", f"a run of the manifest ({', '.join(map(repr, recipes))})", row["run"])
        lines[row["run"]] = row["line"]
        _check_run(row)
        _check_recipe(row, recipes[row["run"]])
    if missing := [name for name in recipes if name not in lines]:
        raise TableError(
            f"{len(runs) + 2}: wanted a row for run {missing[0]!r}, which the manifest names; came none"
        )


def _check_run(row: Row) -> None:
    """Hold a run's values to what they mean."""
    if row["head"] not in HEADS:
        raise fault(row, "head", " or ".join(map(repr, HEADS)), row["head"])
    for column, kind in RUNS.items():
        if kind is not text and column != "seed" and row[column] == 0:
            raise fault(row, column, "a number above 0", row[column])
    if row["d_model"] % row["n_heads"]:
        raise fault(row, "n_heads", f"a divisor of d_model ({row['d_model']})", row["n_heads"])
    tokens = row["steps"] * _tokens_per_step(row)
    if row["tokens_seen"] != tokens:
        raise fault(row, "tokens_seen", f"steps × batch_size × context_length = {tokens}", row["tokens_seen"])


def _tokens_per_step(run: Row) -> int:
    return int(run["batch_size"] * run["context_length"])


def _check_recipe(row: Row, recipe: Mapping[str, Any]) -> None:
    """Hold what the recipe and the row both say to be the same; a recipe may be in parts."""
    for key, value in recipe.items():
        if isinstance(value, Mapping):
            _check_recipe(row, value)
        elif key in RUNS and key != "run" and row[key] != value:
            raise fault(row, key, f"{value!r}, as in the manifest's recipe", row[key])


def check_curves(curves: list[Row], runs: list[Row]) -> None:
    """Hold the table of curves to its step grid and to the runs.

    Args:
        curves: rows with the columns of `CURVES`.
        runs: checked rows of the runs.

    Raises:
        TableError: a run or step is unknown, twice, out of order or missing, or its tokens are wrong.
    """
    by_run: dict[str, list[Row]] = {run["run"]: [] for run in runs}
    for row in curves:
        if row["run"] not in by_run:
            raise fault(row, "run", f"a run of runs.csv ({', '.join(map(repr, by_run))})", row["run"])
        by_run[row["run"]].append(row)
    for run in runs:
        _check_steps(by_run[run["run"]], run)
    if by_run:
        _check_same_grid(by_run)


def _check_steps(rows: list[Row], run: Row) -> None:
    """Hold one run's rows to steps that rise from 0 to its last, with the tokens that follow from them."""
    name, steps = run["run"], run["steps"]
    if not rows:
        raise TableError(f"run {name!r}: wanted rows from step 0 to {steps}, came none")
    if rows[0]["step"] != 0:
        raise fault(rows[0], "step", f"step 0 as the first of run {name!r}", rows[0]["step"])
    for before, row in pairwise(rows):
        if row["step"] <= before["step"]:
            wanted = f"a step above {before['step']}, the one before in run {name!r} (line {before['line']})"
            raise fault(row, "step", wanted, row["step"])
    for row in rows:
        if row["tokens_seen"] != (tokens := row["step"] * _tokens_per_step(run)):
            raise fault(
                row, "tokens_seen", f"step × batch_size × context_length = {tokens}", row["tokens_seen"]
            )
    if rows[-1]["step"] != steps:
        raise fault(rows[-1], "step", f"step {steps} as the last of run {name!r}", rows[-1]["step"])


def _check_same_grid(by_run: Mapping[str, list[Row]]) -> None:
    """Hold all runs to one grid of steps, so that their curves can be compared point by point."""
    (first, rows), *others = by_run.items()
    grid = [row["step"] for row in rows]
    for name, other in others:
        for step, row in zip(grid, other, strict=False):
            if row["step"] != step:
                raise fault(row, "step", f"step {step}, as in run {first!r}, for run {name!r}", row["step"])
        if len(other) != len(grid):
            wanted = f"{len(grid)} steps, as in run {first!r}, for run {name!r}"
            raise TableError(f"{other[-1]['line']}: wanted {wanted}, came {len(other)}")
