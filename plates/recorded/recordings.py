"""Load recordings from `generated/` and hold them to their contract; nothing else reads their tables.

A recording is a folder with `runs.csv` (a row per run), `curves.csv` (a row per run and recorded step), other
tables of what was measured, `manifest.json` (what made them, and every file's hash), and further files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from plates.names import Namespace, hint
from plates.recorded import contract, manifests
from plates.recorded.contract import CURVES, RUNS
from plates.recorded.rows import Known
from plates.recorded.tables import EVERYWHERE, TABLES
from plates.tables import Kind, Row, TableError, parse, text, whole

DTYPES: dict[Kind, str] = {text: "str", whole: "int64"}
"""Of a column by its kind; all others hold numbers with a point, float64."""


class RecordingError(ValueError):
    """A recording that is missing, damaged, foreign or asked for what it does not hold."""


@dataclass(frozen=True, eq=False)
class Recording:
    """A checked recording."""

    name: str
    folder: Path
    runs: pd.DataFrame
    """A row per run, indexed by the run's name; columns as in `RUNS`."""
    curves: pd.DataFrame
    """A row per run and recorded step; losses in nats per token."""
    tables: Mapping[str, pd.DataFrame]
    """The tables of measurements by their file; columns as in `plates.recorded.tables`."""
    manifest: Mapping[str, Any]
    digest: str
    """sha256 of the manifest file, and through it of everything."""
    size: int
    """Bytes of the manifest file."""

    def run(self, name: str) -> Namespace:
        """Return one run's row: its shape, recipe and final losses by column name."""
        row = self.runs.loc[self._known(name)]
        values = {column: row[column] for column in self.runs.columns}
        plain = {
            column: value.item() if hasattr(value, "item") else value for column, value in values.items()
        }
        return Namespace(f"{self._file('runs.csv')}, run {name!r}", {"run": name, **plain})

    def curve(self, name: str) -> pd.DataFrame:
        """Return one run's rows of `curves`, in order of steps."""
        return self._by_run[self._known(name)]

    @cached_property
    def _by_run(self) -> dict[str, pd.DataFrame]:
        grouped = self.curves.groupby("run", sort=False)
        return {str(name): rows.reset_index(drop=True) for name, rows in grouped}

    @property
    def files(self) -> dict[str, Mapping[str, Any]]:
        """Size and hash of every file, also of the manifest, which cannot hold its own."""
        return {**self.manifest["files"], "manifest.json": {"bytes": self.size, "sha256": self.digest}}

    def table(self, name: str) -> pd.DataFrame:
        """Return a table of measurements by its file, such as "repeats.csv"."""
        if name not in self.tables:
            meant = "" if name in TABLES else hint(name, self.tables, "tables are")
            raise RecordingError(
                f"{self._file(name)}: the recording has no such table{meant}; record it again"
            )
        return self.tables[name]

    def _known(self, name: str) -> str:
        if name not in self.runs.index:
            names = list(self.runs.index)
            raise RecordingError(f"{self._file('runs.csv')}: no run {name!r}{hint(name, names, 'runs are')}")
        return name

    def _file(self, name: str) -> str:
        return f"{shown(self.folder)}/{name}"


@dataclass(frozen=True)
class File:
    """A file of a recording."""

    data: bytes
    about: Mapping[str, Any]
    """Its size and hash, as the manifest has them."""


def shown(folder: Path) -> str:
    """A folder as messages name it: with its parent, and no path of one machine."""
    return "/".join(folder.parts[-2:])


def load(folder: Path) -> Recording:
    """Read a recording and check all of it.

    Args:
        folder: such as `generated/output-head`.

    Returns:
        The recording.

    Raises:
        RecordingError: a file is missing, damaged or against the contract; file, line and column are named.
    """
    manifest_bytes = _bytes(folder, "manifest.json")
    try:
        manifest = manifests.parse(manifest_bytes, folder.name)
    except manifests.ManifestError as error:
        raise _error(folder, "manifest.json", error) from error
    _check_strangers(folder, manifest["files"])
    files = {name: File(_bytes(folder, name), about) for name, about in manifest["files"].items()}
    runs = _table(folder, "runs.csv", files, RUNS, lambda rows: contract.check_runs(rows, manifest["recipe"]))
    curves = _table(folder, "curves.csv", files, CURVES, lambda rows: contract.check_curves(rows, runs))
    known = Known({row["run"]: row for row in runs}, curves, manifest)
    tables = {name: _measured(folder, name, files, known) for name in TABLES if name in files}
    for name, file in files.items():
        if not name.endswith(".csv"):
            _check_file(folder, name, file)
    return Recording(
        name=folder.name,
        folder=folder,
        runs=_frame(runs, RUNS).set_index("run"),
        curves=_frame(curves, CURVES),
        tables=tables,
        manifest=Namespace(f"{shown(folder)}/manifest.json", manifest),
        digest=hashlib.sha256(manifest_bytes).hexdigest(),
        size=len(manifest_bytes),
    )


_loaded: dict[Path, tuple[tuple[tuple[str, int, int], ...], Recording]] = {}


