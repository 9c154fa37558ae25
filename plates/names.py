"""Names and what to say when one is wrong."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

MANY = 12
PART = 4


class UnknownNameError(ValueError):
    """A name that nothing bears."""


def hint(name: str, names: Iterable[str], what: str = "there are") -> str:
    """Say which name may have been meant, and which there are where they are few.

    Args:
        name: the name that came.
        names: the names there are.
        what: words before the list.

    Returns:
        The end of an error message, beginning with ";", or nothing where there is nothing to say.
    """
    known = sorted({str(each) for each in names if not str(each).startswith("_")})
    near = difflib.get_close_matches(str(name), known, n=1) or _holding(str(name), known)
    said = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    if known and (not near or len(known) <= 3) and len(known) <= MANY:
        said += f"; {what} {', '.join(map(repr, known))}"
    return said


def _holding(part: str, names: Iterable[str]) -> list[str]:
    """Names that hold what came: 'final_heldout_loss' for 'heldout', where a part is all that was known."""
    return [name for name in names if len(part) >= PART and part.lower() in name.lower()][:3]


class Namespace(Mapping[str, Any]):
    """Values by name, `space.name` or `space["name"]`, that says what it holds when asked for another."""

    def __init__(self, label: str, values: Mapping[str, Any]) -> None:
        """Hold the values.

        Args:
            label: what this is and where it comes from, for messages.
            values: the values; mappings among them become namespaces, lists become tuples.
        """
        self._label = label
        self._values = {key: _wrapped(f"{label}, {key}", value) for key, value in values.items()}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            # For Python's sake an AttributeError; a template then tries the item and gets the words below.
            raise AttributeError(self._unknown(name)) from None

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            raise UnknownNameError(self._unknown(name))
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<{self._label}: {', '.join(self._values)}>"

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of that name, or the default."""
        return self._values.get(name, default)

    def _unknown(self, name: str) -> str:
        return f"{self._label}: no {name!r}{hint(name, self._values)}"


def _wrapped(label: str, value: Any) -> Any:
    if isinstance(value, Mapping) and not isinstance(value, Namespace):
        return Namespace(label, value)
    if isinstance(value, list | tuple):
        return tuple(_wrapped(f"{label} {index + 1}", each) for index, each in enumerate(value))
    return value
