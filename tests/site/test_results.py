"""The page says what the recording holds, to the printed digit, and follows it when it is recorded anew."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from bs4 import BeautifulSoup

RECORDING = Path("generated/output-head")
LOSSES = ("final_train_loss", "final_heldout_loss", "heldout_bits_per_byte")
TABLES = {
    "runs.csv": LOSSES,
    "addresses.csv": ("heldout_loss",),
    "frequencies.csv": ("heldout_loss",),
}
"""The columns of losses that depend on a run's final weights, by table."""


def recorded(tree: Path) -> list[dict[str, str]]:
    with (tree / RECORDING / "runs.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def readings(site: Path) -> dict[str, list[str]]:
    """The cells of the readings by their row's name."""
    page = BeautifulSoup((site / "plates/output-head/index.html").read_text(encoding="utf-8"), "html.parser")
    rows = [row.find_all(["th", "td"]) for row in page.select("table.readings tr")]
    return {cells[0].get_text(): [cell.get_text() for cell in cells[1:]] for cells in rows}


def assert_told(site: Path, runs: list[dict[str, str]]) -> None:
    told = readings(site)
    names = ("Final training loss", "Final held-out loss", "Held-out bits per byte")
    for name, column in zip(names, LOSSES, strict=True):
        assert told[name][:2] == [f"{float(run[column]):.3f}" for run in runs]
    assert told["Parameters"][:2] == [f"{int(run['parameters']):,}" for run in runs]
    page = BeautifulSoup((site / "plates/output-head/index.html").read_text(encoding="utf-8"), "html.parser")
    prose = " ".join(page.get_text(" ").split())
    tied, untied = (float(run["final_heldout_loss"]) for run in runs)
    assert f"held-out loss is {untied:.3f} nats per token against {tied:.3f} for the tied one" in prose
    assert f"of {abs(untied - tied):.3f} nats" in prose


def test_the_page_says_what_was_recorded(site, root: Path) -> None:
    assert_told(site.path, recorded(root))


def shift(tree: Path, by: dict[str, float]) -> None:
    """Add a number to each loss of each run, in all tables that hold one; the manifest vouches for it."""
    manifest = tree / RECORDING / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    for name, columns in TABLES.items():
        path = tree / RECORDING / name
        if not path.exists():
            continue
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            row |= {column: repr(float(row[column]) + by[row["run"]]) for column in columns}
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        content = path.read_bytes()
        told["files"][name] |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    manifest.write_text(json.dumps(told), encoding="utf-8")


def test_the_page_follows_a_new_recording(tree: Path, mkdocs: Callable[..., object], tmp_path: Path) -> None:
    # Another second decimal, and the order of the two turned round.
    shift(tree, {"tied": 0.05, "untied": 0.41})
    assert mkdocs(tree, tmp_path / "site", "--strict").returncode == 0
    assert_told(tmp_path / "site", recorded(tree))
    assert "a loss of" in (tmp_path / "site/plates/output-head/index.html").read_text(encoding="utf-8")
