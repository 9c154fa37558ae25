"""A recording is read whole or refused, with file, line and column."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from plates.recorded import recordings
from plates.recorded.recordings import Recording, RecordingError, load
from tests.fixtures import recordings as fixture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fixture.write(tmp_path / "generated")


def rewrite(folder: Path, name: str, old: str, new: str) -> None:
    """Replace a piece of a file, and hash it anew: the fault is the content's alone."""
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {name}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="")
    fixture.write_manifest(folder)


def refused(folder: Path, *pieces: str) -> None:
    with pytest.raises(RecordingError) as caught:
        load(folder)
    message = str(caught.value)
    for piece in pieces:
        assert piece in message, message
    assert str(folder) not in message, "a message names no path of one machine"
    assert re.search(r"; (restore|remove|record|did you)", message), message


def test_a_whole_recording_is_read(folder: Path) -> None:
    recording = load(folder)
    assert (recording.name, list(recording.runs.index)) == ("output-head", ["tied", "untied"])
    assert recording.run("tied").final_heldout_loss == 4.25
    assert type(recording.run("tied").parameters) is int
    assert recording.curve("untied")["step"].tolist() == [0, 10, 20]
    assert recording.curves.dtypes.astype(str).to_dict() == {
        "run": "str",
        "step": "int64",
        "tokens_seen": "int64",
        "train_loss": "float64",
        "heldout_loss": "float64",
    }
    assert recording.manifest["machine"]["threads"] == 2
    assert len(recording.digest) == 64


def test_floats_are_read_back_exactly(folder: Path) -> None:
    rewrite(folder, "runs.csv", "600.5", "600.2083123456789")
    assert load(folder).run("tied").elapsed_seconds == 600.2083123456789


@pytest.mark.parametrize("name", ["None", "NA", "nan", "NULL", "1"])
def test_names_that_look_missing_stay_text(tmp_path: Path, name: str) -> None:
    folder = fixture.write(tmp_path / "generated")
    for path in folder.glob("*.csv"):
        path.write_text(re.sub(r"^tied,", f"{name},", path.read_text(), flags=re.M), newline="")
    recipe = json.loads((folder / "manifest.json").read_text())["recipe"]
    fixture.write_manifest(folder, recipe={name: recipe["tied"], "untied": recipe["untied"]})
    recording = load(folder)
    assert recording.run(name).final_heldout_loss == 4.25
    assert recording.curve(name)["run"].tolist() == [name] * 3


def test_an_unknown_run_or_column_is_answered_with_the_nearest(folder: Path) -> None:
    recording = load(folder)
    with pytest.raises(RecordingError, match=r"output-head/runs\.csv: no run 'tide'; did you mean 'tied'\?"):
        recording.run("tide")
    with pytest.raises(RecordingError, match="runs are 'tied', 'untied'"):
        recording.curve("zzz")
    with pytest.raises(ValueError, match=r"run 'tied': no 'parametres'; did you mean 'parameters'\?"):
        recording.run("tied")["parametres"]
    with pytest.raises(AttributeError, match="did you mean 'parameters'"):
        _ = recording.run("tied").parametres


