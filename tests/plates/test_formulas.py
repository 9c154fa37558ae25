"""LaTeX as authors write it: what is set, what it is called in words, and how a fault is told."""

from __future__ import annotations

import re
from html import unescape

import markdown
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from plates.author_syntax import protect, with_formulas, without_literals
from plates.formulas import CLASSES, FormulaError, formula

SOFTMAX_SPOKEN = (
    "p sub t equals the fraction e to the z sub t divided by "
    "the sum from u equals 1 to V of e to the z sub u, end of fraction"
)
SOFTMAX = r"p_t = \frac{e^{z_t}}{\sum_{u=1}^{V} e^{z_u}}"


def named(latex: str) -> str:
    return str(BeautifulSoup(formula(latex, True), "html5lib").math["aria-label"])


def test_a_formula_in_a_line_and_one_on_its_own() -> None:
    assert formula("h", False) == '<span class="math"><math aria-label="h"><mi>h</mi></math></span>'
    assert formula("h", True) == '<math display="block" aria-label="h"><mi>h</mi></math>'


def test_letters_are_slanted_and_names_stand_upright() -> None:
    shown = formula(r"h E^\top \mathrm{softmax}", True)
    assert "<mi>h</mi>" in shown
    assert '<mi mathvariant="normal">⊤</mi>' in shown
    assert '<mi mathvariant="normal">softmax</mi>' in shown


SPOKEN = [
    (r"h E^\top", "h E transposed"),
    (
        SOFTMAX,
        SOFTMAX_SPOKEN,
    ),
    (r"x^{{2}}", "x squared"),
    (r"W^{-1} x'", "W inverse x prime"),
    (r"\operatorname{softmax}(z)_t", "softmax of (z) sub t"),
    (r"\begin{aligned}a&=b\\c&=d\end{aligned}", "a equals b; c equals d"),
    (r"\begin{pmatrix}1&0\\0&1\end{pmatrix}", "(1, 0; 0, 1)"),
    (r"\mathbf{W}_q \in \mathbb{R}^{V \times d}", "bold W sub q in R to the V times d, end of power"),
    (
        r"\frac{Q K^\top}{\sqrt{d_k}}",
        "the fraction Q K transposed divided by the square root of d sub k, end of fraction",
    ),
    (
        r"\frac{1}{2} \sqrt{a+b} \sqrt[3]{x}",
        "1 divided by 2 the square root of a plus b, end of root, the root of order 3 of x",
    ),
    (r"\lim_{x \to 0} \hat y, \alpha_i^2", "lim over x to 0 of y hat, alpha sub i squared"),
    (
        r"\int_0^1 x \, dx \le \prod_i x_i",
        "the integral from 0 to 1 of x d x is at most the product over i of x sub i",
    ),
    (r"a \otimes b", "a circled times b"),
    (r"\text{if } x < 0", "if x is less than 0"),
]


@pytest.mark.parametrize(("latex", "words"), SPOKEN, ids=[each[0] for each in SPOKEN])
def test_a_formula_has_a_name_in_words(latex: str, words: str) -> None:
    assert named(latex) == words


def test_no_formula_needs_a_style_attribute() -> None:
    aligned = r"\begin{aligned}a&=b\end{aligned} \begin{cases}1&x\\0&y\end{cases}"
    shown = formula(aligned, True) + formula(r"\begin{align*}a&=b\end{align*}", True)
    assert "style" not in shown.replace("displaystyle", "")
    assert {name for name in CLASSES.values() if f'class="{name}"' in shown} == set(CLASSES.values())


FAULTS = [
    (r"\fraq{1}{2}", 0, r'Unknown command "\fraq"'),
    (r"é + \nope", 4, r'Unknown command "\nope"'),
    (r"\frac{1}", 8, "Expected argument but reached end of input"),
    ("a\n_b_c", 4, "Duplicate subscript or superscript"),
    (r"\left( x", 8, r'Expected closing token "\right"'),
    (r"\begin{foo}x\end{foo}", 6, 'Unknown environment "foo"'),
    ("a & b", 2, 'Found "&"'),
    (" ", 0, "wanted LaTeX, came none"),
    (r"\color{red}x", 0, "colours, rules and equation numbers are not printed in formulas"),
    (r"\begin{equation}a\end{equation}", 0, "colours, rules and equation numbers are not printed"),
    (r"\begin{array}{c|c}a&b\end{array}", 0, "colours, rules and equation numbers are not printed"),
    (r"\boxed{x}", 0, "boxes and strokes through letters are not shown by every browser"),
]


