"""From the committed recordings to facts and figures; the words are in `docs/plates`.

This file is the door through which the macros plugin enters (`module_name: plates`). The vocabulary itself is
in `plates.macros`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

_ROOM = Path(__file__).resolve().parent
_seen: dict[Path, int] = {}


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
    """Drop this package's modules when a source has changed: the server keeps them loaded otherwise."""
    now = {path: path.stat().st_mtime_ns for path in sorted(_ROOM.glob("*.py"))}
    if _seen and _seen != now:
        for name in [each for each in sys.modules if each.startswith("plates.")]:
            del sys.modules[name]
            # `from plates import …` would find the old module as the package's attribute.
            globals().pop(name.removeprefix("plates."), None)
        # Compiled files would be written into the watched folder and set off a second rebuild.
        sys.dont_write_bytecode = True
    _seen.clear()
    _seen.update(now)