CELLS = [
    # A cell of a curve, what stands in its place, and the words wanted.
    ("tied,10,20480,", "tied,10,20480,9,", "curves.csv:3: wanted 5 cells"),
    ("tied,10,20480,", "tied,10,", "curves.csv:3: wanted 5 cells"),
    ("tied,10,20480,", 'tied,10,"20,480",', "curves.csv:3: column tokens_seen: wanted a whole number"),
    ("tied,10,20480,", "tied,10.0,20480,", "curves.csv:3: column step: wanted a whole number"),
    ("tied,10,20480,", "tied,-10,20480,", "curves.csv:3: column step: wanted a whole number"),
    ("tied,10,20480,", "tied,10,20481,", "curves.csv:3: column tokens_seen: wanted step × batch_size"),
    ("tied,10,20480,", "tied,0,0,", "curves.csv:3: column step: wanted a step above 0"),
    ("tied,10,20480,", "tied,20,40960,", "curves.csv:4: column step: wanted a step above 20"),
    ("tied,10,20480,", "tied,15,30720,", "curves.csv:6: column step: wanted step 15, as in run 'tied'"),
    ("tied,0,0,", "tied,5,10240,", "curves.csv:2: column step: wanted step 0 as the first"),
    (
        "tied,0,0,",
        "tide,0,0,",
        "curves.csv:2: column run: wanted a run of runs.csv ('tied', 'untied'), came 'tide'",
    ),
    ("tied,0,0,", " tied,0,0,", "curves.csv:2: column run: wanted text without blanks"),
    ("tied,0,0,", ",0,0,", "curves.csv:2: column run: wanted text"),
    ("tied,0,0,", "tied,0,0,1_0", "curves.csv:2: column train_loss: wanted a finite number"),
    ("tied,0,0,", "tied,0,0,-", "curves.csv:2: column train_loss: wanted a finite number"),
    ("tied,0,0,", 'tied,0,0,"', "curves.csv"),
    ("train_loss,", "loss,", "curves.csv:1: column 'train_loss' is missing"),
    ("step,tokens_seen", "tokens_seen,step", "curves.csv:1: the columns stand twice or in another order"),
    ("heldout_loss\n", "heldout_loss,extra\n", "curves.csv:1: column 'extra' does not belong here"),
    ("tied,10,", "\ntied,10,", "curves.csv:3: wanted 5 cells"),
    ("run,step", "\ufeffrun,step", "curves.csv:1: begins with a byte-order mark"),
    ("heldout_loss\n", "heldout_loss\r\n", "curves.csv:1: holds a carriage return (CRLF line ends?)"),
    ("tied,10,", "ti\0ed,10,", "curves.csv:3: holds a zero byte"),
]


@pytest.mark.parametrize(("old", "new", "words"), CELLS, ids=[each[2][:60] for each in CELLS])
def test_a_faulty_curve_is_refused(folder: Path, old: str, new: str, words: str) -> None:
    rewrite(folder, "curves.csv", old, new)
    refused(folder, f"generated/output-head/{words}")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "NaN", "", "1,234", "4.2e", "١"])
def test_losses_are_finite_numbers(folder: Path, value: str) -> None:
    last = (folder / "curves.csv").read_text(encoding="utf-8").splitlines()[-1]
    cell = f'"{value}"' if "," in value else value
    rewrite(folder, "curves.csv", last, last.rpartition(",")[0] + "," + cell)
    refused(folder, "curves.csv:7: column heldout_loss: wanted a finite number", f"came {value!r}")


RUNS = [
    ("tied,tied,", "tied,tide,", "runs.csv:2: column head: wanted 'tied' or 'untied', came 'tide'"),
    ("untied,untied,", "tied,untied,", "runs.csv:3: column run: wanted each run once (first on line 2)"),
    (
        "untied,untied,",
        "third,untied,",
        "runs.csv:3: column run: wanted a run of the manifest ('tied', 'untied')",
    ),
    ("1852544", '"1,852,544"', "runs.csv:2: column parameters: wanted a whole number in digits alone"),
    ("1852544", "0", "runs.csv:2: column parameters: wanted a number above 0"),
    (
        ",40960,",
        ",40961,",
        "runs.csv:2: column tokens_seen: wanted steps × batch_size × context_length = 40960",
    ),
    (",4.25,", ",,", "runs.csv:2: column final_heldout_loss: wanted a finite number"),
    (",3.9,", ",nan,", "runs.csv:2: column final_train_loss: wanted a finite number"),
    ("final_heldout_loss,", "", "runs.csv:1: column 'final_heldout_loss' is missing"),
    ("0.002", "0.001", "runs.csv:2: column learning_rate: wanted 0.002, as in the manifest's recipe"),
    (",8192,128,4,4,", ",8192,128,4,3,", "runs.csv:2: column n_heads: wanted a divisor of d_model (128)"),
    (
        ",8192,128,4,4,",
        ",8000,128,4,4,",
        "runs.csv:2: column vocab_size: wanted 8192, as in the manifest's recipe",
    ),
]


