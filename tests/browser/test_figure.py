"""Figures in a real Chromium: readable without scripts, live at the first wish, never in the reader's way."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page

from plates import numbers
from plates.figures.scale import LEAST, scale
from plates.figures.table import rows
from tests.browser.access import violations
from tests.samples import ASSETS, STEPS, bars_figure, lay_assets, loss_figure, page, points_figure
from tests.serving import serve

LIBRARY = "**/plotly.min.js"
DESK, PHONE = (1440, 900), (360, 740)
NASTY = "</script><b>bold</b><a href='javascript:0'>x</a> & שלום"
SHIFTS = """() => { window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true }); }"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of figures with the book's own style, script and library beside them."""
    made = tmp_path_factory.mktemp("figures")
    lay_assets(made)
    all_kinds = (loss_figure(), points_figure(), bars_figure())
    (made / "index.html").write_text(page(*all_kinds))
    (made / "dark.html").write_text(page(*all_kinds, scheme="slate"))
    (made / "404.html").write_text("not there")
    nasty = loss_figure(title=NASTY, difference=None)
    nasty = replace(nasty, series=(replace(nasty.series[0], name=NASTY), *nasty.series[1:]))
    (made / "nasty.html").write_text(page(nasty))
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with serve(folder, "/a/book/") as found:
        yield found


@pytest.fixture
def opened(browser, folder, recorder):
    """A function that opens a page of figures, from a file unless told where."""
    contexts = []

    def opened(name="index.html", *, size=DESK, scripts=True, before=None, at="", **more) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        contexts.append(browser.new_context(viewport=viewport, java_script_enabled=scripts, **more))
        shown = contexts[-1].new_page()
        recorder.watch(shown, at)
        if before:
            before(shown)
        shown.goto((at or f"file://{folder}/") + name)
        return shown

    yield opened
    for context in contexts:
        context.close()


def go_live(shown: Page, number: int = 0) -> None:
    figure = shown.locator(".fig").nth(number)
    figure.locator(".fig-stage").focus()
    shown.wait_for_function("n => document.querySelectorAll('.fig')[n].dataset.live === 'yes'", arg=number)


def live(shown: Page, what: str, number: int = 0):
    """A part of the live chart, such as "data[0].y"."""
    chart = "document.querySelectorAll('.fig')[n].querySelector('.fig-live')"
    return shown.evaluate(f"n => {chart}.{what}", number)


def spoken(shown: Page, number: int = 0) -> str:
    return shown.locator(".fig-spoken").nth(number).text_content()


def titles(shown: Page) -> list[str]:
    """The axes' titles that a reader of the first figure sees."""
    found = shown.locator(".fig").first.locator(".fig-axis")
    return [title.text_content() for title in found.all() if title.is_visible()]


def pressed(shown: Page) -> dict[str, bool]:
    """What each switch of the first figure says."""
    switches = shown.locator(".fig").first.locator("[aria-pressed]").all()
    return {one.text_content().strip(): one.get_attribute("aria-pressed") == "true" for one in switches}


def reach(shown: Page, how: str) -> None:
    """Wait until the first figure's last wish came true ("yes") or to nothing ("failed")."""
    shown.wait_for_function("how => document.querySelector('.fig').dataset.live === how", arg=how)


def settle(shown: Page) -> None:
    shown.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


