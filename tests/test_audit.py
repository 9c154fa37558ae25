"""The locked versions: what is known against them, in the report, and that they are what is installed.

Where no service can be asked, as offline, the report says so in capitals and no test fails. With
AUDIT=strict, as the weekly workflow sets it, a known fault fails, and so does a service that says nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
from importlib import metadata
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tests import audit
from tests.conftest import REPORT
from tests.test_setup import locked

LOCK = "requirements/test.txt"


@pytest.fixture(scope="module")
def audits(root: Path, request: pytest.FixtureRequest) -> list[audit.Audit]:
    """Both audits; what they tell stands at the end of the suite's report."""
    found = [audit.python(root, LOCK), audit.npm(root)]
    report = request.config.stash.setdefault(REPORT, [])
    report += [each.told for each in found]
    if not all(each.answered for each in found):
        report.append(
            "held instead: each file that pip or npm may install is named by its hash; the tests say so"
        )
    return found


def installed() -> dict[str, str]:
    """The versions in this environment."""
    return {canonicalize_name(each.name): each.version for each in metadata.distributions()}


def test_the_locked_packages_are_audited_or_the_report_says_not(audits, root):
    python = audits[0]
    assert python.answered + python.silent in (0, len(locked(root, "test").keys() & installed().keys()))
    for each in audits:
        assert each.answered or each.why
        if os.environ.get("AUDIT") == "strict":
            assert each.answered, each.told
            assert each.faults == (), each.told


def test_what_is_installed_is_what_is_locked(root):
    wanted = locked(root, "test")
    here = installed()
    others = {name: here[name] for name in wanted if name in here and here[name] != wanted[name]}
    assert others == {}, "run make test, which installs the locked versions"
    assert len(wanted.keys() & here.keys()) > 50


def test_each_npm_package_is_named_by_its_hash(root):
    lock = json.loads((root / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: about for name, about in lock["packages"].items() if name}
    assert packages
    assert [name for name, about in packages.items() if not about["integrity"].startswith("sha512-")] == []


def answer(output: object, complaint: str = "") -> audit.Run:
    """A service that gives an answer."""
    text = output if isinstance(output, str) else json.dumps(output)
    return lambda command, **_: subprocess.CompletedProcess(command, 0, text, complaint)


SOUND = {"name": "sound", "version": "1.0", "vulns": []}
FAULTY = {
    "name": "faulty",
    "version": "1.0",
    "vulns": [{"id": "CVE-1", "fix_versions": ["1.1"], "aliases": []}],
}
UNKNOWN = {"name": "unknown", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("listed", "told"),
    [
        ([SOUND, SOUND], "lock: 2 packages audited: no known fault"),
        ([SOUND, UNKNOWN], "lock: 1 packages audited, nothing said of 1: no known fault"),
        ([SOUND, FAULTY], "lock: 2 packages audited: faulty 1.0: CVE-1, mended in 1.1"),
        ([UNKNOWN, UNKNOWN], "lock: NOT AUDITED, since not found"),
    ],
)
def test_a_planted_answer_is_told(tmp_path, listed, told):
    assert audit.python(tmp_path, "lock", answer({"dependencies": listed})).told == told


@pytest.mark.parametrize("output", ["", "{", "[]", "{}"])
def test_no_answer_is_told_with_its_reason(tmp_path, output):
    assert (
        audit.python(tmp_path, "lock", answer(output, "\nno way out\n")).told
        == "lock: NOT AUDITED, since no way out"
    )


def test_npm_tells_too(tmp_path, monkeypatch):
    monkeypatch.setattr(audit.shutil, "which", lambda name: name)
    counts = {"metadata": {"dependencies": {"total": 2}}}
    sound = audit.npm(tmp_path, answer({"vulnerabilities": {}, **counts}))
    assert sound.told == "package-lock.json: 2 packages audited: no known fault"
    faulty = audit.npm(tmp_path, answer({"vulnerabilities": {"x": {"severity": "high"}}, **counts}))
    assert faulty.faults == ("x: high",)
    assert "NOT AUDITED, since no way" in audit.npm(tmp_path, answer({"error": {}}, "no way")).told
    monkeypatch.setattr(audit.shutil, "which", lambda name: None)
    assert "no npm" in audit.npm(tmp_path).told


def test_a_service_that_does_not_answer_is_not_waited_for(tmp_path):
    def hang(command, **_):
        raise subprocess.TimeoutExpired(command, 1)

    assert "gave no answer" in audit.python(tmp_path, "lock", hang).told
