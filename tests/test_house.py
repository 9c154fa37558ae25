"""What must never be in the repository. Each rule has a planted fault that it finds."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT, is_made

BIG = 1_500_000
LONG_LINE = 1_000
CODE = {".js", ".css", ".html", ".py", ".yml", ".toml"}
FOREIGN_PLACES = {"vendor", "node_modules", "third_party", "site-packages"}
WEIGHTS = {".pt", ".pth", ".ckpt", ".safetensors", ".onnx", ".npz", ".whl", ".zip", ".gz"}
# A folder that only some machine has; system programs (the first line of a script) are not meant.
MACHINE_PATH = re.compile(r"(?<![\w.*-])(?:/(?:work|root|farm|home|Users|tmp|opt|mnt)/[\w.]|[A-Z]:\\\w)")
# Where packages come from is the business of whoever installs them.
REGISTRY = re.compile(r"(?:npm|pypi|pythonhosted|debian|pytorch|anaconda)[\w-]*\.(?:org|com|io|net)\b", re.I)
CONFLICT = re.compile(r"^(?:<{7}|>{7}|\|{7})(?: |$)")

Rule = Callable[[Path, bytes], Iterator[str]]


def lines(content: bytes) -> list[str]:
    """The lines of a text; none where the content is no text."""
    if b"\0" in content:
        return []
    return content.decode(errors="replace").split("\n")


def paths_and_hosts(path: Path, content: bytes) -> Iterator[str]:
    for number, line in enumerate(lines(content), 1):
        if MACHINE_PATH.search(line):
            yield f"{path}:{number}: a path of one machine"
        if REGISTRY.search(line):
            yield f"{path}:{number}: the host of a package registry"


def size(path: Path, content: bytes) -> Iterator[str]:
    if len(content) > BIG:
        yield f"{path}: {len(content):,} bytes; at most {BIG:,}"
    if path.suffix in WEIGHTS:
        yield f"{path}: weights and archives are not committed"


def third_party(path: Path, content: bytes) -> Iterator[str]:
    if FOREIGN_PLACES & set(path.parts) or ".min." in path.name:
        yield f"{path}: third-party files are not committed"
    if path.suffix in CODE:
        for number, line in enumerate(lines(content), 1):
            if len(line) > LONG_LINE:
                yield f"{path}:{number}: a line of {len(line):,} characters; minified code is not committed"


def plain_text(path: Path, content: bytes) -> Iterator[str]:
    text = lines(content)
    for number, line in enumerate(text, 1):
        if line.endswith("\r"):
            yield f"{path}:{number}: line ends in CR LF; wanted LF"
        if CONFLICT.match(line):
            yield f"{path}:{number}: a conflict marker"
    if text and text[-1]:
        yield f"{path}:{len(text)}: no line end at the end of the file"


RULES: list[Rule] = [paths_and_hosts, size, third_party, plain_text]


def tracked(root: Path) -> list[Path]:
    """The repository's files, relative to it: git's own list, or all but what make and the tools made."""
    if (root / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
        found = [Path(name) for name in listed.split("\0") if name]
    else:
        everything = [path.relative_to(root) for path in root.rglob("*")]
        found = [path for path in everything if not is_made(path)]
    return [path for path in found if (root / path).is_file()]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_repository_keeps_the_rule(rule):
    faults = [fault for path in tracked(ROOT) for fault in rule(path, (ROOT / path).read_bytes())]
    assert not faults, "\n".join(faults)


# A tilde stands in each planted text, so that this file keeps its own rules; the test takes it out.
@pytest.mark.parametrize(
    ("rule", "path", "content", "said"),
    [
        (paths_and_hosts, "a.py", b"x\nopen('/ho~me/ada/x.csv')\n", "a.py:2: a path"),
        (paths_and_hosts, "a.md", b"see C:~\\Users\n", "a.md:1: a path"),
        (paths_and_hosts, "a.txt", b"--index-url https://py~pi.org/simple\n", "a.txt:1: the host"),
        (paths_and_hosts, "lock.json", b'"https://registry.npm~js.org/x.tgz"\n', "lock.json:1: the host"),
        (paths_and_hosts, "Makefile", b"https://download.py~torch.org/whl\n", "Makefile:1: the host"),
        (size, "a.csv", b"1\n" * BIG, "a.csv: 3,000,000 bytes"),
        (size, "runs/tied.pt", b"x", "runs/tied.pt: weights"),
        (third_party, "docs/plotly.min.js", b"", "third-party"),
        (third_party, "docs/vendor/plotly.js", b"", "third-party"),
        (third_party, "docs/a.js", b"x" * 1_001, "a.js:1: a line of 1,001 characters"),
        (plain_text, "a.csv", b"a,b\r\n1,2\n", "a.csv:1: line ends in CR LF"),
        (plain_text, "a.md", b"<<<<~<<< ours\n", "a.md:1: a conflict marker"),
        (plain_text, "a.md", b"one\ntwo", "a.md:2: no line end"),
    ],
)
def test_the_planted_fault_is_found(rule, path, content, said):
    (fault,) = rule(Path(path), content.replace(b"~", b""))
    assert said in fault


@pytest.mark.parametrize(
    ("rule", "path", "content"),
    [
        (paths_and_hosts, "run", b"#!/usr/bin/env bash\ncd docs/work/x\n"),
        (paths_and_hosts, "a.md", b"`/plates/output-head/` and <https://github.com/pytorch/pytorch>\n"),
        (plain_text, "a.md", b"Title\n=======\n"),
        (plain_text, "empty.py", b""),
        (plain_text, "a.png", b"\x89PNG\r\n\0"),
    ],
)
def test_what_is_allowed_passes(rule, path, content):
    assert not list(rule(Path(path), content))


@pytest.mark.parametrize("name", ["generated/output-head/curves.csv", "generated/another/table.csv"])
def test_recorded_tables_are_marked_as_generated(root, name):
    if not (root / ".git").exists():
        pytest.skip("git tells the attributes, and this tree is no repository")
    command = ["git", "check-attr", "linguist-generated", "eol", "--", name]
    told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == [f"{name}: linguist-generated: set", f"{name}: eol: lf"]


def test_what_the_readme_links_to_is_there(root: Path) -> None:
    words = (root / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", words) if "://" not in link]
    assert links
    assert [link for link in links if not (root / link).exists()] == []
