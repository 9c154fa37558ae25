"""A fault at its place in a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Fault:
    """What is wrong, where, and what to do."""

    file: str
    """From the folder of mkdocs.yml."""
    line: int
    """From 1; 0 where it is not about a line."""
    column: int
    """From 1; 0 where it is about the whole line."""
    message: str

    def __str__(self) -> str:
        place = ":".join(str(each) for each in (self.file, self.line, self.column) if each)
        return f"{place}: {self.message}"


def place(text: str, start: int) -> tuple[int, int]:
    """Give line and column, both from 1.

    Args:
        text: a whole file.
        start: a place in it, in characters from its beginning.

    Returns:
        Line and column.
    """
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
