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
        say = "a macro ends with }} or %}; braces of your own stand in code, math or between raw and endraw"
        return f"not well-formed: {said.rstrip('.')}; {say}", ""
    if isinstance(error, AUTHORS):
        return said, _quoted(said)
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {said} (in {last.name}, a fault of the press, not of the page)", ""


def _quoted(said: str) -> str:
    """The name that a message is about: the one that is not there, or the first; none of a file's fault."""
    if re.match(r"[\w./-]+:\d+: ", said):
        return ""
    found = re.search(r"\bno (?:[\w ]* )?'([^'\n]+)'", said) or re.search(r"'([^'\n]+)'", said)
    return found[1] if found else ""
