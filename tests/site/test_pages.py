"""The built pages, as files: nothing from other hosts, nothing that depends on the address, no dead link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup

from plates.checks.html import FETCHED, FETCHING, in_css

HOME = "http://book.invalid/any/sub/path/"


@pytest.fixture(scope="session")
def pages(site) -> dict[str, BeautifulSoup]:
    """Every page by its path in the site, parsed as browsers parse."""
    return {
        str(path.relative_to(site.path)): BeautifulSoup(path.read_text(encoding="utf-8"), "html5lib")
        for path in sorted(site.path.rglob("*.html"))
    }


def fetched(page: BeautifulSoup) -> Iterator[str]:
    """The addresses that showing a page fetches."""
    for tag, attributes in FETCHED.items():
        for attribute in attributes:
            yield from (found[attribute] for found in page.find_all(tag, attrs={attribute: True}))
    for link in page.find_all("link", href=True):
        if FETCHING & set(link.get("rel", ())):
            yield link["href"]
    for style in [*page.find_all("style"), *page.find_all(style=True)]:
        yield from in_css(style.get("style") or style.decode_contents(formatter=None))


def is_elsewhere(address: str) -> bool:
    """Whether an address, as written in a page, is of another host."""
    return bool(urlsplit(address).netloc)


def dead(page: str, address: str, pages: dict[str, BeautifulSoup], folder: Path) -> str | None:
    """What is wrong with a link inside the book, or None.

    Args:
        page: the path of the page that holds the link.
        address: the link as written.
        pages: all pages by their path.
        folder: the site's folder.
    """
    target = urlsplit(urljoin(HOME + page, address))
    if not target.geturl().startswith(HOME):
        return f"{page}: {address} leaves the book's folder"
    path = unquote(target.geturl().removeprefix(HOME).partition("#")[0].partition("?")[0])
    path += "index.html" if path == "" or path.endswith("/") else ""
    if not (folder / path).is_file():
        return f"{page}: {address} leads nowhere"
    anchor = unquote(target.fragment)
    if anchor and path in pages and not pages[path].find(attrs={"id": anchor}):
        return f"{page}: {address} has no such place in {path}"
    return None


def links(page: BeautifulSoup) -> list[str]:
    """The links of a page that stay in the book, and what it fetches."""
    followed = [link["href"] for link in page.find_all("a", href=True)]
    everything = [*followed, *fetched(page)]
    return [address for address in everything if not urlsplit(address).scheme and not is_elsewhere(address)]


def test_no_page_fetches_from_elsewhere(site, pages):
    asked = [(name, address) for name, page in pages.items() for address in fetched(page)]
    for sheet in site.path.rglob("*.css"):
        asked += [(sheet.name, address) for address in in_css(sheet.read_text(encoding="utf-8"))]
    assert [(name, address) for name, address in asked if is_elsewhere(address)] == []


# The page for a missing address is shown at any depth, so its links cannot be relative.
def test_every_link_leads_somewhere_under_any_sub_path(site, pages):
    book = {name: page for name, page in pages.items() if name != "404.html"}
    faults = [dead(name, address, pages, site.path) for name, page in book.items() for address in links(page)]
    assert [fault for fault in faults if fault] == []


def test_nothing_is_left_unrendered(pages):
    for name, page in pages.items():
        words = copy(page)
        for quoted in words.find_all(["code", "pre", "script", "style"]):
            quoted.decompose()
        assert not re.search(r"\{[{%#]|[%#}]\}|\bundefined\b|\bnan\b|Macro", words.get_text()), name


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<script src="//cdn.invalid/x.js"></script>', ["//cdn.invalid/x.js"]),
        ('<link rel="preconnect" href="https://fonts.invalid">', ["https://fonts.invalid"]),
        (
            "<style>@import 'https://a.invalid/x.css'; b { background: url(https://b.invalid/x) }</style>",
            ["https://a.invalid/x.css", "https://b.invalid/x"],
        ),
        ("<p style=\"background: url('https://c.invalid/x')\">", ["https://c.invalid/x"]),
        ('<a href="https://d.invalid/">a link</a><link rel="canonical" href="https://e.invalid/">', []),
    ],
)
def test_a_planted_request_is_found(html, found):
    assert [address for address in fetched(BeautifulSoup(html, "html5lib")) if is_elsewhere(address)] == found


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("../b/", None),
        ("../b/#here", None),
        ("../b/?q=1#here", None),
        ("#top", None),
        ("../x.csv", None),
        ("../c/", "leads nowhere"),
        ("../b/#gone", "no such place"),
        ("/b/", "leaves"),
        ("../../b/", "leaves"),
    ],
)
def test_a_planted_dead_link_is_found(tmp_path, address, said):
    for name in ("a/index.html", "b/index.html", "x.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    pages = {
        "a/index.html": BeautifulSoup('<p id="top">', "html5lib"),
        "b/index.html": BeautifulSoup('<p id="here">', "html5lib"),
    }
    fault = dead("a/index.html", address, pages, tmp_path)
    assert said in fault if said else fault is None