def find(generated: Path, name: str) -> Recording:
    """Load the recording of that name, once for as long as its files do not change.

    Args:
        generated: the folder of all recordings.
        name: a folder in it.

    Returns:
        The recording.

    Raises:
        RecordingError: there is none of that name, or it is not what it must be.
    """
    folder = generated / name
    if not folder.is_dir() or folder.parent != generated:
        names = [each.parent.name for each in generated.glob("*/manifest.json")]
        raise RecordingError(f"{generated.name}: no recording {name!r}{hint(name, names, 'recordings are')}")
    state = tuple(
        (each.name, each.stat().st_mtime_ns, each.stat().st_size) for each in sorted(folder.iterdir())
    )
    if folder not in _loaded or _loaded[folder][0] != state:
        _loaded[folder] = (state, load(folder))
    return _loaded[folder][1]


def publish(generated: Path, into: Path, besides: Mapping[str, bytes] | None = None) -> None:
    """Lay copies of all sound recordings' files where readers can fetch them; a faulty one is left out.

    Args:
        generated: the folder of all recordings.
        into: a folder of its own under `docs`; what no recording holds any more is removed from it.
        besides: other files to lay there, by name.
    """
    kept = {into / name for name in besides or {}}
    for name, data in (besides or {}).items():
        _lay(data, into / name)
    for manifest in sorted(generated.glob("*/manifest.json")):
        try:
            recording = find(generated, manifest.parent.name)
        except RecordingError:
            continue  # the page that asks for it says what is wrong, by file and line
        for name in (*recording.manifest["files"], "manifest.json"):
            kept.add(into / recording.name / name)
            _lay((recording.folder / name).read_bytes(), into / recording.name / name)
    for path in sorted(into.rglob("*"), reverse=True):
        if path.is_file() and path not in kept:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def _lay(data: bytes, target: Path) -> None:
    """Write a file, whole or not at all; one that is there stays, or a live server would build again."""
    if not target.exists() or target.read_bytes() != data:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}")
        beside.write_bytes(data)
        beside.replace(target)


def _error(folder: Path, name: str, fault: object, remedy: str = "") -> RecordingError:
    """An error in the house's form: file, place, what was wanted and came, what to do."""
    colon = ":" if str(fault)[0].isdigit() else ": "
    again = f"python -m training record --recording {folder.name}"
    remedy = remedy or f"restore the committed files, or record again: {again}"
    return RecordingError(f"{shown(folder)}/{name}{colon}{fault}; {remedy}")


def _bytes(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except FileNotFoundError as error:
        # The manifest is written last: without it the recording was never finished.
        last = ", which is written last: the recording is not whole" if name == "manifest.json" else ""
        raise _error(folder, name, f"the file is missing{last}") from error
    except OSError as error:
        raise _error(folder, name, f"cannot be read ({error.strerror})") from error


def _table(
    folder: Path,
    name: str,
    files: Mapping[str, File],
    columns: Mapping[str, Kind],
    check: Callable[[list[Row]], None],
) -> list[Row]:
    """Parse a table, check its rows, and hold it to its hash before another table is held against it."""
    try:
        rows = parse(files[name].data, columns)
        check(rows)
    except TableError as error:
        raise _error(folder, name, error) from error
    _check_file(folder, name, files[name])
    return rows


def _measured(folder: Path, name: str, files: Mapping[str, File], known: Known) -> pd.DataFrame:
    """Read a table of measurements."""
    table = TABLES[name]
    rows = _table(folder, name, files, table.columns, lambda rows: table.check(rows, known))
    return _frame(rows, table.columns)


def _check_strangers(folder: Path, files: Mapping[str, Any]) -> None:
    """Refuse files that the manifest or the contract does not name, and a lack of those that all have."""
    known = {"manifest.json", *files}
    for path in sorted(folder.iterdir()):
        if path.name not in known and not path.name.startswith("."):
            raise _error(
                folder, path.name, "the manifest does not name this file", "remove it, or record again"
            )
    for name in files:
        if name.endswith(".csv") and name not in ("runs.csv", "curves.csv", *TABLES):
            said = f"no table of a recording is called so{hint(name, TABLES)}"
            raise _error(folder, name, said, "remove it, or record again")
    for name in EVERYWHERE:
        if name not in files:
            said = "the manifest does not name this table, which stands in every recording"
            raise _error(folder, name, said)


def _check_file(folder: Path, name: str, file: File) -> None:
    """Hold a file to the size and hash that its manifest gives."""
    if len(file.data) != file.about["bytes"]:
        said = f"wanted {file.about['bytes']} bytes, as recorded, came {len(file.data)}"
        raise _error(folder, name, said)
    came = hashlib.sha256(file.data).hexdigest()
    if came != file.about["sha256"]:
        hashes = f"wanted sha256 {file.about['sha256'][:12]}…, as recorded, came {came[:12]}…"
        raise _error(folder, name, f"{hashes}: the file has been changed since")


def _frame(rows: list[Row], columns: Mapping[str, Kind]) -> pd.DataFrame:
    """Rows to a frame whose dtypes are declared, never guessed."""
    return pd.DataFrame(
        {
            column: pd.Series([row[column] for row in rows], dtype=DTYPES.get(kind, "float64"))
            for column, kind in columns.items()
        }
    )
