"""The command line, as a reader meets it."""

import csv
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.training import miniature
from training import commands, corpus, files, jobs, plan, recipe, verify
from training.__main__ import build_parser, main
from training.material import tokenizer_bytes
from training.places import of_the_volume


def training(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "training", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)


@pytest.mark.parametrize(
    ("command", "option"),
    [("record", "--all"), ("verify", "--steps"), ("benchmark", "--json"), ("show", "--to")],
)
def test_help_says_what_each_command_does(command, option):
    shown = training(command, "--help")
    assert shown.returncode == 0
    assert f"python -m training {command}" in shown.stdout
    assert option in shown.stdout


def test_help_needs_no_torch():
    script = "import sys; sys.modules['torch'] = None; import training.__main__ as m; m.build_parser()"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0


def test_a_command_without_torch_says_what_to_do():
    without = "import sys; sys.modules['torch'] = None; from training.__main__ import main"
    script = f"{without}; exit(main(['verify']))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("training: wanted torch, which is not installed for this Python")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["record", "--jobs", "0"], "wanted a whole number of at least 1, got '0'"),
        (["verify", "--steps", "many"], "wanted a whole number of at least 1, got 'many'"),
        (["record", "--precision", "fp8"], "invalid choice: 'fp8'"),
        (["record", "--recording", "learning-rat"], "invalid choice: 'learning-rat'"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_a_wrong_flag_gets_one_clear_line(capsys, arguments, complaint):
    with pytest.raises(SystemExit) as stop:
        build_parser().parse_args(arguments)
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert error.endswith("--help\n")


def test_an_unknown_run_is_named_with_those_there_are(capsys):
    assert main(["record", "tide"]) == 1
    assert "no run 'tide' in 'output-head'; runs are 'tied', 'untied'" in capsys.readouterr().err


def test_a_device_that_is_not_there_is_refused(capsys):
    assert main(["record", "--device", "mps"]) == 1
    assert "device: wanted 'mps', and this machine has cpu" in capsys.readouterr().err


@pytest.fixture
def small_volume(monkeypatch, tmp_path):
    """The command line over the miniature: its corpus, its two runs, and folders of its own."""
    pair = (miniature.SMALL, replace(miniature.SMALL, run="untied", head="untied"))
    monkeypatch.setattr(corpus, "load_sotu", miniature.addresses)
    monkeypatch.setitem(recipe.RECORDINGS, "output-head", pair)
    monkeypatch.setattr(commands, "TIED", pair[0])
    monkeypatch.setattr(commands, "UNTIED", pair[1])
    monkeypatch.setattr(commands, "GENERATED", tmp_path / "generated")
    monkeypatch.setattr(commands, "WORKSHOP", tmp_path / "workshop")
    return tmp_path


PLAIN = ["--jobs", "1", "--precision", "fp32", "--no-compile"]


def test_a_recording_from_the_command_to_its_files_and_back(small_volume, capsys):
    assert main(["record", "tied", *PLAIN]) == 0
    assert "not exported yet: untied still to be recorded" in capsys.readouterr().err
    folder = small_volume / "generated" / "output-head"
    assert not folder.exists()
    assert main(["record", *PLAIN]) == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "addresses.csv",
        "baselines.csv",
        "continuations.csv",
        "curves.csv",
        "frequencies.csv",
        "manifest.json",
        "repeats.csv",
        "roles.csv",
        "runs.csv",
        "tokenizer.json",
    ]
    assert main(["verify", "--steps", "10", *PLAIN[2:]]) == 0
    assert "8 losses agree within 0.002 nats; largest difference 0.0e+00" in capsys.readouterr().out


def test_all_recordings_are_announced_and_each_is_exported(small_volume, monkeypatch, capsys):
    pair = recipe.RECORDINGS["output-head"]
    for name in set(recipe.RECORDINGS) - {"output-head"}:
        monkeypatch.delitem(recipe.RECORDINGS, name)
    monkeypatch.setitem(recipe.RECORDINGS, "seed-5", tuple(replace(run, seed=5) for run in pair))
    assert main(["record", "untied", *PLAIN]) == 0
    capsys.readouterr()
    assert main(["record", "--all", *PLAIN]) == 0
    error = capsys.readouterr().err
    assert "recording 3 runs of 2 recordings, 1 side by side: how long is not known here yet" in error
    for name in ("output-head", "seed-5"):
        manifest = json.loads((small_volume / "generated" / name / "manifest.json").read_text())
        assert manifest["command"] == f"python -m training record --recording {name}"
    assert not (small_volume / "generated" / "seed-5" / "tokenizer.json").exists()
    assert main(["record", "--all", "tied", *PLAIN]) == 1
    assert "--all records every run; got 'tied' beside it" in capsys.readouterr().err