class TestBeforeAnyWish:
    def test_nothing_more_is_loaded(self, opened, recorder, address):
        shown = opened(at=address)
        shown.wait_for_load_state("networkidle")
        shown.mouse.wheel(0, 2000)
        shown.wait_for_timeout(200)
        assert not [address for address in recorder.requests if "plotly" in address or "live" in address]

    def test_drawing_is_visible_without_scripts(self, opened):
        shown = opened(scripts=False)
        for number in range(3):
            figure = shown.locator(".fig").nth(number)
            heights = [path.bounding_box()["height"] for path in figure.locator(".fig-line, .fig-bar").all()]
            assert max(heights) > 50
            assert not figure.locator(".fig-tools").is_visible()
            figure.locator("summary").first.click()
            assert figure.locator("table").is_visible()

    def test_a_touch_that_scrolls_loads_nothing(self, opened, recorder):
        shown = opened(size=PHONE, has_touch=True, is_mobile=True)
        swipe(shown, shown.locator(".fig-stage").first)
        assert not [address for address in recorder.requests if "plotly" in address]

    @pytest.mark.parametrize("width", [320, 768])
    def test_letters_are_large_enough_and_nothing_sticks_out(self, opened, width):
        shown = opened(size=(width, 800))
        letters = shown.evaluate("""[...document.querySelectorAll('svg text')].map((text) =>
          [parseFloat(getComputedStyle(text).fontSize), text.getBoundingClientRect().right])""")
        assert min(size for size, _ in letters) >= 11
        assert max(right for _, right in letters) <= width
        assert shown.evaluate("document.documentElement.scrollWidth") <= width

    @pytest.mark.parametrize("width", [320, 1440])
    def test_letters_do_not_lie_on_each_other(self, opened, width):
        shown = opened(size=(width, 800))
        touching = shown.evaluate("""() => [...document.querySelectorAll('.fig-drawing')].flatMap((svg) => {
          const boxes = [...svg.querySelectorAll('text')]
            .map((text) => [text.textContent, text.getBoundingClientRect()]).filter(([, box]) => box.width);
          const touch = (p, q) => p.left < q.right - 1 && q.left < p.right - 1
            && p.top < q.bottom - 2 && q.top < p.bottom - 2;
          return boxes.flatMap(([name, box], index) => boxes.slice(index + 1)
            .filter(([, other]) => touch(box, other)).map(([other]) => `${name} / ${other}`));
        })""")
        assert touching == []


class TestKeyboard:
    def test_steps_and_speaks_what_the_table_says(self, opened):
        shown, figure = opened(), loss_figure()
        go_live(shown)
        table, last = rows(figure), len(STEPS) - 1
        presses = {"Home": 0, "ArrowRight": 1, "End": last, "ArrowLeft": last - 1, "PageDown": last - 11}
        for key, row in presses.items():
            shown.keyboard.press(key)
            assert spoken(shown) == "; ".join(
                (
                    f"Step {table[row][0]}",
                    f"Tokens seen {table[row][1]}",
                    *(f"{one.name} {cell}" for one, cell in zip(figure.series, table[row][2:6], strict=True)),
                    f"untied − tied {table[row][6]}",
                )
            )

    def test_speaks_perplexity_when_it_is_shown(self, opened):
        shown, figure = opened(), loss_figure()
        go_live(shown)
        shown.locator("[data-y='1']").first.click()
        shown.locator(".fig-stage").first.focus()
        shown.keyboard.press("End")
        for one in figure.series:
            assert f"{one.name} {numbers.perplexity(one.y[-1])}" in spoken(shown)
        ours, theirs = (math.exp(figure.named(f"{run}, held-out").y[-1]) for run in ("untied", "tied"))
        gap = ours - theirs
        assert f"untied − tied {numbers.decimal(gap, 1, signed=True)}" in spoken(shown)

    def test_steps_through_points_and_bars(self, opened):
        shown = opened()
        for number, wanted in ((1, rows(points_figure())), (2, rows(bars_figure()))):
            go_live(shown, number)
            for row in wanted:
                shown.keyboard.press("ArrowRight")
                assert all(cell in spoken(shown, number) for cell in row)

    def test_keys_of_the_browser_are_left_alone(self, opened):
        shown = opened()
        go_live(shown)
        for key in ("Control+ArrowRight", "Alt+ArrowUp", "a"):
            shown.keyboard.press(key)
        assert spoken(shown) == ""
        shown.keyboard.press("Tab")
        assert shown.evaluate("document.activeElement.closest('.fig-tools') !== null")

    def test_the_point_is_marked_in_every_panel(self, opened):
        shown = opened()
        go_live(shown)
        shown.keyboard.press("End")
        stage = shown.locator(".fig-stage").first
        assert stage.locator(".fig-cross").count() == 2
        assert stage.locator(".fig-spot").count() == 8
        assert stage.locator(".fig-spot").first.is_visible()
        shown.keyboard.press("Escape")
        assert stage.locator(".fig-cross, .fig-spot").count() == 0


