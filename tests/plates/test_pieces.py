"""The small parts of the vocabulary: names, HTML, works cited and recipes."""

from __future__ import annotations

from pathlib import Path

import markdown
import pytest
from bs4 import BeautifulSoup
from markupsafe import Markup

from plates import bibliography, html
from plates.bibliography import BibliographyError
from plates.names import Namespace, UnknownNameError, hint
from plates.recipes import said


@pytest.mark.parametrize(
    ("name", "names", "words"),
    [
        ("tide", ["tied", "untied"], "; did you mean 'tied'?; there are 'tied', 'untied'"),
        ("zzz", ["tied", "untied"], "; there are 'tied', 'untied'"),
        ("zzz", [], ""),
        ("zzz", [f"n{index}" for index in range(20)], ""),
        ("_hidden", ["_hidde"], ""),
    ],
)
def test_a_hint_offers_what_there_is(name: str, names: list[str], words: str) -> None:
    assert hint(name, names) == words


def test_a_namespace_is_read_by_attribute_and_by_key() -> None:
    space = Namespace("file", {"a": {"b": [1, {"c": 2}]}})
    assert space.a.b[1].c == space["a"]["b"][1]["c"] == 2
    assert "a" in space
    assert "z" not in space
    assert space.get("z", 3) == 3
    assert dict(space) == {"a": space.a}
    with pytest.raises(UnknownNameError, match="file, a: no 'd'; there are 'b'"):
        _ = space.a["d"]
    assert not hasattr(space, "zz")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a < b & c", "a &lt; b &amp; c"),
        ("*a* _b_ `c` [d](e)", "&#42;a&#42; &#95;b&#95; &#96;c&#96; &#91;d&#93;(e)"),
        ("a\n\n    b", "a b"),
        ("−0.060, 57%, 1,852,544", "−0.060, 57%, 1,852,544"),
        (Markup("<b>"), "<b>"),
    ],
)
def test_text_is_made_harmless(text: str, made: str) -> None:
    assert html.safe(text) == made


def test_attributes_are_made_harmless() -> None:
    tag = html.tag("a", "x", href='"><script>', class_="k", data_definition="a\n[b](c) {d}", id=None)
    assert tag == (
        '<a href="&quot;&gt;&lt;script&gt;" class="k" data-definition="a &#91;b&#93;(c) &#123;d&#125;">x</a>'
    )


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("steps", 6000, "6,000"),
        ("first_year", 1790, "1790"),
        ("learning_rate", 0.002, "0.002"),
        ("final_heldout_loss", 4.20835, "4.208"),
        ("compiled", False, "no"),
        ("cpu", "x", "x"),
        ("nothing", None, "none"),
        ("heldout_years", (1790, 1800), "1790, 1800"),
    ],
)
def test_values_of_a_manifest_are_printed_by_what_they_are(key: str, value: object, words: str) -> None:
    assert said(key, value) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@article{a, title = {T}", "references.bib: "),
        (
            "@article{a, title = {T}, year = 2016}",
            "references.bib: entry 'a': wanted title, year and author; no author",
        ),
        (
            "@article{a, author = {A, B}, year = 2016}",
            "references.bib: entry 'a': wanted title, year and author; no title",
        ),
        ("@article{a, author = {A}, title = {T}, year = 1}\n@article{a, author = {A}}", "references.bib: "),
        (None, "references.bib: the file is missing"),
    ],
)
def test_a_file_of_works_is_checked(tmp_path: Path, text: str | None, words: str) -> None:
    path = tmp_path / "references.bib"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(BibliographyError, match=words):
        bibliography.read(path)


@pytest.mark.parametrize(
    "words", ["record --recording x", "a --- b", "wait ...", "'a' and \"b\"", "<<x>>", "- -- -"]
)
def test_the_typographer_leaves_code_as_it_is(words: str) -> None:
    page = markdown.markdown(f"Say {html.tag('code', words)} now.", extensions=["smarty"])
    assert BeautifulSoup(page, "html.parser").code.text == words
