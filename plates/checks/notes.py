"""What a rule finds on a page, and how an author excuses it: beside it, with the reason.

    The paper reports 4.2 bits a character.{## allow 4.2: theirs, and not measured here ##}

What is allowed is written as the fault names it. A typed result is excused in the same paragraph, or in the
next where the note has a paragraph of its own; a fault of sections or of the front matter, anywhere.
A note without a reason, or one that excuses nothing, is a fault itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plates.author_syntax import pieces
from plates.volume import without_head

_NOTE = re.compile(r"\{##-?\s*allow\b(?P<words>.*?)-?##\}", re.DOTALL)
_GAP = re.compile(r"\n(?:[ \t]*\n)+")


@dataclass(frozen=True)
class Finding:
    """What a rule has found on a page."""

    start: int
    """Where, in characters from the beginning of the file."""
    subject: str
    """What an exception names: "57%", "Workshop"."""
    message: str
    """What is wrong, and what to do."""
    anywhere: bool = False
    """Whether an exception may stand anywhere on the page."""


@dataclass(frozen=True)
class Note:
    """An exception."""

    start: int
    subject: str
    reason: str
    paragraphs: tuple[int, ...]
    """The paragraphs in which it holds, counted from 0."""

    def excuses(self, finding: Finding, paragraph: int) -> bool:
        """Whether it is about that finding, which stands in that paragraph."""
        is_here = finding.anywhere or paragraph in self.paragraphs
        return bool(self.reason) and self.subject == finding.subject and is_here


def unexcused(text: str, findings: Iterable[Finding]) -> list[Finding]:
    """Take out what the page excuses, and add the exceptions that are faults themselves.

    Args:
        text: the whole file.
        findings: what the rules have found on it.

    Returns:
        What is left, by place.
    """
    ends = [found.end() for found in _GAP.finditer(text)]
    notes = list(_notes(text, ends))
    used: set[Note] = set()
    left = []
    for one in findings:
        paragraph = bisect_right(ends, one.start)
        by = [note for note in notes if note.excuses(one, paragraph)]
        used |= set(by)
        left += [] if by else [one]
    left += [_fault(note) for note in notes if note not in used]
    return sorted(left, key=lambda one: (one.start, one.message))


def _notes(text: str, ends: list[int]) -> Iterator[Note]:
    """The exceptions of a page whose gaps between paragraphs end there."""
    for kind, start, piece in pieces(without_head(text)):
        if kind == "note" and (found := _NOTE.fullmatch(piece)):
            subject, _, reason = (" ".join(each.split()) for each in found["words"].partition(": "))
            here = bisect_right(ends, start)
            paragraph = text[ends[here - 1] if here else 0 : ends[here] if here < len(ends) else len(text)]
            is_alone = not _NOTE.sub("", paragraph).strip()
            yield Note(start, subject.rstrip(":"), reason, (here, here + 1) if is_alone else (here,))


def _fault(note: Note) -> Finding:
    if note.subject and note.reason:
        say = "take it out, or write what the fault names, in the same paragraph"
        return Finding(note.start, "", f"an exception that excuses nothing: {note.subject!r}; {say}")
    what = "a reason" if note.subject else "a subject"
    form = f"{{## allow {note.subject or '57%'}: the reason ##}}"
    return Finding(note.start, "", f"an exception without {what}; write {form}")
