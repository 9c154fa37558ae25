"""What the earlier printing of Plate 7 reported: figures with a source, not a recording of ours."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).parent / "data" / "earlier-printing.csv"
COLUMNS = ["run", "final_heldout_loss", "source"]


@dataclass(frozen=True)
class EarlierPrinting:
    """Final held-out losses of the earlier pair, nats per token."""

    heldout_tied: float
    heldout_untied: float

    @property
    def heldout_gap(self) -> float:
        """Their distance, without sign."""
        return abs(self.heldout_untied - self.heldout_tied)


def facts(table: Path = TABLE) -> EarlierPrinting:
    """Read the earlier printing's figures.

    Args:
        table: a CSV file with the columns of `COLUMNS` and a row for each of the two runs.

    Returns:
        The facts.

    Raises:
        ValueError: a column or run is missing, or a loss is no number.
    """
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames != COLUMNS:
            came = rows.fieldnames
            raise ValueError(f"{table.name}:1: wanted the columns {','.join(COLUMNS)}; came {came}")
        losses = {row["run"]: row["final_heldout_loss"] for row in rows}
    if sorted(losses) != ["tied", "untied"]:
        raise ValueError(f"{table.name}: wanted a row for 'tied' and one for 'untied'; came {sorted(losses)}")
    try:
        return EarlierPrinting(float(losses["tied"]), float(losses["untied"]))
    except ValueError as error:
        raise ValueError(f"{table.name}: wanted a loss in nats per token: {error}") from error
