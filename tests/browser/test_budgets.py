"""The figure's promises, held against the built book: bytes, hosts, shifts, access, silence."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from plates import bundle
from tests.browser.access import violations

PLATE = "plates/output-head/"
KILOBYTE = 1000
BEFORE, HTML, BASIC, FULL = 130 * KILOBYTE, 30 * KILOBYTE, 420 * KILOBYTE, 1_500 * KILOBYTE
GO_LIVE = "() => document.querySelector('.fig').dataset.live === 'yes'"
SHIFTS = """window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""


@pytest.fixture
def plate(open_page: Callable[..., Page]) -> Callable[..., Page]:
    return lambda **how: open_page(PLATE, **how)


def go_live(shown: Page) -> None:
    shown.locator(".fig-stage").first.focus()
    shown.wait_for_function(GO_LIVE)


def count_bytes(shown: Page) -> list[float]:
    """A list that grows with what the page transfers, bodies and headers, as compressed."""
    session, transferred = shown.context.new_cdp_session(shown), []
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: transferred.append(event["encodedDataLength"]))
    return transferred


def test_bytes_before_and_for_the_live_chart(site, browser):
    context = browser.new_context()
    shown = context.new_page()
    transferred = count_bytes(shown)
    shown.goto(site.url + PLATE)
    shown.wait_for_load_state("networkidle")
    before = sum(transferred)
    go_live(shown)
    more = sum(transferred) - before
    context.close()
    kind = bundle.kind_of(site.path / bundle.TARGET.relative_to("docs"))
    assert 0 < before <= BEFORE
    assert 0 < more <= (BASIC if kind == "basic" else FULL)


@pytest.mark.parametrize("page", [PLATE, "evidence/"])
def test_html_of_the_pages_with_most_figures(site, page):
    text = (site.path / page / "index.html").read_bytes()
    assert len(gzip.compress(text, mtime=0)) <= HTML


def test_no_other_host_is_asked_and_the_console_is_silent(plate, recorder):
    shown = plate()
    go_live(shown)
    for button in shown.locator(".fig-tools button").all():
        button.click()
    shown.wait_for_load_state("networkidle")
    assert recorder.foreign == []
    assert recorder.console == []


@pytest.mark.parametrize("size", [(1440, 900), (360, 740)])
def test_nothing_shifts_when_the_chart_goes_live(site, browser, size):
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    shown = context.new_page()
    shown.add_init_script(SHIFTS)
    shown.goto(site.url + PLATE)
    shown.locator(".fig").first.scroll_into_view_if_needed()
    shown.wait_for_load_state("networkidle")
    before = shown.evaluate("window.shift")
    go_live(shown)
    shown.wait_for_timeout(300)
    after = shown.evaluate("window.shift")
    context.close()
    assert after - before < 0.01
    assert after < 0.1


def test_the_drawing_is_visible_without_scripts(plate, root):
    shown = plate(scripts=False)
    others = [f"seed-{seed}" for seed in (11, 12, 13, 14)]
    thin = len(others) if all((root / "generated" / name).is_dir() for name in others) else 0
    for figure, lines in ((shown.locator(".fig").nth(0), 5 + thin), (shown.locator(".fig").nth(1), 14)):
        boxes = [path.bounding_box() for path in figure.locator(".fig-line").all()]
        assert len(boxes) == lines
        assert max(box["height"] for box in boxes if box) > 100


def test_what_the_figure_shows_is_what_is_recorded(plate, root):
    """The built page's figure against the committed CSV, point for point."""
    curves = (root / "generated" / "output-head" / "curves.csv").read_text().splitlines()
    head, *lines = (line.split(",") for line in curves)
    recorded = [dict(zip(head, line, strict=True)) for line in lines]
    shown = plate()
    go_live(shown)
    data = shown.evaluate("document.querySelector('.fig-live').data.map(({name, x, y}) => ({name, x, y}))")
    for trace in data[:4]:
        run, kind = trace["name"].split(", ")
        column = {"held-out": "heldout_loss", "training": "train_loss"}[kind]
        rows = [row for row in recorded if row["run"] == run]
        assert trace["x"] == [int(row["step"]) for row in rows]
        assert trace["y"] == [round(float(row[column]), 6) for row in rows]


@pytest.mark.parametrize("width", [320, 768, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_axe_violations_before_and_after_going_live(plate, width, scheme):
    shown = plate(size=(width, 900), scheme=scheme)
    assert violations(shown) == []
    go_live(shown)
    shown.keyboard.press("End")
    if width == 320:  # hundreds of cells: once a palette is enough
        for summary in shown.locator(".fig summary").all():
            summary.click()
    assert violations(shown) == []
