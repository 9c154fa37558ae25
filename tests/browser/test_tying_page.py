"""The page on the arithmetic of tying, as built: access, bytes, width, silence."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.access import violations

PAGE = "tying/"
KILOBYTE = 1000
PAGE_BYTES, HTML_BYTES = 130 * KILOBYTE, 30 * KILOBYTE


@pytest.mark.parametrize("width", [320, 768, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_axe_violations_with_sound_and_with_bad_fields(open_page: Callable[..., Page], width, scheme):
    shown = open_page(PAGE, size=(width, 900), scheme=scheme)
    assert violations(shown) == []
    shown.locator(".calc summary").click()
    shown.locator("#calc-d_model").fill("0")
    shown.locator("#calc-context").fill("")
    assert shown.locator("#calc-context-fault").is_visible()
    assert violations(shown) == []


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_nothing_overflows_a_narrow_phone(open_page: Callable[..., Page], scripts):
    shown = open_page(PAGE, size=(320, 700), scripts=scripts)
    if scripts:
        shown.locator(".calc summary").click()
    assert shown.evaluate("document.documentElement.scrollWidth") == 320


def test_bytes(site, browser):
    text = (site.path / PAGE / "index.html").read_bytes()
    assert len(gzip.compress(text, mtime=0)) <= HTML_BYTES
    context = browser.new_context()
    shown = context.new_page()
    session, transferred = shown.context.new_cdp_session(shown), []
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: transferred.append(event["encodedDataLength"]))
    shown.goto(site.url + PAGE)
    shown.wait_for_load_state("networkidle")
    context.close()
    assert 0 < sum(transferred) <= PAGE_BYTES


def test_no_other_host_is_asked_and_the_console_is_silent(open_page: Callable[..., Page], recorder):
    shown = open_page(PAGE)
    shown.locator("#calc-name").select_option("Gemma 3 270M")
    shown.wait_for_function("() => location.hash.includes('Gemma')")
    assert shown.locator("[data-out=share_tied]").text_content() == "62.6%"
    assert (recorder.foreign, recorder.console) == ([], [])


def test_the_plate_leads_here_and_the_list_can_be_fetched(open_page: Callable[..., Page], site):
    shown = open_page("plates/output-head/")
    shown.get_by_role("link", name="The arithmetic of tying").last.click()
    assert shown.url == site.url + PAGE
    assert (site.path / "assets/data/open-models.csv").read_text(encoding="utf-8").count("\n") == 40


def test_the_list_is_not_in_the_search_index(site):
    index = (site.path / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "torchtune" not in index
    assert "calc-data" not in index