def test_what_is_left_is_told_with_its_time_in_proportion_to_the_arithmetic(monkeypatch):
    manifest = {"measurements": {"tied": {"steps_per_second": 5.0}, "untied": {"steps_per_second": 4.0}}}
    monkeypatch.setattr(files, "read_manifest", lambda folder: manifest)
    place = replace(of_the_volume("output-head"), workshop=Path("no-such-folder"))
    told = plan.announce({place: place.recipes}, 2, Path())
    assert (
        told == "recording tied, untied, 2 side by side: about 25 minutes on the machine of the recorded pair"
    )
    doubled = replace(recipe.TIED, steps=2 * recipe.TIED.steps)
    assert "about 50 minutes" in plan.announce({place: (doubled,)}, 1, Path())


def test_the_float32_recording_is_in_float32_whatever_is_asked(small_volume, monkeypatch):
    monkeypatch.setitem(recipe.RECORDINGS, "float32", recipe.RECORDINGS["output-head"][:1])
    assert main(["record", "--recording", "float32", "--no-compile", "--precision", "bf16"]) == 0
    manifest = json.loads((small_volume / "generated" / "float32" / "manifest.json").read_text())
    assert manifest["machine"]["precision"] == "fp32"


def test_a_failed_recording_leaves_the_old_one(small_volume, capsys, monkeypatch):
    assert main(["record", *PLAIN]) == 0
    folder = small_volume / "generated" / "output-head"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    slower = tuple(replace(each, learning_rate=0.005) for each in recipe.RECORDINGS["output-head"])
    monkeypatch.setitem(recipe.RECORDINGS, "output-head", slower)
    assert main(["record", *PLAIN]) == 1
    assert "recipe.learning_rate was 0.01 and is now 0.005" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_runs_recorded_one_at_a_time_are_not_mixed_if_the_recipe_changed_between(
    small_volume, capsys, monkeypatch
):
    assert main(["record", "tied", *PLAIN]) == 0
    slower = tuple(replace(each, learning_rate=0.005) for each in recipe.RECORDINGS["output-head"])
    monkeypatch.setitem(recipe.RECORDINGS, "output-head", slower)
    assert main(["record", "untied", *PLAIN]) == 1
    assert "recipe.learning_rate was 0.01 and is now 0.005" in capsys.readouterr().err
    assert not (small_volume / "generated" / "output-head").exists()


def test_runs_recorded_one_at_a_time_are_not_mixed_if_computed_otherwise(small_volume, capsys):
    assert main(["record", "tied", *PLAIN]) == 0
    assert main(["record", "untied", "--threads", "2", *PLAIN]) == 1
    assert "engine.threads was 2 and is now 1" in capsys.readouterr().err
    assert not (small_volume / "generated" / "output-head").exists()


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (
            lambda folder: (folder / "manifest.json").unlink(),
            "manifest.json: wanted the recording's manifest",
        ),
        (lambda folder: (folder / "manifest.json").write_text("{"), "wanted the recording's manifest"),
        (
            lambda folder: (folder / "curves.csv").write_text("a,b\n1,2\n"),
            "curves.csv: wanted sha256 .* found",
        ),
        (
            lambda folder: (folder / "tokenizer.json").unlink(),
            "tokenizer.json: wanted sha256 .* found no such file",
        ),
        (lambda folder: (folder / "manifest.json").write_text("[]"), "manifest with a section 'files'"),
        (lambda folder: (folder / "manifest.json").write_text("{}"), "manifest with a section 'files'"),
        (lambda folder: without_rows_of(folder, "untied"), "no row of run 'untied' up to step 10"),
        (lambda folder: change_rate(folder, 0.02), "learning_rate was 0.02 and is now 0.01"),
        (
            lambda folder: (folder / "tokenizer.json").write_text("{}"),
            "tokenizer.json: wanted sha256 .* found",
        ),
    ],
    ids=[
        "no manifest",
        "half a manifest",
        "foreign curves",
        "no tokenizer",
        "a list",
        "an empty manifest",
        "no untied rows",
        "another recipe",
        "another tokenizer",
    ],
)
def test_verify_refuses_what_is_not_the_recording(small_volume, capsys, spoil, complaint):
    assert main(["record", *PLAIN]) == 0
    spoil(small_volume / "generated" / "output-head")
    assert main(["verify", "--steps", "10", *PLAIN[2:]]) == 1
    assert re.search(complaint, capsys.readouterr().err)


