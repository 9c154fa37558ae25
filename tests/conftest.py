"""What tests of the whole share: the tree, copies of it to break, and one real build, served as by a host."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.serving import serve

ROOT = Path(__file__).parents[1]
# What make and the tools put into a tree, and git's own folder: none of it is the book.
NOT_THE_BOOK = (
    ".git", ".venv", ".cache", ".*_cache", ".hypothesis", "__pycache__", "node_modules",
    "pdf", "runs", "site",
)
# No page may depend on standing at its host's root.
SUB_PATH = "/any/sub/path/"

Build = Callable[..., "subprocess.CompletedProcess[str]"]


@dataclass(frozen=True)
class Site:
    """The built book: its folder, and the address under which it is served (with a final slash)."""

    path: Path
    url: str


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


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def mkdocs() -> Build:
    """The real `mkdocs build`; see `run_mkdocs`."""
    return run_mkdocs


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the repository to change at will: no git, no site."""
    return shutil.copytree(ROOT, tmp_path / "tree", ignore=shutil.ignore_patterns(*NOT_THE_BOOK))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The book, built strictly once for all tests and served under a sub-path."""
    folder = tmp_path_factory.mktemp("book") / "site"
    built = run_mkdocs(ROOT, folder, "--strict")
    if built.returncode:
        pytest.fail(f"mkdocs build --strict exited {built.returncode}:\n{built.stdout}", pytrace=False)
    with serve(folder, SUB_PATH) as address:
        yield Site(folder, address)
