"""Every page of the book before axe: on paper of either colour, and on a narrow screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.access import violations
from tests.serving import serve


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (360, "dark")])
def test_no_page_has_a_violation(site, open_page, width, scheme):
    pages = [path.relative_to(site.path).as_posix() for path in sorted(site.path.rglob("*.html"))]
    assert len(pages) > 5
    found = {}
    for name in pages:
        page = open_page(name.removesuffix("index.html"), size=(width, 900), scheme=scheme)
        found[name] = violations(page)
        page.context.close()
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_nor_has_the_dressed_page_for_a_missing_address(published: Path, browser: Browser):
    with serve(published, "/sub/") as address, browser.new_context() as context:
        page = context.new_page()
        page.goto(address + "404.html")
        assert violations(page) == []


def test_a_planted_violation_is_found(browser: Browser):
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content("<!doctype html><title>t</title><img src='data:,'>")
        rules = {fault.partition(":")[0] for fault in violations(page)}
    assert {"html-has-lang", "image-alt"} <= rules
