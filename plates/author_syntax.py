r"""Which braces are macros and which are the author's own, and what a macro may print.

In a plate, `{{ … }}` and `{% … %}` are macros. These are not:

- fenced code and `code` between backticks, and HTML comments: they appear as they are written;
- math, which is set from LaTeX: `$…$` and `\(…\)` in a line; `$$…$$`, `\[…\]` and `\begin{…}…\end{…}` on
  lines of their own.

`{#id}` is an attribute list, for a comment of the macros' own language is written `{## … ##}`: that is set in
`mkdocs.yml`, as is this extension. Braces elsewhere are written `{{ "{{" }}`, and a dollar sign that another
follows in its paragraph `\$`.

This is an extension of Jinja rather than a hook, for Zensical loads such extensions and runs no hooks.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from jinja2 import Environment, Undefined
from jinja2.ext import Extension
from markupsafe import Markup

from plates.formulas import FormulaError, formula
from plates.html import safe

# Each alternative is one thing that an author can write; the first that begins counts, so that code in a
# macro's argument is not code, and a macro in code is not a macro. A macro ends in its paragraph, and before
# another begins; one that does not is broken, and swallows no more than its line. A match's last group, which
# is the one that closed last, tells which alternative it is.
_PIECES = re.compile(
    r"""
      (?P<fence>^[ \t>]*(?P<ticks>`{3,}|~{3,})[^\n]*\n (?:.*?\n)?? [ \t>]*(?P=ticks)[`~]*[ \t]*$)
    | (?P<comment><!--.*?-->)
    | (?P<raw>\{%[-+]?\s*raw\s*[-+]?%\}.*?\{%[-+]?\s*endraw\s*[-+]?%\})
    | (?P<note>\{\#\#.*?\#\#\})
    | (?P<macro>\{(?P<kind>[{%])
        (?:"(?:\\.|(?!\n[ \t]*\n)[^"\\])*"|'(?:\\.|(?!\n[ \t]*\n)[^'\\])*'
        |(?![%}]\}|\{[{%]|\n[ \t]*\n)[^"'])*[%}]\})
    | (?P<broken>\{[{%](?:(?!\{[{%])[^\n])*?(?:[%}]\}|(?=\{[{%])|$))
    | (?P<math>\\\[.*?\\\] | \\\(.*?\\\) | \\begin\{(?P<name>[^}]*)\}.*?\\end\{(?P=name)\}
        | \$\$.+?\$\$ | \$(?=[^\s$])(?:\\.|[^\\$\n]|\n(?![ \t]*\n))+?(?<![\s\\])\$(?!\d) )
    | (?P<escape>\\.)
    | (?P<code>(?P<tick>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=tick)(?!`))
    | (?P<stray>`+)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_LITERAL = ("fence", "comment", "math", "code")
_KINDS = (*_LITERAL, "raw", "note", "macro", "broken")
_OPENING = re.compile(r"\{\{|\{%|\{\#\#")


def protect(text: str) -> str:
    """Mark the author's own braces, to be printed as written, and set math; lines keep their numbers.

    Args:
        text: a page as its author wrote it.

    Returns:
        The page for Jinja.

    Raises:
        FormulaError: a formula cannot be set; its line and column are told.
    """
    return _PIECES.sub(_protected, text)


def with_formulas(text: str) -> str:
    """Set the math of a text that has no macros.

    Args:
        text: Markdown, such as a definition.

    Returns:
        Markdown with MathML.

    Raises:
        FormulaError: a formula cannot be set.
    """
    return _PIECES.sub(lambda found: _set(found) if found["math"] else found[0], text)


def without_literals(text: str) -> str:
    """Blank out code, math and comments; line numbers and columns stay as they are.

    Args:
        text: a page as its author wrote it.

    Returns:
        The page's text and macros alone.
    """
    kept, end = [], 0
    for kind, start, piece in pieces(text):
        if kind in _LITERAL or kind == "note":
            kept += [text[end:start], blanked(piece)]
            end = start + len(piece)
    return "".join([*kept, text[end:]])


def blanked(text: str) -> str:
    """Turn text into blanks, lines kept."""
    return "\n".join(" " * len(line) for line in text.split("\n"))


@lru_cache(maxsize=1024)
def pieces(text: str) -> tuple[tuple[str, int, str], ...]:
    """Find what is not the author's words: code, math, comments and macros.

    Args:
        text: a page as its author wrote it.

    Returns:
        Of each: what it is (fence, comment, math, code, raw, note, macro or broken), where it begins, and the
        piece.
    """
    found = ((each.lastgroup, each.start(), each[0]) for each in _PIECES.finditer(text))
    return tuple((kind, start, piece) for kind, start, piece in found if kind in _KINDS)


def _protected(found: re.Match[str]) -> str:
    if found["math"]:
        lines = "\n" * found[0].count("\n")
        return _set(found) + (f"{{% raw{lines} %}}{{% endraw %}}" if lines else "")
    if found["escape"] == r"\$":
        return "&#36;"
    if found.lastgroup not in _LITERAL:
        return found[0]
    return _OPENING.sub(lambda opening: f"{{% raw %}}{opening[0]}{{% endraw %}}", found[0])


def _set(found: re.Match[str]) -> str:
    """The formula of a match; a fault is told by its place in the text."""
    whole = found["math"]
    sign = next((sign for sign in ("$$", "$", r"\[", r"\(") if whole.startswith(sign)), "")
    try:
        return formula(whole[len(sign) : len(whole) - len(sign)], display=sign not in ("$", r"\("))
    except FormulaError as error:
        at = found.start("math") + len(sign) + error.at
        error.lineno = found.string.count("\n", 0, at) + 1
        error.column = at - found.string.rfind("\n", 0, at)
        raise


def printable(value: Any) -> Any:
    """Let a macro print whole numbers, text (with its specials made harmless) and HTML of ours; nothing else.

    Args:
        value: what stands between `{{` and `}}`.

    Returns:
        What is printed.

    Raises:
        TypeError: the value has no one form in print.
    """
    # An undefined name complains by itself, and says which it is.
    if isinstance(value, Markup | Undefined) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, str):
        return safe(value)
    if callable(value):
        raise TypeError(f"a macro is printed, not called; write {getattr(value, '__name__', 'its name')}(…)")
    if isinstance(value, float):
        raise TypeError(f"{value!r} has no form; choose one, such as | nats, | percent, | decimal or | count")
    raise TypeError(f"wanted a number or text to print, came {value!r}; name one of its values")


class AuthorSyntax(Extension):
    """Protects the author's braces and checks what is printed."""

    def __init__(self, environment: Environment) -> None:
        """Set the environment's last step before printing.

        Args:
            environment: that of the pages.
        """
        super().__init__(environment)
        environment.finalize = printable
        # Folding constants pays for a template that is printed many times; a page is printed once a build.
        environment.optimized = False

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Protect the author's braces in a page or an included file.

        Args:
            source: the text.
            name: the template's name, where it has one.
            filename: its file, where it has one.

        Returns:
            The text for Jinja.
        """
        return protect(source)
