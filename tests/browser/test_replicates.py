"""Thin lines of further runs: read beside the others in the live chart, put away where nothing reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from plates import numbers
from tests.samples import lay_assets, page, replicated_figure


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("replicates")
    lay_assets(made)
    (made / "index.html").write_text(page(replicated_figure()))
    return made


@pytest.fixture
def shown(browser, folder: Path, recorder) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    recorder.watch(opened, "")
    opened.goto(f"file://{folder}/index.html")
    opened.locator(".fig-stage").focus()
    opened.wait_for_function("document.querySelector('.fig').dataset.live === 'yes'")
    yield opened
    context.close()


def visible(shown: Page) -> list[str]:
    data = "document.querySelector('.fig-live').data"
    return shown.evaluate(f"{data}.filter((trace) => trace.visible).map((trace) => trace.name)")


def spoken(shown: Page) -> str:
    shown.locator(".fig-stage").focus()
    shown.keyboard.press("End")
    return shown.locator(".fig-spoken").text_content() or ""


def test_they_are_shown_and_read_in_nats(shown: Page) -> None:
    others = replicated_figure().others
    assert visible(shown)[-2:] == ["seed 5", "seed 6"]
    said = spoken(shown)
    for other in others:
        assert f"{other.name} {numbers.nats(other.y[-1], signed=True)}" in said
    colours = "document.querySelector('.fig-live').data.map((trace) => trace.line.color)"
    assert shown.evaluate(colours)[-1] == shown.evaluate(
        "getComputedStyle(document.querySelector('.fig')).getPropertyValue('--muted').trim()"
    )


def test_as_perplexity_they_have_no_reading(shown: Page) -> None:
    shown.locator("[data-y='1']").click()
    assert "seed 5" not in visible(shown)
    assert "untied − tied" in visible(shown)
    said = spoken(shown)
    assert "seed 5" not in said
    assert "third run" in said
    shown.locator("[data-y='0']").click()
    assert visible(shown)[-2:] == ["seed 5", "seed 6"]
    assert "seed 5" in spoken(shown)
