"""The W3C's own checker, the Nu validator, finds no error in any built page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from plates import bundle

PACKAGE, JAR = "vnu-jar", "package/build/dist/vnu.jar"

Check = Callable[..., list[str]]


@pytest.fixture(scope="session")
def checker(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The checker's command, as locked; without java or npm a failure in CI and a loud skip elsewhere."""
    java = shutil.which("java")
    if java is None:
        missing("no java to run it with; install Debian's default-jre-headless")
    lock = bundle.read_lock(root, PACKAGE)
    try:
        brought = bundle.package(root, lock)
    except bundle.Unavailable as why:
        missing(str(why))
    jar = tmp_path_factory.mktemp("checker") / "vnu.jar"
    jar.write_bytes(bundle.extract(lock, brought, JAR))
    return [java, "-jar", str(jar), "--errors-only", "--format", "json", "--skip-non-html"]


def missing(why: str) -> None:
    """End the test that wanted the checker."""
    reason = f"no checker of HTML, since {why}; THE PAGES WERE NOT CHECKED"
    pytest.fail(reason, pytrace=False) if os.environ.get("CI") == "true" else pytest.skip(reason)


@pytest.fixture(scope="session")
def check(checker: list[str]) -> Check:
    """A function that gives the errors in all pages of some folders."""

    def errors(*folders: Path) -> list[str]:
        command = [*checker, *map(str, folders)]
        told = subprocess.run(command, capture_output=True, text=True, timeout=300).stderr
        return [
            f"{each['url']}:{each.get('lastLine', 0)}: {each['message']}: {each.get('extract', '')}"
            for each in json.loads(told)["messages"]
        ]

    return errors


def test_every_page_is_valid(site, published, check):
    """With an address of its own the book says more in each page's head."""
    assert check(site.path, published) == []


def test_a_planted_error_is_found(tmp_path, check):
    head = ["<!doctype html>", '<html lang="en"><title>A page</title>']
    page = [*head, '<p id="a">', '<p id="a"><img src="x.png">']
    (tmp_path / "page.html").write_text("\n".join([*page, "</html>", ""]))
    faults = "\n".join(check(tmp_path))
    assert "page.html:4: Duplicate ID" in faults
    assert "alt" in faults
