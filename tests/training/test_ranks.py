"""Two processes on one run give the losses of one."""

import gc
import json
import os
import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.training.miniature import PLAIN, SMALL
from training import files, ranks
from training.__main__ import main
from training.batches import batch


def torchrun(*arguments: str) -> subprocess.CompletedProcess[str]:
    start = ["torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    command = [sys.executable, "-m", *start, *arguments]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, error = process.communicate(timeout=300)
    finally:
        # The ranks are processes of their own, and would outlive torchrun.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(command, process.returncode, out, error)


def test_two_processes_make_the_updates_of_one(tmp_path):
    done = torchrun("-m", "tests.training.rank", str(tmp_path / "two.json"))
    assert done.returncode == 0, done.stderr
    one = [sys.executable, "-m", "tests.training.rank", str(tmp_path / "one.json")]
    subprocess.run(one, cwd=ROOT, check=True, timeout=300)
    two, one = (json.loads((tmp_path / name).read_text()) for name in ("two.json", "one.json"))
    assert (one["ranks"], two["ranks"]) == (1, 2)
    assert len(two["losses"]) == 20
    np.testing.assert_allclose(two["losses"], one["losses"], rtol=0, atol=1e-4)
    np.testing.assert_allclose(two["heldout"], one["heldout"], rtol=0, atol=1e-4)
    assert one["losses"][-1] < one["losses"][0] - 0.3  # something was learned, by both
    assert two["spread"] == 0.0


def test_an_objective_that_holds_itself_is_gone_before_the_group(monkeypatch):
    class Objective:
        def __init__(self):
            self.itself = self

    seen = weakref.ref(Objective())
    alive = []
    gc.disable()
    try:
        monkeypatch.setattr(ranks.distributed, "is_initialized", lambda: True)
        monkeypatch.setattr(ranks.distributed, "destroy_process_group", lambda: alive.append(seen()))
        assert seen() is not None
        ranks.leave()
    finally:
        gc.enable()
    assert alive == [None]


def test_the_parts_of_the_ranks_make_up_the_batch(material):
    inputs, _ = batch(material.data.stream, SMALL, 3)
    parts = [inputs[ranks.own_part(SMALL, replace(PLAIN, ranks=4, rank=rank))] for rank in range(4)]
    assert np.concatenate(parts).tolist() == inputs.tolist()


def test_a_batch_that_can_not_be_split_is_refused():
    with pytest.raises(ValueError, match="that divides the 16 sequences of a batch, got 3"):
        ranks.check_batch(SMALL, replace(PLAIN, ranks=3))


def test_variables_that_torchrun_did_not_set_are_refused(monkeypatch, capsys):
    monkeypatch.setenv("WORLD_SIZE", "two")
    assert main(["record", "tied"]) == 1
    assert "wanted whole numbers in RANK and WORLD_SIZE, got '0' and 'two'" in capsys.readouterr().err


def record_by_two(tmp_path) -> subprocess.CompletedProcess[str]:
    """Record a small pair by two processes into the folder 'mine'."""
    texts = tmp_path / "texts"
    texts.mkdir()
    for place in range(6):
        (texts / f"{place}.txt").write_text(f"{place} of the many states and the union of them. " * 80)
    small = ["vocab_size=280", "d_model=16", "n_heads=2", "d_ff=32", "context_length=16", "steps=4",
             "heldout_every=3", "n_layers=1"]  # fmt: skip
    settings = [part for setting in small for part in ("--set", setting)]
    return torchrun("-m", "training", "record", "--into", str(tmp_path / "mine"), "--corpus", str(texts),
                    *settings, "--precision", "fp32", "--no-compile")  # fmt: skip


def test_a_fault_of_the_writing_process_alone_ends_the_others(tmp_path):
    with files.lock_run(tmp_path / "mine" / "checkpoints" / "tied"):
        done = record_by_two(tmp_path)
    assert done.returncode
    assert "tied: another process is recording this run; wait for it or stop it" in done.stderr
    assert not (tmp_path / "mine" / "checkpoints" / "untied").exists()


def test_a_pair_recorded_by_two_processes_is_written_once(tmp_path):
    folder = tmp_path / "mine"
    done = record_by_two(tmp_path)
    assert done.returncode == 0, done.stderr
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["machine"]["ranks"] == 2
    for said in ("learning the tokenizer", "untied: step 4 of 4", "exported to"):
        assert done.stderr.count(said) == 1
    assert (folder / "runs.csv").read_text().count("\n") == 3
