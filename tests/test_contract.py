"""What the recorder writes is what the book reads: a small pair, recorded, exported and loaded."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from plates.pairs import pair
from plates.recorded.contract import CURVES, RUNS
from plates.recorded.recordings import Recording, load
from plates.recorded.tables import TABLES
from tests.training.miniature import PLAIN, SMALL, small_material
from training import export, record
from training.places import of_the_volume


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made, material = tmp_path_factory.mktemp("pair"), small_material()
    finished = []
    for recipe in (SMALL, replace(SMALL, run="untied", head="untied")):
        checkpoint = made / "work" / recipe.run / "checkpoint.pt"
        finished.append(
            (recipe, record.record_run(recipe, PLAIN, material, checkpoint, lambda progress: None))
        )
    home = made / "generated" / "output-head"
    home.mkdir(parents=True)
    files = export.recording_files(of_the_volume("output-head"), finished, material, PLAIN)
    for name, content in files.items():
        (home / name).write_bytes(content)
    return home


@pytest.fixture(scope="module")
def recording(folder: Path) -> Recording:
    return load(folder)


def test_every_table_is_read(recording: Recording) -> None:
    assert set(recording.tables) == set(TABLES)
    assert pair(recording).seed == SMALL.seed
    assert len(recording.table("roles.csv")) == 80
    assert len(recording.table("repeats.csv")) == len(recording.curves)


def test_the_columns_are_the_recorders() -> None:
    ours = {"runs.csv": RUNS, "curves.csv": CURVES, **{name: table.columns for name, table in TABLES.items()}}
    for name, columns in ours.items():
        wanted = getattr(export, f"{name.removesuffix('.csv').upper()}_COLUMNS")
        assert tuple(columns) == wanted, name


def test_the_manifest_names_what_is_there(folder: Path) -> None:
    told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert {*told["files"], "manifest.json"} == {path.name for path in folder.iterdir()}


def test_all_is_explained(root: Path) -> None:
    told = (root / "generated" / "README.md").read_text(encoding="utf-8")
    for table in (RUNS, CURVES, *(each.columns for each in TABLES.values())):
        assert [column for column in table if f"`{column}`" not in told] == []
    assert [name for name in TABLES if f"**`{name}`**" not in told] == []
