"""The page in a real browser: no overflow, a readable measure, a margin for notes, use by keyboard."""

from __future__ import annotations

import pytest

WIDTH = "document.documentElement.scrollWidth"
# The letters of each full line of a paragraph: a line is what shares one bottom edge.
LINES = """paragraphs => paragraphs.flatMap(paragraph => {
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  const range = document.createRange(), lines = new Map();
  for (let node; (node = walker.nextNode());) {
    if (node.parentElement.closest('.sidenote')) continue;
    for (let at = 0; at < node.data.length; at++) {
      range.setStart(node, at); range.setEnd(node, at + 1);
      const box = range.getBoundingClientRect(), line = Math.round(box.bottom / 12);
      if (box.width) lines.set(line, (lines.get(line) || 0) + 1);
    }
  }
  return [...lines.values()].slice(0, -1);
})"""


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("path", ["", "plates/output-head/", "glossary/", "reproduce/"])
def test_nothing_overflows_a_narrow_phone(open_page, path, scripts):
    page = open_page(path, size=(320, 700), scripts=scripts)
    assert page.evaluate(WIDTH) == 320


def test_a_line_has_about_sixty_five_letters(open_page):
    page = open_page("plates/output-head/")
    letters = page.eval_on_selector_all("article > p", LINES)
    assert 55 <= sum(letters) / len(letters) <= 76


@pytest.mark.parametrize(("width", "beside"), [(1440, True), (1220, True), (360, False)])
def test_a_sidenote_stands_in_the_margin_or_in_the_text(open_page, width, beside):
    page = open_page("plates/output-head/", size=(width, 900))
    note = page.locator(".sidenote").first.bounding_box()
    text = page.locator("article > p").first.bounding_box()
    assert (note["x"] >= text["x"] + text["width"]) is beside
    assert note["x"] + note["width"] <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_paper_follows_the_readers_preference(open_page, scheme, scripts):
    page = open_page("", scheme=scheme, scripts=scripts)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(251, 248, 241)", "dark": "rgb(22, 23, 26)"}[scheme]


def test_the_contents_open_and_close_by_keyboard(open_page):
    page = open_page("plates/output-head/", size=(360, 700))
    button = page.get_by_role("button", name="Contents")
    link = page.locator("nav#contents a").first
    assert not link.is_visible()
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    assert link.is_visible()
    assert page.evaluate("document.activeElement.closest('#contents') !== null")
    page.keyboard.press("Escape")
    assert button.get_attribute("aria-expanded") == "false"
    assert page.evaluate("document.activeElement.classList.contains('book-menu')")


def test_the_switch_turns_the_paper_and_remembers(open_page):
    page = open_page("")
    page.locator("form[data-md-component=palette] label:not([hidden])").click()
    dark = "document.body.dataset.mdColorScheme"
    assert page.evaluate(dark) == "slate"
    page.reload()
    assert page.evaluate(dark) == "slate"


def test_search_finds_a_word(open_page):
    page = open_page("")
    page.keyboard.press("/")
    page.keyboard.type("logit")
    page.locator(".md-search-result__item a[href*='plates/output-head/']").first.wait_for()
