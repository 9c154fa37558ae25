"""Render a page's macros; a fault ends the build, with the author's file and line, before anything is out.

MkDocs alone runs this. The plugin's own way ends a live server at the first fault and miscounts lines under
front matter, so a page is rendered here first and the plugin finds nothing left to do. Under Zensical, which
runs no hooks, the same macros are rendered by Zensical itself, and errors are in its words.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plates import faults
from plates.author_syntax import without_literals
from plates.book import Book, PageNotes
from plates.macro_faults import Told, macro_faults, set_names
from plates.macros import MACROS
from plates.places import Fault, place
from plates.served import is_served, notice
from plates.templates import template
from plates.volume import line_of, page_text

LOG = logging.getLogger("mkdocs.plates")
# These print a block of their own; Markdown breaks blocks that stand in a list or in a sentence.
BLOCKS = (
    *("figure", "readings", "definitions", "glossary", "bibliography", "citation"),
    *("recorded_files", "recipes", "candidates", "particulars", "planned_recordings"),
    *("open_models", "calculator", "worked_examples"),
)
_BLOCK = re.compile(
    rf"^(?P<before>.*?)(?P<macro>\{{\{{-?\s*(?P<name>{'|'.join(BLOCKS)})\(.*?\}}\}})(?P<after>.*)$",
    re.MULTILINE,
)


def on_pre_page_macros(env: Any) -> None:
    """Render the page that the plugin is about to render.

    Args:
        env: the macros plugin, with the page set. Where it has a list `collected`, a page's faults go there,
            and the build goes on with an empty page.

    Raises:
        Abort: the page has faults; for each, file, line and what to do are named. On a live server the
            page says so itself, and the server lives on.
    """
    # Only MkDocs runs this. A live server survives an Abort and prints it at every try; it would print a
    # PluginError's words the first time only.
    from mkdocs.exceptions import Abort

    if env.page.meta.get("render_macros") is False:
        return
    page = _Page(env)
    rendered, found = page.rendered()
    collected = getattr(env, "collected", None)
    if found and collected is None:
        if not is_served(env.conf):
            raise Abort("\n".join(map(str, found)))
        for fault in found:
            LOG.error("%s", fault)
        rendered = notice(found)
    if collected is not None:
        collected += found
    env.markdown = rendered
    env.page.meta["render_macros"] = False


class _Page:
    """The page being rendered, and where its text stands in its file."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.book: Book = env.macros["run"].__self__.book
        self.text: str = env.markdown
        self.file = f"docs/{env.page.file.src_uri}"
        self.whole = page_text(Path(env.page.file.abs_src_path), env.page.file.src_uri)

    def rendered(self) -> tuple[str, list[Fault]]:
        """The page with every macro in it printed, or its faults."""
        if found := list(self._hidden()):
            return "", found
        blocks = list(_misplaced_blocks(self.text))
        try:
            rendered = self._render(self.text, {})
            told: list[Told] = []
        except Exception as error:
            rendered, told = "", self._all_faults() or [(0, self._say(error)[0])]
        if told or blocks:
            return "", sorted(self._at(start, said) for start, said in [*told, *blocks])
        return rendered, list(self._disagreements())

    def _render(self, text: str, more: dict[str, Any]) -> str:
        self.book.notes = PageNotes()
        env = self.env
        return str(template(env.env, text).render(**{**env.variables, **env.page.meta, **more}))

    def _all_faults(self) -> list[Told]:
        return macro_faults(self.text, self._render, self.env.env.from_string, self._say)

    def _say(self, error: Exception) -> tuple[str, str]:
        # Those that authors use: the plugin has further ones of its own.
        names = [*MACROS, "facts", *set_names(self.text)]
        return faults.message(error, names, self.env.env.filters)

    def _at(self, start: int, said: str) -> Fault:
        """A fault at its place in the file, of which the text is the end."""
        return Fault(self.file, *place(self.whole, len(self.whole) - len(self.text) + start), said)

    def _in_head(self, key: str, said: str) -> Fault:
        return Fault(self.file, line_of(self.whole, key), 0, f"{key}: {said}")

    def _hidden(self) -> Iterator[Fault]:
        for key in sorted(set(self.env.page.meta) & {*MACROS, "facts"}):
            yield self._in_head(key, f"hides the macro {key!r}; give it another name")

    def _disagreements(self) -> Iterator[Fault]:
        """What only a page as a whole can be told."""
        notes, plate = self.book.notes, self.book.volume.plate_of(self.book.page)
        if notes.cited and not notes.listed:
            start = max(0, without_literals(self.text).find("cite("))
            say = "the page cites works and does not list them; write {{ bibliography() }} at its end"
            yield self._at(start, say)
        if plate and plate.terms and not notes.defined:
            say = "the plate has terms and does not show them; write {{ definitions() }} under Terms"
            yield self._in_head("terms", say)


def _misplaced_blocks(text: str) -> Iterator[Told]:
    """Hold macros that print blocks to lines of their own, at the margin."""
    for found in _BLOCK.finditer(without_literals(text)):
        if found["before"].strip() or len(found["before"]) > 3 or found["after"].strip():
            say = f"{found['name']}(…) prints a block; give it a line of its own at the margin, in no list"
            yield found.start("macro"), say
