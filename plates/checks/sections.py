"""The sections of a plate: which there must be, in which order, and what stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from plates.checks.notes import Finding
from plates.checks.prose import prose
from plates.volume import figure_calls

SECTIONS = {
    "What you will learn": "the aims, as a list",
    "Workshop": "the figure and its readings",
    "Terms": "{{ definitions() }}",
    "Summary": "what is known now, in a few sentences",
    "Reproduce this plate": "the command that recorded what it shows",
}
"""Every plate has these, in this order, and others of its own before, between and after them."""
HEAD = {
    "keywords": "such as [logit, softmax]",
    "lede": "one or two sentences that say what the plate is about",
    "description": "one sentence for search engines",
    "terms": "each with `term` and `definition`",
}
"""What the head of every plate says besides its title and number."""
_HEADING = re.compile(
    r"^ {0,3}(?P<hashes>#{1,6})[ \t]+(?P<text>[^\n]*?)[ \t]*#*[ \t]*(?:\{[^{}\n]*\})?[ \t]*$"
    r"|^(?P<line>[^\s#>|][^\n]*)\n {0,3}(?P<rule>=+|-+)[ \t]*$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Heading:
    """A heading, and where what follows it ends."""

    start: int
    """Where its words begin."""
    level: int
    text: str
    after: int
    """Where what follows it begins."""


def section_findings(
    text: str, head: Mapping[str, Any] | None, figures: Iterable[str] = ()
) -> Iterator[Finding]:
    """Hold a plate to its sections.

    Args:
        text: the whole file.
        head: its front matter; None where that cannot be read.
        figures: names of the figures that there are, to offer.

    Yields:
        What is missing, stands elsewhere, stands twice or is empty.
    """
    words = prose(text)
    headings = list(_headings(words))
    yield from _head(text, head) if head is not None else ()
    for one in headings:
        if one.level == 1:
            say = "the title is in the front matter; take this line out, or write ## for a section"
            yield Finding(one.start, one.text, f"heading {one.text!r} of the first level; {say}")
    yield from _opening(text, words, headings)
    yield from _order(words, [one for one in headings if one.level == 2])
    yield from _content(text, headings, figures)


def _head(text: str, head: Mapping[str, Any]) -> Iterator[Finding]:
    for key, what in HEAD.items():
        if not head.get(key):
            near = get_close_matches(key, [str(each) for each in head if each not in HEAD], n=1)
            but = f", but `{near[0]}:`" if near else ""
            start = text.index(near[0]) if near else 0
            say = f"the plate has no `{key}:` in its front matter{but}; write it, {what}"
            yield Finding(start, key, say)


def _headings(words: str) -> Iterator[Heading]:
    for found in _HEADING.finditer(words):
        name = "text" if found["hashes"] else "line"
        level = len(found["hashes"] or "") or (1 if found["rule"][0] == "=" else 2)
        yield Heading(found.start(name), level, found[name].strip(" *_"), found.end())


def _opening(text: str, words: str, headings: list[Heading]) -> Iterator[Finding]:
    """The plate begins with its subject, before the first section."""
    first = words.rfind("\n", 0, headings[0].start) + 1 if headings else len(words)
    if not re.search(r"\w{2}", words[:first]):
        say = "begin with a few paragraphs on the subject, before the first section"
        yield Finding(min(first, len(text)), "opening", f"the plate has no opening; {say}")


def _order(words: str, sections: list[Heading]) -> Iterator[Finding]:
    names = list(SECTIONS)
    seen: list[str] = []
    for one in sections:
        if one.text in seen:
            yield Finding(one.start, one.text, f"section {one.text!r} stands twice; join the two")
        elif one.text in names:
            after = [name for name in seen if names.index(name) > names.index(one.text)]
            if after:
                say = f"move it before {min(after, key=names.index)!r}; the order is {', '.join(names)}"
                yield Finding(one.start, one.text, f"section {one.text!r} stands too late; {say}")
            seen.append(one.text)
    for name in names:
        if name not in seen:
            yield _missing(name, words, sections)


def _missing(name: str, words: str, sections: list[Heading]) -> Finding:
    """Tell a missing section where another is nearly called so, or where it belongs."""
    others = [one for one in sections if one.text not in SECTIONS]
    near = get_close_matches(name.lower(), [one.text.lower() for one in others], n=1, cutoff=0.8)
    if near:
        (one, *_) = [each for each in others if each.text.lower() == near[0]]
        return Finding(one.start, name, f"no section {name!r}, but {one.text!r}; write ## {name}")
    later = list(SECTIONS)[list(SECTIONS).index(name) + 1 :]
    before = next((one for one in sections if one.text in later), None)
    where = f"before {before.text!r}" if before else "at the end"
    start = before.start if before else len(words.rstrip())
    return Finding(start, name, f"no section {name!r}; write ## {name} {where}, with {SECTIONS[name]}")


def _content(text: str, headings: list[Heading], figures: Iterable[str]) -> Iterator[Finding]:
    """Nothing is announced and not given, and the workshop shows a figure."""
    shown = {start for _, start in figure_calls(text)}
    for index, one in enumerate(headings):
        later = headings[index + 1 :]
        end = next((other.start for other in later if other.level <= one.level), len(text))
        if not text[one.after : end].strip("# \t\n"):
            say = f"write {SECTIONS.get(one.text, 'its text')}, or take the heading out"
            yield Finding(one.start, one.text, f"section {one.text!r} is empty; {say}")
        elif (
            one.text == "Workshop" and one.level == 2 and not any(one.after <= start < end for start in shown)
        ):
            names = ", ".join(sorted(figures)) or "drawn in plates/"
            say = f'write {{{{ figure("…") }}}} on a line of its own; figures are {names}'
            yield Finding(one.start, one.text, f"no figure under 'Workshop'; {say}")
