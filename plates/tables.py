"""A CSV file's bytes to checked rows; every fault is told by line and column."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

Row = dict[str, Any]
Kind = Callable[[str], Any]
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


class TableError(ValueError):
    """A table that is not what it must be; the message begins with the line, where there is one."""


def text(cell: str) -> str:
    """Take a name as it stands: 'None' and 'NA' are names like others."""
    if not cell or cell != cell.strip():
        raise ValueError("text without blanks around it")
    return cell


def whole(cell: str) -> int:
    """Take a whole number in digits alone."""
    if not (cell.isascii() and cell.isdigit()):
        raise ValueError("a whole number in digits alone, without commas, signs or blanks")
    return int(cell)


def real(cell: str) -> float:
    """Take a finite number of at least 0."""
    if (value := _number(cell)) is None or cell.startswith("-"):
        raise ValueError("a finite number of at least 0, with a decimal point and no commas")
    return value


def signed(cell: str) -> float:
    """Take a finite number, below 0 or not."""
    if (value := _number(cell)) is None:
        raise ValueError("a finite number, with a decimal point and no commas")
    return value


def share(cell: str) -> float:
    """Take a part of a whole, from 0 to 1."""
    if (value := _number(cell)) is None or not 0 <= value <= 1:
        raise ValueError("a share from 0 to 1, with a decimal point and no commas")
    return value


def cosine(cell: str) -> float:
    """Take a number from -1 to 1."""
    if (value := _number(cell)) is None or not -1 <= value <= 1:
        raise ValueError("a cosine from -1 to 1, with a decimal point and no commas")
    return value


def _number(cell: str) -> float | None:
    """A finite number, or nothing; float() alone would take "1_000", " 1 " and "nan"."""
    if not NUMBER.fullmatch(cell) or not math.isfinite(value := float(cell)):
        return None
    return value


def parse(data: bytes, columns: Mapping[str, Kind]) -> list[Row]:
    """Read a table strictly.

    Args:
        data: the file's bytes: UTF-8, commas, LF line ends, one header line.
        columns: the wanted columns in order, each with the function that reads its cells.

    Returns:
        The rows, each a value per column and `line`, its line in the file, the first being 1.

    Raises:
        TableError: bytes, header, a row or a cell are not what they must be.
    """
    lines = csv.reader(io.StringIO(_decoded(data), newline=""), strict=True)
    try:
        _check_header(next(lines, []), list(columns))
        return [_row(lines.line_num, cells, columns) for cells in lines]
    except csv.Error as error:
        raise TableError(f"{lines.line_num}: not well-formed CSV ({error})") from error


def _decoded(data: bytes) -> str:
    """Bytes to text; what editors and spreadsheets do to a file is told by name."""
    if not data:
        raise TableError("1: the file is empty")
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise TableError(
            "1: begins with a byte-order mark, which some programs add on saving; wanted plain UTF-8"
        )
    for mark, name in (
        (b"\r", "a carriage return (CRLF line ends?); wanted LF alone"),
        (b"\0", "a zero byte"),
    ):
        if (at := data.find(mark)) >= 0:
            raise TableError(f"{_line(data, at)}: holds {name}")
    if not data.endswith(b"\n"):
        raise TableError(f"{_line(data, len(data))}: the last line has no end; the file seems cut short")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TableError(f"{_line(data, error.start)}: is not UTF-8 ({error.reason})") from error


def _line(data: bytes, at: int) -> int:
    """The line, counted from 1, on which a byte stands."""
    return data.count(b"\n", 0, at) + 1


def _check_header(came: list[str], wanted: list[str]) -> None:
    if came == wanted:
        return
    if missing := [each for each in wanted if each not in came]:
        what = f"column {missing[0]!r} is missing"
    elif extra := [each for each in came if each not in wanted]:
        what = f"column {extra[0]!r} does not belong here"
    else:
        what = "the columns stand twice or in another order"
    raise TableError(f"1: {what}; wanted the header {','.join(wanted)!r}, came {','.join(came)!r}")


def _row(line: int, cells: list[str], columns: Mapping[str, Kind]) -> Row:
    """One line's cells, each read as its column wants; a cell too many or too few never shifts the others."""
    if len(cells) != len(columns):
        raise TableError(f"{line}: wanted {len(columns)} cells ({','.join(columns)}), came {len(cells)}")
    row: Row = {"line": line}
    for (column, kind), cell in zip(columns.items(), cells, strict=True):
        try:
            row[column] = kind(cell)
        except ValueError as error:
            raise TableError(f"{line}: column {column}: wanted {error}, came {cell!r}") from error
    return row
