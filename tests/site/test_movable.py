"""The same tree under the two builders that may follow MkDocs: ProperDocs today, and Zensical.

What differs under Zensical is told in CONTRIBUTING.md, and here: whatever else differs fails.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urljoin
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from tests.conftest import ADDRESS, run_other
from tests.site.test_build import bytes_of
from tests.site.test_pages import dead, fetched, is_elsewhere, links
from tests.site.test_policy import POLICY, policy, refused
from tests.site.test_published import SITEMAP, data, read, told

GENERATOR = re.compile(rb'<meta name="generator" content="[^"]*">')


def test_properdocs_prints_the_same_book_but_for_its_own_name(root, published, tmp_path):
    run_other(root, "properdocs", "--site-dir", str(tmp_path))
    ours, theirs = bytes_of(published), bytes_of(tmp_path)
    assert ours.keys() == theirs.keys()
    differ = [name for name in ours if ours[name] != theirs[name]]
    assert differ
    assert [
        name for name in differ if GENERATOR.sub(b"", ours[name]) != GENERATOR.sub(b"", theirs[name])
    ] == []
    assert all(b'content="mkdocs-ProperDocs ' in theirs[name] for name in differ)


@pytest.fixture(scope="module")
def theirs(zensical: Path) -> dict[str, BeautifulSoup]:
    return read(zensical)


@pytest.fixture(scope="module")
def ours(published: Path) -> dict[str, BeautifulSoup]:
    return read(published)


def words(page: BeautifulSoup) -> list[str]:
    return page.article.get_text().split()


def test_zensical_prints_the_same_pages_word_for_word(ours, theirs):
    assert ours.keys() == theirs.keys()
    assert [name for name in ours if ours[name].title != theirs[name].title] == []
    assert {name for name in ours if words(ours[name]) != words(theirs[name])} <= {
        name for name in ours if ours[name].select(".plate-cite")
    }
    for name in ours:
        for block in (*ours[name].select(".plate-cite"), *theirs[name].select(".plate-cite")):
            block.decompose()
        assert words(ours[name]) == words(theirs[name]), name


def test_with_the_same_places_and_links(ours, theirs):
    for name in ours:
        places = [
            [tag["id"] for tag in page.article.find_all(id=True)] for page in (ours[name], theirs[name])
        ]
        assert set(places[0]) == set(places[1]) - {"__skip"}, name
        there = [
            [urljoin(ADDRESS + name, link["href"]) for link in page.article.find_all("a", href=True)]
            for page in (ours[name], theirs[name])
        ]
        assert there[0] == there[1], name


def test_every_link_leads_somewhere_and_nothing_comes_from_elsewhere(zensical, theirs):
    faults = [
        dead(name, address, theirs, zensical) for name, page in theirs.items() for address in links(page)
    ]
    assert [fault for fault in faults if fault] == []
    asked = [address for page in theirs.values() for address in fetched(page)]
    assert [address for address in asked if is_elsewhere(address)] == []


def test_the_files_that_pages_link_to_are_the_same(published, zensical):
    ours, theirs = bytes_of(published / "assets" / "data"), bytes_of(zensical / "assets" / "data")
    assert ours == theirs
    assert ours


def test_the_policy_is_the_same_but_for_the_style_of_their_search(zensical):
    for path in zensical.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        stated = policy(page)
        assert len(stated.pop("style-src")) == len(POLICY["style-src"]) + 1
        assert stated == {name: sources for name, sources in POLICY.items() if name != "style-src"}
        assert list(refused(page)) == [], path.name


def test_what_finders_read_is_the_same(ours, theirs, zensical):
    for name in ours:
        for wanted in ({"name": "description"}, {"property": "og:url"}, {"property": "og:image"}):
            assert told(ours[name], **wanted) == told(theirs[name], **wanted)
        assert data(ours[name]) == data(theirs[name]), name
    listed = ElementTree.parse(zensical / "sitemap.xml").iter(f"{SITEMAP}loc")
    assert {place.text for place in listed} == {ADDRESS + name.removesuffix("index.html") for name in ours}


def test_the_search_knows_the_words_and_no_data(published, zensical):
    ours = json.loads((published / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    text = (zensical / "search.json").read_text(encoding="utf-8")
    assert {each["location"] for each in ours} == {each["location"] for each in json.loads(text)["items"]}
    assert len(text.encode()) < 150_000
    assert [word for word in ("Tokens seen", "fig-data", "@incollection") if word in text] == []
