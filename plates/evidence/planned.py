"""The recordings that the volume plans, from data/planned-recordings.csv, and those of them that are made."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from plates.recorded import recordings
from plates.recorded.recordings import Recording

TABLE = Path(__file__).parents[1] / "data" / "planned-recordings.csv"
COLUMNS = ["recording", "runs", "holds"]


@dataclass(frozen=True)
class Planned:
    """A recording that is to be."""

    name: str
    runs: tuple[str, ...]
    holds: str
    """What it is, in words."""


def planned(table: Path = TABLE) -> tuple[Planned, ...]:
    """Read the plan.

    Args:
        table: a CSV file with the columns of `COLUMNS`.

    Returns:
        The recordings, in the order in which they are to be made.

    Raises:
        ValueError: the columns are others, a name stands twice, or a recording has no runs.
    """
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames != COLUMNS:
            raise ValueError(
                f"{table.name}:1: wanted the columns {','.join(COLUMNS)}; came {rows.fieldnames}"
            )
        plan = tuple(Planned(row["recording"], tuple(row["runs"].split()), row["holds"]) for row in rows)
    names = [each.name for each in plan]
    for line, each in enumerate(plan, 2):
        if names.count(each.name) > 1 or not each.runs:
            raise ValueError(
                f"{table.name}:{line}: wanted each recording once, with runs; came {each.name!r}"
            )
    return plan


def made(generated: Path) -> dict[str, Recording]:
    """Load the planned recordings that are there, all of their runs and measurements with them.

    Args:
        generated: the folder of all recordings.

    Returns:
        The recordings by name. One of an earlier plan, with fewer runs, counts as not made yet.

    Raises:
        RecordingError: one is there, and is not what it must be.
    """
    there = {
        each: recordings.find(generated, each.name) for each in planned() if (generated / each.name).is_dir()
    }
    return {each.name: found for each, found in there.items() if set(each.runs) <= set(found.runs.index)}


def missing(made: Mapping[str, Recording], *names: str) -> tuple[str, ...]:
    """Name the recordings, of some or of all that are planned, that are not made yet.

    Args:
        made: those that are.
        names: those that are asked about; all by default.

    Returns:
        Their names, in the plan's order.
    """
    return tuple(
        each.name for each in planned() if each.name in (names or [each.name]) and each.name not in made
    )
