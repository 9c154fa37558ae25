import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.conftest import ROOT
from training import files, record
from training.recipe import Recipe
from training.train import NonFiniteLossError


def ignore(progress: record.Progress) -> None:
    """Show nothing."""


def same_run(one: dict, other: dict) -> bool:
    """Whether two finished checkpoints agree bit for bit in rows, results and weights."""
    ours, theirs = one["state"]["model"], other["state"]["model"]
    return (
        one["rows"] == other["rows"]
        and one["result"] == other["result"]
        and all(torch.equal(ours[name], theirs[name]) for name in ours)
    )


@pytest.fixture(scope="module")
def uninterrupted(small, engine, material, tmp_path_factory):
    return record.record_run(
        small, engine, material, tmp_path_factory.mktemp("whole") / "checkpoint.pt", ignore
    )


def run_recorder(folder: Path, *how: str) -> int:
    command = [sys.executable, "-m", "tests.training.recorder", str(folder), *how]
    return subprocess.run(command, cwd=ROOT, check=False, timeout=120).returncode


@pytest.mark.parametrize(
    "kills",
    [
        [("step", "1"), ("step", "5")],
        [("step", "8"), ("write", "2")],
        [("write", "1"), ("write", "3")],
    ],
    ids=["early and late", "late, then in a write", "in the first write, then in another"],
)
def test_a_killed_run_resumes_to_the_same_bytes(uninterrupted, tmp_path, kills):
    for kill in kills:
        assert run_recorder(tmp_path, *kill) == -signal.SIGKILL
    assert run_recorder(tmp_path) == 0
    finished = files.load_checkpoint(tmp_path / "checkpoint.pt")
    assert finished is not None
    assert same_run(finished, uninterrupted)


def test_a_finished_run_is_not_run_again(small, engine, material, tmp_path):
    path = tmp_path / "checkpoint.pt"
    first = record.record_run(small, engine, material, path, ignore)
    steps = []
    again = record.record_run(small, engine, material, path, lambda progress: steps.append(progress.step))
    assert steps == []
    assert same_run(first, again)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"learning_rate": 0.02}, "recipe.learning_rate was 0.01 and is now 0.02"),
        ({"seed": 4}, "recipe.seed was 3 and is now 4"),
    ],
)
def test_a_changed_recipe_is_refused_by_name_and_nothing_is_lost(
    small, engine, material, tmp_path, change, named
):
    path = tmp_path / "checkpoint.pt"
    record.record_run(small, engine, material, path, ignore)
    before = path.read_bytes()
    with pytest.raises(files.RecordingError, match=named):
        record.record_run(replace(small, **change), engine, material, path, ignore)
    assert path.read_bytes() == before


def test_another_engine_corpus_or_tokenizer_is_refused(small, engine, material, tmp_path):
    path = tmp_path / "checkpoint.pt"
    record.record_run(small, engine, material, path, ignore)
    with pytest.raises(files.RecordingError, match=r"engine\.threads was 1 and is now 2"):
        record.record_run(small, replace(engine, threads=2), material, path, ignore)
    with pytest.raises(files.RecordingError, match=r"corpus\.sha256 was .* and is now 'ffff'"):
        record.record_run(small, engine, replace(material, corpus_sha256="ffff"), path, ignore)


def test_a_run_that_diverges_keeps_its_last_checkpoint(small, engine, material, tmp_path, monkeypatch):
    monkeypatch.setattr(record, "CHECKPOINT_EVERY", 2)
    path = tmp_path / "checkpoint.pt"
    advance = record.Trainer.advance

    def diverge(self):
        if self.step == 5:
            with torch.no_grad():
                self.model.final_norm.weight.fill_(torch.nan)
        return advance(self)

    monkeypatch.setattr(record.Trainer, "advance", diverge)
    with pytest.raises(NonFiniteLossError, match="at step 6"):
        record.record_run(small, engine, material, path, ignore)
    saved = files.load_checkpoint(path)
    assert saved["state"]["step"] == 4
    assert torch.isfinite(saved["state"]["model"]["final_norm.weight"]).all()


def test_a_full_disk_leaves_the_last_checkpoint(small, engine, material, tmp_path, monkeypatch):
    monkeypatch.setattr(record, "CHECKPOINT_EVERY", 2)
    path = tmp_path / "checkpoint.pt"
    whole, written = files.os.fsync, []

    def full(descriptor):
        written.append(descriptor)
        if len(written) > 2:
            raise OSError(28, "No space left on device")
        whole(descriptor)

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        record.record_run(small, engine, material, path, ignore)
    assert files.load_checkpoint(path)["state"]["step"] == 4
    assert [each.name for each in tmp_path.iterdir() if "partial" in each.name] == []


def test_two_recorders_of_one_run_are_refused(small, engine, material, tmp_path):
    with (
        files.lock_run(tmp_path),
        pytest.raises(files.RecordingError, match="another process is recording this run"),
    ):
        record.record_run(small, engine, material, tmp_path / "checkpoint.pt", ignore)


def test_a_foreign_checkpoint_is_refused_and_kept(small, engine, material, tmp_path):
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(b"not a checkpoint")
    with pytest.raises(files.RecordingError, match="wanted a checkpoint, could not read it"):
        record.record_run(small, engine, material, path, ignore)
    assert path.read_bytes() == b"not a checkpoint"


def test_another_file_of_torch_is_no_checkpoint(small, engine, material, tmp_path):
    torch.save({"weights": torch.zeros(1)}, tmp_path / "checkpoint.pt")
    with pytest.raises(files.RecordingError, match="wanted a checkpoint of this recorder"):
        record.record_run(small, engine, material, tmp_path / "checkpoint.pt", ignore)


def test_the_result_adds_up(small: Recipe, material, uninterrupted):
    result = uninterrupted["result"]
    tokens = sum(address[2] for address in result["addresses"])
    assert tokens == material.data.heldout.tokens
    mean = sum(address[2] * address[4] for address in result["addresses"]) / tokens
    assert mean == pytest.approx(result["final_heldout_loss"], abs=1e-12)
    size = sum(address[3] for address in result["addresses"])
    assert result["heldout_bits_per_byte"] == pytest.approx(
        mean * tokens / size / 0.6931471805599453, abs=1e-12
    )
