"""The workflows have no more rights than they need, run what was reviewed, and publish only what is green."""

from __future__ import annotations

import os
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


def test_no_workflow_keeps_the_key_to_the_repository(workflow):
    steps = [step for job in yaml.safe_load(workflow)["jobs"].values() for step in job.get("steps", [])]
    checkouts = [step for step in steps if step.get("uses", "").startswith("actions/checkout@")]
    assert [step for step in checkouts if step["with"].get("persist-credentials") is not False] == []


def test_each_job_that_runs_ends_by_itself(workflow):
    jobs = yaml.safe_load(workflow)["jobs"].values()
    assert [job for job in jobs if "uses" not in job and not 0 < job["timeout-minutes"] <= 60] == []


def test_the_newest_versions_are_tried_each_week_and_say_what_broke(root, tmp_path):
    text = (root / ".github" / "workflows" / "newest.yml").read_text(encoding="utf-8")
    parsed = yaml.safe_load(text)
    assert parsed[True]["schedule"], "YAML reads the key `on` as a truth"
    steps = {step["name"]: step for step in parsed["jobs"]["newest"]["steps"] if "name" in step}
    assert "make lock LOCK_ARGS=--upgrade" in steps["Take up the newest versions"]["run"]
    assert steps["Make every test"]["env"]["AUDIT"] == "strict"
    assert steps["Say what broke"]["if"] == "failure()"
    log = "ok\nFAILED tests/a.py::test_b - assert 1 == 2\nplates/c.py:3: error: no\n1 failed\n"
    (tmp_path / "newest.log").write_text(log)
    said = {"GITHUB_STEP_SUMMARY": "summary.md", "RUNNER_TEMP": str(tmp_path), "PATH": os.environ["PATH"]}
    script = steps["Say what broke"]["run"]
    subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=said, check=True)
    told = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert told.splitlines()[2:4] == log.splitlines()[1:3]
    assert "1 failed" not in told
