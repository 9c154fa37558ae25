"""Changes of the recorded recipe by a reader: from a file, and from the command line."""

import difflib
import tomllib
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from training.errors import reason
from training.recipe import Recipe

CHANGEABLE = {field.name: field.type for field in fields(Recipe) if field.name not in ("run", "head")}
"""Fields that both runs of a pair may be given otherwise, and their types."""


def read_changes(file: Path | None, settings: Sequence[str]) -> dict[str, Any]:
    """Read a TOML file of recipe fields, then settings such as 'd_model=64', which go before it.

    Raises:
        ValueError: no such file, not TOML, a name that is no field, or a value of another type.
    """
    changes = {} if file is None else _read_file(file)
    for setting in settings:
        name, separator, text = setting.partition("=")
        if not separator:
            raise ValueError(f"--set {setting}: wanted NAME=VALUE, such as d_model=64")
        changes[name] = _parse(name, text)
    return {name: _check(name, value) for name, value in changes.items()}


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{path}: wanted a TOML file of recipe fields, got {reason(error)}") from error


def _parse(name: str, text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            raise ValueError(f"recipe: {name} must be a number; got {text!r}") from None


def _check(name: str, value: Any) -> Any:
    """Return the value in the field's type."""
    if name not in CHANGEABLE:
        near = difflib.get_close_matches(name, CHANGEABLE, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"fields are {', '.join(CHANGEABLE)}"
        raise ValueError(f"recipe: no field {name!r} to change; {hint}")
    wanted = CHANGEABLE[name]
    # Python has whole numbers beyond any that a machine counts with, and beyond any that a float can hold.
    numeric = type(value) is float or (type(value) is int and abs(value) < 2**63)
    if not numeric or (wanted is int and not (float(value).is_integer() and abs(value) < 2**63)):
        kind = "a whole number" if wanted is int else "a number"
        raise ValueError(f"recipe: {name} must be {kind}; got {value!r}")
    return int(value) if wanted is int else float(value)
