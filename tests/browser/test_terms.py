"""A term's tip: by pointer, keyboard and finger; dismissed, hovered and persistent as WCAG 1.4.13 asks."""

from __future__ import annotations

import pytest

from tests.browser.access import violations

PLATE = "plates/output-head/"
TIP = "[role=tooltip]"
STILL = "the page has not moved on"


@pytest.fixture
def shown(open_page):
    """Opens the plate and gives page, first term and tip."""

    def opened(**how):
        page = open_page(PLATE, **how)
        page.evaluate(f"window.still = '{STILL}'")
        return page, page.locator(".term").first, page.locator(TIP)

    return opened


def test_the_pointer_brings_it_and_it_stays_while_the_pointer_is_on_either(shown):
    page, term, tip = shown()
    assert not tip.is_visible()
    term.hover()
    tip.wait_for()
    assert tip.inner_text() == term.get_attribute("data-definition")
    box = tip.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10, steps=8)
    page.wait_for_timeout(600)
    assert tip.is_visible()
    page.mouse.move(5, 5)
    tip.wait_for(state="hidden")


def test_escape_dismisses_it_without_moving_pointer_or_focus(shown):
    page, term, tip = shown()
    term.hover()
    tip.wait_for()
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    page.wait_for_timeout(400)
    assert not tip.is_visible()


def test_the_keyboard_brings_it_describes_the_link_and_follows_it(shown):
    page, term, tip = shown()
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.classList.contains('term')"):
        page.keyboard.press("Tab")
    assert tip.is_visible()
    assert term.get_attribute("aria-describedby") == tip.get_attribute("id")
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    assert term.get_attribute("aria-describedby") is None
    assert page.evaluate("document.activeElement.classList.contains('term')")
    page.keyboard.press("Enter")
    assert page.url.endswith(term.get_attribute("href"))


def test_leaving_by_keyboard_takes_it_away(shown):
    page, _, tip = shown()
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.classList.contains('term')"):
        page.keyboard.press("Tab")
    assert tip.is_visible()
    page.keyboard.press("Shift+Tab")
    assert not tip.is_visible()


def test_a_finger_first_sees_and_then_follows(shown):
    page, term, tip = shown(size=(360, 740), has_touch=True, is_mobile=True)
    term.tap()
    assert tip.is_visible()
    assert term.get_attribute("data-definition") in tip.inner_text()
    assert "#" not in page.url
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    page.locator("h1").tap()
    assert not tip.is_visible()
    term.tap()
    term.tap()
    assert page.url.endswith(term.get_attribute("href"))
    assert page.evaluate("window.still") == STILL


def test_a_click_of_the_mouse_follows_at_once(shown):
    page, term, _ = shown()
    term.click()
    assert page.url.endswith(term.get_attribute("href"))


def test_without_scripts_it_is_a_link(shown):
    page, term, tip = shown(scripts=False)
    assert tip.count() == 0
    term.click()
    assert page.url.endswith(term.get_attribute("href"))


@pytest.mark.parametrize("width", [500, 740, 1440])
def test_it_keeps_inside_the_window(shown, width):
    page, _, tip = shown(size=(width, 700))
    for term in page.locator(".term").all():
        term.scroll_into_view_if_needed()
        term.hover()
        tip.wait_for()
        box = tip.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 700
        page.keyboard.press("Escape")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_axe_finds_nothing_while_it_is_shown(shown, width, scheme):
    page, term, tip = shown(size=(width, 800), scheme=scheme)
    term.hover()
    tip.wait_for()
    assert violations(page) == []


def test_a_page_without_terms_has_no_tip(open_page):
    assert open_page("reproduce/").locator(TIP).count() == 0