@pytest.mark.parametrize(("old", "new", "words"), RUNS, ids=[each[2][:60] for each in RUNS])
def test_a_faulty_run_is_refused(folder: Path, old: str, new: str, words: str) -> None:
    rewrite(folder, "runs.csv", old, new)
    refused(folder, f"generated/output-head/{words}")


def test_a_missing_run_is_refused(folder: Path) -> None:
    lines = (folder / "runs.csv").read_text().splitlines(keepends=True)
    rewrite(folder, "runs.csv", lines[-1], "")
    refused(folder, "runs.csv:3: wanted a row for run 'untied', which the manifest names; came none")


def test_curves_that_end_early_are_refused(folder: Path) -> None:
    text = (folder / "curves.csv").read_text()
    rewrite(folder, "curves.csv", text.splitlines(keepends=True)[-1], "")
    refused(folder, "curves.csv:6: column step: wanted step 20 as the last of run 'untied', came 10")
    (folder / "curves.csv").write_text(text.split("untied")[0])
    fixture.write_manifest(folder)
    refused(folder, "curves.csv: run 'untied': wanted rows from step 0 to 20, came none")


def test_a_run_with_fewer_steps_is_refused(folder: Path) -> None:
    text = (folder / "curves.csv").read_text()
    rewrite(folder, "curves.csv", text.splitlines(keepends=True)[5], "")
    refused(folder, "curves.csv:6: column step: wanted step 10, as in run 'tied', for run 'untied', came 20")


DAMAGE: list[tuple[Callable[[Path], object], str]] = [
    (lambda folder: (folder / "curves.csv").unlink(), "curves.csv: the file is missing"),
    (
        lambda folder: (folder / "manifest.json").unlink(),
        "manifest.json: the file is missing, which is written last",
    ),
    (lambda folder: (folder / "tokenizer.json").unlink(), "tokenizer.json: the file is missing"),
    (
        lambda folder: os.truncate(folder / "curves.csv", 100),
        "curves.csv:3: the last line has no end; the file seems",
    ),
    (lambda folder: os.truncate(folder / "curves.csv", 0), "curves.csv:1: the file is empty"),
    (lambda folder: os.truncate(folder / "manifest.json", 100), "is not JSON"),
    (
        lambda folder: os.truncate(folder / "tokenizer.json", 10),
        "tokenizer.json: wanted 19 bytes, as recorded, came 10",
    ),
    (
        lambda folder: (folder / "tokenizer.json").write_text('{"a test": "0nly"}\n'),
        "tokenizer.json: wanted sha256 ",
    ),
    (
        lambda folder: (folder / "slices.csv").write_text("a\n1\n"),
        "slices.csv: the manifest does not name this file",
    ),
    (lambda folder: (folder / "curves.csv").write_bytes(b"run\xff\n"), "curves.csv:1: is not UTF-8"),
    (
        lambda folder: (folder / "curves.csv").write_text("date,price\n2020,1\n"),
        "curves.csv:1: column 'run' is missing",
    ),
    (
        lambda folder: (folder / "manifest.json").write_text("[]"),
        "manifest.json: wanted a JSON object, came list",
    ),
    (lambda folder: (folder / "manifest.json").write_text("{"), "manifest.json:1: is not JSON"),
    (lambda folder: (folder / "manifest.json").write_bytes(b"\xff"), "manifest.json: is not UTF-8"),
    (lambda folder: (folder / "manifest.json").write_text('{"a": NaN}'), "wanted finite numbers, came NaN"),
    (lambda folder: (folder / "manifest.json").write_text('{"a": 1, "a": 2}'), "key 'a' stands twice"),
]


