"""What a live server reads anew when a source has changed: what rests on it, and nothing else."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jinja2 import Environment
from jinja2.ext import Extension

import plates
from plates.templates import template
from tests.fixtures.books import PACKAGE

ROOM = Path(plates.__file__).parent
MODULES = {
    ".".join(path.relative_to(ROOM).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOM.rglob("*.py"))
}


def imported(name: str) -> set[str]:
    """The package's modules that a module names in its imports, as Python reads them."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "plates":
            inside = (node.module or "").removeprefix("plates").removeprefix(".")
            found |= {inside, *(f"{inside}.{each.name}".removeprefix(".") for each in node.names)}
    return found & set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_rests_on_all_that_it_imports(name: str) -> None:
    for each in imported(name):
        assert name in plates.dependants({each})


def test_what_rests_on_it_is_found_through_others_and_the_rest_is_left() -> None:
    found = plates.dependants({"output_head_figures"})
    assert {"output_head_figures", "contents", "book", "macros", "pages"} <= found
    kept = {"names", "numbers", "recorded.recordings", "author_syntax", "figures.render", "templates"}
    assert kept <= set(MODULES)
    assert not kept & found
    assert plates.dependants({"names"}) >= {"recorded.recordings", "volume", "macros"}
    assert plates.dependants({"evidence.planned"}) >= {"evidence.findings", "book"}


def test_a_table_is_read_by_the_modules_that_name_it() -> None:
    assert plates.readers("open-models.csv") == {"open_models", "contents"}
    assert plates.readers("planned-recordings.csv") == {"evidence.planned"}
    assert plates.readers("no-such-table.csv") == set()


@pytest.mark.parametrize("table", [path.name for path in (ROOM / "data").glob("*.csv")])
def test_every_table_is_named_by_a_module(table: str) -> None:
    assert plates.readers(table)


def test_a_page_is_read_once_and_anew_where_the_syntax_is_another() -> None:
    class Shouting(Extension):
        def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
            return source.upper()

    plain = Environment()
    assert template(plain, "a {{ 1 }}").render() == "a 1"
    assert template(Environment(), "a {{ 1 }}").root_render_func is not None
    assert template(Environment(extensions=[Shouting]), "a {{ 1 }}").render() == "A 1"
    assert template(plain, "a {{ 1 }}").render() == "a 1"


RELOAD = """
import pathlib, plates
plates._forget_changed_modules()
from plates import names, html
first = names
plates._forget_changed_modules()
from plates import names
assert names is first, "nothing has changed"
path = pathlib.Path("plates/names.py")
path.write_text(path.read_text() + "\\nMARK = 'new'\\n")
plates._forget_changed_modules()
from plates import names
from plates import open_models
earlier = open_models
table = pathlib.Path("plates/data/open-models.csv")
table.write_text(table.read_text().replace("Llama", "Lama"))
plates._forget_changed_modules()
from plates import html as kept, open_models
assert open_models is not earlier, "what reads the table is loaded anew"
assert kept is html, "what does not read it stays"
pathlib.Path("plates/data/named-by-none.csv").write_text("a")
plates._forget_changed_modules()
from plates import html as again
assert again is not html, "whoever reads that table, it is loaded anew"
from plates.figures import svg
earlier = svg
path = pathlib.Path("plates/figures/svg.py")
path.write_text(path.read_text() + "\\nMARK = 'new'\\n")
plates._forget_changed_modules()
from plates.figures import svg
assert svg.MARK == "new" and svg is not earlier, "a module in a room is loaded anew as well"
from plates import names as last
path.unlink()
plates._forget_changed_modules()
from plates import names
assert names is not last, "whoever read a module that is gone, it is loaded anew"
print(names.MARK)
"""


def test_a_changed_module_is_loaded_anew(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "plates", ignore=shutil.ignore_patterns("__pycache__", "theme"))
    done = subprocess.run([sys.executable, "-c", RELOAD], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "new\n", done.stderr
