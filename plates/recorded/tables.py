"""Every table of measurements that a recording may hold: its columns, and what holds its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from plates.recorded.compared import check_baselines, check_roles
from plates.recorded.measures import check_addresses, check_continuations, check_frequencies, check_repeats
from plates.recorded.rows import Known
from plates.tables import Kind, Row, cosine, real, share, signed, text, whole


@dataclass(frozen=True)
class Table:
    """A table of measurements: its columns, and what holds its rows."""

    columns: Mapping[str, Kind]
    check: Callable[[list[Row], Known], None]


REPEATS: dict[str, Kind] = {
    "run": text,
    "step": whole,
    "own_probability": share,
    "own_logit": signed,
    "own_top_share": share,
    "repeat_rate": share,
}
ADDRESSES: dict[str, Kind] = {
    "run": text,
    "address": text,
    "year": whole,
    "tokens": whole,
    "bytes": whole,
    "heldout_loss": real,
}
FREQUENCIES: dict[str, Kind] = {
    "run": text,
    "group": whole,
    "vocabulary_tokens": whole,
    "least_count": whole,
    "most_count": whole,
    "heldout_tokens": whole,
    "heldout_loss": real,
}
CONTINUATIONS: dict[str, Kind] = {
    "run": text,
    "prompts": whole,
    "prompt_tokens": whole,
    "continuation_tokens": whole,
    "repeated_token_share": share,
    "repeated_4gram_share": share,
}
ROLES: dict[str, Kind] = {
    "tied_run": text,
    "untied_run": text,
    "table": text,
    "centred": text,
    "shuffled": text,
    "group": whole,
    "vocabulary_tokens": whole,
    "mean_cosine": cosine,
}
BASELINES: dict[str, Kind] = {"model": text, "heldout_loss": real, "heldout_bits_per_byte": real}

TABLES = {
    "addresses.csv": Table(ADDRESSES, check_addresses),
    "repeats.csv": Table(REPEATS, check_repeats),
    "frequencies.csv": Table(FREQUENCIES, check_frequencies),
    "continuations.csv": Table(CONTINUATIONS, check_continuations),
    "roles.csv": Table(ROLES, check_roles),
    "baselines.csv": Table(BASELINES, check_baselines),
}
"""Every table of measurements by its file."""
EVERYWHERE = ("addresses.csv", "repeats.csv", "frequencies.csv", "continuations.csv")
"""Those that stand in every recording."""
