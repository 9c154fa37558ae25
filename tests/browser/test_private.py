"""The policy in a real Chromium with everything used, what the browser keeps, and hostile words in data."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page
from plotly.offline import get_plotlyjs

from plates import bundle
from tests.conftest import SUB_PATH, Site
from tests.serving import serve

LISTEN = """window.refused = []; document.addEventListener("securitypolicyviolation", (met) =>
  window.refused.push(`${met.violatedDirective}: ${met.blockedURI} ${met.sourceFile}:${met.lineNumber}`));"""
GO_LIVE = "n => document.querySelectorAll('.fig')[n].dataset.live === 'yes'"
KEPT = """async () => ({ local: Object.keys(localStorage), session: Object.keys(sessionStorage),
  cookies: document.cookie, databases: (await indexedDB.databases()).length,
  caches: self.caches ? (await caches.keys()).length : 0 })"""
NOTHING = {"local": [], "session": [], "cookies": "", "databases": 0, "caches": 0}
TURN = "form[data-md-component=palette] label:not([hidden])"


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A function that opens an address in a fresh context which notes what the policy refuses."""
    contexts = []

    def opened(address: str, **more: object) -> Page:
        contexts.append(browser.new_context(**more))
        contexts[-1].add_init_script(LISTEN)
        page = contexts[-1].new_page()
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()


def addresses(site: Site) -> list[str]:
    """Every page of a served site, and one that is not there."""
    pages = sorted(path.relative_to(site.path).as_posix() for path in site.path.rglob("*.html"))
    return [site.url + page.removesuffix("index.html") for page in pages if page != "404.html"]


def go_live(page: Page, number: int = 0) -> None:
    page.locator(".fig-stage").nth(number).focus()
    page.wait_for_function(GO_LIVE, arg=number)


def use_everything(page: Page) -> None:
    """Search, the live charts and their switches, the calculator, the paper: whatever the page has."""
    if page.locator(".md-search").count():
        page.keyboard.press("/")
        page.keyboard.type("logit")
        page.locator(".md-search-result__item a").first.wait_for()
        page.keyboard.press("Escape")
    for number in range(page.locator(".fig-stage").count()):
        go_live(page, number)
        page.locator(".fig-stage").nth(number).hover()
        for button in page.locator(".fig").nth(number).locator(".fig-tools button").all():
            button.click()
    if page.locator("#calc-name").count():
        page.locator("#calc-name").select_option("Llama 3 8B")
        page.locator("[data-for=n_layers]").focus()
        page.keyboard.press("ArrowRight")
    if page.locator(TURN).count():
        page.locator(TURN).click()
    page.emulate_media(media="print")
    page.wait_for_timeout(100)


def refused(page: Page) -> list[str]:
    return page.evaluate("window.refused")


def test_no_page_meets_the_policy_or_keeps_more_than_the_paper(site, opened):
    """With everything used; nothing at all is kept until the reader turns the paper."""
    assert len(addresses(site)) > 4
    for address in addresses(site):
        page = opened(address)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(KEPT) == NOTHING, address
        use_everything(page)
        assert page.evaluate(KEPT) == {**NOTHING, "local": [f"{SUB_PATH}.__palette"]}, address
        assert page.context.cookies() == []
        assert refused(page) == [], address
        page.context.close()


def test_nor_does_the_page_for_a_missing_address(site, opened):
    page = opened(site.url + "not/there/")
    assert refused(page) == []
    assert page.evaluate(KEPT) == NOTHING
    page.get_by_role("link", name="the folder above it").click()
    page.get_by_role("link", name="the folder above it").click()
    assert page.url == site.url, "two steps up is the front page"