def sign(folder):
    """Have the manifest vouch for the curves as they now are."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"]["curves.csv"]["sha256"] = files.sha256((folder / "curves.csv").read_bytes())
    (folder / "manifest.json").write_text(json.dumps(manifest))


def without_rows_of(folder, run):
    lines = (folder / "curves.csv").read_text().splitlines(keepends=True)
    (folder / "curves.csv").write_text("".join(line for line in lines if not line.startswith(f"{run},")))
    sign(folder)


def change_rate(folder, rate):
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["recipe"]["tied"]["learning_rate"] = rate
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_verify_finds_a_loss_that_was_changed_and_says_what_differs_here(small_volume, capsys):
    assert main(["record", *PLAIN]) == 0
    folder = small_volume / "generated" / "output-head"
    rows = list(csv.reader((folder / "curves.csv").read_text().splitlines()))
    rows[2][4] = repr(float(rows[2][4]) + 0.02)
    with (folder / "curves.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    sign(folder)
    assert main(["verify", "--steps", "10", "--threads", "2", *PLAIN[2:]]) == 1
    shown = capsys.readouterr()
    assert re.search(r"tied +step +10 +heldout_loss .* -2\.0e-02 +DIFFERS", shown.out)
    assert "threads was 1, here 2" in shown.err


def test_runs_side_by_side_are_processes_and_one_that_fails_stops_no_other(tmp_path):
    small = replace(miniature.SMALL, vocab_size=2000, context_length=128, steps=3, heldout_every=10)
    split = corpus.split_by_year(corpus.load_sotu(), small.heldout_every)
    tokenizer = corpus.train_tokenizer([address.text for address in split.train[:20]], small.vocab_size)
    files.write_whole(tmp_path / "tokenizer.json", tokenizer_bytes(tokenizer))
    todo = [
        jobs.Job(each, miniature.PLAIN, tmp_path / "tokenizer.json", tmp_path / each.run / "checkpoint.pt")
        for each in (small, replace(small, run="untied", head="untied"))
    ]
    files.write_whole(todo[0].checkpoint, b"not a checkpoint")
    seen, failures = [], []
    assert jobs.record_jobs(todo, 2, seen.append, failures.append) == 1
    assert len(failures) == 1
    assert "wanted a checkpoint, could not read it" in failures[0]
    assert [(progress.run, progress.step) for progress in seen] == [("untied", step) for step in range(4)]
    assert files.load_checkpoint(todo[1].checkpoint)["result"]


def test_a_shape_beyond_the_memory_fails_in_one_line(tmp_path, material, monkeypatch):
    vast = replace(miniature.SMALL, d_model=10**9)
    monkeypatch.setattr(jobs, "prepare", lambda *given: material)
    failures = []
    job = jobs.Job(vast, miniature.PLAIN, tmp_path / "none.json", tmp_path / "tied" / "checkpoint.pt")
    assert jobs.record_jobs([job], 1, lambda progress: None, failures.append) == 1
    assert failures[0].startswith("run 'tied': more memory wanted than this machine has; lower batch_size")


def test_an_error_of_our_own_is_no_lack_of_memory(tmp_path, monkeypatch):
    def broken(*given):
        raise RuntimeError("shapes do not fit")

    monkeypatch.setattr(jobs, "prepare", broken)
    job = jobs.Job(miniature.SMALL, miniature.PLAIN, tmp_path / "none.json", tmp_path / "checkpoint.pt")
    with pytest.raises(RuntimeError, match="shapes do not fit"):
        jobs.record_jobs([job], 1, lambda progress: None, lambda message: None)


def test_ranks_go_no_further_after_a_run_that_failed(tmp_path):
    """The others are still in its middle, and would take the next run's messages for this one's."""
    shared = replace(miniature.PLAIN, ranks=2)
    todo = [
        jobs.Job(miniature.SMALL, shared, tmp_path / "none.json", tmp_path / "1.pt", tmp_path / name)
        for name in ("no-texts", "none-either")
    ]
    failures = []
    assert jobs.record_jobs(todo, 1, lambda progress: None, failures.append) == 1
    assert "no-texts: wanted a folder" in failures[0]


def test_the_recorded_pair_is_what_this_code_computes():
    """The whole chain at micro's own size: corpus, tokenizer, weights, batches, step, evaluation."""
    done = training("verify", "--steps", "30")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "16 losses agree within 0.002 nats" in done.stdout


def test_the_tolerance_tells_another_seed_from_another_rounding(small_volume, monkeypatch, capsys):
    assert main(["record", *PLAIN]) == 0
    assert verify.TOLERANCE == 0.002
    manifest_path = small_volume / "generated" / "output-head" / "manifest.json"
    manifest = json.loads(manifest_path.read_text())
    for each in manifest["recipe"].values():
        each["seed"] = 4
    manifest_path.write_text(json.dumps(manifest))
    for name in ("TIED", "UNTIED"):
        monkeypatch.setattr(commands, name, replace(getattr(commands, name), seed=4))
    assert main(["verify", "--steps", "10", *PLAIN[2:]]) == 1
    assert "the recording does not hold" in capsys.readouterr().err
