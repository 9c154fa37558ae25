"""Every figure of the evidence by its name: the finding that it is drawn from, and its points as a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plates.evidence import loss_figures, token_figures
from plates.evidence.findings import NEEDS, Evidence
from plates.figures.render import Figure
from plates.figures.table import as_csv
from plates.recorded.recordings import RecordingError
from plates.tying import in_words

if TYPE_CHECKING:
    from plates.book import Book

FOLDER = "evidence"
"""Of the figures' points, beside the recordings' files."""
DRAWN: dict[str, tuple[str, Callable[[Any], Figure]]] = {
    "evidence-seeds": ("luck", loss_figures.seeds_figure),
    "evidence-parameters": ("budget", loss_figures.parameters_figure),
    "evidence-arithmetic": ("budget", loss_figures.arithmetic_figure),
    "evidence-rates": ("rates", loss_figures.rates_figure),
    "evidence-data": ("data", loss_figures.data_figure),
    "evidence-rare": ("rare", token_figures.rare_figure),
    "evidence-repeat": ("repeats", token_figures.probability_figure),
    "evidence-top": ("repeats", token_figures.top_figure),
    "evidence-roles": ("roles", token_figures.roles_figure),
    "evidence-baselines": ("ladder", token_figures.ladder_figure),
}
"""Figure to finding, and what draws it."""


def draw(evidence: Evidence, name: str) -> Figure:
    """Draw a figure of the evidence.

    Args:
        evidence: all findings.
        name: such as "evidence-rare".

    Returns:
        The figure, with the recordings that it rests on and the command that makes them.

    Raises:
        ValueError: its finding waits for a recording.
    """
    finding, drawn_by = DRAWN[name]
    if (found := getattr(evidence, finding)) is None:
        waits = in_words(evidence.waits[finding])
        say = f"show it where facts.evidence.{finding} is there alone"
        raise ValueError(f"figure {name!r} waits for recordings that are not made yet, {waits}; {say}")
    used = {each: evidence.made[each] for each in NEEDS[finding]}
    commands = [str(recording.manifest["command"]) for recording in used.values()]
    return replace(
        drawn_by(found),
        recordings=tuple((each, recording.digest) for each, recording in used.items()),
        command=commands[0] if len(commands) == 1 else "python -m training record --all",
    )


def files(evidence: Callable[[], Evidence]) -> dict[str, bytes]:
    """Write the points of every figure whose finding is there.

    Args:
        evidence: gives all findings.

    Returns:
        CSV files by name; none where a recording is faulty, which the page that shows it tells.
    """
    try:
        found = evidence()
        there = [name for name, (finding, _) in DRAWN.items() if getattr(found, finding) is not None]
        return {f"{FOLDER}/{name}.csv": as_csv(draw(found, name)).encode() for name in there}
    except RecordingError:
        return {}


def _drawn_for(name: str) -> Callable[[Book], Figure]:
    def drawn(book: Book) -> Figure:
        return replace(draw(book.evidence, name), csv=book.data(FOLDER, f"{name}.csv"))

    return drawn


FIGURES = {name: _drawn_for(name) for name in DRAWN}
"""What draws each figure for a book."""