class TestLive:
    def test_holds_every_recorded_point(self, opened):
        shown = opened()
        for number, figure in enumerate((loss_figure(), points_figure(), bars_figure())):
            go_live(shown, number)
            for index, one in enumerate(figure.series):
                assert live(shown, f"data[{index}].x", number) == list(one.x)
                assert live(shown, f"data[{index}].y", number) == [round(value, 6) for value in one.y]

    def test_lies_on_the_drawing(self, opened):
        shown = opened()
        go_live(shown)
        ours, theirs = shown.evaluate("""() => {
          const ends = (path) => [0, path.getTotalLength()].map((at) => path.getPointAtLength(at))
            .map((point) => point.matrixTransform(path.getScreenCTM())).map(({ x, y }) => [x, y]);
          const all = (selector) => [...document.querySelector('.fig').querySelectorAll(selector)].map(ends);
          return [all('.fig-line:not(.fig-difference)'), all('.xy .js-line')];
        }""")
        assert len(ours) == len(theirs) == 4
        for mine, its in zip(ours, theirs, strict=True):
            for (x, y), (a, b) in zip(mine, its, strict=True):
                assert (x, y) == (pytest.approx(a, abs=1), pytest.approx(b, abs=1))

    def test_nothing_moves(self, opened):
        shown = opened(before=lambda shown: shown.add_init_script(f"({SHIFTS})()"))
        parts = "main > p, figure, figcaption, .fig-caption, .fig-notes, .fig-tools"
        before = [box.bounding_box() for box in shown.locator(parts).all()]
        for number in range(3):
            go_live(shown, number)
        shown.evaluate("scrollTo(0, 0)")
        settle(shown)
        assert [box.bounding_box() for box in shown.locator(parts).all()] == before
        assert shown.evaluate("window.shift") == 0

    def test_hover_reads_what_the_table_says(self, opened):
        shown, figure = opened(), loss_figure()
        box = shown.locator(".fig-drawing").first.bounding_box()
        shown.mouse.move(box["x"] + 5, box["y"] + 60)
        shown.wait_for_function("document.querySelector('.fig').dataset.live === 'yes'")
        shown.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 150)
        label = shown.locator(".fig").first.locator(".hoverlayer .legend")
        label.wait_for()
        row = rows(figure)[STEPS.index(3000)]
        text = label.text_content()
        for wanted in (f"Step {row[0]}", *row[2:]):
            assert wanted in text

    def test_perplexity_tokens_runs_and_zoom(self, opened):
        shown, figure = opened(), loss_figure()
        go_live(shown)
        losses = figure.series[0].y

        def press(what: str) -> None:
            shown.locator(f"[{what}]").first.click()

        press("data-y='1'")
        assert live(shown, "data[0].y") == pytest.approx([math.exp(loss) for loss in losses], 1e-5)
        assert live(shown, "data[0].text") == [numbers.perplexity(loss) for loss in losses]
        press("data-x='1'")
        assert live(shown, "data[0].x") == [step * 2048 for step in STEPS]
        assert titles(shown) == ["Perplexity", "untied − tied, perplexity", "Tokens seen"]
        press("data-x='0'")
        press("data-y='0'")
        press("data-series='1'")
        assert live(shown, "data[1].visible") is False
        assert shown.locator("[data-series='1']").first.get_attribute("aria-pressed") == "false"
        press("data-series='1'")
        whole = live(shown, "layout.xaxis.range")
        press("data-zoom=in")
        assert live(shown, "layout.xaxis.range") == [3000, 6000]
        press("data-zoom=out")
        press("data-zoom=in")
        press("data-zoom=all")
        assert live(shown, "layout.xaxis.range") == whole
        assert "is-whole" in shown.locator(".fig").first.get_attribute("class")

    def test_a_switch_is_a_wish_too(self, opened):
        shown = opened()
        shown.locator("[data-y='1']").first.click()
        shown.wait_for_function("document.querySelector('.fig').dataset.live === 'yes'")
        assert shown.locator("[data-y='1']").first.get_attribute("aria-pressed") == "true"

    def test_the_palette_restyles_it(self, opened):
        shown = opened()
        go_live(shown)
        light = live(shown, "data[0].line.color")
        shown.evaluate("document.body.dataset.mdColorScheme = 'slate'")
        settle(shown)
        dark = live(shown, "data[0].line.color")
        assert (light, dark) == ("#1f4e8c", "#8fb8f0")

    def test_it_follows_the_width_even_out_of_a_hidden_tab(self, opened):
        shown = opened()
        shown.evaluate("document.querySelector('main').style.display = 'none'")
        shown.evaluate("document.querySelector('.fig-stage').dispatchEvent(new Event('focus'))")
        shown.wait_for_function("document.querySelector('.fig-live') !== null")
        assert shown.locator(".fig").first.get_attribute("data-live") is None
        shown.evaluate("document.querySelector('main').style.display = ''")
        shown.wait_for_function("document.querySelector('.fig').dataset.live === 'yes'")
        shown.set_viewport_size({"width": 500, "height": 800})
        settle(shown)
        stage = shown.locator(".fig-stage").first.bounding_box()["width"]
        assert live(shown, "layout.width") == pytest.approx(stage, abs=1)

    def test_print_shows_the_drawing(self, opened):
        shown = opened()
        go_live(shown)
        shown.emulate_media(media="print")
        figure = shown.locator(".fig").first
        assert not figure.locator(".fig-live").is_visible()
        assert not figure.locator(".fig-tools").is_visible()
        assert figure.locator(".fig-line").first.is_visible()

    @pytest.mark.parametrize("switch", ["[data-y='1']", "[data-x='1']"])
    def test_print_shows_the_titles_of_what_is_drawn(self, opened, switch):
        shown = opened()
        drawn = titles(shown)
        shown.locator(switch).first.click()
        reach(shown, "yes")
        settle(shown)
        chosen = titles(shown)
        assert len(chosen) == len(drawn)
        assert chosen != drawn
        shown.emulate_media(media="print")
        assert titles(shown) == drawn
        shown.emulate_media(media="screen")
        assert titles(shown) == chosen

    def test_dark_palettes_print_ink_on_white(self, opened):
        shown = opened("dark.html")
        shown.emulate_media(media="print")
        style = "getComputedStyle(document.querySelector('{}')).{}"
        assert shown.evaluate(style.format(".fig-line.fig-tied", "stroke")) == "rgb(31, 78, 140)"
        assert shown.evaluate(style.format(".fig-paper", "fill")) == "rgb(255, 255, 255)"

    def test_no_buttons_of_the_library(self, opened):
        shown = opened()
        go_live(shown)
        assert shown.locator(".modebar, .modebar-btn, .plotlyjsicon").count() == 0

    def test_it_lets_a_phone_scroll(self, opened):
        shown = opened(size=PHONE, has_touch=True, is_mobile=True)
        shown.locator(".fig-stage").first.tap(position={"x": 100, "y": 100})
        shown.wait_for_function("document.querySelector('.fig').dataset.live === 'yes'")
        shown.evaluate("scrollTo(0, 0)")
        swipe(shown, shown.locator(".fig-stage").first)
        assert shown.evaluate("scrollY") > 100

    def test_wheel_over_it_scrolls(self, opened):
        shown = opened()
        go_live(shown)
        shown.locator(".fig-stage").first.hover(position={"x": 200, "y": 200})
        shown.mouse.wheel(0, 300)
        shown.wait_for_function("scrollY > 100")

    def test_works_from_a_server_too(self, opened, address, recorder):
        shown = opened(at=address)
        go_live(shown)
        assert len(live(shown, "data")) == 5
        last = [url.rpartition("/")[2] for url in recorder.requests[-2:]]
        assert last == ["plotly.min.js", "figure-live.js"]

    def test_twice_does_no_harm(self, opened):
        shown = opened()
        go_live(shown)
        shown.evaluate("""() => new Promise((done) => { window.bookFigures.start();
          const again = document.createElement('script'); again.src = 'assets/js/figure.js';
          again.onload = done; document.head.append(again); })""")
        assert shown.locator(".fig-live").count() == 1
        assert shown.locator(".fig-spoken").count() == 3

    def test_a_page_that_comes_in_later_is_served(self, opened, address):
        """As the theme's navigation without reload does: the body is replaced, then document$ speaks."""

        def theme(shown: Page) -> None:
            shown.add_init_script("window.document$ = { subscribe(f) { window.arrive = f; } }")

        shown = opened(before=theme, at=address)
        go_live(shown)
        shown.evaluate("""async () => { const text = await (await fetch('index.html')).text();
          const { body } = new DOMParser().parseFromString(text, 'text/html');
          document.body.replaceWith(body); window.arrive(); }""")
        assert shown.locator(".fig-live").count() == 0
        go_live(shown)
        assert shown.locator(".fig-live").count() == 1

    def test_labels_cannot_inject(self, opened):
        shown = opened("nasty.html")
        go_live(shown)
        shown.keyboard.press("End")
        assert shown.locator("b, .fig a[href^=javascript]").count() == 0
        shown.locator("[data-zoom=in]").first.click()
        assert NASTY in [text.text_content() for text in shown.locator(".fig-now text").all()]
        assert shown.locator("svg a").count() == 0


