"""Which state of the book is printed: a commit, or files that no commit holds; and the day it counts as.

A build asks no clock: the same files give the same bytes on any day.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

# All that a build reads; a change elsewhere, as in the tests, changes no page.
READ = ("docs", "plates", "generated", "mkdocs.yml")
EPOCH = "SOURCE_DATE_EPOCH"
# Asking must not take the lock that a commit elsewhere waits for.
QUIET = {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


@dataclass(frozen=True)
class Edition:
    """The state that is printed."""

    commit: str
    """Its whole name, or nothing where none is recorded."""
    day: datetime
    """When it was committed; without a commit, the day of the latest recording."""
    changed: tuple[str, ...]
    """The book's files that are not as the commit has them, from the repository's folder."""

    @property
    def is_clean(self) -> bool:
        """Whether the commit holds all that is printed."""
        return bool(self.commit) and not self.changed

    @property
    def short(self) -> str:
        """The commit's name as readers see it."""
        return self.commit[:10]

    @property
    def date(self) -> str:
        """The day in words: "1 December 2026"."""
        return f"{self.day.day} {self.day:%B %Y}"


def read(root: Path) -> Edition:
    """Ask git, where there is one, what state the book's files are in.

    Args:
        root: the folder of mkdocs.yml.

    Returns:
        The state.
    """
    # A copy inside another repository is none of that repository's states.
    tracked = _git(root, "ls-files", "--error-unmatch", "--", "mkdocs.yml")
    told = _git(root, "log", "-1", "--format=%H %ct") if tracked else ""
    status = _git(root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *READ)
    if not told or status is None:
        return Edition("", _recorded(root), ())
    commit, seconds = told.split()
    changed = tuple(sorted(entry[3:] for entry in status.split("\0") if entry))
    return Edition(commit, datetime.fromtimestamp(int(seconds), UTC), changed)


def set_clock(edition: Edition, environment: MutableMapping[str, str]) -> None:
    """Give the builder the edition's day as the day of the build, unless one is given already.

    Args:
        edition: the state that is printed.
        environment: the process's variables.
    """
    if not environment.get(EPOCH):
        environment[EPOCH] = str(int(edition.day.timestamp()))


@contextmanager
def kept_clock(environment: MutableMapping[str, str]) -> Iterator[None]:
    """Leave no book's day behind for whatever this process builds next.

    Args:
        environment: the process's variables.
    """
    before = environment.get(EPOCH)
    try:
        yield
    finally:
        environment.pop(EPOCH, None)
        if before is not None:
            environment[EPOCH] = before


def _git(root: Path, *arguments: str) -> str | None:
    """What git says, or None where there is no git or no repository."""
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=root,
            env={**os.environ, **QUIET},
            capture_output=True,
            text=True,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _recorded(root: Path) -> datetime:
    """The day of the latest recording; a manifest that cannot be read is told by the page that needs it."""
    days = [datetime.fromtimestamp(0, UTC)]
    for manifest in root.glob("generated/*/manifest.json"):
        try:
            told = json.loads(manifest.read_bytes())["recorded_at"]
            days.append(datetime.fromisoformat(told).replace(tzinfo=UTC))
        except (ValueError, KeyError, TypeError):
            continue
    return max(days)
