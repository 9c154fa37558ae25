"""From the committed recordings to facts and figures; the words are in `docs/plates`.

This file is the door through which the macros plugin enters (`module_name: plates`). The vocabulary itself is
in `plates.macros`.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

_ROOM = Path(__file__).resolve().parent
_seen: dict[Path, int] = {}
_IMPORT = re.compile(
    r"^[ \t]*(?:from plates\.(\w+) import|import plates\.(\w+)|from plates import (\([^)]*\)|[^\n(]*))"
    r"|import_module\(\"plates\.(\w+)\"\)",
    re.MULTILINE,
)


def define_env(env: Any) -> None:
    """Register the author's vocabulary; called once a build, and again at every rebuild of `mkdocs serve`.

    Args:
        env: the macros plugin, or what stands in for it.
    """
    if str(_ROOM.parent) not in sys.path:
        sys.path.insert(0, str(_ROOM.parent))
    _forget_changed_modules()
    import_module("plates.macros").define_env(env)


def on_pre_page_macros(env: Any) -> None:
    """Render a page's macros and tell faults by file and line; see `plates.pages`.

    Args:
        env: the macros plugin, with the page set.
    """
    import_module("plates.pages").on_pre_page_macros(env)


def _forget_changed_modules() -> None:
    """Drop what a changed source was read into: the server keeps modules, and they the tables of `data`."""
    paths = [*_ROOM.glob("*.py"), *(_ROOM / "data").glob("*")]
    now = {path: path.stat().st_mtime_ns for path in sorted(paths)}
    changed = {path for path, _ in now.items() ^ _seen.items()}
    if _seen and changed:
        gone = {path.name: {path.stem} if path.suffix == ".py" else readers(path.name) for path in changed}
        loaded = {name.removeprefix("plates.") for name in sys.modules if name.startswith("plates.")}
        # Who reads a table that no module names cannot be told, and it may be any.
        for name in loaded & dependants(set().union(*gone.values())) if all(gone.values()) else loaded:
            del sys.modules[f"plates.{name}"]
            # `from plates import …` would find the old module as the package's attribute.
            globals().pop(name, None)
        # Compiled files would be written into the watched folder and set off a second rebuild.
        sys.dont_write_bytecode = True
    _seen.clear()
    _seen.update(now)


def readers(table: str) -> set[str]:
    """Find the modules of this package that name a file of `data`, and may have kept what they read there.

    Args:
        table: its name, with its ending.
    """
    return {path.stem for path in _ROOM.glob("*.py") if f'"{table}"' in path.read_text("utf-8")}


def dependants(names: set[str]) -> set[str]:
    """Find the modules of this package that rest on others; the rest may stay, with what they have read.

    Args:
        names: of modules, such as "numbers".

    Returns:
        These, and all that import one of them, be it through others.
    """
    needs = {
        path.stem: set(re.findall(r"\w+", " ".join(map("".join, _IMPORT.findall(path.read_text("utf-8"))))))
        for path in _ROOM.glob("*.py")
    }
    found = set(names)
    while more := {name for name, its in needs.items() if its & found} - found:
        found |= more
    return found
