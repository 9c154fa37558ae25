"""All faults of a page's macros, not the first alone: what fails is told, taken out, and the rest tried."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from jinja2 import TemplateSyntaxError, UndefinedError

from plates.author_syntax import blanked, pieces, protect
from plates.formulas import FormulaError

MOST = 40
"""So many faults of one page are enough for one time."""
# Notes which piece is being rendered; no author writes that name.
_AT = "piece_"
_SET = re.compile(r"\{%[-+]?\s*set\s+(?P<names>[\w\s,]+?)\s*=")
_TAG = re.compile(r"\{%[-+]?\s*(?P<end>end)?(?P<name>call|for|if|filter|with|macro)\b")
_FIGURE = re.compile(r"\{\{-?\s*figure\(")
_UNDEFINED = re.compile(r"'(?P<name>\w+)' is undefined")

Told = tuple[int, str]
"""Where, in characters from the text's beginning, and what."""
Render = Callable[[str, dict[str, Any]], object]
Say = Callable[[Exception], tuple[str, str]]


def macro_faults(text: str, render: Render, compiled: Callable[[str], object], say: Say) -> list[Told]:
    """Find the faults of a page.

    Args:
        text: the page without its head.
        render: renders a text, given further variables.
        compiled: compiles a text.
        say: gives the words for an error, and the name in it that is wrong.

    Returns:
        The faults, in the order of the page.
    """
    search = _Search(text, say)
    search.open_blocks()
    search.pieces_alone(compiled)
    while len(search.told) < MOST and search.together(render):
        pass
    return sorted(search.told)


def set_names(text: str) -> list[str]:
    """Find the variables that a page sets.

    Args:
        text: the page.

    Returns:
        Their names.
    """
    return [name for found in _SET.finditer(text) for name in re.findall(r"\w+", found["names"])]


