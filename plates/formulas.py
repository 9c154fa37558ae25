"""LaTeX as authors write it, to MathML: set while the book is built, so that a page needs no script for it.

The library refuses what it does not know, and says where; what it gives is MathML Core, which browsers show
by themselves. Here that gets a name in words for those who hear the page, classes in place of style
attributes, and a form that Markdown leaves alone.
"""

from __future__ import annotations

import html as entities
import re
from functools import lru_cache
from xml.etree import ElementTree as Xml

from markupsafe import Markup
from math_core import LatexError, LatexToMathML

from plates import html
from plates.spoken import spoken

_CONVERTER = LatexToMathML(fancy_error=False)
_PLACED = re.compile(r"(?P<at>\d+): (?P<said>.*)", re.DOTALL)
_NAMED = re.compile(r"&(?!(?:lt|gt|amp|quot|apos);)\w+;")
# The styles of aligned columns and of cases, by the class that has them in book.css; a page has no other.
CLASSES = {
    "text-align: right;justify-items: end;padding-right: 0;": "math-right",
    "text-align: left;justify-items: start;padding-left: 0;": "math-left",
    "text-align: left;justify-items: start;padding-right: 0;": "math-case",
    "text-align: left;justify-items: start;padding-right: 0;padding-left:1em;": "math-when",
    "width: 100%": "math-wide",
    "width: 50%": "math-half",
}
REMEDY = r"correct it, or write \$ for a dollar sign"


class FormulaError(ValueError):
    """A formula that cannot be set."""

    def __init__(self, said: str, at: int) -> None:
        """Remember the place.

        Args:
            said: what is wrong.
            at: where, in characters from the formula's beginning.
        """
        super().__init__(f"formula: {said}; {REMEDY}")
        self.at = at
        self.lineno: int | None = None
        self.column = 0


@lru_cache(maxsize=4096)
def formula(latex: str, display: bool) -> Markup:
    """Set a formula.

    Args:
        latex: what stands between the signs of math.
        display: whether it stands on a line of its own.

    Returns:
        MathML in one line.

    Raises:
        FormulaError: it is empty, not LaTeX, or asks for what a page does not print.
    """
    if not latex.strip():
        raise FormulaError("wanted LaTeX, came none", 0)
    try:
        markup = _CONVERTER.convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        found = _PLACED.match(str(error))
        raise FormulaError(found["said"].rstrip("."), int(found["at"])) if found else error from error
    root = Xml.fromstring(_NAMED.sub(lambda entity: entities.unescape(entity[0]), markup))
    root.set("aria-label", spoken(root))
    shown = _printed(root)
    # A line may begin with a formula: Markdown takes a math element there for a block, and a span for words.
    return shown if display else html.tag("span", shown, class_="math")


def _printed(element: Xml.Element) -> Markup:
    """An element of the library's as one of ours."""
    said = dict(element.attrib)
    if element.tag == "menclose":
        raise FormulaError("boxes and strokes through letters are not shown by every browser", 0)
    if style := said.pop("style", ""):
        if style not in CLASSES:
            raise FormulaError("colours, rules and equation numbers are not printed in formulas", 0)
        said["class"] = CLASSES[style]
    # One letter is slanted, as in the sentence beside it; a name, a digit or a sign stands upright.
    if element.tag == "mi" and (len(element.text or "") != 1 or not (element.text or "").isalpha()):
        said["mathvariant"] = "normal"
    inside = html.join([element.text or "", *(_printed(child) for child in element)])
    return html.tag(element.tag, inside, **said)
