"""A real Chromium for the tests of the pages, and a record of complaints and of requests to other hosts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, Request, sync_playwright

OpenPage = Callable[..., Page]

QUIET = (  # else Chromium itself asks its maker's hosts for updates
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)
WHAT_TO_DO = (
    "install Debian's chromium, or run `.venv/bin/python -m playwright install chromium`; "
    "the browser tests did NOT run"
)
NO_BROWSER = pytest.StashKey[str]()


@dataclass
class Recorder:
    """What the pages of one test did that a book's page must not do.

    A test that plants such a fault reads the lists, then calls `clear`; whatever is left at its end fails it.
    """

    console: list[str] = field(default_factory=list)
    """Warnings, errors and uncaught exceptions: `error: text (address)`."""
    foreign: list[str] = field(default_factory=list)
    """Addresses of other hosts that were asked for."""
    requests: list[str] = field(default_factory=list)
    """Every address asked for, in order; never a fault by itself."""

    def watch(self, page: Page, home: str) -> None:
        """Listen to a page.

        Args:
            page: a page that has not yet gone anywhere.
            home: the site's address; requests to any other host are foreign.
        """
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.console.append(f"exception: {error}"))
        page.on("request", lambda request: self._asked(request, urlsplit(home).netloc))

    def clear(self) -> None:
        """Forget the faults: the test has looked at them."""
        self.console.clear()
        self.foreign.clear()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("warning", "error", "assert"):
            self.console.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _asked(self, request: Request, home: str) -> None:
        self.requests.append(request.url)
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob", "file", "about") and address.netloc != home:
            self.foreign.append(request.url)


def find_chromium(playwright: Playwright) -> str | None:
    """The path of the system's Chromium, else of Playwright's own, else None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    own = playwright.chromium.executable_path
    return own if Path(own).is_file() else None


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Chromium; without one, a failure in CI and a loud skip elsewhere."""
    with sync_playwright() as playwright:
        path = find_chromium(playwright)
        if path is None:
            no_browser(request.config)
        started = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield started
        started.close()


def no_browser(config: pytest.Config) -> None:
    """End the test that wanted a browser: fail in CI, skip elsewhere."""
    reason = f"no Chromium: {WHAT_TO_DO}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    config.stash[NO_BROWSER] = reason
    pytest.skip(reason)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say at the very end that there was no browser."""
    if NO_BROWSER in config.stash:
        terminalreporter.section("BROWSER TESTS DID NOT RUN", red=True, bold=True)
        terminalreporter.line(config.stash[NO_BROWSER], red=True)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """The faults of this test's pages; any left at the end fails the test."""
    kept = Recorder()
    yield kept
    assert not kept.console, "the console is not silent"
    assert not kept.foreign, "the page asked other hosts"


@pytest.fixture
def open_page(browser: Browser, site: object, recorder: Recorder) -> Iterator[OpenPage]:
    """A function that opens a page of the book in a fresh context.

    Its arguments: `path` under the site's address ("plates/output-head/") or a whole address, `size` as
    width and height in CSS pixels, `scheme` ("light" or "dark", the reader's preference), `scripts` (False:
    none runs), and whatever else a Playwright context takes. Each page is watched by `recorder` and closed
    at the test's end.
    """
    contexts = []

    def open_page(
        path: str = "",
        *,
        size: tuple[int, int] = (1440, 900),
        scheme: str = "light",
        scripts: bool = True,
        **more: object,
    ) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(
            viewport=viewport, color_scheme=scheme, java_script_enabled=scripts, **more
        )
        contexts.append(context)
        page = context.new_page()
        recorder.watch(page, site.url)
        page.goto(path if "://" in path else site.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The volume's front page on a desktop, light."""
    return open_page()
