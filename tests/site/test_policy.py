"""What the built pages need, computed from them, and the policy that each states: it allows no more."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

# The types under which a browser runs a script; any other block is data.
RUN = {"", "module", "text/javascript", "application/javascript"}


def allowed(style: str) -> str:
    """The source by which a policy allows a style sheet of exactly these words."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() + "'"


POLICY = {
    "default-src": {"'self'"},
    "style-src": {"'self'", allowed("")},
    "img-src": {"'self'", "data:"},
    "object-src": {"'none'"},
    "frame-src": {"'none'"},
    "base-uri": {"'none'"},
    "form-action": {"'none'"},
}


@pytest.fixture(scope="module")
def pages(site) -> dict[str, str]:
    """Every page but the one for a missing address, which brings its own style; see `lost`."""
    return {
        str(path.relative_to(site.path)): path.read_text(encoding="utf-8")
        for path in sorted(site.path.rglob("*.html"))
        if path.name != "404.html"
    }


@pytest.fixture(scope="module")
def lost(site) -> str:
    """The page for a missing address, of a book that does not know its own."""
    return (site.path / "404.html").read_text(encoding="utf-8")


def policy(text: str) -> dict[str, set[str]]:
    """The policy that a page states: the sources of each directive."""
    stated = BeautifulSoup(text, "html5lib").find("meta", attrs={"http-equiv": "Content-Security-Policy"})
    directives = [each.split() for each in stated["content"].split(";") if each.strip()] if stated else []
    return {name: set(sources) for name, *sources in directives}


def refused(text: str) -> Iterator[str]:
    """What stands in a page that the book's policy would not let work."""
    page = BeautifulSoup(text, "html5lib")
    for script in page.find_all("script"):
        if script.get("type", "") in RUN and not script.get("src"):
            yield f"a script inside the page: {script.get_text()[:60]}"
    for style in page.find_all("style"):
        if style.decode_contents():
            yield f"a style sheet inside the page: {style.decode_contents()[:60]}"
    for element in page.find_all(True):
        for name, value in element.attrs.items():
            if name == "style" or name.startswith("on"):
                yield f"{element.name} with {name}={value!r}"
            if re.match(r"\s*javascript:", str(value), re.IGNORECASE):
                yield f"{element.name} with {name}={value!r}"


def test_every_page_states_the_policy(pages):
    assert {name: policy(text) for name, text in pages.items() if policy(text) != POLICY} == {}


def test_the_page_for_a_missing_address_allows_its_own_style_alone(lost):
    (style,) = re.findall("<style>(.*?)</style>", lost, re.DOTALL)
    assert policy(lost) == {"default-src": {"'none'"}, "style-src": {allowed(style)}}
    assert list(refused(lost)) == [f"a style sheet inside the page: {style[:60]}"]


def test_a_book_that_knows_its_address_states_the_policy_there_too(published):
    page = (published / "404.html").read_text(encoding="utf-8")
    assert policy(page) == POLICY
    assert list(refused(page)) == []


def test_that_page_asks_for_no_file_and_leads_up(lost):
    assert re.findall(r'(?:href|src)="([^"]*)"', lost) == ["./", "../"]


def test_the_policy_stands_before_all_that_it_governs(pages):
    for name, text in pages.items():
        before = text.partition("Content-Security-Policy")[0]
        assert not re.search("<(?:script|link|style|base)", before), name


def test_nothing_inside_a_page_would_be_refused(pages):
    assert {name: faults for name, text in pages.items() if (faults := list(refused(text)))} == {}


def test_no_script_of_ours_makes_code_from_text(root: Path):
    sources = sorted((root / "docs" / "assets" / "js").glob("*.js"))
    text = {path.name: path.read_text(encoding="utf-8") for path in sources}
    asks = re.compile(
        r"\beval\s*\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\bcookie\b"
    )
    assert [name for name, source in text.items() if asks.search(source)] == []


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        ("<script>go()</script>", "a script inside"),
        ("<script type=module>go()</script>", "a script inside"),
        ("<style>p { top: 0 }</style>", "a style sheet inside"),
        ("<p style='top: 0'>", "p with style"),
        ("<img src=x onerror='go()'>", "img with onerror"),
        ("<a href=' JavaScript:go()'>", "a with href"),
    ],
)
def test_what_the_policy_refuses_is_found(planted, said):
    (fault,) = refused(f"<title>t</title>{planted}")
    assert said in fault


@pytest.mark.parametrize(
    "sound",
    ["<script src='x.js'></script>", "<script type='application/json'>{}</script>", "<style></style>"],
)
def test_what_the_policy_allows_passes(sound):
    assert list(refused(f"<title>t</title>{sound}")) == []


def test_a_looser_policy_is_found():
    loose = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'self' 'unsafe-inline'\">"
    assert policy(loose) == {"default-src": {"'self'", "'unsafe-inline'"}}
    assert policy("<title>t</title>") == {}
