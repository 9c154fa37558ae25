"""Formulas as Chromium shows and names them."""

from __future__ import annotations

import pytest

from plates.formulas import formula
from tests.browser.access import violations

PLATE = "plates/output-head/"
SOFTMAX = (
    "z equals h E transposed, p sub t equals the fraction e to the z sub t "
    "divided by the sum from u equals 1 to V of e to the z sub u, end of fraction"
)
PUT = """markup => { document.querySelector("article > p").innerHTML = markup; }"""
BOXES = """maths => maths.map(math => [...math.querySelectorAll("mi, mn")].map(each => {
  const box = each.getBoundingClientRect();
  return [each.textContent, box.left, box.right, box.top, box.bottom];
}))"""


def boxes(page, *formulas: str) -> list[dict[str, tuple[float, ...]]]:
    """Where the letters of formulas stand: left, right, top, bottom, by the letter."""
    page.evaluate(PUT, "".join(formulas))
    shown = page.eval_on_selector_all("article > p:first-of-type math", BOXES)
    return [{letter: tuple(box) for letter, *box in math} for math in shown]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_plate_shows_the_head_and_the_softmax(open_page, scripts):
    page = open_page(PLATE, scripts=scripts)
    math = page.locator("math").first
    assert math.bounding_box()["height"] > 30
    assert page.get_by_role("math", name=SOFTMAX, exact=True).count() == 1


def test_the_name_is_what_assistive_technology_gets(open_page):
    page = open_page(PLATE)
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    math = [node for node in nodes if node["role"]["value"] == "MathMLMath" and not node.get("ignored")]
    assert math[0]["name"]["value"] == SOFTMAX
    # Under its name the formula is still there in parts, for those whose reader walks through it.
    parts = {node["role"]["value"] for node in nodes if not node.get("ignored")}
    assert {"MathMLFraction", "MathMLSub", "MathMLSup"} <= parts


def test_a_fraction_a_power_and_an_index_stand_where_they_should(open_page):
    (shown,) = boxes(open_page(PLATE), formula(r"\frac{a}{b} + c^d + f_g", True))
    assert shown["a"][3] <= shown["b"][2]
    assert shown["d"][3] < shown["c"][3]
    assert shown["d"][0] >= shown["c"][1] - 1
    assert shown["g"][3] > shown["f"][3]


def test_columns_that_are_set_apart(open_page):
    aligned = formula(r"\begin{aligned}aaa&=b\\c&=dd\end{aligned}", True)
    cases = formula(r"\begin{cases}1+1&x\\2&y\end{cases}", True)
    shown, other = boxes(open_page(PLATE), aligned, cases)
    assert abs(shown["c"][1] - shown["a"][1]) < 1  # the last a and c end where the sign begins
    assert shown["b"][0] == pytest.approx(shown["d"][0] - (shown["d"][1] - shown["d"][0]), abs=2)
    assert other["x"][0] == pytest.approx(other["y"][0], abs=1)
    assert other["x"][0] > other["1"][1] + 8


def test_a_formula_in_a_line_keeps_the_lines_apart_as_they_were(open_page):
    page = open_page(PLATE)
    before = page.locator("article > p").nth(1).bounding_box()["height"]
    page.evaluate(
        'markup => { const p = document.querySelectorAll("article > p")[1]; '
        'p.innerHTML = p.innerHTML.replace("There", markup); }',
        formula("h", False),
    )
    assert page.locator("article > p").nth(1).bounding_box()["height"] <= before + 2


def test_a_wide_formula_scrolls_by_itself(open_page):
    page = open_page(PLATE, size=(320, 700))
    page.evaluate(PUT, formula("+".join(f"a_{{{index}}}" for index in range(30)), True))
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    math = page.locator("article > p:first-of-type math")
    assert math.evaluate("math => math.scrollWidth > math.clientWidth")
    page.evaluate('window.dispatchEvent(new Event("load"))')
    assert [each for each in violations(page) if "math" in each] == []
