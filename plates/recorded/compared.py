"""What the tables that compare models must say: two models' tables, and models that only count."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import groupby, product
from typing import Any

from plates.recorded.contract import fault
from plates.recorded.measures import GROUPS
from plates.recorded.rows import CLOSE, Known, check_number, check_sum
from plates.tables import Row

COMPARISONS = tuple(product(("input", "output"), ("no", "yes"), ("no", "yes")))
"""How a tied table is held against another, in order: which table, whether centred, whether shuffled."""
MODELS = ("uniform", "unigram", "bigram")
"""The baselines, in order."""


def check_roles(rows: list[Row], known: Known) -> None:
    """Hold the comparisons of tables to pairs that differ in the head alone, each whole.

    Args:
        rows: with the columns of `ROLES`.
        known: the rest of the recording.

    Raises:
        TableError: a pair is none, a comparison or group is missing or stands elsewhere, or the tokens of the
            groups are not the same in all, or not the whole vocabulary.
    """
    if not rows:
        check_number(rows, len(COMPARISONS) * GROUPS, "or no such file, where no runs are a pair")
    for row in rows:
        for head in ("tied", "untied"):
            run = known.runs.get(row[f"{head}_run"])
            if run is None or run["head"] != head:
                raise fault(row, f"{head}_run", f"a run of runs.csv that is {head}", row[f"{head}_run"])
        if not _is_pair(row, known.manifest["recipe"]):
            wanted = f"a run that differs from {row['tied_run']!r} in the head alone"
            raise fault(row, "untied_run", wanted, row["untied_run"])
    for _, pair in groupby(rows, key=lambda row: (row["tied_run"], row["untied_run"])):
        _check_tables(list(pair), known)


def _is_pair(row: Row, recipe: Mapping[str, Any]) -> bool:
    tied, untied = (
        {key: value for key, value in recipe[row[run]].items() if key not in ("run", "head")}
        for run in ("tied_run", "untied_run")
    )
    return tied == untied


def _check_tables(rows: list[Row], known: Known) -> None:
    """Hold one pair's rows to every group of every comparison, in order."""
    wanted = list(product(COMPARISONS, range(1, GROUPS + 1)))
    for row, (comparison, group) in zip(rows, wanted, strict=False):
        for column, value in zip(("table", "centred", "shuffled"), comparison, strict=True):
            if row[column] != value:
                raise fault(row, column, repr(value), row[column])
        if row["group"] != group:
            raise fault(row, "group", f"group {group} of table {row['table']!r}", row["group"])
    check_number(rows, len(wanted), f"{GROUPS} groups of {len(COMPARISONS)} comparisons for a pair")
    first = rows[:GROUPS]
    check_sum(first, "vocabulary_tokens", known.runs[rows[0]["tied_run"]]["vocab_size"])
    for row in rows[GROUPS:]:
        other = first[row["group"] - 1]
        if (tokens := other["vocabulary_tokens"]) != row["vocabulary_tokens"]:
            as_first = f"{tokens}, as on line {other['line']}"
            raise fault(row, "vocabulary_tokens", as_first, row["vocabulary_tokens"])


def check_baselines(rows: list[Row], known: Known) -> None:
    """Hold the baselines to their names and to each other's unit.

    Args:
        rows: with the columns of `BASELINES`.
        known: the rest of the recording.

    Raises:
        TableError: a model is missing or stands elsewhere, or its bits are not its nats.
    """
    for row, name in zip(rows, MODELS, strict=False):
        if row["model"] != name:
            raise fault(row, "model", repr(name), row["model"])
        bits = row["heldout_loss"] * known.heldout_tokens / math.log(2) / known.heldout_bytes
        if not math.isclose(row["heldout_bits_per_byte"], bits, rel_tol=CLOSE):
            raise fault(
                row, "heldout_bits_per_byte", f"{bits!r}, heldout_loss in bits", row["heldout_bits_per_byte"]
            )
    check_number(rows, len(MODELS), ", ".join(MODELS))
    uniform = math.log(next(iter(known.runs.values()))["vocab_size"])
    if not math.isclose(rows[0]["heldout_loss"], uniform, rel_tol=CLOSE):
        raise fault(rows[0], "heldout_loss", f"{uniform!r}, ln of vocab_size", rows[0]["heldout_loss"])
