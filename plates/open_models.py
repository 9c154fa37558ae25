"""Released decoder-only models: shapes, published totals and sources, from `data/open-models.csv`."""

from __future__ import annotations

import csv
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path

from plates.names import hint
from plates.parameters import ModelShape, ParameterCount, arithmetic, count

TABLE = Path(__file__).parent / "data" / "open-models.csv"
COLUMNS = (
    *("name", "family", "year"),
    *(field.name for field in fields(ModelShape) if field.name != "name"),
    *("published_parameters", "source"),
)
TEXTS = ("name", "family", "source", "qk_norm")
FLAGS = ("gated_mlp", "tied", "qkv_bias", "linear_bias", "norm_bias")


@dataclass(frozen=True)
class OpenModel:
    """A released model: its shape, and the total that its source gives."""

    shape: ModelShape
    family: str
    year: int
    published_parameters: int
    source: str

    @property
    def name(self) -> str:
        """The model's name."""
        return self.shape.name

    @cached_property
    def parameters(self) -> ParameterCount:
        """Exact counts, from the shape."""
        return count(self.shape)

    @property
    def one_table(self) -> int:
        """Parameters of the token table (V · d): what tying saves, or untying adds."""
        return self.parameters.table

    @property
    def table_share(self) -> float:
        """One table's part of the model as released, between 0 and 1."""
        return self.one_table / self.parameters.total

    @property
    def head_arithmetic_share(self) -> float:
        """The head's part of a first token's arithmetic; for later tokens attention makes it less."""
        return arithmetic(self.shape, context=1).head_share


@cache
def open_models(table: Path = TABLE) -> tuple[OpenModel, ...]:
    """Read every released model, in the file's order.

    Args:
        table: a CSV file with the columns of `COLUMNS`.

    Returns:
        The models.

    Raises:
        ValueError: a header, row or value is not what it must be; file and line are named.
    """
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = tuple(next(rows, ()))
        if header != COLUMNS:
            raise ValueError(
                f"{table.name}:1: wanted the columns {','.join(COLUMNS)}; came {','.join(header)}"
            )
        return tuple(_model(f"{table.name}:{rows.line_num}", row) for row in rows)


def _model(place: str, row: list[str]) -> OpenModel:
    """One row as a model; its shape checks itself."""
    if len(row) != len(COLUMNS):
        raise ValueError(f"{place}: wanted {len(COLUMNS)} cells, came {len(row)}")
    cells = {column: _cell(place, column, text) for column, text in zip(COLUMNS, row, strict=True)}
    about = {key: cells.pop(key) for key in ("family", "year", "published_parameters", "source")}
    try:
        return OpenModel(ModelShape(**cells), **about)  # type: ignore[arg-type]  # held to its kind by _cell
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


def _cell(place: str, column: str, text: str) -> str | int | bool:
    """One cell as text, flag (0 or 1) or whole number."""
    if column in TEXTS:
        return text
    if not text.isascii() or not text.isdigit() or (column in FLAGS and text not in "01"):
        wanted = "0 or 1" if column in FLAGS else "a whole number in digits alone"
        raise ValueError(f"{place}: {column} wants {wanted}, came {text!r}")
    return text == "1" if column in FLAGS else int(text)


def model(name: str) -> OpenModel:
    """Find a released model by its name.

    Args:
        name: as in the table, such as "Llama 3 8B".

    Returns:
        The model.

    Raises:
        ValueError: no model bears that name; the nearest one is offered.
    """
    by_name = {each.name: each for each in open_models()}
    if name not in by_name:
        near = hint(name, by_name) or f"; the names are in plates/data/{TABLE.name}"
        raise ValueError(f"no open model {name!r}{near}")
    return by_name[name]
