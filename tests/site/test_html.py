"""The W3C's own checker, the Nu validator, finds no error in any built page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

JAR = Path("node_modules/vnu-jar/build/dist/vnu.jar")

Check = Callable[[Path], list[str]]


@pytest.fixture(scope="session")
def check(root: Path) -> Check:
    """A function that gives the errors in a folder's pages; what it takes is wanted as a browser is."""
    java = shutil.which("java")
    if java is None or not (root / JAR).is_file():
        reason = "no checker of HTML: it takes java, and npm to fetch it; the pages were NOT checked"
        pytest.fail(reason, pytrace=False) if os.environ.get("CI") == "true" else pytest.skip(reason)

    def errors(folder: Path) -> list[str]:
        how = ["--errors-only", "--format", "json", "--skip-non-html"]
        command = [java, "-jar", str(root / JAR), *how, str(folder)]
        told = subprocess.run(command, capture_output=True, text=True, timeout=300).stderr
        return [
            f"{each['url']}:{each.get('lastLine', 0)}: {each['message']}: {each.get('extract', '')}"
            for each in json.loads(told)["messages"]
        ]

    return errors


def test_every_page_is_valid(site, check):
    assert check(site.path) == []


def test_a_planted_error_is_found(tmp_path, check):
    head = ["<!doctype html>", '<html lang="en"><title>A page</title>']
    page = [*head, '<p id="a">', '<p id="a"><img src="x.png">']
    (tmp_path / "page.html").write_text("\n".join([*page, "</html>", ""]))
    faults = "\n".join(check(tmp_path))
    assert "page.html:4: Duplicate ID" in faults
    assert "alt" in faults
