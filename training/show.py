"""Draw a recording's curves, for whoever has just made one; the book draws its own."""

import csv
from pathlib import Path

from matplotlib.figure import Figure

from training import files
from training.errors import reason

STYLES = {"heldout_loss": ("held-out", "-"), "train_loss": ("training", "--")}
KINDS = (".png", ".svg", ".pdf")


def draw(folder: Path, target: Path) -> str:
    """Draw the losses over the steps and return the final ones as a table.

    Args:
        folder: a recording, with its manifest.
        target: the picture; its ending says the kind.

    Raises:
        RecordingError: no recording, one whose files are not those of its manifest, or other tables.
        ValueError: a picture of another kind.
    """
    if target.suffix not in KINDS:
        raise ValueError(f"{target}: wanted a file that ends in {', '.join(KINDS)}")
    manifest = files.read_manifest(folder)
    for name in ("runs.csv", "curves.csv"):
        files.check_file(folder, manifest, name)
    try:
        runs, curves = (_rows(folder / name) for name in ("runs.csv", "curves.csv"))
        lines, figure = [_line(row) for row in runs], _figure(runs, curves)
    except (KeyError, TypeError, ValueError) as error:
        raise files.RecordingError(
            f"{folder}: wanted the tables of a recording, runs.csv and curves.csv, got {reason(error)}; "
            "record it anew"
        ) from error
    figure.savefig(target, dpi=150)
    return "\n".join(lines)


def _line(row: dict[str, str]) -> str:
    heldout, train = (float(row[name]) for name in ("final_heldout_loss", "final_train_loss"))
    size = f"{int(row['parameters']):>12,} parameters"
    return f"{row['run']:<14}{size}   held-out {heldout:.4f}   training {train:.4f} nats per token"


def _figure(runs: list[dict[str, str]], curves: list[dict[str, str]]) -> Figure:
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for number, run in enumerate(row["run"] for row in runs):
        own = [row for row in curves if row["run"] == run]
        for column, (name, line) in STYLES.items():
            steps, losses = ([float(row[key]) for row in own] for key in ("step", column))
            axes.plot(steps, losses, line, color=f"C{number}", label=f"{run}, {name}")
    axes.set(xlabel="step", ylabel="loss, nats per token")
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        raise ValueError(f"no row in {path.name}")
    return rows
