"""From a fault in the built book to its place in the author's file, by what may have been written for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from plates.author_syntax import without_literals
from plates.places import Fault, place
from plates.volume import page_text


@dataclass(frozen=True)
class Slip:
    """A fault in the built book, before its place in the author's file is known."""

    page: str
    """The built file, from the site's folder."""
    here: tuple[int, int]
    """Line and column in it."""
    message: str
    traces: tuple[str, ...]
    """What the author may have written for it, the likeliest first."""
    last: bool = False
    """Whether the last such place is meant, and not the next one."""


def placed(slips: Iterable[Slip], sources: Mapping[str, str], docs: Path) -> Iterator[Fault]:
    """Find each slip in the author's file.

    Args:
        slips: the faults, page by page, in the order of each page.
        sources: the author's file of each built one, from `docs`.
        docs: the folder of the author's files.

    Yields:
        Those that an author wrote, with line and column; what a macro or the theme made, once for all pages.
    """
    used: Counter[tuple[str, str]] = Counter()
    made: dict[str, list[Slip]] = {}
    for slip in slips:
        source = sources.get(slip.page)
        text = without_literals(page_text(docs / source, source)) if source else ""
        trace = next((each for each in slip.traces if each in text), None)
        if source and trace:
            starts = [found.start() for found in re.finditer(re.escape(trace), text)]
            start = starts[-1] if slip.last else starts[min(used[slip.page, trace], len(starts) - 1)]
            used[slip.page, trace] += 1
            # A bracket or quote before it only made sure that it is one.
            start += len(trace) - len(trace.lstrip("('\" "))
            yield Fault(f"docs/{source}", *place(text, start), slip.message)
        else:
            made.setdefault(slip.message, []).append(slip)
    yield from (_made(message, those, sources) for message, those in made.items())


def _made(message: str, slips: list[Slip], sources: Mapping[str, str]) -> Fault:
    """A fault that stands in no author's file."""
    pages = list(dict.fromkeys(slip.page for slip in slips))
    more = f" (and on {len(pages) - 1} other pages)" if len(pages) > 1 else ""
    if pages[0] in sources:
        return Fault(f"docs/{sources[pages[0]]}", 0, 0, f"{message}{more}; a macro or the theme made it")
    return Fault(f"site/{pages[0]}", *slips[0].here, f"{message}{more}")
