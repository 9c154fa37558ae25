"""The volumes that `python -m plates benchmark` builds; run alone, this builds one and prints its seconds."""

from __future__ import annotations

import logging
import re
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from plates.volume import FOLDER

KINDS = ("macros", "plain")
SOURCE = f"{FOLDER}/output-head.md"
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")


def prepare(root: Path, into: Path, size: int) -> Path:
    """Write a volume twice: with macros, and as plain Markdown.

    Args:
        root: the folder that holds the book's mkdocs.yml.
        into: a folder that is not there yet.
        size: how many plates.

    Returns:
        The folder, with a tree for each of `KINDS`.
    """
    root = root.resolve()
    for kind in KINDS:
        _tree(root, into / kind, kind, size)
    text = (root / "docs" / SOURCE).read_text(encoding="utf-8")
    for number in range(1, size + 1):
        (into / "macros/docs" / FOLDER / f"{number}.md").write_text(plate(text, number), encoding="utf-8")
    _print_plain(into)
    return into


def plate(text: str, number: int) -> str:
    """Write Plate 7 under another number, with names of its own for title, terms and figures.

    Args:
        text: the plate's whole file.
        number: the other number.

    Returns:
        The other file.
    """
    text = re.sub(r"^plate: .*$", f"plate: {number}", text, count=1, flags=re.MULTILINE)
    text = re.sub(r"^(title: .*|  - term: .*)$", rf"\1 {number}", text, flags=re.MULTILINE)
    text = re.sub(r"^    also: \[.*\]\n", "", text, flags=re.MULTILINE)
    text = re.sub(r'\b(term|figure)\("([^"]*)"', rf'\1("\2 {number}"', text)
    text = re.sub(r'figure\("([^"]*) (\d+)"', r'figure("\1-\2"', text)
    text = re.sub(r'ref\("fig-([^"]*)"\)', rf'ref("fig-\1-{number}")', text)
    return _LINK.sub(r"\1", text)


def _tree(root: Path, tree: Path, kind: str, size: int) -> None:
    """All of a volume but its plates."""
    docs = tree / "docs"
    shutil.copytree(root / "docs/assets", docs / "assets")
    (docs / FOLDER).mkdir()
    shutil.copy(root / "docs/references.bib", docs)
    (docs / "index.md").write_text(
        "---\ntitle: The volume\ntemplate: volume.html\n---\nWords.\n", encoding="utf-8"
    )
    for name in ("plates", "generated"):
        (tree / name).symlink_to(root / name)
    pages = [f"{FOLDER}/{number}.md" for number in range(1, size + 1)]
    settings = {
        "INHERIT": str(root / "mkdocs.yml"),
        "watch": [],
        "theme": {"custom_dir": str(root / "plates/theme")},
        "extra": {"volume": {"plates": size}},
        "nav": ["index.md", {"Plates": pages}],
    }
    if kind == "plain":
        settings["plugins"] = ["search"]
    (tree / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")


def _print_plain(into: Path) -> None:
    """Build the volume with macros once, and keep what they print as the plain volume's text."""
    from plates import pages

    ours = pages.on_pre_page_macros

    def kept(env: Any) -> None:
        ours(env)
        whole = Path(env.page.file.abs_src_path).read_text(encoding="utf-8")
        head = whole[: whole.index("\n---\n") + 5]
        target = into / "plain/docs" / env.page.file.src_uri
        target.write_text(f"{head}\n{env.markdown}", encoding="utf-8")

    pages.on_pre_page_macros = kept
    try:
        build(into / "macros")
    finally:
        pages.on_pre_page_macros = ours


def build(tree: Path) -> float:
    """Build a volume.

    Args:
        tree: its folder.

    Returns:
        Seconds of the processor since this process began: what other programs take does not count.
    """
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.config import load_config

    from plates.contents import FIGURES

    kept, quiet = dict(FIGURES), logging.root.manager.disable
    _register(tree)
    logging.disable(logging.WARNING)
    try:
        mkdocs_build(load_config(str(tree / "mkdocs.yml"), site_dir=str(tree / "site")))
    finally:
        # Whoever builds in this process afterwards has the volume's own figures, and hears of its faults.
        FIGURES.clear()
        FIGURES.update(kept)
        logging.disable(quiet)
    return time.process_time()


def _register(tree: Path) -> None:
    """Give each plate figures of its own: those of Plate 7 under other names."""
    if tree.name == "plain":
        return
    from plates.contents import FIGURES

    def named(draw: Callable[[Any], Any], number: int) -> Callable[[Any], Any]:
        def drawn(book: Any) -> Any:
            figure = draw(book)
            return replace(figure, id=f"{figure.id}-{number}")

        return drawn

    for name, draw in list(FIGURES.items()):
        for page in (tree / "docs" / FOLDER).glob("*.md"):
            FIGURES[f"{name}-{page.stem}"] = named(draw, int(page.stem))


if __name__ == "__main__":
    print(build(Path(sys.argv[1])))