class _Search:
    """A page from which faults are taken out one by one; every place in it stays where it was."""

    def __init__(self, text: str, say: Say) -> None:
        self.text = text
        self.say = say
        self.told: list[Told] = []
        self.gone: set[str] = set()
        """Variables that are not there because what sets them was taken out, and `cite` if one was."""

    def open_blocks(self) -> None:
        """Take out each opening tag without its end, and each end without its opening."""
        opened: list[tuple[str, int, str]] = []
        unclosed: list[tuple[str, int, str]] = []
        for start, piece in self._macros():
            tag = _TAG.match(piece)
            if tag and not tag["end"]:
                opened.append((tag["name"], start, piece))
            elif tag and tag["name"] in (name for name, _, _ in opened):
                while opened[-1][0] != tag["name"]:
                    unclosed.append(opened.pop())
                opened.pop()
            elif tag:
                say = f"nothing opens what {piece} ends; take it out, or write {{% {tag['name']} … %}} before"
                self._take_out(start, piece, start, say)
        for name, start, piece in [*unclosed, *opened]:
            say = f"{piece} has no end; write {{% end{name} %}} where it ends"
            self._take_out(start, piece, start, say)

    def pieces_alone(self, compiled: Callable[[str], object]) -> None:
        """Try each formula and each macro by itself: only so is the place of a slip in writing known."""
        for kind, start, piece in pieces(self.text):
            try:
                if kind == "broken":
                    say = (
                        f"{_short(piece)!r} has no end; close its quotes and brackets, and write }}}} or %}}"
                    )
                    self._take_out(start, piece, start, say)
                elif kind == "math":
                    protect(piece)
                elif kind == "macro":
                    compiled(_alone(piece))
            except FormulaError as error:
                lines = piece.split("\n")[: (error.lineno or 1) - 1]
                self._tell(start, piece, sum(len(line) + 1 for line in lines) + error.column - 1, error)
            except TemplateSyntaxError as error:
                self._tell_macro(start, piece, error)

    def together(self, render: Render) -> bool:
        """Render the page; tell and take out the piece that fails, and say whether to try again."""
        reached = [-1]

        def at(number: int) -> str:
            reached.append(number)
            return ""

        try:
            render(self._marked(), {_AT: at})
        except Exception as error:
            if isinstance(error, TemplateSyntaxError) or reached[-1] < 0:
                self._tell_line(error)
                return False
            macros = self._macros()
            # Figures take their time, and those before have been drawn without fault.
            for start, piece in macros[: reached[-1]]:
                if _FIGURE.match(piece):
                    self._take_out(start, piece)
            start, piece = macros[reached[-1]]
            return self._tell_macro(start, piece, error)
        return False

    def _tell_macro(self, start: int, piece: str, error: Exception) -> bool:
        """Tell a macro's fault where its name is that is wrong, and whether all of it could be taken out."""
        name, tag = re.escape(self.say(error)[1]), _TAG.match(piece)
        found = re.search(rf"(?<!\w){name}(?!\w)", piece) if name else None
        end = self._end_of(start, tag["name"]) if tag and not tag["end"] else None
        self._tell(start, piece, found.start() if found else 0, error)
        if end:
            self._take_out(*end)
        # Other blocks cannot be taken out without what stands in them.
        return bool(piece.startswith("{{") or _SET.match(piece) or (tag and tag["name"] == "call"))

    def _tell_line(self, error: Exception) -> None:
        """Note a fault of which the line is known, or of the page as a whole."""
        lines = self.text.split("\n")[: (getattr(error, "lineno", None) or 1) - 1]
        self.told.append((sum(len(line) + 1 for line in lines), self.say(error)[0]))

    def _end_of(self, start: int, name: str) -> tuple[int, str]:
        """The tag that ends the block which begins there."""
        depth = 1
        for at, piece in self._macros():
            tag = _TAG.match(piece) if at > start else None
            if tag and tag["name"] == name:
                depth += -1 if tag["end"] else 1
                if not depth:
                    return at, piece
        raise AssertionError("every block has an end: those without were taken out")

    def _macros(self) -> list[tuple[int, str]]:
        """Where each macro begins, and what it is."""
        return [(start, piece) for kind, start, piece in pieces(self.text) if kind == "macro"]

    def _marked(self) -> str:
        """The page with a mark before every macro, which tells where rendering has come to."""
        text = self.text
        for number, (start, _) in reversed(list(enumerate(self._macros()))):
            text = f"{text[:start]}{{{{ {_AT}({number}) }}}}{text[start:]}"
        return text

    def _tell(self, start: int, piece: str, within: int, error: Exception) -> None:
        """Note a fault, unless it only follows from another, and take the piece out."""
        said, name = self.say(error)
        if isinstance(error, UndefinedError) and re.search(rf"[(\[,=]\s*{re.escape(name)}\s*[)\],]", piece):
            said += f'; text stands in quotes: "{name}"'
        # What is not about this piece, such as a damaged recording, is told once.
        is_known = said in (words for _, words in self.told) and not (name and name in piece)
        if is_known or self._follows(error):
            self._take_out(start, piece)
        else:
            self._take_out(start, piece, start + within, said)

    def _follows(self, error: Exception) -> bool:
        """Whether an error only tells that something was taken out before."""
        undefined = _UNDEFINED.search(str(error)) if isinstance(error, UndefinedError) else None
        is_of_a_variable = bool(undefined and undefined["name"] in self.gone)
        return is_of_a_variable or ("cite" in self.gone and str(error).startswith("bibliography()"))

    def _take_out(self, start: int, piece: str, at: int = 0, said: str = "") -> None:
        """Leave blanks for a piece, with what is said of it."""
        self.told += [(at, said)] if said else []
        self.gone |= set(set_names(piece))
        self.gone |= {"cite"} if "cite(" in piece else set()
        self.text = self.text[:start] + blanked(piece) + self.text[start + len(piece) :]


def _alone(piece: str) -> str:
    """A macro as a text of its own: a block with its end; nothing for what only stands within a block."""
    tag = _TAG.match(piece)
    if tag and not tag["end"]:
        return f"{piece}{{% end{tag['name']} %}}"
    return piece if piece.startswith("{{") or _SET.match(piece) else ""


def _short(piece: str) -> str:
    return piece if len(piece) <= 40 else f"{piece[:39]}…"