@pytest.mark.parametrize(("latex", "at", "words"), FAULTS, ids=[each[0] for each in FAULTS])
def test_a_fault_is_told_with_its_place(latex: str, at: int, words: str) -> None:
    with pytest.raises(FormulaError) as caught:
        formula(latex, True)
    assert str(caught.value).startswith(f"formula: {words}")
    assert str(caught.value).endswith(r"; correct it, or write \$ for a dollar sign")
    assert abs(caught.value.at - at) <= 1


PIECES = [
    ("$h$", "inline"),
    (r"\(h\)", "inline"),
    ("$$h$$", "block"),
    ("$$\nh\n$$", "block"),
    (r"\[h\]", "block"),
    (r"\begin{aligned}h\end{aligned}", "block"),
]


@pytest.mark.parametrize(("text", "kind"), PIECES, ids=[each[0] for each in PIECES])
def test_each_way_to_write_math(text: str, kind: str) -> None:
    shown = with_formulas(f"Words {text} words.")
    assert ('display="block"' in shown) is (kind == "block")
    assert "<mi>h</mi>" in shown
    # Lines keep their numbers: a fault further down is told by its own.
    assert protect(f"{text}\n{{{{ x }}}}").count("\n") == text.count("\n") + 1


@pytest.mark.parametrize(
    "text", ["costs $5 and $6", "`$x$`", "```\n$x$\n```", "<!-- $x$ -->", "a $ b $ c", "$x\n\ny$"]
)
def test_what_is_no_math_stays(text: str) -> None:
    assert protect(text) == text


def test_a_dollar_sign_of_the_authors_own() -> None:
    assert markdown.markdown(protect(r"\$5 or x\$")) == "<p>&#36;5 or x&#36;</p>"


PLACES = {
    "at the start of a line": "$a_i^*$ begins.",
    "in a list": "- one $a_i^*$ two",
    "in a table": "| a | b |\n|---|---|\n| $\\|a_i^*\\|$ | x |",
    "in emphasis": "*so $a_i^*$ is*",
    "in a heading": "## On $a_i^*$",
    "on its own in a list": "- one\n\n    $$\n    a_i^*\n    $$",
    "in a quotation": "> $$a_i^*$$",
    "with brackets": "[$a_i^*$](x.md) and $[a_i^*](b)$ and *$a_i^* \\lt b$*",
}


@pytest.mark.parametrize("where", PLACES)
def test_markdown_leaves_a_formula_alone(where: str) -> None:
    text = protect(PLACES[where]).replace("{% raw", "").replace("%}{% endraw %}", "")
    built = BeautifulSoup(markdown.markdown(text, extensions=["tables", "attr_list", "smarty"]), "html5lib")
    assert built.math
    for math in built.find_all("math"):
        assert not math.find_all(["em", "a", "p", "code"])
        assert math.msubsup.get_text() == "ai∗"
        assert math["aria-label"]


@given(st.text(alphabet="ab_^{}\\$ &*<>\"'`|~#%\n[]()", max_size=20))
def test_a_formula_is_set_or_refused_and_never_breaks_out(latex: str) -> None:
    try:
        shown = formula(latex, True)
    except FormulaError:
        return
    assert "\n" not in shown
    parsed = BeautifulSoup(shown, "html5lib").body
    assert [child.name for child in parsed.children] == ["math"]
    inside = re.sub(r"<[^>]*>", "", shown)
    assert not set(unescape(re.sub(r"&[#\w]+;", "", inside))) & set("\\`*_{}[]#|~^$\"'<>")


def test_math_counts_as_no_text() -> None:
    assert without_literals("a $x$ b").split() == ["a", "b"]
