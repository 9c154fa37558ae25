"""The reader's own model in a real Chromium: from a file, by keyboard, without script, with bad fields."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from plates.calculator import context_of, examples, texts
from plates.calculator_form import calculator
from plates.open_models import open_models
from plates.parameters import MICRO_TIED
from tests.samples import lay_assets

MODELS = open_models()
SHAPES = {"micro": MICRO_TIED, **{one.name: one.shape for one in MODELS}}
SHOWN = """() => Object.fromEntries([...document.querySelectorAll('[data-out]')]
  .map((place) => [place.dataset.out, place.textContent]))"""
EACH = f"""() => [...document.querySelectorAll('#calc-name option')].slice(1).map((option) => {{
  const select = document.querySelector('#calc-name');
  select.value = option.value;
  select.dispatchEvent(new Event('input', {{ bubbles: true }}));
  return [option.value, select.value, ({SHOWN})()];
}})"""

HERE = "(({ id, className, tagName }) => id || className || tagName)(document.activeElement)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with the controls alone, the book's own styles and scripts beside it."""
    made = tmp_path_factory.mktemp("calculator")
    lay_assets(made, library=False)
    scripts = [f"assets/js/{name}.js" for name in ("tying", "calculator")]
    box = calculator(MODELS, scripts, "assets/css/calculator.css")
    (made / "index.html").write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A model</title>'
        '<link rel="icon" href="data:,"><link rel="stylesheet" href="assets/css/book.css">'
        '<link rel="stylesheet" href="page.css"></head><body data-md-color-scheme="default">'
        f'<main class="md-typeset"><h1>A model</h1>{box}{examples(MODELS)}</main></body></html>'
    )
    return made


@pytest.fixture
def opened(open_page: Callable[..., Page], folder: Path) -> Callable[..., Page]:
    return lambda address="", **how: open_page(f"file://{folder}/index.html{address}", **how)


@pytest.fixture(scope="module")
def site():
    """Most of these tests want no book: their page is a file."""

    class Nowhere:
        url = "file:///"

    return Nowhere


def shown(page: Page) -> dict[str, str]:
    return page.evaluate(SHOWN)


def of(name: str) -> dict[str, str]:
    return texts(SHAPES[name], context_of(SHAPES[name]), MODELS)


def put(page: Page, name: str, value: str) -> None:
    page.locator(f"#calc-{name}").fill(value)


def fault(page: Page, name: str) -> str:
    return page.locator(f"#calc-{name}-fault").text_content()


def wait_for_hash(page: Page, part: str) -> None:
    page.wait_for_function("part => location.hash.includes(part)", arg=part)


def test_every_model_is_counted_as_python_counts_it(opened):
    told = opened().evaluate(EACH)
    assert len(told) == 40
    for name, picked, found in told:
        assert picked == name
        assert found == of(name), name


def test_starts_with_micro_and_follows_each_field(opened):
    page = opened()
    assert shown(page) == of("micro")
    put(page, "vocab_size", "16384")
    assert shown(page)["one_table"] == "2,097,152"
    assert page.locator("#calc-name").input_value() == ""
    page.locator("#calc-gated_mlp").check()
    assert shown(page)["total_tied"] == "3,163,264"
    page.get_by_role("button", name="Back to micro").click()
    assert shown(page) == of("micro")
    assert page.locator("#calc-name").input_value() == "micro"


def test_the_address_carries_the_model(opened, folder):
    page = opened()
    page.locator("#calc-name").select_option("Llama 3 8B")
    wait_for_hash(page, "model:name=Llama+3+8B")
    assert page.url.startswith(f"file://{folder}/index.html#")
    put(page, "n_layers", "40")
    wait_for_hash(page, "n_layers=40")
    link = page.locator(".calc-link").get_attribute("href")
    assert link == page.evaluate("location.hash")
    again = opened(link)
    assert shown(again) == shown(page)
    again.evaluate("location.hash = 'model:name=Qwen3+0.6B'")
    again.wait_for_function("document.querySelector('#calc-name').value === 'Qwen3 0.6B'")
    assert shown(again) == of("Qwen3 0.6B")


