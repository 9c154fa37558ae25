"""A missing browser is never passed over in silence."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture
def browser_suite(root: Path, tmp_path: Path) -> Path:
    """A suite of one browser test, with this project's own fixtures."""
    (tmp_path / "tests" / "browser").mkdir(parents=True)
    for name in ("pyproject.toml", "tests/conftest.py", "tests/serving.py", "tests/browser/conftest.py"):
        shutil.copy(root / name, tmp_path / name)
    (tmp_path / "tests" / "browser" / "test_one.py").write_text("def test_one(browser):\n    pass\n")
    return tmp_path


def pytest_without_browser(suite: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    nowhere = str(suite / "nowhere")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=suite,
        env={
            "PATH": nowhere,
            "PLAYWRIGHT_BROWSERS_PATH": nowhere,
            "HOME": nowhere,
            "PYTHONPATH": str(ROOT),  # the fixtures ask the book's own modules
            **environment,
        },
        text=True,
        capture_output=True,
        timeout=120,
    )


def test_without_a_browser_the_summary_says_so(browser_suite):
    done = pytest_without_browser(browser_suite)
    assert done.returncode == 0, done.stdout
    assert "BROWSER TESTS DID NOT RUN" in done.stdout
    assert "no Chromium: install Debian's chromium" in done.stdout
    assert "1 skipped" in done.stdout


def test_in_ci_a_missing_browser_is_a_failure(browser_suite):
    done = pytest_without_browser(browser_suite, CI="true")
    assert done.returncode == 1
    assert "no Chromium: install Debian's chromium" in done.stdout
