"""What a live server reads anew when a source has changed: what rests on it, and nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from jinja2 import Environment
from jinja2.ext import Extension

import plates
from plates.templates import template

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