@pytest.mark.parametrize(("damage", "words"), DAMAGE, ids=[each[1] for each in DAMAGE])
def test_damaged_files_are_refused(folder: Path, damage: Callable[[Path], object], words: str) -> None:
    damage(folder)
    refused(folder, "generated/output-head/", words)


def test_a_value_edited_by_hand_is_noticed(folder: Path) -> None:
    path = folder / "runs.csv"
    path.write_text(path.read_text().replace("4.25", "4.15"), newline="")
    refused(folder, "runs.csv: wanted sha256 ", "the file has been changed since")


@pytest.mark.parametrize("text", ["[" * 100_000, f'{{"contract": {"9" * 5000}}}'])
def test_a_manifest_beyond_all_measure_is_refused(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    refused(folder, "manifest.json: wanted JSON that can be read, came too many brackets or digits")


def test_the_remedy_names_the_recording(tmp_path: Path) -> None:
    folder = fixture.write(tmp_path / "generated", "seed-11")
    (folder / "curves.csv").unlink()
    refused(folder, "seed-11/curves.csv: the file is missing; restore the committed files, or record again: ")
    refused(folder, "python -m training record --recording seed-11")


MANIFESTS = [
    ({"contract": 2}, "contract: wanted 1, which this reader knows, came 2"),
    ({"recording": "other"}, "recording: wanted 'output-head', as the folder is named, came 'other'"),
    ({"recorded_at": "yesterday"}, "recorded_at: wanted an ISO date"),
    ({"recorded_at": "2026-01-31T12:00:00"}, "recorded_at: wanted an ISO date such as 2026-01-31, came"),
    ({"command": None}, "command: wanted text, came None"),
    (
        {"machine": {"cpu": "x", "threads": "2", "precision": ""}},
        "machine.threads: wanted whole number, came '2'",
    ),
    ({"corpus": {}}, "corpus.name: the key is missing"),
    ({"versions": "all"}, "versions.python: the key is missing"),
    ({"recipe": {}}, "recipe: wanted a recipe for each run"),
    ({"files": {}}, "files: wanted 'runs.csv' among them"),
    ({"files": {"runs.csv": {}, "curves.csv": {}}}, "files, runs.csv: wanted a sha256 of 64"),
    (
        {"files": {"runs.csv": {"sha256": "0" * 64}, "curves.csv": {}}},
        "files, runs.csv: wanted its size in bytes",
    ),
    (
        {"files": {"../runs.csv": {}, "runs.csv": {}, "curves.csv": {}}},
        "files: wanted the plain name of a file",
    ),
]


@pytest.mark.parametrize(("changes", "words"), MANIFESTS, ids=[each[1] for each in MANIFESTS])
def test_a_faulty_manifest_is_refused(folder: Path, changes: dict[str, object], words: str) -> None:
    fixture.write_manifest(folder, **changes)
    refused(folder, f"generated/output-head/manifest.json: {words}")


def test_an_unknown_recording_is_answered_with_the_nearest(folder: Path) -> None:
    with pytest.raises(RecordingError, match=r"no recording 'output-haed'; did you mean 'output-head'\?"):
        recordings.find(folder.parent, "output-haed")
    with pytest.raises(RecordingError, match="no recording"):
        recordings.find(folder.parent, "../generated/output-head")


def test_a_recording_is_loaded_once_until_it_changes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[Path] = []

    def counted(folder: Path) -> Recording:
        loaded.append(folder)
        return load(folder)

    monkeypatch.setattr(recordings, "load", counted)
    first = recordings.find(folder.parent, "output-head")
    assert recordings.find(folder.parent, "output-head") is first
    rewrite(folder, "runs.csv", "600.5", "601.5")
    assert recordings.find(folder.parent, "output-head").run("tied").elapsed_seconds == 601.5
    assert len(loaded) == 2