class TestWithoutTheLibrary:
    def test_blocked_changes_nothing_but_the_chart(self, opened, recorder, address):
        shown = opened(at=address, before=lambda shown: shown.route(LIBRARY, lambda route: route.abort()))
        before = shown.locator(".fig-stage").first.screenshot()
        shown.locator("[data-y='1']").first.click()
        shown.wait_for_function("document.querySelector('.fig').dataset.live === 'failed'")
        assert "The drawing and the table hold every point" in spoken(shown)
        assert shown.locator("[data-y='1']").first.get_attribute("aria-pressed") == "false"
        assert shown.locator(".fig-live").count() == 0
        shown.locator("h1").click()
        assert shown.locator(".fig-stage").first.screenshot() == before
        shown.locator(".fig-stage").first.focus()
        shown.keyboard.press("End")
        assert "Step 6,000" in spoken(shown)
        assert shown.locator(".fig-stage").first.locator(".fig-spot").count() == 8
        assert shown.locator(".fig-reading").first.is_visible()
        # The browser's own line on the block may come late.
        for _ in range(100):
            if not recorder.console:
                shown.wait_for_timeout(50)
        assert recorder.console
        assert all("ERR_FAILED" in line for line in recorder.console), "only the browser speaks of the block"
        recorder.clear()

    def test_broken_changes_nothing_but_the_chart(self, opened, address):
        def spoil(shown: Page) -> None:
            shown.route(LIBRARY, lambda route: route.fulfill(body="// empty", content_type="text/javascript"))

        shown = opened(before=spoil, at=address)
        shown.locator(".fig-stage").first.focus()
        shown.wait_for_function("document.querySelector('.fig').dataset.live === 'failed'")
        assert shown.locator(".fig-line").first.is_visible()
        assert shown.locator(".fig-live").count() == 0

    @pytest.mark.parametrize("body", ["<!doctype html><p>Sign in", "", "throw new Error('half a file')"])
    @pytest.mark.parametrize("file", ["plotly.min.js", "figure-live.js"])
    def test_spoilt_once_is_asked_for_again(self, opened, address, recorder, file, body):
        def spoil(shown: Page) -> None:
            shown.route(
                f"**/{file}", lambda route: route.fulfill(body=body, content_type="text/javascript"), times=1
            )

        shown = opened(before=spoil, at=address)
        shown.locator("[data-y='1']").first.click()
        reach(shown, "failed")
        assert shown.locator(f"script[src$='{file}']").count() == 0
        shown.locator("[data-y='1']").first.click()
        reach(shown, "yes")
        assert pressed(shown)["perplexity"]
        assert shown.locator(f"script[src$='{file}']").count() == 1
        assert all("exception" in line for line in recorder.console), "only the planted body complains"
        recorder.clear()

    def test_presses_that_fail_leave_everything_and_the_place(self, opened, address, recorder):
        held = []
        shown = opened(at=address, before=lambda shown: hold(shown, held))
        before = pressed(shown)
        press_twice_and_more(shown)
        shown.locator(".fig-stage").first.focus()
        shown.keyboard.press("End")
        words = spoken(shown)
        assert all(f"{one.name} {cell}" in words for one, cell in last_row())
        assert pressed(shown) == before
        assert shown.locator(".fig-stage").first.locator(".fig-spot").count() == 8
        held[0].abort()
        reach(shown, "failed")
        assert pressed(shown) == before
        shown.keyboard.press("ArrowLeft")
        assert f"Step {STEPS[-2]:,}" in spoken(shown), "the place is kept"
        shown.keyboard.press("ArrowRight")
        assert spoken(shown) == words
        shown.locator("[data-y='1']").first.click()
        reach(shown, "yes")
        assert [live(shown, f"data[{index}].visible") for index in range(5)] == [True] * 5
        assert pressed(shown) == before | {"perplexity": True, "nats": False}
        recorder.clear()

    def test_presses_while_it_is_slow_turn_in_their_order(self, opened, address):
        held = []
        shown = opened(at=address, before=lambda shown: hold(shown, held))
        before = pressed(shown)
        press_twice_and_more(shown)
        assert pressed(shown) == before
        held[0].continue_()
        reach(shown, "yes")
        settle(shown)
        assert [live(shown, f"data[{index}].visible") for index in range(3)] == [True, False, True]
        assert titles(shown)[0] == "Perplexity"
        hidden = loss_figure().series[1].name
        assert pressed(shown) == before | {hidden: False, "perplexity": True, "nats": False}

    def test_a_chart_that_fails_after_it_was_drawn_gives_the_drawing_back(self, opened, address):
        held = []
        shown = opened(at=address, before=lambda shown: hold(shown, held))
        drawn = titles(shown)
        shown.locator("[data-y='1']").first.click()
        shown.locator(".fig-stage").first.focus()
        shown.keyboard.press("End")
        spoilt = (ASSETS / "vendor" / "plotly.min.js").read_text() + "\nPlotly.Fx.hover = () => { throw 0; };"
        held[0].fulfill(body=spoilt, content_type="text/javascript")
        reach(shown, "failed")
        assert titles(shown) == drawn
        assert shown.locator(".fig-live, .fig-now").count() == 0
        assert shown.locator(".fig-line").first.is_visible()

    def test_slow_leaves_the_drawing_at_work(self, opened, address):
        held = []
        shown = opened(at=address, before=lambda shown: hold(shown, held))
        shown.locator(".fig-stage").first.focus()
        shown.keyboard.press("Home")
        assert "Step 0" in spoken(shown)
        assert shown.locator(".fig-reading").first.is_visible()
        assert shown.locator(".fig-line").first.is_visible()
        held[0].continue_()
        shown.wait_for_function("document.querySelector('.fig').dataset.live === 'yes'")
        assert not shown.locator(".fig-reading").first.is_visible()


