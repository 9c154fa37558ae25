"""From an error while a page is rendered to `file:line:column: what; what to do`."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable

from jinja2 import TemplateError, TemplateSyntaxError, UndefinedError

from plates.formulas import FormulaError
from plates.names import hint
from plates.volume import PlateError

AUTHORS = (ValueError, TypeError, TemplateError, LookupError)
_UNDEFINED = re.compile(r"'(?P<name>[^']+)' is undefined")
_NO_FILTER = re.compile(r"No (?P<kind>filter|test) named '(?P<name>[^']+)'")
_ATTRIBUTE = re.compile(r"'(?P<type>[^']+)' has no attribute '(?P<name>[^']+)'")


class PlaceError(ValueError):
    """A fault whose line is known without Jinja's help."""

    def __init__(self, message: str, line: int) -> None:
        """Remember the line.

        Args:
            message: what is wrong, and what to do.
            line: the line in the rendered text, from 1.
        """
        super().__init__(message)
        self.lineno = line


def told(
    error: Exception, source: str, file: str, whole: str, names: Iterable[str], filters: Iterable[str]
) -> str:
    """Say where in the author's file an error is, and what it is.

    Args:
        error: what rendering raised.
        source: the text that was rendered, without front matter.
        file: the file's name.
        whole: the whole file, front matter included.
        names: macros and variables that there are.
        filters: filters that there are.

    Returns:
        One line.
    """
    if isinstance(error, PlateError):
        return f"docs/{error}"
    line = _line(error)
    said, name = message(error, names, filters)
    if line is None:
        return f"{file}: {said}"
    lines = source.splitlines()
    column = lines[line - 1].find(name) + 1 if name and 0 < line <= len(lines) else 0
    column = error.column if isinstance(error, FormulaError) else column
    # What was rendered is the end of the file; only the head is missing, whose lines are counted back in.
    line += whole.count("\n") - source.count("\n") if whole.rstrip().endswith(source.rstrip()) else 0
    return f"{file}:{line}:{column}: {said}" if column else f"{file}:{line}: {said}"


def _line(error: Exception) -> int | None:
    """The line in the rendered text, as Jinja tells it."""
    if isinstance(error, TemplateSyntaxError | PlaceError | FormulaError):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename in ("<template>", "<unknown>")]
    return lines[-1] if lines else None


def message(error: Exception, names: Iterable[str], filters: Iterable[str]) -> tuple[str, str]:
    """Say what is wrong.

    Args:
        error: what rendering raised.
        names: macros and variables that there are.
        filters: filters that there are.

    Returns:
        The words, with the nearest right name, and the name that is wrong, or nothing.
    """
    said = str(error)
    if found := _UNDEFINED.search(said):
        return f"no macro or variable {found['name']!r}{hint(found['name'], names)}", found["name"]
    if found := _NO_FILTER.search(said):
        known = filters if found["kind"] == "filter" else ()
        return f"no {found['kind']} {found['name']!r}{hint(found['name'], known)}", found["name"]
    if isinstance(error, UndefinedError) and (found := _ATTRIBUTE.search(said)):
        return f"{found['type'].rpartition('.')[2]} has no {found['name']!r}; see the authors' guide", found[
            "name"
        ]
    if isinstance(error, TemplateSyntaxError):
        return (
            f"not well-formed: {said}; braces of your own stand in code, in math or between raw and endraw",
            "",
        )
    quoted = re.search(r"'([^'\n]+)'", said)
    if isinstance(error, AUTHORS):
        return said, quoted[1] if quoted else ""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {said} (in {last.name}, a fault of the press, not of the page)", ""
