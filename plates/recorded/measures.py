"""What the tables that measure each run must say; `generated/README.md` says it in words."""

from __future__ import annotations

from plates.recorded.contract import fault
from plates.recorded.rows import Known, by_run, check_loss, check_number, check_once, check_same, check_sum
from plates.tables import Row

GROUPS = 10
"""Groups of the vocabulary by frequency, from 1 for the rarest tokens."""


def check_repeats(rows: list[Row], known: Known) -> None:
    """Hold the repeats to the curves' runs and steps, and to one true rate: the sample is the same for all.

    Args:
        rows: with the columns of `REPEATS`.
        known: the rest of the recording.

    Raises:
        TableError: a row is missing, too many or elsewhere, or its rate is another than the first.
    """
    for row, curve in zip(rows, known.curves, strict=False):
        for column in ("run", "step"):
            if row[column] != curve[column]:
                raise fault(row, column, f"{curve[column]!r}, as curves.csv has it there", row[column])
        if row["repeat_rate"] != rows[0]["repeat_rate"]:
            wanted = f"{rows[0]['repeat_rate']!r}, as in the first row: it is the sample's"
            raise fault(row, "repeat_rate", wanted, row["repeat_rate"])
    check_number(rows, len(known.curves), "as many as curves.csv has")


def check_addresses(rows: list[Row], known: Known) -> None:
    """Hold the addresses to the split, and their losses to each run's.

    Args:
        rows: with the columns of `ADDRESSES`.
        known: the rest of the recording.

    Raises:
        TableError: an address is missing, twice or another's, or the sums are not the split's.
    """
    corpus = known.manifest["corpus"]
    first: list[Row] = []
    for run, own in by_run(rows, known):
        first = first or own
        check_same(own, first, ("address", "year", "tokens", "bytes"))
        check_once(own, "address")
        check_number(own, corpus["heldout_addresses"], f"the held-out addresses for run {run!r}")
        check_sum(own, "tokens", known.heldout_tokens)
        check_sum(own, "bytes", known.heldout_bytes)
        check_loss(own, "tokens", known.runs[run])
    for row in first:
        if not corpus["first_year"] <= row["year"] <= corpus["last_year"]:
            wanted = f"a year from {corpus['first_year']} to {corpus['last_year']}, as the corpus has"
            raise fault(row, "year", wanted, row["year"])


def check_frequencies(rows: list[Row], known: Known) -> None:
    """Hold the groups of frequency to the vocabulary and the split, and their losses to each run's.

    Args:
        rows: with the columns of `FREQUENCIES`.
        known: the rest of the recording.

    Raises:
        TableError: a group stands elsewhere, holds tokens of another's frequency, or the sums are not right.
    """
    first: list[Row] = []
    for run, own in by_run(rows, known):
        first = first or own
        _check_groups(own)
        check_same(own, first, ("group", "vocabulary_tokens", "least_count", "most_count", "heldout_tokens"))
        check_sum(own, "heldout_tokens", known.heldout_tokens)
        check_loss(own, "heldout_tokens", known.runs[run])
    if len(first) == GROUPS:  # a group without a held-out target is left out, and its tokens with it
        check_sum(first, "vocabulary_tokens", next(iter(known.runs.values()))["vocab_size"])
    least = 0
    for row in first:
        if row["least_count"] < least:
            raise fault(
                row, "least_count", f"{least} or more, for groups go by frequency", row["least_count"]
            )
        if row["most_count"] < row["least_count"]:
            raise fault(row, "most_count", f"least_count ({row['least_count']}) or more", row["most_count"])
        least = row["most_count"]


def check_continuations(rows: list[Row], known: Known) -> None:
    """Hold the continuations to a row for each run, and to one window.

    Args:
        rows: with the columns of `CONTINUATIONS`.
        known: the rest of the recording.

    Raises:
        TableError: a run is missing or twice, or prompt and continuation do not fill a window.
    """
    for run, own in by_run(rows, known):
        check_number(own, 1, f"one for run {run!r}")
        (row,) = own
        context = known.runs[run]["context_length"]
        if row["prompts"] == 0:
            raise fault(row, "prompts", "a number above 0", 0)
        if row["prompt_tokens"] + row["continuation_tokens"] != context:
            wanted = f"{context - row['prompt_tokens']}, what prompt_tokens leave of the context"
            raise fault(row, "continuation_tokens", wanted, row["continuation_tokens"])


def _check_groups(rows: list[Row]) -> None:
    last = 0
    for row in rows:
        if not last < row["group"] <= GROUPS:
            raise fault(row, "group", f"a group from {last + 1} to {GROUPS}", row["group"])
        last = row["group"]