@pytest.fixture(scope="module")
def folder(root: Path, mkdocs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book as it is read from a folder."""
    made = tmp_path_factory.mktemp("folder")
    built = mkdocs(root, made, "--strict", environment={"BOOK_DIRECTORY_URLS": "false"})
    assert built.returncode == 0, built.stdout
    return made


def test_nor_does_a_page_that_is_opened_from_a_folder(folder, opened, recorder):
    pages = [path for path in sorted(folder.rglob("*.html")) if path.name != "404.html"]
    assert len(pages) > 4
    for path in pages:
        page = opened("about:blank")
        recorder.watch(page, "")
        page.goto(path.as_uri())
        assert page.locator(".md-search").count() == 0, "a search that cannot work"
        use_everything(page)
        assert refused(page) == [], path.name
        page.context.close()


def test_nor_does_the_large_chart_library(site, opened, tmp_path):
    copy = Path(shutil.copytree(site.path, tmp_path / "site"))
    (copy / bundle.TARGET.relative_to("docs")).write_bytes(bundle.whole(get_plotlyjs()))
    with serve(copy, SUB_PATH) as address:
        page = opened(address + "plates/output-head/")
        use_everything(page)
        assert refused(page) == []


PLANTED = {
    "a script": ("<script>window.hacked = 1</script>", "script-src"),
    "a handler": ("<img src='data:,' onerror='window.hacked = 1'>", "script-src-attr"),
    "a style": ("<style>p { color: red }</style>", "style-src"),
    "a foreign picture": ("<img src='https://other.invalid/x.png'>", "img-src"),
    "a foreign frame": ("<iframe src='https://other.invalid/'></iframe>", "frame-src"),
    "another base": ("<base href='https://other.invalid/'>", "base-uri"),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_what_is_planted_in_a_page_does_nothing(site, opened, tmp_path, fault):
    markup, directive = PLANTED[fault]
    shutil.copytree(site.path / "assets", tmp_path / "assets")
    words = (site.path / "glossary" / "index.html").read_text(encoding="utf-8")
    (tmp_path / "glossary").mkdir()
    (tmp_path / "glossary" / "index.html").write_text(words.replace("</article>", f"{markup}</article>"))
    with serve(tmp_path, SUB_PATH) as address:
        page = opened(address + "glossary/")
        page.wait_for_function("() => window.refused.length > 0")
        assert refused(page)[0].startswith(directive)
        assert page.evaluate("window.hacked") is None


def test_what_was_kept_gives_the_paper_before_any_other_script(site, opened):
    page = opened(site.url, color_scheme="light")
    page.locator(TURN).click()
    page.context.route("**/bundle.*.js", lambda route: route.abort())
    page.goto(site.url + "glossary/")
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"


def test_a_spoilt_choice_is_as_none(site, opened):
    page = opened(site.url)
    page.evaluate(f"localStorage.setItem('{SUB_PATH}.__palette', '{{')")
    page.goto(site.url + "glossary/")
    assert page.evaluate("document.body.dataset.mdColorScheme") == "default"


HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1> & **b** {{ 7*7 }}"


@pytest.fixture(scope="module")
def hostile(root: Path, copy_tree, mkdocs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The book of a tree whose data files hold markup wherever they hold words."""
    made = tmp_path_factory.mktemp("hostile")
    tree = copy_tree(made / "tree")
    models = tree / "plates" / "data" / "open-models.csv"
    named = models.read_text(encoding="utf-8").replace("Qwen3 0.6B,Qwen3", f"Qwen3 {HOSTILE},Qwen3")
    models.write_text(named.replace("nanoGPT", HOSTILE), encoding="utf-8")
    manifest = tree / "generated" / "output-head" / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    told["command"] = told["corpus"]["source"] = told["machine"]["cpu"] = told["versions"][HOSTILE] = HOSTILE
    manifest.write_text(json.dumps(told), encoding="utf-8")
    built = mkdocs(tree, made / "site", "--strict")
    assert built.returncode == 0, built.stdout
    with serve(made / "site", SUB_PATH) as address:
        yield Site(made / "site", address)


def test_hostile_words_in_data_files_stay_words(hostile, site, opened):
    shown = ""
    for address, sound in zip(addresses(hostile), addresses(site), strict=True):
        page, other = opened(address), opened(sound)
        count = "[...document.querySelectorAll('script, img, b')].length"
        assert page.evaluate(count) == other.evaluate(count), address
        use_everything(page)
        assert page.evaluate("window.hacked") is None, address
        assert refused(page) == [], "only the policy stopped it"
        shown += page.evaluate("document.body.innerText")
        page.context.close()
        other.context.close()
    assert shown.count(HOSTILE) >= 4
    assert "49" not in re.findall(r"\*\*b\*\* (\S+)", shown)


@contextmanager
def live(tree: Path) -> Iterator[str]:
    """`mkdocs serve` on a tree, as `make serve` runs it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
    command = [str(Path(sys.executable).with_name("mkdocs")), "serve", "--dev-addr", place]
    running = subprocess.Popen(command, cwd=tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                urlopen(f"http://{place}/", timeout=1).close()
                break
            except OSError:
                assert running.poll() is None, "mkdocs serve ended"
                time.sleep(0.1)
        yield f"http://{place}/"
    finally:
        running.terminate()
        running.wait(timeout=30)


def test_the_live_server_may_reload_a_page(tree, opened):
    with live(tree) as address:
        page = opened(address + "glossary/")
        use_everything(page)
        assert refused(page) == []
        with (tree / "docs" / "glossary.md").open("a", encoding="utf-8") as file:
            file.write("\nFresh words.\n")
        page.get_by_text("Fresh words.").wait_for(timeout=30_000)
        assert refused(page) == []


def test_a_book_that_zensical_built_works_under_its_policy(zensical, opened):
    with serve(zensical, "/sub/") as address:
        page = opened(address + "plates/output-head/")
        page.wait_for_load_state("networkidle")
        go_live(page)
        page.keyboard.press("/")
        page.locator("dialog[open] input").fill("unembedding")
        page.locator("dialog[open] a").first.wait_for()
        assert refused(page) == []
