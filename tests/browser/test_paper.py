"""A plate on paper: drawings, tables, numbered pages; nothing that only a screen can use."""

from __future__ import annotations

import io

import pytest
from playwright.sync_api import Page
from pypdf import PageObject, PdfReader

PLATE = "plates/output-head/"
SIZES = ("Letter", "A4")
SCREEN_ONLY = (
    *(
        "header.md-header",
        ".md-sidebar",
        ".md-skip",
        ".md-search",
        ".book-turns",
        ".book-copy",
        ".headerlink",
    ),
    *(".fig-tools", ".fig-notes", ".backref", ".term-tip"),
)


@pytest.fixture
def paper(open_page):
    """A function that opens a page as it is printed."""

    def paper(path: str, **how: object) -> Page:
        page = open_page(path, **how)
        page.emulate_media(media="print")
        return page

    return paper


def words(pages: list[str]) -> str:
    return " ".join(" ".join(pages).split())


def lowest(sheet: PageObject) -> tuple[float, str]:
    """The lowest words of a sheet, with their height above its edge in points."""
    found = []

    def note(text: str, page: list[float], line: list[float], *_: object) -> None:
        if text.strip():
            found.append((line[5] * page[3] + page[5], text.strip()))

    sheet.extract_text(visitor_text=note)
    return min(found)


@pytest.mark.parametrize("size", SIZES)
def test_each_sheet_bears_its_number_at_its_foot(paper, size):
    page = paper(PLATE)
    feet = [lowest(sheet) for sheet in PdfReader(io.BytesIO(page.pdf(format=size))).pages]
    assert 5 <= len(feet) <= 12
    assert [text for _, text in feet] == [str(number) for number in range(1, len(feet) + 1)]
    assert all(15 < height < 60 for height, _ in feet)


def test_the_sheets_hold_the_drawing_the_table_and_the_citation(paper):
    page = paper(PLATE)
    printed = words([sheet.extract_text() for sheet in PdfReader(io.BytesIO(page.pdf(format="A4"))).pages])
    for wanted in ("Figure 7.1", "untied − tied", "Final held-out loss", "@incollection", "Works cited"):
        assert wanted.lower() in printed.lower()
    assert "Type to search" not in printed


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_a_screen_alone_can_use_is_left_out(paper, scheme):
    page = paper(PLATE, scheme=scheme)
    shown = [name for name in SCREEN_ONLY if any(one.is_visible() for one in page.locator(name).all())]
    assert shown == []
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    for figure in page.locator(".fig-drawing").all():
        assert figure.bounding_box()["height"] > 100


def test_a_link_prints_its_address_unless_its_words_are_one(paper):
    page = paper("tying/")
    said = page.eval_on_selector_all(
        "article a[href^=http]",
        "links => links.map((link) => [link.href, getComputedStyle(link, '::after').content])",
    )
    assert said
    for address, content in said:
        assert content == ("none" if "//arxiv.org/" in address else f'" ({address})"')
    inside = page.eval_on_selector_all(
        "article a:not([href^=http])",
        "links => links.map((link) => getComputedStyle(link, '::after').content)",
    )
    assert set(inside) == {"none"}


def test_a_drawing_is_not_cut_by_the_end_of_a_sheet(paper):
    page = paper("tying/")
    page.locator("#calc-name").wait_for(state="attached")
    kept = page.eval_on_selector_all(
        "figure, .calc-place", "parts => parts.map((part) => getComputedStyle(part).breakInside)"
    )
    assert kept
    assert set(kept) == {"avoid"}
