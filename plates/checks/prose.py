"""What of a page is its author's prose: all else is blanked, so that every place stays where it is."""

from __future__ import annotations

import re
from functools import lru_cache

from plates.author_syntax import blanked, pieces
from plates.volume import without_head

# A note's words may be a macro's argument.
_SIDENOTE = re.compile(r"""\bsidenote\(\s*(?P<quote>["'])(?P<words>(?:\\.|(?!(?P=quote)).)*)""", re.DOTALL)
_PARTS = "[Ss]ections?|[Cc]hapters?|[Ee]quations?|[Vv]ersions?|Tables?|Appendix|Algorithms?"
_NO_PROSE = (
    r"(?is)<(?P<name>math|svg|script|style|code|pre|kbd|samp)\b.*?</(?P=name)\s*>",
    r"<[a-zA-Z/!][^<>]*>",  # a tag with its attributes, or an address between angle brackets
    r"(?<=\])\((?:[^()\n]|\([^()\n]*\))*\)",  # where a link leads
    r"(?m)^ {0,3}\[(?!\^)[^\]\n]+\]:.*$",  # the same, at the page's end
    r"\{[:#.][^{}\n]*\}",  # attributes
    r"&#?\w+;",
    r"\b(?:https?|ftp|mailto|doi):\S+|\bwww\.\S+|\S+@\S+\.\S+",
    r"(?i)\barxiv[:\s]\s*\d{4}\.\d{4,5}(?:v\d+)?|\b10\.\d{4,9}/\S+",
    r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d\b|\b\d{1,2}\.\d{1,2}\.\d{4}\b",  # dates and times of day
    # Places in a work that is cited, versions and licences.
    rf"(?:§+|\b(?:{_PARTS})|\b(?:Sec|Eq)s?\.)\s*\d+(?:\.\d+)*(?:(?:,| and|–|-)\s*\d+(?:\.\d+)+)*",
    r"\bCC BY(?:-[A-Z]+)* \d\.\d",
)
NO_PROSE = tuple(re.compile(each) for each in _NO_PROSE)


@lru_cache(maxsize=16)
def prose(text: str) -> str:
    """Blank out all of a page that is not prose.

    Args:
        text: the whole file.

    Returns:
        Text of the same length, with every word of prose where it was.
    """
    body, said, end = without_head(text), [], 0
    for kind, start, piece in pieces(body):
        words = blanked(piece)
        if kind == "macro" and (found := _SIDENOTE.search(piece)):
            words = words[: found.start("words")] + found["words"] + words[found.end("words") :]
        said += [body[end:start], words]
        end = start + len(piece)
    words = "".join([*said, body[end:]])
    for pattern in NO_PROSE:
        words = pattern.sub(lambda found: blanked(found[0]), words)
    return words
