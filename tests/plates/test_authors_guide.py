"""The authors' guide has an example of every macro and filter; that each renders is held by a real build."""

from __future__ import annotations

import re
from pathlib import Path

from plates import numbers
from plates.checks.sections import SECTIONS
from plates.macros import MACROS
from tests.fixtures import guide


def test_every_macro_has_an_example(root: Path) -> None:
    examples = "\n".join(guide.blocks(root))
    assert [name for name in MACROS if not re.search(rf"\b{name}\(", examples)] == []


def test_every_filter_has_an_example(root: Path) -> None:
    shown = guide.filters(root)
    assert sorted(shown) == sorted([*numbers.FILTERS, "code"])
    assert [name for name, text in shown.items() if not re.search(rf"\| {name}\b", text)] == []


def test_the_readme_names_every_filter(root: Path) -> None:
    (said,) = re.findall(
        r"^The filters are (.*?)\. ", (root / "README.md").read_text(encoding="utf-8"), re.M | re.S
    )
    assert re.findall(r"`(\w+)`", said) == [*numbers.FILTERS, "code"]


def test_the_guide_names_every_section_and_command(root: Path) -> None:
    text = " ".join((root / "docs/authors.md").read_text(encoding="utf-8").split())
    assert [name for name in SECTIONS if f"*{name}*" not in text] == []
    for words in (
        "make serve",
        "make check",
        "python -m plates new",
        "python -m training record --recording",
    ):
        assert words in text


def test_the_readme_leads_to_it(root: Path) -> None:
    assert "](docs/authors.md)" in (root / "README.md").read_text(encoding="utf-8")


def test_the_examples_of_code_are_python(root: Path) -> None:
    text = (root / "docs/authors.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(examples) >= 3
    for example in examples:
        compile(example.replace("    ...,\n", ""), "docs/authors.md", "exec")
