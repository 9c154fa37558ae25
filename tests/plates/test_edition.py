"""The state that is printed: a commit, changed files, or none; and a day that no clock gives."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from plates import edition

WHO = {f"GIT_{who}_{what}": "x@book.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
WHEN = {"GIT_AUTHOR_DATE": "2026-03-01T23:30:00-0800", "GIT_COMMITTER_DATE": "2026-03-01T23:30:00-0800"}


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "init.defaultBranch=main", *arguments]
    subprocess.run(command, cwd=folder, env={**os.environ, **WHO, **WHEN}, check=True, capture_output=True)


def plant(folder: Path) -> Path:
    for name in ("docs/index.md", "plates/x.py", "mkdocs.yml", "README.md", ".gitignore"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("docs/made\n")
    recorded = folder / "generated" / "a" / "manifest.json"
    recorded.parent.mkdir(parents=True)
    recorded.write_text('{"recorded_at": "2025-12-31"}')
    return folder


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A committed book."""
    plant(tmp_path / "book")
    git(tmp_path / "book", "init")
    git(tmp_path / "book", "add", ".")
    git(tmp_path / "book", "commit", "-m", "A book")
    return tmp_path / "book"


def test_a_committed_book_is_an_edition_of_its_commits_day(book, monkeypatch):
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    found = edition.read(book)
    assert len(found.commit) == 40
    assert found.commit.startswith(found.short)
    assert (found.is_clean, found.changed, found.date) == (True, (), "2 March 2026")


def test_what_no_page_is_made_of_may_change(book):
    (book / "README.md").write_text("other\n")
    (book / "docs" / "made").write_text("ignored\n")
    assert edition.read(book).is_clean


@pytest.mark.parametrize(
    "name", ["docs/index.md", "plates/x.py", "generated/a/manifest.json", "docs/new file.md"]
)
def test_a_changed_or_new_file_makes_it_a_proof(book, name):
    (book / name).write_text("{}\n")
    found = edition.read(book)
    assert (found.is_clean, found.changed) == (False, (name,))
    assert found.commit


def test_a_file_that_is_gone_or_staged_makes_it_a_proof(book):
    (book / "docs" / "index.md").unlink()
    (book / "mkdocs.yml").write_text("other\n")
    git(book, "add", "mkdocs.yml")
    assert edition.read(book).changed == ("docs/index.md", "mkdocs.yml")


def test_a_copy_without_a_repository_counts_from_its_latest_recording(tmp_path):
    found = edition.read(plant(tmp_path / "copy"))
    assert (found.commit, found.is_clean, found.date) == ("", False, "31 December 2025")


def test_a_copy_inside_another_repository_is_none_of_its_states(book):
    (book / ".gitignore").write_text("copy\n")
    assert edition.read(plant(book / "copy")).commit == ""


def test_without_git_and_without_a_sound_manifest_there_is_still_a_day(book, monkeypatch):
    monkeypatch.setenv("PATH", "")
    (book / "generated" / "a" / "manifest.json").write_text("{")
    found = edition.read(book)
    assert (found.commit, found.day.year) == ("", 1970)


@pytest.mark.parametrize("before", [{}, {"SOURCE_DATE_EPOCH": "7"}])
def test_a_build_leaves_its_day_to_no_other(before):
    environment = dict(before)
    with suppress(ZeroDivisionError), edition.kept_clock(environment):
        environment["SOURCE_DATE_EPOCH"] = "86400"
        raise ZeroDivisionError
    assert environment == before


@pytest.mark.parametrize(
    ("given", "set_to"),
    [({}, "86400"), ({"SOURCE_DATE_EPOCH": ""}, "86400"), ({"SOURCE_DATE_EPOCH": "7"}, "7")],
)
def test_the_builders_day_is_the_editions_unless_given(given, set_to):
    one = edition.Edition("", datetime(1970, 1, 2, tzinfo=UTC), ())
    environment = dict(given)
    edition.set_clock(one, environment)
    assert environment == {"SOURCE_DATE_EPOCH": set_to}
