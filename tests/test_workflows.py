"""The workflows have no more rights than they need, run what was reviewed, and publish only what is green."""

from __future__ import annotations

import re
import stat
import subprocess
from pathlib import Path

import pytest
import yaml


@pytest.fixture(params=["test", "publish", "newest"])
def workflow(root: Path, request: pytest.FixtureRequest) -> str:
    return (root / ".github" / "workflows" / f"{request.param}.yml").read_text()


def test_actions_are_pinned_by_commit(workflow):
    for action in re.findall(r"uses: (?!\./)(.+)", workflow):
        assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_a_workflow_may_only_read(workflow):
    parsed = yaml.safe_load(workflow)
    assert parsed["permissions"] in ({}, {"contents": "read"})
    writers = {
        name: {right for right, level in job.get("permissions", {}).items() if level == "write"}
        for name, job in parsed["jobs"].items()
    }
    assert {name: rights for name, rights in writers.items() if rights} in (
        {},
        {"deploy": {"pages", "id-token"}},
    )


def test_the_book_is_published_from_green_tests_and_the_site_alone(root):
    jobs = yaml.safe_load((root / ".github" / "workflows" / "publish.yml").read_text())["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert jobs["build"]["needs"] == "test"
    assert jobs["deploy"]["needs"] == "build"
    assert [step["run"] for step in jobs["build"]["steps"] if "run" in step] == ["make site"]


def test_the_machine_script_is_sound(root):
    script = root / ".ci" / "run"
    text = script.read_text()
    assert script.stat().st_mode & stat.S_IXUSR
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
    assert "set -euo pipefail" in text
    assert text.endswith("\nmake test\n")
    assert "--index-url" not in text, "where packages come from is the surroundings' business"
