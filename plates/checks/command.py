"""The author's checks: each fault of the book as `file:line:column: what; what to do`.

    python -m plates check                 # the sources, and the book that they make
    python -m plates check --site site     # a book that was built before

What a page may not say is in `plates.checks.typed` and `plates.checks.sections`, how an exception is written
in `plates.checks.notes`, what is asked of the built book in `plates.checks.site`. A build tells all but the
last.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from plates import front_matter
from plates.checks import build
from plates.checks.site import Site
from plates.checks.sources import source_faults
from plates.contents import FIGURES
from plates.places import Fault

SETTINGS = Path("mkdocs.yml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's options.

    Args:
        parser: the command's own.
    """
    parser.add_argument(
        "--site", type=Path, metavar="FOLDER", help="check the book that was built there, and build none"
    )


def main(options: argparse.Namespace) -> int:
    """Check the book in this folder and print its faults.

    Args:
        options: what was asked for.

    Returns:
        0 without a fault, 1 with some, 2 where there is no book to check.
    """
    if not SETTINGS.is_file():
        return _refused(f"wanted {SETTINGS} in this folder; go to the book's own folder first")
    if options.site and not (options.site / "index.html").is_file():
        return _refused(f"wanted a built book in {options.site}, came none; build one first: make site")
    faults = book_faults(options.site)
    for fault in faults:
        print(fault)
    many = f"{len(faults)} fault{'s' if len(faults) > 1 else ''}"
    print(f"plates check: {many if faults else 'no fault found'}", file=sys.stderr)
    return 1 if faults else 0


def _refused(said: str) -> int:
    print(f"plates check: {said}", file=sys.stderr)
    return 2


def book_faults(site: Path | None = None) -> list[Fault]:
    """Check the book in this folder.

    Args:
        site: a built book to check; without one, the sources are checked and built.

    Returns:
        The faults, by place.
    """
    config, faults = build.settings(SETTINGS)
    if config is None:
        return faults
    if site:
        return _built(config, site)
    docs = Path(config.docs_dir)
    heads = _heads(config, docs)
    faults = [*heads, *source_faults(docs, FIGURES)]
    if not heads:
        with tempfile.TemporaryDirectory() as folder:
            stops, warnings = build.build(config, Path(folder))
            found = [] if stops else _built(config, Path(folder))
        known = {(fault.file, fault.line, fault.column) for fault in found}
        faults += [
            *stops,
            *found,
            *(each for each in warnings if (each.file, each.line, each.column) not in known),
        ]
    return sorted(set(faults))


def _built(config: Any, folder: Path) -> list[Fault]:
    custom = config.theme.custom_dir
    theme = Path(custom) if custom else None
    return Site(folder, Path(config.docs_dir), bool(config.use_directory_urls), theme).faults()


def _heads(config: Any, docs: Path) -> list[Fault]:
    """What the pages' front matter may not say."""
    custom = config.theme.custom_dir
    places = (config.extra.get("volume") or {}).get("plates")
    return [
        _placed(str(error)) for error in front_matter.faults(docs, Path(custom) if custom else None, places)
    ]


def _placed(said: str) -> Fault:
    """A fault whose words begin with its place."""
    found = re.match(r"(?P<file>.+?):(?P<line>\d+): (?P<said>.*)", said, re.DOTALL)
    assert found, "a PlateError begins with file and line"
    return Fault(f"docs/{found['file']}", int(found["line"]), 0, found["said"])
