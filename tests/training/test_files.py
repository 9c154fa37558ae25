import json

import pytest
import torch

from training import files


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "deep" / "file"
    files.write_whole(path, b"old")
    files.write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert [each.name for each in path.parent.iterdir()] == ["file"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    files.write_whole(path, b"old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_checkpoints_survive_the_disk(tmp_path):
    path = tmp_path / "checkpoint.pt"
    assert files.load_checkpoint(path) is None
    parts = dict.fromkeys(files.CHECKPOINT_PARTS)
    files.save_checkpoint(path, {**parts, "state": {"weights": torch.arange(3)}, "rows": [[0, 1.5]]})
    found = files.load_checkpoint(path)
    assert torch.equal(found["state"]["weights"], torch.arange(3))
    assert found["rows"] == [[0, 1.5]]


OLD = {"runs.csv": b"old runs", "manifest.json": b"old manifest"}
NEW = {"manifest.json": b"new manifest", "runs.csv": b"new runs"}


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_recording_is_replaced_and_its_folder_tidied(tmp_path):
    files.publish(tmp_path, OLD)
    files.publish(tmp_path, NEW)
    assert contents(tmp_path) == NEW
    assert not (tmp_path / files.STAGING).exists()


def test_a_publication_cut_short_before_it_was_complete_changes_nothing(tmp_path, monkeypatch):
    files.publish(tmp_path, OLD)
    whole = files.write_whole

    def cut(path, content):
        if path.name == files.MANIFEST:
            raise OSError(28, "No space left on device")
        whole(path, content)

    monkeypatch.setattr(files, "write_whole", cut)
    with pytest.raises(OSError, match="No space left"):
        files.publish(tmp_path, NEW)
    assert contents(tmp_path) == OLD
    files.finish_publishing(tmp_path)
    assert contents(tmp_path) == OLD
    assert not (tmp_path / files.STAGING).exists()


def test_a_publication_cut_short_while_moving_is_finished_next_time(tmp_path, monkeypatch):
    files.publish(tmp_path, OLD)
    replace = files.Path.replace

    def cut(source, target):
        if target == tmp_path / files.MANIFEST:
            raise KeyboardInterrupt
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(files.Path, "replace", cut)
        with pytest.raises(KeyboardInterrupt):
            files.publish(tmp_path, NEW)
    # The manifest is still the old one, so a reader sees that the hashes do not fit.
    assert contents(tmp_path) == {"runs.csv": b"new runs", "manifest.json": b"old manifest"}
    files.finish_publishing(tmp_path)
    assert contents(tmp_path) == NEW


def test_a_tokenizer_that_is_not_its_manifests_is_refused(tmp_path, material):
    path = tmp_path / files.TOKENIZER
    path.write_text(material.tokenizer.to_str())
    assert files.read_tokenizer(path).get_vocab_size() == 280
    manifest = {"files": {files.TOKENIZER: {"sha256": "0" * 64}}, "recipe": {}, "machine": {}, "versions": {}}
    (tmp_path / files.MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(files.RecordingError, match="wanted sha256 000000000000 as its manifest says"):
        files.read_tokenizer(path)


def test_a_tokenizer_that_is_none_is_refused(tmp_path):
    path = tmp_path / files.TOKENIZER
    path.write_text("{}")
    with pytest.raises(files.RecordingError, match="wanted a tokenizer"):
        files.read_tokenizer(path)
    assert files.read_tokenizer(tmp_path / "nowhere.json") is None
