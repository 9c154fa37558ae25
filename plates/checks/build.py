"""The book built for the checks alone: faults of macros are collected, MkDocs' own warnings get a place."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from plates import edition
from plates.author_syntax import without_literals
from plates.places import Fault, place

_LINK = re.compile(
    r"Doc file '(?P<source>[^']+)' contains an? (?:\w+ )*link '(?P<link>[^']*)',? ?(?P<said>.*)", re.DOTALL
)
_IN_NAV = re.compile(r"'(?P<name>[^']+)' is included in the 'nav' configuration")
_LEFT_OUT = re.compile(r"not included in the \"nav\" configuration:\s*(?P<names>.*)", re.DOTALL)
_KEY = re.compile(r"Config value '(?P<key>\w+)'")
_YAML = re.compile(r"line (?P<line>\d+), column (?P<column>\d+)")


class Warnings(logging.Handler):
    """Keeps what MkDocs says of the book, for the checks to tell."""

    def __init__(self) -> None:
        """Take warnings and errors."""
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, but for those of the checks themselves."""
        if not record.name.startswith("mkdocs.plates.check"):
            self.said.append(record.getMessage())


@contextmanager
def listening() -> Iterator[Warnings]:
    """Listen to MkDocs, instead of letting it print.

    Yields:
        What keeps its words.
    """
    # The theme's notice about another project's plans is no warning about this book.
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    logger, warnings = logging.getLogger("mkdocs"), Warnings()
    logger.addHandler(warnings)
    try:
        yield warnings
    finally:
        logger.removeHandler(warnings)


def settings(file: Path) -> tuple[Any, list[Fault]]:
    """Read `mkdocs.yml`.

    Args:
        file: that file.

    Returns:
        MkDocs' settings, or None with what is wrong.
    """
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    with listening() as warnings:
        try:
            return load_config(str(file), strict=False), []
        except MkDocsException as error:
            # Abort only counts the errors that were said before.
            said = warnings.said or [str(error)]
            return None, [_of_settings(file, each) for each in said]


def build(config: Any, into: Path) -> tuple[list[Fault], list[Fault]]:
    """Build the book.

    Args:
        config: MkDocs' settings.
        into: an empty folder.

    Returns:
        Faults that keep the book from being built, and MkDocs' warnings of one that is.
    """
    from mkdocs.commands.build import build as build_book

    file, docs = Path(config.config_file_path), Path(config.docs_dir)
    collected: list[Fault] = []
    config.site_dir = str(into)
    if (macros := config.plugins.get("macros")) is None:
        return [Fault(file.name, 0, 0, "wanted the plugin `macros` under `plugins:`; write it there")], []
    macros.collected = collected
    with edition.kept_clock(os.environ), listening() as warnings:
        try:
            build_book(config)
        except (Exception, SystemExit) as error:
            said = str(error) or type(error).__name__
            return [*collected, *(_fault(file, docs, each) for each in warnings.said or [said])], []
    told = [fault for said in warnings.said for fault in _faults(file, docs, said)]
    return collected, told


def _of_settings(file: Path, said: str) -> Fault:
    """A fault of `mkdocs.yml` at its line."""
    text = file.read_text(encoding="utf-8", errors="replace")
    words = " ".join(said.split())
    if found := _YAML.search(words):
        return Fault(file.name, int(found["line"]), int(found["column"]), words)
    key = _KEY.search(words)
    at = re.search(rf"^{key['key']}:", text, re.MULTILINE) if key else None
    return Fault(file.name, *(place(text, at.start()) if at else (0, 0)), words)


def _faults(file: Path, docs: Path, said: str) -> Iterator[Fault]:
    """What MkDocs said, at its place; pages that are left out of `nav` are told one by one."""
    if found := _LEFT_OUT.search(said):
        say = f"the page is not in the book's contents; add it under `nav:` in {file.name}"
        for name in re.findall(r"^\s*- (.+)$", f"\n{found['names']}", re.MULTILINE):
            yield Fault(f"docs/{name}", 1, 0, say)
    else:
        yield _fault(file, docs, said)


def _fault(file: Path, docs: Path, said: str) -> Fault:
    text = file.read_text(encoding="utf-8")
    if (found := _LINK.match(said)) and (docs / found["source"]).is_file():
        words = without_literals((docs / found["source"]).read_text(encoding="utf-8-sig"))
        at = words.find(f"({found['link']}")
        where = place(words, at + 1) if at >= 0 else (0, 0)
        return Fault(f"docs/{found['source']}", *where, f"link {found['link']!r} {found['said']}")
    if (found := _IN_NAV.search(said)) and found["name"] in text:
        say = f"{found['name']!r} under `nav:` is no page in docs; correct the name, or take it out"
        return Fault(file.name, *place(text, text.rindex(found["name"])), say)
    return Fault(file.name, 0, 0, " ".join(said.split()))
