"""What the author's own files can be told without building them: typed results, sections, unused figures."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from plates import front_matter
from plates.checks.notes import Finding, unexcused
from plates.checks.sections import section_findings
from plates.checks.typed import typed
from plates.open_models import open_models
from plates.places import Fault, place
from plates.volume import FOLDER, PlateError, figure_calls, line_of, page_text
from plates.volume import front_matter as head_of

LOG = logging.getLogger("mkdocs.plates.check")
ROOM = Path(__file__).resolve().parents[1]


def source_faults(docs: Path, figures: Mapping[str, Callable[..., Any]]) -> list[Fault]:
    """Check all pages; what their front matter may not say is told by `plates.front_matter`.

    Args:
        docs: the folder of the pages.
        figures: every figure of the volume, and what draws it.

    Returns:
        The faults, by place.
    """
    faults: list[Fault] = []
    unused = set(figures)
    for path in front_matter.pages(docs):
        source = path.relative_to(docs).as_posix()
        try:
            text = page_text(path, source)
            unused -= {name for name, _ in figure_calls(text)}
            faults += page_faults(text, source, tuple(figures))
        except PlateError:
            # What cannot be read may show anything.
            unused = set()
    return sorted([*faults, *(_unused(name, figures[name]) for name in unused)])


@lru_cache(maxsize=1024)
def page_faults(text: str, source: str, figures: tuple[str, ...]) -> tuple[Fault, ...]:
    """Check one page.

    Args:
        text: the whole file.
        source: the file, from `docs`.
        figures: names of the figures that there are.

    Returns:
        Its faults, by place.
    """
    try:
        head: Mapping[str, Any] | None = head_of(text, source)
        is_plate = "plate" in (head or {})
    except PlateError:
        # Told by `plates.front_matter`; the rest of the page is checked all the same.
        head, is_plate = None, line_of(text, "plate") > 1
    findings = [Finding(one.start, one.text, one.message) for one in typed(text, _names())]
    if is_plate and Path(source).parent.as_posix() == FOLDER:
        findings += [replace(one, anywhere=True) for one in section_findings(text, head, figures)]
    left = unexcused(text, findings)
    return tuple(Fault(f"docs/{source}", *place(text, one.start), one.message) for one in left)


@lru_cache(maxsize=1)
def _names() -> tuple[str, ...]:
    """Names of released models and their families, which may hold numbers."""
    return tuple({name for each in open_models() for name in (each.name, each.family)})


def _unused(name: str, drawn_by: Callable[..., Any]) -> Fault:
    """A figure that no page shows, told where it is drawn."""
    code = getattr(inspect.unwrap(drawn_by), "__code__", None)
    path = Path(code.co_filename).resolve() if code else ROOM / "contents.py"
    file = f"plates/{path.relative_to(ROOM).as_posix()}" if path.is_relative_to(ROOM) else path.name
    say = f'write {{{{ figure("{name}") }}}} on a plate, or take it out here'
    return Fault(file, code.co_firstlineno if code else 0, 0, f"no page shows the figure {name!r}; {say}")


def warn(docs: Path, figures: Mapping[str, Callable[..., Any]], strict: bool) -> None:
    """Tell a build of its faults: as warnings, which end a strict one before it touches the old book.

    Args:
        docs: the folder of the pages.
        figures: every figure of the volume, and what draws it.
        strict: whether the build is strict.

    Raises:
        Abort: there are faults, and the build is strict.
    """
    faults = source_faults(docs, figures)
    for fault in faults:
        LOG.warning("%s", fault)
    if strict and faults:
        from mkdocs.exceptions import Abort

        raise Abort(f"{len(faults)} of the author's checks failed; nothing was built")
