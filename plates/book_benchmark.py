"""How long a volume takes to build: with macros, and beside it the same text in plain Markdown.

Each plate is Plate 7 under another name: its words, numbers, terms, notes, citations and figures. The plain
text is what the macros print, so that both give the same pages. They are built by turns, each in a process of
its own, from folders that are gone afterwards. Seconds are the processor's, so other programs count little.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from plates.benchmark_volumes import KINDS, prepare

SIZES = (1, 10, 100)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's options.

    Args:
        parser: the command's own.
    """
    parser.add_argument("--repeats", type=positive, default=3, help="builds of each (default: %(default)s)")
    parser.add_argument(
        "--sizes", type=positive, nargs="+", default=SIZES, help="plates in a volume (default: 1 10 100)"
    )


def positive(text: str) -> int:
    """Read a count from the command line.

    Raises:
        ArgumentTypeError: it is no whole number of at least 1.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"wanted a whole number of at least 1, came {text!r}")
    return int(text)


def main(options: argparse.Namespace) -> int:
    """Build the volumes by turns and print how long each took.

    Args:
        options: what was asked for.

    Returns:
        0.
    """
    with tempfile.TemporaryDirectory() as folder:
        trees = {size: prepare(Path(), Path(folder) / str(size), size) for size in options.sizes}
        taken: dict[tuple[int, str], list[float]] = {(s, k): [] for s in options.sizes for k in KINDS}
        for turn in range(options.repeats):
            for size, kind in sorted(taken, key=lambda each: (each[0], each[1] == KINDS[turn % 2])):
                taken[size, kind].append(_build(trees[size] / kind))
    print(report({key: statistics.median(seconds) for key, seconds in taken.items()}))
    return 0


def report(seconds: dict[tuple[int, str], float]) -> str:
    """Lay out what was measured.

    Args:
        seconds: the median time of a build, by plates and kind.

    Returns:
        A table with a line for each size.
    """
    lines = ["plates  macros, s  a plate, s  plain, s  a plate, s  ratio"]
    for size in dict.fromkeys(size for size, _ in seconds):
        ours, plain = (seconds[size, kind] for kind in KINDS)
        with_macros = f"{size:6}  {ours:9.2f}  {ours / size:10.3f}"
        lines.append(f"{with_macros}  {plain:8.2f}  {plain / size:10.3f}  {ours / plain:5.2f}")
    return "\n".join(lines)


def _build(tree: Path) -> float:
    """Seconds of the processor that a build takes, from the start of its process."""
    command = [sys.executable, "-m", "plates.benchmark_volumes", str(tree)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"a volume did not build:\n{done.stderr}")
    return float(done.stdout.splitlines()[-1])