BAD = [
    ("vocab_size", "0", "came “0”"),
    ("vocab_size", "", "came nothing"),
    ("d_model", "-128", "came “-128”"),
    ("d_model", "128.5", "came “128.5”"),
    ("n_layers", "99999999999", "from 1 to 1,000"),
    ("n_heads", "3", "wanted a divisor of the width, 128, came 3"),
    ("d_ff", "1e9", "came “1e9”"),
]


def test_a_bad_field_is_told_at_the_field_and_the_last_good_result_stays(opened):
    page = opened()
    for name, value, words in BAD:
        put(page, name, value)
        assert words in fault(page, name)
        field = page.locator(f"#calc-{name}")
        assert field.get_attribute("aria-invalid") == "true"
        assert field.get_attribute("aria-describedby") == f"calc-{name}-fault"
        assert page.locator(f"#calc-{name}-fault").is_visible()
        assert "last sound shape" in page.locator(".calc-note").text_content()
        assert shown(page) == of("micro")
        put(page, name, str(getattr(MICRO_TIED, name)))
        assert fault(page, name) == ""
        assert field.get_attribute("aria-invalid") is None
        assert not page.locator(".calc-note").is_visible()


def test_what_is_no_number_at_all_is_told(opened):
    page = opened()
    page.locator("#calc-d_model").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("e-")
    assert "came “no number”" in fault(page, "d_model")
    assert shown(page) == of("micro")


def test_a_bad_address_is_told_and_a_strange_one_is_harmless(opened):
    page = opened("#model:vocab_size=-5&n_kv_heads=3")
    assert "came “-5”" in fault(page, "vocab_size")
    assert "divisor of the heads" in fault(page, "n_kv_heads")
    assert page.locator("#calc-n_kv_heads").is_visible(), "what is wrong is opened"
    assert shown(page) == of("micro")
    page = opened("#model:name=%3Cb%3E&n_kv_heads=%3Cscript%3E")
    assert "came “<script>”" in fault(page, "n_kv_heads")
    put(page, "n_kv_heads", "2")
    assert fault(page, "n_kv_heads") == ""
    assert shown(opened("#elsewhere")) == of("micro")


def test_sliders_move_by_key_through_values_that_fit(opened):
    page = opened()
    for name in ("vocab_size", "d_model", "n_layers", "n_heads", "d_ff"):
        slider = page.locator(f"[data-for={name}]")
        slider.focus()
        for key in ("ArrowRight", "ArrowRight", "End", "ArrowLeft", "Home"):
            page.keyboard.press(key)
            value = page.locator(f"#calc-{name}").input_value()
            assert slider.get_attribute("aria-valuetext") == f"{int(value):,}"
            assert not [text for text in page.locator(".calc-fault").all_text_contents() if text], (
                name,
                value,
            )
    assert shown(page)["one_table"] == f"{256 * 64:,}"


def test_everything_can_be_reached_and_set_by_keyboard(opened):
    page = opened()
    page.locator("#calc-name").focus()
    reached = []
    while "wide-table" not in reached and len(reached) < 60:
        reached.append(page.evaluate(HERE))
        if reached[-1] == "SUMMARY":
            page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    wanted = page.eval_on_selector_all(".calc :is(input, select)[id]", "all => all.map((one) => one.id)")
    assert [one for one in reached if one in wanted] == wanted
    assert {"SUMMARY", "calc-link", "calc-reset", "wide-table"} <= set(reached)


def test_marks_stay_on_the_drawing(opened):
    page = opened()
    frame = page.locator(".calc-place").bounding_box()
    for name in ("Llama 3.1 405B", "Pythia 14M", "micro"):
        page.locator("#calc-name").select_option(name)
        for mark in page.locator(".calc-mark").all():
            box = mark.bounding_box()
            assert frame["x"] - 12 <= box["x"]
            assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 12
        tied, untied = (text.bounding_box() for text in page.locator(".calc-mark text").all())
        assert tied["y"] + 0.6 * tied["height"] <= untied["y"], "the names do not cover each other"


def test_without_scripts_the_examples_stand(opened):
    page = opened(scripts=False)
    assert not page.locator(".calc").is_visible()
    table = page.get_by_role("table", name="Worked examples.")
    assert table.is_visible()
    for wanted in ("1,852,544", "8,030,261,248", "268,098,176"):
        assert wanted in table.text_content()
