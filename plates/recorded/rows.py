"""What several tables of measurements are held to: each run's rows together, and sums that add up."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from plates.recorded.contract import fault
from plates.tables import Row, TableError

CLOSE = 1e-9
"""Relative distance of two sums of the same losses, added up in different orders."""


@dataclass(frozen=True)
class Known:
    """What a table of measurements is held against: checked runs and curves, and the manifest."""

    runs: Mapping[str, Row]
    """The rows of the runs by name."""
    curves: Sequence[Row]
    manifest: Mapping[str, Any]

    @property
    def heldout_tokens(self) -> int:
        """Tokens of the held-out split."""
        return int(self.manifest["corpus"]["heldout_tokens"])

    @property
    def heldout_bytes(self) -> int:
        """Bytes of the held-out split."""
        return int(self.manifest["corpus"]["heldout_bytes"])


def by_run(rows: list[Row], known: Known) -> list[tuple[str, list[Row]]]:
    """Part a table by runs.

    Args:
        rows: with a column `run`.
        known: the rest of the recording.

    Returns:
        Each run with its rows.

    Raises:
        TableError: a run is unknown, missing, in parts, or out of the order of the runs.
    """
    for row in rows:
        if row["run"] not in known.runs:
            raise fault(row, "run", f"a run of runs.csv ({', '.join(map(repr, known.runs))})", row["run"])
    found = [(run, list(own)) for run, own in groupby(rows, key=lambda row: row["run"])]
    for (run, own), wanted in zip(found, known.runs, strict=False):
        if run != wanted:
            raise fault(own[0], "run", f"{wanted!r}, for runs stand as in runs.csv", run)
    if missing := list(known.runs)[len(found) :]:
        raise TableError(f"{len(rows) + 2}: wanted rows for run {missing[0]!r}, came none")
    if len(found) > len(known.runs):
        run, own = found[len(known.runs)]
        raise fault(own[0], "run", "all rows of a run together", run)
    return found


def check_same(rows: list[Row], first: list[Row], columns: Iterable[str]) -> None:
    """Hold what does not depend on the run to what the first run's rows say.

    Args:
        rows: one run's.
        first: the first run's.
        columns: what must be the same.

    Raises:
        TableError: a row is missing or too many, or says something else.
    """
    for row, other in zip(rows, first, strict=False):
        for column in columns:
            if row[column] != other[column]:
                raise fault(row, column, f"{other[column]!r}, as on line {other['line']}", row[column])
    check_number(rows, len(first), f"as for run {first[0]['run']!r}")


def check_once(rows: list[Row], column: str) -> None:
    """Hold a column to another value in each row.

    Args:
        rows: any.
        column: one of theirs.

    Raises:
        TableError: a value stands twice.
    """
    seen: dict[str, int] = {}
    for row in rows:
        if row[column] in seen:
            raise fault(row, column, f"each once (first on line {seen[row[column]]})", row[column])
        seen[row[column]] = row["line"]


def check_number(rows: list[Row], wanted: int, what: str) -> None:
    """Hold a table, or a part of it, to a number of rows.

    Args:
        rows: any.
        wanted: how many there must be.
        what: why so many.

    Raises:
        TableError: there are fewer or more.
    """
    if len(rows) != wanted:
        line = rows[-1]["line"] if rows else 2
        raise TableError(f"{line}: wanted {wanted} rows ({what}), came {len(rows)}")


def check_sum(rows: list[Row], column: str, wanted: int) -> None:
    """Hold a column of counts to their sum; each counts something.

    Args:
        rows: any, at least one.
        column: of whole numbers.
        wanted: the sum.

    Raises:
        TableError: a count is zero, or they come to something else.
    """
    for row in rows:
        if row[column] == 0:
            raise fault(row, column, "a number above 0", 0)
    if (came := sum(row[column] for row in rows)) != wanted:
        raise fault(rows[-1], column, f"{wanted} in all, from line {rows[0]['line']} on", came)


def check_loss(rows: list[Row], weight: str, run: Row) -> None:
    """Hold a run's losses, each weighted with its tokens, to the loss on everything held out.

    Args:
        rows: the run's, with a column `heldout_loss`, nats per token.
        weight: the column of tokens.
        run: its row of the runs.

    Raises:
        TableError: the mean is another.
    """
    total = sum(row[weight] for row in rows)
    mean = sum(row[weight] * row["heldout_loss"] for row in rows) / total
    if not math.isclose(mean, run["final_heldout_loss"], rel_tol=CLOSE):
        wanted = f"a mean of {run['final_heldout_loss']!r}, the run's final_heldout_loss"
        raise fault(rows[-1], "heldout_loss", wanted, mean)
