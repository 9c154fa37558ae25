"""A recording's manifest: what made the files beside it, and their hashes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from plates import numbers

CONTRACT = 1
NUMBER = (int, float)
SHA256 = re.compile(r"[0-9a-f]{64}")
# What every manifest holds, by its path; more is welcome.
REQUIRED: dict[str, Any] = {
    "contract": int,
    "recording": str,
    "command": str,
    "recorded_at": str,
    "files": dict,
    "recipe": dict,
    "evaluation": dict,
    "measurements": dict,
    **{f"corpus.{key}": str for key in ("name", "version", "licence", "source", "sha256", "heldout_rule")},
    **{f"corpus.{key}": int for key in ("addresses", "characters", "bytes", "first_year", "last_year")},
    **{
        f"corpus.{part}_{unit}": int
        for part in ("train", "heldout")
        for unit in ("addresses", "tokens", "bytes")
    },
    "corpus.passes": NUMBER,
    "corpus.duplicates": dict,
    "tokenizer.sha256": str,
    "tokenizer.vocab_size": int,
    "tokenizer.library": str,
    "tokenizer.version": str,
    "tokenizer.kind": str,
    "machine.cpu": str,
    "machine.threads": int,
    "machine.precision": str,
    "versions.python": str,
    "versions.torch": str,
}


class ManifestError(ValueError):
    """A manifest that is not what it must be."""


def parse(data: bytes, name: str) -> dict[str, Any]:
    """Read and check a manifest.

    Args:
        data: the file's bytes.
        name: the name its folder gives the recording.

    Returns:
        The manifest as read.

    Raises:
        ManifestError: it is no JSON, lacks a key, or holds a value of another kind; line or key is named.
    """
    manifest = _json(data)
    if manifest.get("contract") != CONTRACT:
        came = manifest.get("contract")
        raise ManifestError(f"contract: wanted {CONTRACT}, which this reader knows, came {came!r}")
    for path, kind in REQUIRED.items():
        _check_kind(manifest, path, kind)
    if manifest["recording"] != name:
        raise ManifestError(
            f"recording: wanted {name!r}, as the folder is named, came {manifest['recording']!r}"
        )
    _check_date(manifest["recorded_at"])
    _check_files(manifest["files"])
    if not manifest["recipe"] or not all(isinstance(each, dict) for each in manifest["recipe"].values()):
        raise ManifestError("recipe: wanted a recipe for each run")
    return manifest


def _json(data: bytes) -> dict[str, Any]:
    try:
        manifest = json.loads(data.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise ManifestError(f"is not UTF-8 ({error.reason})") from error
    except json.JSONDecodeError as error:
        raise ManifestError(f"{error.lineno}: is not JSON: {error.msg} (column {error.colno})") from error
    except ManifestError:
        raise
    except (RecursionError, ValueError) as error:  # nested too deep, or a number of thousands of digits
        raise ManifestError("wanted JSON that can be read, came too many brackets or digits") from error
    if not isinstance(manifest, dict):
        raise ManifestError(f"wanted a JSON object, came {type(manifest).__name__}")
    return manifest


def _refuse(constant: str) -> float:
    raise ManifestError(f"wanted finite numbers, came {constant}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if twice := {key for key in keys if keys.count(key) > 1}:
        raise ManifestError(f"key {min(twice)!r} stands twice")
    return dict(pairs)


def _check_kind(manifest: Mapping[str, Any], path: str, kind: Any) -> None:
    """Hold the value at a path such as `corpus.bytes` to its kind."""
    value: Any = manifest
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            raise ManifestError(f"{path}: the key is missing")
        value = value[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        wanted = " or ".join(
            {str: "text", int: "whole number", dict: "object"}.get(k, k.__name__) for k in kinds
        )
        raise ManifestError(f"{path}: wanted {wanted}, came {value!r}")


def _check_date(date: str) -> None:
    try:
        numbers.day(date)
    except ValueError as error:
        raise ManifestError(f"recorded_at: wanted an ISO date such as 2026-01-31, came {date!r}") from error


def _check_files(files: Mapping[str, Any]) -> None:
    """Hold the list of files to plain names, sizes and hashes, with both tables among them."""
    for name in ("runs.csv", "curves.csv"):
        if name not in files:
            raise ManifestError(f"files: wanted {name!r} among them; it is missing")
    for name, about in files.items():
        if "/" in name or "\\" in name or name in ("", ".", "..", "manifest.json"):
            raise ManifestError(f"files: wanted the plain name of a file beside the manifest, came {name!r}")
        if not isinstance(about, Mapping) or not SHA256.fullmatch(str(about.get("sha256", ""))):
            raise ManifestError(f"files, {name}: wanted a sha256 of 64 hexadecimal digits, came {about!r}")
        if type(about.get("bytes")) is not int:
            raise ManifestError(f"files, {name}: wanted its size in bytes, came {about.get('bytes')!r}")
