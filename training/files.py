"""The only module of this side that writes to disk: whole files or none.

Two places are written. The workshop, `.recordings/`, holds a checkpoint for each run and is never committed.
The recordings, `generated/`, are the CSVs and the manifest that the book reads.
"""

import hashlib
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout
from tokenizers import Tokenizer

from training.errors import reason

ROOT = Path(__file__).resolve().parent.parent
GENERATED = ROOT / "generated"
WORKSHOP = ROOT / ".recordings"

MANIFEST = "manifest.json"
TOKENIZER = "tokenizer.json"
STAGING = ".staged"
CHECKPOINT_PARTS = {"identity", "state", "rows", "elapsed_seconds", "measuring_seconds", "result"}


class RecordingError(Exception):
    """A recording can not be started, resumed or published; the message says why and what to do."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole: a reader, or a kill at any moment, finds the old or the new and nothing between.

    Raises:
        OSError: the disk is full or the folder is not writable; the old file is untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    try:
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def save_checkpoint(path: Path, checkpoint: Mapping[str, Any]) -> None:
    """Write everything that a run needs to go on, whole or not at all."""
    buffer = io.BytesIO()
    torch.save(dict(checkpoint), buffer)
    write_whole(path, buffer.getvalue())


def load_checkpoint(path: Path) -> dict[str, Any] | None:
    """Read a checkpoint, or return None where there is none.

    Raises:
        RecordingError: the file is not a checkpoint of ours.
    """
    if not path.exists():
        return None
    try:
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise RecordingError(
            f"{path}: wanted a checkpoint, could not read it ({type(error).__name__}); "
            "delete the file to record the run anew"
        ) from error
    if not isinstance(checkpoint, dict) or checkpoint.keys() != CHECKPOINT_PARTS:
        raise RecordingError(
            f"{path}: wanted a checkpoint of this recorder, found another file of torch; "
            "delete it to record the run anew"
        )
    return checkpoint


def lock_run(folder: Path) -> FileLock:
    """Take a run for this process; the lock goes with the process, however it ends.

    Raises:
        RecordingError: another process is recording the run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise RecordingError(
            f"{folder}: another process is recording this run; wait for it or stop it"
        ) from error
    return lock


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read a recording's manifest.

    Raises:
        RecordingError: it is missing, no JSON, or lacks a section that the recorder needs.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise RecordingError(
            f"{path}: wanted the recording's manifest, got {reason(error)}; "
            "record it: python -m training record"
        ) from error
    for section in ("files", "recipe", "machine", "versions"):
        if not isinstance(manifest, dict) or not isinstance(manifest.get(section), dict):
            raise RecordingError(
                f"{path}: wanted the recording's manifest with a section {section!r}, found none; "
                f"restore the file: git checkout -- {path}"
            )
    return dict(manifest)


def check_file(folder: Path, manifest: Mapping[str, Any], name: str) -> None:
    """Hold a recorded file to the hash that its manifest names.

    Raises:
        RecordingError: the file is missing, unknown to the manifest, or another one.
    """
    path, entry = folder / name, manifest["files"].get(name)
    wanted = entry.get("sha256") if isinstance(entry, dict) else None
    found = sha256(path.read_bytes()) if path.exists() else "no such file"
    if wanted != found:
        raise RecordingError(
            f"{path}: wanted sha256 {str(wanted)[:12]} as its manifest says, found {found[:12]}; "
            f"restore the file: git checkout -- {path}"
        )


def read_tokenizer(path: Path) -> Tokenizer | None:
    """Read a tokenizer's file, or return None where there is none.

    Raises:
        RecordingError: the file is not a tokenizer, or the manifest beside it names another hash.
    """
    if not path.exists():
        return None
    if path.with_name(MANIFEST).exists():
        check_file(path.parent, read_manifest(path.parent), path.name)
    try:
        return Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:
        raise RecordingError(
            f"{path}: wanted a tokenizer, got {reason(error)}; delete the file to learn it anew"
        ) from error


def publish(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace a recording by a new one.

    Everything is first written beside it, the manifest last. Only a complete set is then moved over the old
    one, file by file, the manifest last again. A kill while moving leaves the complete set behind, and
    `finish_publishing` moves the rest; a reader meanwhile refuses the mixture by its hashes.
    """
    staging = folder / STAGING
    staging.mkdir(parents=True, exist_ok=True)
    for stale in staging.iterdir():
        stale.unlink()
    for name in sorted(files, key=lambda name: name == MANIFEST):
        write_whole(staging / name, files[name])
    finish_publishing(folder)


def finish_publishing(folder: Path) -> None:
    """Complete a publication that was cut short; drop one that had not yet got all its files."""
    staging = folder / STAGING
    if not staging.exists():
        return
    if (staging / MANIFEST).exists():
        for path in sorted(staging.iterdir(), key=lambda path: path.name == MANIFEST):
            path.replace(folder / path.name)
    for stale in staging.iterdir():
        stale.unlink()
    staging.rmdir()


def shown(path: Path) -> str:
    """A path as it is told: from the repository's root where it lies in it."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def sha256(content: bytes) -> str:
    """Hash bytes, as hexadecimal."""
    return hashlib.sha256(content).hexdigest()
