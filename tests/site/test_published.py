"""A book that knows its address: how it is found, shown and cited. And one that does not: it claims none."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from bs4 import BeautifulSoup
from pybtex.database import Entry, parse_string

from plates import card
from tests.conftest import ADDRESS

PLATE = "plates/output-head/index.html"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def read(folder: Path) -> dict[str, BeautifulSoup]:
    """Every page but that for a missing address, by path."""
    found = sorted(path for path in folder.rglob("*.html") if path.name != "404.html")
    return {
        str(path.relative_to(folder)): BeautifulSoup(path.read_text(encoding="utf-8"), "html5lib")
        for path in found
    }


@pytest.fixture(scope="module")
def pages(published: Path) -> dict[str, BeautifulSoup]:
    return read(published)


def address(name: str) -> str:
    return ADDRESS + name.removesuffix("index.html")


def told(page: BeautifulSoup, **wanted: str) -> str | None:
    """What a meta element says."""
    found = page.find("meta", attrs=wanted)
    return found["content"] if found else None


def data(page: BeautifulSoup) -> list[dict]:
    """A page's blocks of structured data."""
    return [json.loads(block.string) for block in page.find_all("script", type="application/ld+json")]


def test_each_page_has_a_title_and_a_description_of_its_own(pages):
    titles = [page.title.get_text() for page in pages.values()]
    descriptions = [told(page, name="description") for page in pages.values()]
    assert len(pages) > 4
    assert len(set(titles)) == len(set(descriptions)) == len(pages)
    assert [text for text in descriptions if not text or not 50 <= len(text) <= 200] == []


def test_each_page_names_its_address_and_the_picture_that_stands_for_it(pages, published):
    for name, page in pages.items():
        assert page.find("link", rel="canonical")["href"] == told(page, property="og:url") == address(name)
        picture = told(page, property="og:image")
        assert (published / picture.removeprefix(ADDRESS)).is_file()
        assert told(page, name="twitter:card") == "summary_large_image"
        size = tuple(int(told(page, property=f"og:image:{side}")) for side in ("width", "height"))
        assert size == card.SIZE


def test_a_book_without_an_address_claims_none(site):
    for page in read(site.path).values():
        assert page.find("link", rel="canonical") is None
        assert [told(page, property=f"og:{what}") for what in ("url", "image")] == [None, None]
        assert [block for block in data(page) if block["@type"] != "Dataset"] == []


def test_the_sitemap_lists_every_page(pages, published):
    listed = ElementTree.parse(published / "sitemap.xml").iter(f"{SITEMAP}loc")
    assert sorted(place.text for place in listed) == sorted(map(address, pages))


def test_every_page_has_the_volumes_icon(pages, published):
    for name, page in pages.items():
        icon = published / Path(name).parent / page.find("link", rel="icon")["href"]
        assert icon.read_text(encoding="utf-8").startswith("<svg")


def test_the_page_for_a_missing_address_names_whole_paths(published):
    lost = BeautifulSoup((published / "404.html").read_text(encoding="utf-8"), "html5lib")
    names = [each.get("href") or each.get("src") for each in lost.find_all(["link", "script", "a"])]
    inside = [name for name in names if name and not name.startswith(("https://", "#"))]
    assert len(inside) > 10
    assert [name for name in inside if not name.startswith("/sub/")] == []


def test_a_plate_is_described_as_a_chapter_of_the_volume(pages):
    (chapter,) = data(pages[PLATE])
    assert (chapter["@type"], chapter["position"], chapter["name"]) == ("Chapter", 7, "The Output Head")
    assert chapter["url"] == address(PLATE)
    assert chapter["description"] == told(pages[PLATE], name="description")
    book = chapter["isPartOf"]
    assert (book["name"], book["volumeNumber"], book["url"]) == ("The Transformer", "V", ADDRESS)
    (whole,) = data(pages["index.html"])
    assert "Book" in whole["@type"]


def test_a_recording_is_described_with_its_files_as_they_are(pages, published, root):
    described = [block for page in pages.values() for block in data(page) if block["@type"] == "Dataset"]
    recordings = {path.parent.name for path in root.glob("generated/*/manifest.json")}
    assert {"output-head"} <= {block["name"].rpartition(" ")[2] for block in described} <= recordings
    for block in described:
        assert 50 <= len(block["description"]) <= 5000
        assert block["creator"]["name"]
        assert block["license"].startswith("https://creativecommons.org/licenses/by/4.0")
        for file in block["distribution"]:
            content = (published / file["contentUrl"].removeprefix(ADDRESS)).read_bytes()
            assert hashlib.sha256(content).hexdigest() == file["sha256"]
            assert file["contentSize"] == f"{len(content)} B"


def cited(page: BeautifulSoup) -> Entry:
    """The one BibTeX entry of a plate's foot, read by a reader of BibTeX."""
    (block,) = page.select(".plate-cite code")
    (entry,) = parse_string(block.get_text(), "bibtex").entries.values()
    return entry


def test_each_plate_has_a_bibtex_entry(pages, root):
    plates = [name for name in pages if name.startswith("plates/")]
    assert len(plates) == len(list(root.glob("docs/plates/*.md")))
    for name in plates:
        entry = cited(pages[name])
        assert entry.type == "incollection"
        assert entry.fields["url"] == address(name)
        assert entry.fields["title"] == "{" + pages[name].h1.get_text().strip() + "}"
        assert entry.fields["booktitle"] == "The Transformer"
        assert entry.fields["year"].startswith("20")
        assert entry.fields["note"].startswith(("Commit ", "Proof, "))


def test_the_citation_files_author_is_the_books(root, pages):
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    author = citation["authors"][0]["name"]
    assert f"\nsite_author: {author}\n" in (root / "mkdocs.yml").read_text(encoding="utf-8")
    assert str(cited(pages[PLATE]).persons["author"][0]) == "{" + author + "}"


def test_the_search_finds_each_term_where_it_is_defined(published, root):
    index = json.loads((published / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    for path in root.glob("docs/plates/*.md"):
        head = yaml.safe_load(path.read_text(encoding="utf-8").split("---\n")[1])
        found = " ".join(doc["text"] for doc in index if doc["location"].startswith(f"plates/{path.stem}/"))
        assert [term["term"] for term in head["terms"] if term["term"] not in found] == []


def test_the_search_holds_no_data_of_charts_and_is_small(published):
    text = (published / "search" / "search_index.json").read_text(encoding="utf-8")
    assert len(text.encode()) < 150_000
    assert [word for word in ("Tokens seen", "fig-data", "@incollection", "schema.org") if word in text] == []


def test_the_picture_is_of_the_volume_as_it_is_called(root):
    picture = (root / card.TARGET).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == card.SIZE
    assert len(picture) < 300_000
    assert card.is_of(picture, card.page(root)), "drawn from another page; run `make card`"


def test_a_picture_of_another_page_is_found(root):
    picture, text = (root / card.TARGET).read_bytes(), card.page(root)
    assert "<ellipse" in text
    assert not card.is_of(picture, text.replace("The Transformer", "The Perceptron"))
    assert card.is_of(card.stamped(picture, "other"), "other")
