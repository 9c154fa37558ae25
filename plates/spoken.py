"""A formula in words: its name for those who hear a page, and its form where there is only plain text."""

from __future__ import annotations

import re
import unicodedata
from xml.etree.ElementTree import Element

SIGNS = {
    "=": "equals",
    "≠": "is not",
    "<": "is less than",
    ">": "is greater than",
    "≤": "is at most",
    "≥": "is at least",
    "≈": "is about",
    "∝": "is proportional to",
    "∼": "is drawn from",
    "∈": "in",
    "+": "plus",
    "−": "minus",
    "±": "plus or minus",
    "×": "times",
    "·": "times",
    "⋅": "times",
    "∗": "times",
    "/": "divided by",
    "→": "to",
    "∑": "the sum",
    "∏": "the product",
    "∫": "the integral",
    "∞": "infinity",
    "⊤": "transposed",
    "′": "prime",
    "∂": "partial",
    "∇": "nabla",
    "…": "and so on",
    "%": "percent",
    "ˆ": "hat",
    "˜": "tilde",
    "¯": "bar",
    "⃗": "vector",
    "˙": "dot",
    "|": "bar",
    "‖": "double bar",
    # Not seen, and some of them heard.
    "\u2061": "of",
    "\u2062": "times",
    "\u2063": "",
    "\u2064": "plus",
}
POWERS = {"2": "squared", "3": "cubed", "⊤": "transposed", "′": "prime", "−1": "inverse"}


def spoken(element: Element) -> str:
    """Say a formula, or a part of one, in words.

    Args:
        element: presentation MathML.

    Returns:
        Such as "h E transposed".
    """
    said = " ".join(_words(element).split())
    said = re.sub(r" (?=[,.;:)\]])|(?<=[(\[]) ", "", said)
    return re.sub(r",+(?=[,.;]|$)", "", said)


def _words(element: Element) -> str:
    parts = list(element)
    match element.tag:
        case "mi" | "mn" | "mtext" | "mo":
            return _token(element.text or "")
        case "mspace":
            return ""
        case "mfrac":
            return _fraction(*parts)
        case "msqrt":
            return f"the square root of {_group(parts)}"
        case "mroot":
            return f"the root of order {_words(parts[1])} of {_group(parts[:1])}"
        case "msub" | "munder":
            return _limited(parts[0], parts[1], None, "sub" if element.tag == "msub" else "over")
        case "msup":
            return f"{_words(parts[0])} {_power(parts[1])}"
        case "msubsup" | "munderover":
            return _limited(parts[0], parts[1], parts[2], "sub" if element.tag == "msubsup" else "over")
        case "mover":
            return f"{_words(parts[0])} {_words(parts[1])}"
        case "mtable":
            return "; ".join(_words(row) for row in parts)
        case "mtr":
            # Columns that are set apart hold parts of one line; those of a matrix hold numbers of their own.
            return (" " if any("style" in cell.attrib for cell in parts) else ", ").join(map(_words, parts))
        case _:
            return " ".join(_words(part) for part in parts)


def _token(text: str) -> str:
    """A letter, sign, number or word; of the letters of other alphabets the name, of bold ones the letter."""
    text = text.rstrip("\ufe00\ufe01")  # which shape of a script letter is meant cannot be heard
    if text in SIGNS:
        return SIGNS[text]
    if len(text) != 1 or text.isascii():
        return text
    name, letter = unicodedata.name(text, text).lower(), unicodedata.normalize("NFKC", text)
    if letter != text:
        return f"bold {letter}" if " bold " in name else letter
    return name.rpartition(" ")[2] if text.isalpha() else name


def _is_short(element: Element) -> bool:
    """Whether a part is a letter or number, an index with it: so that where it ends is heard."""
    parts = list(element)
    return not parts or element.tag == "msub" or (len(parts) == 1 and _is_short(parts[0]))


def _group(parts: list[Element]) -> str:
    said = " ".join(_words(part) for part in parts)
    return said if len(parts) == 1 and _is_short(parts[0]) else f"{said}, end of root,"


def _fraction(above: Element, below: Element) -> str:
    said = f"{_words(above)} divided by {_words(below)}"
    return said if _is_short(above) and _is_short(below) else f"the fraction {said}, end of fraction,"


def _power(element: Element) -> str:
    said = "".join(element.itertext())
    if said in POWERS:
        return POWERS[said]
    return f"to the {_words(element)}" + ("" if _is_short(element) else ", end of power,")


def _limited(base: Element, below: Element, above: Element | None, between: str) -> str:
    """An index, perhaps with a power; or the range of a sum, a product or an integral."""
    named = _words(base)
    if "".join(base.itertext()) in ("∑", "∏", "∫"):
        end = f" to {_words(above)}" if above is not None else ""
        return f"{named} {'from' if end else 'over'} {_words(below)}{end} of"
    said = f"{named} {between} {_words(below)}"
    return said if above is None else f"{said} {_power(above)}"
