"""Asks what is known against the locked versions, and says plainly where nobody could be asked."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PATIENCE_SECONDS = 120
PYTHON = ("--require-hashes", "--disable-pip", "--format=json", "--progress-spinner=off", "--timeout=10")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@dataclass(frozen=True)
class Audit:
    """What was asked of one lock, and what came of it."""

    lock: str
    answered: int
    """Packages that the service knew."""
    silent: int
    """Packages that it said nothing of."""
    faults: tuple[str, ...]
    """Each known fault: the package, its name, and the versions that mend it."""
    why: str = ""
    """Why nobody answered at all."""

    @property
    def told(self) -> str:
        """The line of the report."""
        if not self.answered:
            return f"{self.lock}: NOT AUDITED, since {self.why}"
        silent = f", nothing said of {self.silent}" if self.silent else ""
        known = "; ".join(self.faults) or "no known fault"
        return f"{self.lock}: {self.answered} packages audited{silent}: {known}"


def python(root: Path, name: str, run: Run = subprocess.run) -> Audit:
    """Ask for the Python packages of a lock.

    Args:
        root: the repository.
        name: the lock's file, from `root`.
        run: what runs the command.
    """
    output, why = _asked(run, [sys.executable, "-m", "pip_audit", f"--requirement={name}", *PYTHON], root)
    try:
        listed = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return Audit(name, 0, 0, (), why or "pip-audit gave no answer")
    known = [each for each in listed if "skip_reason" not in each]
    faults = [
        f"{each['name']} {each['version']}: {fault['id']}, mended in {_mended(fault['fix_versions'])}"
        for each in known
        for fault in each["vulns"]
    ]
    reasons = {each["skip_reason"] for each in listed if "skip_reason" in each}
    return Audit(name, len(known), len(listed) - len(known), tuple(faults), min(reasons, default=why))


def npm(root: Path, run: Run = subprocess.run) -> Audit:
    """Ask for the packages of package-lock.json.

    Args:
        root: the repository.
        run: what runs the command.
    """
    name, command = "package-lock.json", shutil.which("npm")
    if command is None:
        return Audit(name, 0, 0, (), "there is no npm to ask with")
    output, why = _asked(run, [command, "audit", "--package-lock-only", "--json"], root)
    try:
        told = json.loads(output)
        why = str(told.get("message") or why)
        faults = tuple(f"{each}: {about['severity']}" for each, about in told["vulnerabilities"].items())
        return Audit(name, told["metadata"]["dependencies"]["total"], 0, faults)
    except (ValueError, KeyError, TypeError, AttributeError):
        return Audit(name, 0, 0, (), why or "npm gave no answer")


def _mended(versions: list[str]) -> str:
    return ", ".join(versions) or "no version yet"


def _asked(run: Run, command: list[str], root: Path) -> tuple[str, str]:
    """What the command printed, and its last complaint."""
    try:
        done = run(command, cwd=root, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", f"it gave no answer ({type(error).__name__})"
    complaints = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return done.stdout, complaints[-1] if complaints else ""
