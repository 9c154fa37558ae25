r"""Which braces are macros and which are the author's own, and what a macro may print.

In a plate, `{{ … }}` and `{% … %}` are macros. These are not, and appear as they are written:

- fenced code and `code` between backticks;
- math: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` and `\begin{…}…\end{…}`;
- HTML comments.

`{#id}` is an attribute list, for a comment of the macros' own language is written `{## … ##}`: that is set in
`mkdocs.yml`, as is this extension. Braces elsewhere are written `{{ "{{" }}`, and a lone dollar sign before a
closing one on the same line `\$`.

This is an extension of Jinja rather than a hook, for Zensical loads such extensions and runs no hooks.
"""

from __future__ import annotations

import re
from typing import Any

from jinja2 import Environment, Undefined
from jinja2.ext import Extension
from markupsafe import Markup

from plates.html import safe

# Each alternative is one thing that an author can write; the first that begins counts, so that code in a
# macro's argument is not code, and a macro in code is not a macro.
_PIECES = re.compile(
    r"""
      (?P<fence>^[ \t>]*(?P<ticks>`{3,}|~{3,})[^\n]*\n (?:.*?\n)?? [ \t>]*(?P=ticks)[`~]*[ \t]*$)
    | (?P<comment><!--.*?-->)
    | (?P<raw>\{%[-+]?\s*raw\s*[-+]?%\}.*?\{%[-+]?\s*endraw\s*[-+]?%\})
    | (?P<note>\{\#\#.*?\#\#\})
    | (?P<macro>\{(?P<kind>[{%])(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?![%}]\}).)*[%}]\})
    | (?P<math>\\\[.*?\\\] | \\\(.*?\\\) | \\begin\{(?P<name>[^}]*)\}.*?\\end\{(?P=name)\}
        | \$\$.+?\$\$ | \$(?=[^\s$])(?:\\.|[^\\$\n]|\n(?![ \t]*\n))+?(?<![\s\\])\$(?!\d) )
    | (?P<escape>\\.)
    | (?P<code>(?P<tick>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=tick)(?!`))
    | (?P<stray>`+)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_LITERAL = ("fence", "comment", "math", "code")
_OPENING = re.compile(r"\{\{|\{%|\{\#\#")


def protect(text: str) -> str:
    """Mark the author's own braces, so that they are printed as written; line numbers stay as they are.

    Args:
        text: a page as its author wrote it.

    Returns:
        The page for Jinja.
    """
    return _PIECES.sub(_protected, text)


def without_literals(text: str) -> str:
    """Blank out code, math and comments; line numbers and columns stay as they are.

    Args:
        text: a page as its author wrote it.

    Returns:
        The page's text and macros alone.
    """
    return _PIECES.sub(_blanked, text)


def _is_literal(found: re.Match[str]) -> bool:
    return any(found[kind] is not None for kind in _LITERAL)


def _protected(found: re.Match[str]) -> str:
    if not _is_literal(found):
        return found[0]
    return _OPENING.sub(lambda opening: f"{{% raw %}}{opening[0]}{{% endraw %}}", found[0])


def _blanked(found: re.Match[str]) -> str:
    if not _is_literal(found) and found["note"] is None:
        return found[0]
    return re.sub(r"[^\n]", " ", found[0])


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
