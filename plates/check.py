"""The author's checks: each fault of the book as `file:line:column: what; what to do`."""

from __future__ import annotations

import argparse
from pathlib import Path

from plates import front_matter
from plates.volume import PlateError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's options.

    Args:
        parser: the command's own.
    """


def main(options: argparse.Namespace) -> int:
    """Check the book in this folder and print its faults.

    Args:
        options: what was asked for.

    Returns:
        0 without a fault, 1 with some.
    """
    try:
        front_matter.hold(Path("docs"), Path("plates/theme"), None)
    except PlateError as error:
        print(f"docs/{error}")
        return 1
    return 0