def test_ticks_of_the_script_are_those_of_the_formatter(opened):
    """The script prints ticks when a reader zooms; here its words are held against Python's."""
    shown = opened()
    go_live(shown)
    chance = random.Random(1)
    ranges = []
    for form in ("nats", "percent", "count", "compact") * 40:
        low = chance.uniform(-1, 1) * 10 ** chance.uniform(-2, 9)
        # From the narrowest range that the drawing tells from a flat curve (which it widens) to the widest.
        narrowest = math.log10(max(2 * LEAST * abs(low), 10**-2.5))
        ranges.append((low, low + 10 ** chance.uniform(narrowest, 9), form))
    script = "all => all.map(([low, high, form]) => bookLive.ticks([low, high], 7, false, form).ticktext)"
    for (low, high, form), found in zip(ranges, shown.evaluate(script, ranges), strict=True):
        wanted = scale(replace(loss_figure().y, form=form), (low, high), 7, 0)
        assert found == list(wanted.labels), (low, high, form)


@pytest.mark.parametrize(("name", "width"), [("index.html", 1440), ("dark.html", 320)])
def test_no_axe_violations_before_and_after_going_live(opened, name, width, address):
    shown = opened(name, size=(width, 900), at=address)
    assert violations(shown) == []
    for number in range(3):
        go_live(shown, number)
        shown.keyboard.press("ArrowRight")
    for summary in shown.locator("summary").all():
        summary.click()
    assert violations(shown) == []


def hold(shown: Page, held: list) -> None:
    """Keep the library's first request waiting."""
    shown.route(LIBRARY, lambda route: held.append(route), times=1)


def press_twice_and_more(shown: Page) -> None:
    """One series off and on again, another off, the other unit."""
    for switch in ("[data-series='0']", "[data-series='0']", "[data-series='1']", "[data-y='1']"):
        shown.locator(switch).first.click()


def last_row() -> list[tuple]:
    """Each curve with its last number as the table prints it."""
    return list(zip(loss_figure().series, rows(loss_figure())[-1][2:6], strict=True))


def swipe(shown: Page, over) -> None:
    """Draw a finger upwards over an element, as a reader who scrolls."""
    box = over.bounding_box()
    session = shown.context.new_cdp_session(shown)
    x, y = box["x"] + 150, box["y"] + 300
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 15):
        points = [{"x": x, "y": y - 20 * step}]
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points})
        shown.wait_for_timeout(16)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    shown.wait_for_timeout(200)
