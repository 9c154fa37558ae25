"""Render a page's macros; a fault ends the build, with the author's file and line, before anything is out.

MkDocs alone runs this. The plugin's own way ends a live server at the first fault and miscounts lines under
front matter, so a page is rendered here first and the plugin finds nothing left to do. Under Zensical, which
runs no hooks, the same macros are rendered by Zensical itself, and errors are in its words.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from plates import faults
from plates.author_syntax import without_literals
from plates.book import Book, PageNotes
from plates.macros import MACROS

# These print a block of their own; Markdown breaks blocks that stand in a list or in a sentence.
BLOCKS = (
    *("figure", "readings", "definitions", "glossary", "bibliography"),
    *("recorded_files", "recipes", "candidates", "particulars"),
    *("open_models", "calculator", "worked_examples"),
)
_BLOCK = re.compile(
    rf"^(?P<before>.*?)\{{\{{-?\s*(?P<name>{'|'.join(BLOCKS)})\(.*?\}}\}}(?P<after>.*)$", re.MULTILINE
)


def on_pre_page_macros(env: Any) -> None:
    """Render the page that the plugin is about to render.

    Args:
        env: the macros plugin, with the page set.

    Raises:
        Abort: the page has a fault; file, line and what to do are named.
    """
    # Only MkDocs runs this. A live server survives an Abort and prints it at every try; it would print a
    # PluginError's words the first time only.
    from mkdocs.exceptions import Abort

    page = env.page
    if page.meta.get("render_macros") is False:
        return
    try:
        env.markdown = _rendered(env, env.macros["run"].__self__.book)
    except Exception as error:
        whole = Path(page.file.abs_src_path).read_text(encoding="utf-8-sig")
        names, filters = [*env.env.globals, *env.variables], [*env.env.filters]
        file = f"docs/{page.file.src_uri}"
        raise Abort(faults.told(error, env.markdown, file, whole, names, filters)) from error
    page.meta["render_macros"] = False


def _rendered(env: Any, book: Book) -> str:
    """The page's Markdown with every macro in it printed."""
    book.notes = PageNotes()
    if hidden := set(env.page.meta) & {*MACROS, "facts"}:
        raise ValueError(f"front matter: {min(hidden)!r} hides the macro of that name; name it otherwise")
    _check_blocks(without_literals(env.markdown))
    text = str(env.env.from_string(env.markdown).render(**{**env.variables, **env.page.meta}))
    if book.notes.cited and not book.notes.listed:
        raise ValueError("the page cites works and does not list them; write {{ bibliography() }} at its end")
    plate = book.volume.plate_of(book.page)
    if plate and plate.terms and not book.notes.defined:
        raise ValueError("the plate has terms and does not show them; write {{ definitions() }} under Terms")
    return text


def _check_blocks(text: str) -> None:
    """Hold macros that print blocks to lines of their own, at the margin."""
    for found in _BLOCK.finditer(text):
        if found["before"].strip() or len(found["before"]) > 3 or found["after"].strip():
            fault = f"{found['name']}(…) prints a block; give it a line of its own at the margin, in no list"
            raise faults.PlaceError(fault, text.count("\n", 0, found.start()) + 1)
