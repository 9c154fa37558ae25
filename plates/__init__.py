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
    r"^[ \t]*from plates(?P<room>[\w.]*) import (?P<names>\([^)]*\)|[^\n(]*)"
    r"|(?:import |import_module\(\")plates\.(?P<whole>[\w.]+)",
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
    modules = {path: name for name, path in _modules().items()}
    now = {path: path.stat().st_mtime_ns for path in (*modules, *(_ROOM / "data").glob("*"))}
    changed = {path for path, _ in now.items() ^ _seen.items()}
    if _seen and changed:
        gone = [
            {modules[path]} if path in modules else set() if path.suffix == ".py" else readers(path.name)
            for path in changed
        ]
        loaded = {name.removeprefix("plates.") for name in sys.modules if name.startswith("plates.")}
        # Who read a module that is gone, or a table that no module names, cannot be told, and it may be any.
        for name in loaded & dependants(set().union(*gone)) if all(gone) else loaded:
            _forget(f"plates.{name}")
        # Compiled files would be written into the watched folder and set off a second rebuild.
        sys.dont_write_bytecode = True
    _seen.clear()
    _seen.update(now)


def _forget(module: str) -> None:
    del sys.modules[module]
    room, _, name = module.rpartition(".")
    # `from plates import …` would find the old module as the package's attribute.
    if room in sys.modules:
        vars(sys.modules[room]).pop(name, None)


def _modules() -> dict[str, Path]:
    """The files of this package by their module's name: "numbers", "figures.svg"."""
    names = {path: ".".join(path.relative_to(_ROOM).with_suffix("").parts) for path in _ROOM.rglob("*.py")}
    return {name.removesuffix(".__init__"): path for path, name in names.items()}


def readers(table: str) -> set[str]:
    """Find the modules of this package that name a file of `data`, and may have kept what they read there.

    Args:
        table: its name, with its ending.

    Returns:
        Those in whose code the name stands in quotes, with its ending or without.
    """
    named = f'"{table}"', f'"{Path(table).stem}"'
    texts = {name: path.read_text("utf-8") for name, path in _modules().items()}
    return {name for name, text in texts.items() if any(each in text for each in named)}


def dependants(names: set[str]) -> set[str]:
    """Find the modules of this package that rest on others; the rest may stay, with what they have read.

    Args:
        names: of modules, such as "numbers".

    Returns:
        These, and all that import one of them, be it through others.
    """
    needs = {name: _imports(path.read_text("utf-8")) for name, path in _modules().items()}
    found = set(names)
    while more := {name for name, its in needs.items() if its & found} - found:
        found |= more
    return found


def _imports(code: str) -> set[str]:
    """All that an import may mean: of `from plates.figures import svg` both "figures" and "figures.svg"."""
    found = set()
    for each in _IMPORT.finditer(code):
        room = (each["room"] or each["whole"] or "").strip(".")
        found |= {room, *(f"{room}.{name}".strip(".") for name in re.findall(r"\w+", each["names"] or ""))}
    return found
