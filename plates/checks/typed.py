"""Typed results: numbers in prose, or hidden in a macro, that a program could have computed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from plates.author_syntax import blanked, pieces
from plates.checks.prose import prose
from plates.volume import without_head

YEARS = range(1500, 2041)
"""Four digits in this range are a year, unless what they count follows."""
MANY = 100
"""From here on, a count of what programs count is taken for a result."""
_COUNTED = (
    r"(?:(?:training|held-out|further|more|other)\s+)?(?:tokens?|parameters?|weights|steps?|batch(?:es)?|epochs?|passes|"
    r"examples?|samples?|bytes?|characters?|dimensions|entries|rows|columns|layers|heads)\b"
)
_UNIT = re.compile(
    r"\s*[-\u00a0]?(?:nats?|perplexity|[kMGT]i?B|(?:[kMGT]|giga|tera)?FLOPS?|(?:milli)?seconds?|minutes?|hours?|ms|steps/s|"
    r"tokens/s)(?![\w-])",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\s*(?:[%‰]|per\s?cent\b|percentage points?\b)", re.IGNORECASE)
_LARGE = re.compile(rf"[\s-]*(?:thousand|million|billion|trillion)s?\b|[kKMBGT](?=\s+{_COUNTED})|k\b")
_COUNT = re.compile(rf"[\s-]+{_COUNTED}", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![\w.,])(?<![A-Za-z]-)(?<!\d[-/])"
    r"(?:\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3}){2,}|\d+(?:[.,]\d+)*|\.\d+)(?:[eE][-+\u2212]?\d+)?"
)
_DIGITS = "one|two|three|four|five|six|seven|eight|nine"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_IN_WORDS = re.compile(
    rf"\b(?:(?:{_TENS})(?:[- ](?:{_DIGITS}))?|{_TEENS}|{_DIGITS}|(?:a|one) hundred)"
    r"\s+(?:million|billion|trillion|per\s?cent)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\bFig(?:ures?|s?\.)\s+$")
_STRING = re.compile(r"""(["'])(?:\\.|(?!\1).)*\1""", re.DOTALL)
_LITERAL = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)")

EXAMPLES = {
    "decimal": '{{ run("tied").final_heldout_loss | nats }}',
    "percentage": "{{ facts.output_head.extra_share | percent }}",
    "large number": '{{ run("tied").parameters | count }}',
    "measurement": '{{ run("tied").elapsed_seconds | minutes }}',
    "figure": '{{ ref("fig-output-head-loss") }}',
}


@dataclass(frozen=True)
class Typed:
    """A number that stands as its author typed it."""

    start: int
    text: str
    """As it stands, with what it counts where that is a part of it: "57%", "1.85 million"."""
    kind: str
    """One of the keys of `EXAMPLES`."""

    @property
    def message(self) -> str:
        """What it is, and what to do."""
        if self.kind == "figure":
            return f"typed number of a figure, {self.text!r}; write {EXAMPLES['figure']}, which follows it"
        return (
            f"typed {self.kind}, {self.text!r}; compute it, such as {EXAMPLES[self.kind]}, "
            f"or give the reason beside it: {{## allow {self.text}: why ##}}"
        )


def typed(text: str, names: Iterable[str] = ()) -> Iterator[Typed]:
    """Find typed results.

    Args:
        text: the whole file.
        names: names that may hold numbers, such as "Llama 3.1 70B".

    Yields:
        Each, in the order of kinds.
    """
    words = _without_names(prose(text), names)
    for found in _NUMBER.finditer(words):
        if one := _typed(found, words):
            yield one
    for found in _IN_WORDS.finditer(words):
        kind = "percentage" if found[0].lower().endswith("cent") else "large number"
        yield Typed(found.start(), " ".join(found[0].split()), kind)
    yield from _in_macros(text)


def _without_names(words: str, names: Iterable[str]) -> str:
    return _any_of(tuple(names)).sub(lambda found: blanked(found[0]), words)


@lru_cache(maxsize=16)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of names, the longest first; of none, one that matches nothing."""
    longest = sorted((re.escape(name).replace(r"\ ", r"\s+") for name in names), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest)})\b" if longest else r"(?!)")


def _typed(found: re.Match[str], words: str) -> Typed | None:
    """Say what a number is, if it is none that an author may type."""
    number, start, end = found[0], found.start(), found.end()
    for pattern, kind in ((_PERCENT, "percentage"), (_LARGE, "large number"), (_UNIT, "measurement")):
        if more := pattern.match(words, end):
            return Typed(start, " ".join((number + more[0]).split()), kind)
    if re.fullmatch(r"\d+\.\d+|\.\d+|.*[eE].*|\d+,\d\d?", number):
        if _FIGURE.search(words, max(0, start - 12), start):
            return Typed(start, number, "figure")
        # A pair such as (10,20) is no decimal comma.
        return Typed(start, number, "decimal") if "," not in number or words[start - 1] != "(" else None
    if number.isdigit():
        return Typed(start, number, "large number") if _is_result(int(number), words, end) else None
    is_grouped = re.fullmatch(r"\d{1,3}([,\s]\d{3})+(\.\d+)?", number)
    return Typed(start, number, "large number") if is_grouped else None


def _is_result(value: int, words: str, end: int) -> bool:
    if _COUNT.match(words, end):
        return value >= MANY
    return value >= 1000 and value not in YEARS and not words[end : end + 1].isalpha()


def _in_macros(text: str) -> Iterator[Typed]:
    """Numbers that are typed into a macro only to be printed in some form."""
    for kind, start, piece in pieces(without_head(text)):
        if kind == "macro":
            code = _STRING.sub(lambda found: blanked(found[0]), piece)
            for found in _LITERAL.finditer(code):
                value = float(found[0].replace("_", ""))
                if not value.is_integer() or (value >= 1000 and not _is_unit(value)):
                    yield Typed(
                        start + found.start(), found[0], "large number" if value.is_integer() else "decimal"
                    )


def _is_unit(value: float) -> bool:
    """Whether it only turns one unit into another: a power of a thousand or of 1024."""
    return any(value == base**power for base in (1000, 1024) for power in range(1, 5))
