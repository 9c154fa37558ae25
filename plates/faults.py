"""From an error while a page is rendered to what is wrong and what to do."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable

from jinja2 import TemplateError, TemplateSyntaxError, UndefinedError

from plates.names import hint

AUTHORS = (ValueError, TypeError, TemplateError, LookupError)
_UNDEFINED = re.compile(r"'(?P<name>[^']+)' is undefined")
_NO_FILTER = re.compile(r"No (?P<kind>filter|test) named '(?P<name>[^']+)'")
_ATTRIBUTE = re.compile(r"'(?P<type>[^']+)' has no attribute '(?P<name>[^']+)'")
# What Python says of values that do not fit, and what an author can do.
_UNFIT = {
    r"concatenate str|unsupported operand": "a filter gives text; put the sum in brackets, then the filter",
    r"unhashable type": "a name is wanted here, in quotes",
    r"bad operand type": "a number is wanted here, without quotes",
    r"\(\) (?:missing|takes|got)": "the authors' guide shows each macro and filter",
}


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
        if found["type"] == "method object":
            return f"a macro is called with round brackets: ({found['name']!r})", found["name"]
        return f"{found['type'].rpartition('.')[2]} has no {found['name']!r}", found["name"]
    if isinstance(error, TemplateSyntaxError):
        return f"not well-formed: {_syntax(said.rstrip('.'))}", ""
    if isinstance(error, AUTHORS):
        return _python(said) if isinstance(error, TypeError) else said, _quoted(said)
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {said} (in {last.name}, a fault of the press, not of the page)", ""


def _syntax(said: str) -> str:
    """Jinja's words for a slip in writing, and what may mend it."""
    if re.search("unexpected char '[“”„‘’‚«»]'", said):
        return f"{said}; a macro takes straight quotes, \" or '"
    if said == "expected call":
        return "a call without brackets; write such as {% call sidenote() %}"
    if found := re.match("expected token 'end of [a-z ]+', got '(.+)'", said):
        what = "text in quotes" if found[1] == "string" else repr(found[1])
        return (
            f"{what} where the macro could end; a bar, a comma, a bracket or a quote may be missing before it"
        )
    say = "braces of your own stand in code, math or between raw and endraw"
    return f"{said}; a macro ends with }}}} or %}}, and {say}"


def _python(said: str) -> str:
    """Python's words for values that do not fit, and what may mend it."""
    said = said.replace("Vocabulary.", "")
    for pattern, say in _UNFIT.items():
        if re.search(pattern, said):
            return f"{said}; {say}"
    return said


def _quoted(said: str) -> str:
    """The name that a message is about: the one that is not there, or the first; none of a file's fault."""
    if re.match(r"[\w./-]+:\d+: ", said):
        return ""
    found = re.search(r"\bno (?:[\w ]* )?'([^'\n]+)'", said) or re.search(r"'([^'\n]+)'", said)
    return found[1] if found else ""
