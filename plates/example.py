"""An example to begin a plate with: a parabola's lowest point, looked for in two ways. No result of ours.

    python -m plates.example    # prints it as a file

It is computed here, in a moment and to the last digit the same, so that a new plate has a recording to draw
before it has one of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plates.tables import Row, parse, real, text, whole

DATA = Path(__file__).parent / "data"
SUFFIX = "-example.csv"
COMMAND = "python -m plates.example"
COLUMNS = {"run": text, "step": whole, "loss": real}
RUNS = {"short steps": 0.05, "long steps": 0.1}
"""The learning rate of each run."""
STEPS = 20


def descend(learning_rate: float, steps: int) -> Iterator[float]:
    """Descend the parabola L(w) = w² / 2 from w = 1 by its gradient.

    Args:
        learning_rate: the part of the gradient, w, that a step goes.
        steps: how many steps to go.

    Yields:
        The loss before the first step and after each.
    """
    w = 1.0
    for _ in range(steps + 1):
        yield w * w / 2
        w -= learning_rate * w


def as_csv() -> str:
    """Compute the example.

    Returns:
        A table with the columns of `COLUMNS`: a row for each run and step.
    """
    rows = [
        f"{run},{step},{loss!r}\n"
        for run, learning_rate in RUNS.items()
        for step, loss in enumerate(descend(learning_rate, STEPS))
    ]
    return ",".join(COLUMNS) + "\n" + "".join(rows)


def read(name: str) -> dict[str, list[Row]]:
    """Read a plate's example.

    Args:
        name: a file of `plates/data` that ends in `SUFFIX`.

    Returns:
        Its rows by run, in order of steps.

    Raises:
        ValueError: a row is not what it must be; file, line and column are named.
    """
    runs: dict[str, list[Row]] = {}
    try:
        for row in parse((DATA / name).read_bytes(), COLUMNS):
            runs.setdefault(row["run"], []).append(row)
    except ValueError as error:
        raise ValueError(f"plates/data/{name}:{error}; write it anew: {COMMAND}") from error
    return runs


def files() -> dict[str, bytes]:
    """The examples of all plates by name, for readers to fetch."""
    return {path.name: path.read_bytes() for path in sorted(DATA.glob(f"*{SUFFIX}"))}


if __name__ == "__main__":
    print(as_csv(), end="")
