"""What tests of the whole share: the tree, copies of it to break, and one real build, served as by a host."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pytest

from plates.book import lay_all
from plates.edition import kept_clock
from tests.serving import serve

ROOT = Path(__file__).parents[1]
# What make and the tools put at the top of a tree, and anywhere in it: none of it is the book.
MADE_AT_THE_TOP = {".venv", ".cache", ".hypothesis", ".recordings", "build", "node_modules", "pdf", "site"}
MADE_ANYWHERE = (".git", ".*_cache", "__pycache__", "*.egg-info")
# No page may depend on standing at its host's root.
SUB_PATH = "/any/sub/path/"
# Where the book of `published` says that it stands.
ADDRESS = "https://book.invalid/sub/"

REPORT = pytest.StashKey[list[str]]()

Build = Callable[..., "subprocess.CompletedProcess[str]"]


@dataclass(frozen=True)
class Site:
    """The built book: its folder, and the address under which it is served (with a final slash)."""

    path: Path
    url: str


def is_made(path: Path) -> bool:
    """Whether make or a tool made this, or a folder around it; the path is relative to the repository."""
    if path.parts[0] in MADE_AT_THE_TOP or path.is_relative_to("docs/assets/data"):
        return True
    return any(fnmatch(part, pattern) for part in path.parts for pattern in MADE_ANYWHERE)


def copy_repository(to: Path) -> Path:
    """Copy the repository to a new folder, without git and without what make made."""

    def made(folder: str, names: list[str]) -> set[str]:
        return {name for name in names if is_made((Path(folder) / name).relative_to(ROOT))}

    return shutil.copytree(ROOT, to, ignore=made)


def run_mkdocs(
    tree: Path,
    into: Path,
    *flags: str,
    environment: dict[str, str] | None = None,
    before: tuple[str, ...] = (),
) -> subprocess.CompletedProcess[str]:
    """Build the book of a tree with the real command.

    Args:
        tree: the folder that holds mkdocs.yml.
        into: the folder to build into.
        flags: further arguments of `mkdocs build`, such as `--strict`.
        environment: variables to set on top of this process's own.
        before: a command to run mkdocs under, such as `unshare`.

    Returns:
        The finished process, with `stdout` holding both of its streams.
    """
    mkdocs = str(Path(sys.executable).with_name("mkdocs"))
    command = [*before, mkdocs, "build", "--site-dir", str(into), *flags]
    surroundings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})}
    return subprocess.run(
        command,
        cwd=tree,
        env=surroundings,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say at the end what is known against the locked versions; see tests/test_audit.py."""
    if told := config.stash.get(REPORT, []):
        terminalreporter.section("audit of the locked versions")
        for line in told:
            terminalreporter.line(line, red="NOT AUDITED" in line)


@pytest.fixture(autouse=True)
def clock() -> Iterator[None]:
    """No test leaves its book's day to the next one's build."""
    with kept_clock(os.environ):
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def mkdocs() -> Build:
    """The real `mkdocs build`; see `run_mkdocs`."""
    return run_mkdocs


@pytest.fixture(scope="session")
def copy_tree() -> Callable[[Path], Path]:
    """See `copy_repository`."""
    return copy_repository


@pytest.fixture
def tree(copy_tree: Callable[[Path], Path], tmp_path: Path) -> Path:
    """A copy of the repository to change at will."""
    return copy_tree(tmp_path / "tree")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The book, built strictly once for all tests and served under a sub-path."""
    folder = tmp_path_factory.mktemp("book") / "site"
    built = run_mkdocs(ROOT, folder, "--strict")
    if built.returncode:
        pytest.fail(f"mkdocs build --strict exited {built.returncode}:\n{built.stdout}", pytrace=False)
    with serve(folder, SUB_PATH) as address:
        yield Site(folder, address)


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book as it is published: strictly built, with an address of its own."""
    folder = tmp_path_factory.mktemp("published") / "site"
    built = run_mkdocs(ROOT, folder, "--strict", environment={"BOOK_URL": ADDRESS})
    assert built.returncode == 0, built.stdout
    return folder


def run_other(tree: Path, builder: str, *arguments: str) -> None:
    """Build the book of a tree, strictly and with an address, by a builder that is not MkDocs.

    Args:
        tree: the folder that holds mkdocs.yml.
        builder: "properdocs" or "zensical".
        arguments: further ones of its `build`.
    """
    more = {"BOOK_URL": ADDRESS, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", builder, "build", "--strict", *arguments]
    done = subprocess.run(
        command, cwd=tree, env={**os.environ, **more}, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def zensical(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book as Zensical builds it, with an address of its own."""
    tree = copy_repository(tmp_path_factory.mktemp("zensical") / "tree")
    lay_all(tree)  # as `python -m plates.bundle` does, before files are collected
    run_other(tree, "zensical", "--clean")
    return tree / "site"
