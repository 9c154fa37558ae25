"""The dress of the book: its colours by number, and what the theme makes of a page's front matter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup

CSS = Path("docs/assets/css")
DECLARED = re.compile(r"(--book-[a-z-]+):\s*(#[0-9a-f]{6});")
TEXT = ("ink", "muted", "tied", "untied")
LINES = ("tied-light", "untied-light", "focus")


def palettes(style: str) -> dict[str, dict[str, str]]:
    """The colours of each palette, by the selector that declares them."""
    found: dict[str, dict[str, str]] = {}
    for selector, body in re.findall(r"([^{}]*)\{([^{}]*)\}", style):
        if colours := dict(DECLARED.findall(body)):
            found[selector.split("*/")[-1].split(",")[-1].strip()] = colours
    return found


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, as WCAG 2.2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def faint(colours: dict[str, str]) -> list[str]:
    """The pairs of a palette that are too close to be read: text below 4.5, lines below 3."""
    text = [(ground, name, 4.5) for ground in ("paper", "paper-deep") for name in TEXT]
    lines = [("paper", name, 3.0) for name in LINES]
    pairs = [*text, ("mark", "ink", 4.5), ("mark", "muted", 4.5), *lines]
    return [
        f"{name} on {ground}"
        for ground, name, least in pairs
        if contrast(colours[f"--book-{ground}"], colours[f"--book-{name}"]) < least
    ]


@pytest.fixture(scope="module")
def colours(root: Path) -> dict[str, dict[str, str]]:
    return palettes((root / CSS / "book.css").read_text(encoding="utf-8"))


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


def test_there_are_a_light_and_a_dark_palette_and_the_dark_one_needs_no_script(colours):
    light, dark, plain = colours.values()
    assert light.keys() == dark.keys()
    assert dark == plain
    assert (light["--book-paper"], light["--book-ink"]) == ("#fbf8f1", "#1d1b16")
    assert (dark["--book-paper"], dark["--book-ink"]) == ("#16171a", "#e8e4da")


def test_every_palette_can_be_read(colours):
    assert {selector: faint(palette) for selector, palette in colours.items() if faint(palette)} == {}


def test_a_planted_faint_colour_is_found(colours):
    light = next(iter(colours.values()))
    found = faint({**light, "--book-muted": "#a09a8c"})
    assert found == ["muted on paper", "muted on paper-deep", "muted on mark"]


@pytest.mark.parametrize("name", ["apparatus.css", "book.css", "furniture.css", "print.css", "volume.css"])
def test_colours_are_named_once(root, name):
    style = re.sub(r"/\*.*?\*/", "", (root / CSS / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    style = DECLARED.sub("", style).replace("background: #fff;", "")  # the paper in the printer is white
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[;\s,)])|rgba?\(|hsla?\(", style) == []


def test_nothing_is_loaded_from_elsewhere(root):
    sources = [*(root / CSS).glob("*.css"), *(root / "plates" / "theme").rglob("*.html")]
    text = {path.name: path.read_text(encoding="utf-8") for path in sources}
    loads = re.compile(r"""(?:src|@import|url\(|<link[^>]*href)\s*=?\s*["'(]?\s*(?:https?:)?//""")
    assert [name for name, source in text.items() if loads.search(source)] == []


def test_the_set_up_keeps_to_two_plugins_and_no_web_font(root):
    text = re.sub(r"!ENV \[\w+, (.*?)\]", r"\1", (root / "mkdocs.yml").read_text(encoding="utf-8"))
    book = yaml.safe_load(text)
    assert [p if isinstance(p, str) else next(iter(p)) for p in book["plugins"]] == ["search", "macros"]
    assert book["plugins"][1]["macros"]["on_undefined"] == "strict"
    assert book["plugins"][1]["macros"]["on_error_fail"] is True
    assert book["theme"]["font"] is False
    assert not [feature for feature in book["theme"]["features"] if "instant" in feature]


PLATE = """---
title: Rows & <Columns>
plate: 2
keywords: [table, "a < b"]
lede: 'What "tied" means.'
description: Says "what" & why.
---

Text.

## Terms

Row
:   A line of a table.
"""
PAGES = {
    "index.md": "---\ntitle: The volume\ntemplate: volume.html\nlede: Three plates.\n---\n\nWords.\n",
    "plates/rows.md": PLATE,
    "plates/last.md": "---\ntitle: Last\nplate: 3\n---\n\nText.\n",
    "notes.md": "# Own heading\n\nText.\n",
}
BOOK = """INHERIT: {root}/mkdocs.yml
docs_dir: docs
watch: []
theme: {{custom_dir: {root}/plates/theme}}
extra: {{volume: {{plates: 3}}}}
plugins: [search]
nav: [index.md, {{Plates: [plates/rows.md, plates/last.md]}}, notes.md]
"""


@pytest.fixture(scope="module")
def small(root: Path, mkdocs, tmp_path_factory) -> dict[str, BeautifulSoup]:
    """A volume of three places, two of them filled, by path in the site."""
    tree = tmp_path_factory.mktemp("volume")
    for name, text in PAGES.items():
        (tree / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / "docs" / name).write_text(text, encoding="utf-8")
    (tree / "mkdocs.yml").write_text(BOOK.format(root=root), encoding="utf-8")
    built = mkdocs(tree, tree / "site", "--strict", environment={"BOOK_URL": "http://book.invalid/sub/"})
    assert built.returncode == 0, built.stdout
    return {
        str(path.relative_to(tree / "site")): BeautifulSoup(path.read_text(encoding="utf-8"), "html5lib")
        for path in (tree / "site").rglob("*.html")
    }


def words(element) -> str:
    return " ".join(element.get_text().split())


def test_a_plate_has_its_line_keywords_title_and_lede(small):
    head = small["plates/rows/index.html"].select_one("article > header.book-head")
    line = [words(span) for span in head.select(".book-volume span")]
    assert line == ["Vol. V", "The Transformer", "Plate 2 of 3"]
    assert [words(item) for item in head.select(".book-keywords li")] == ["table", "a < b"]
    assert words(head.select_one(".book-lede")) == 'What "tied" means.'
    assert words(head.select_one(".book-ornament")) == "2"
    order = [child.get("class", [child.name])[0] for child in head.find_all(recursive=False)]
    assert order == ["book-volume", "book-ornament", "book-keywords", "h1", "book-lede"]


def test_front_matter_cannot_bring_markup(small):
    page = small["plates/rows/index.html"]
    assert page.find("columns") is None
    assert page.title.get_text().startswith("Rows & <Columns> · ")
    assert page.h1.get_text() == "Rows & <Columns>"
    assert page.find("meta", attrs={"name": "description"})["content"] == 'Says "what" & why.'
    assert page.find("meta", property="og:description")["content"] == 'Says "what" & why.'


@pytest.mark.parametrize("name", ["index.html", "404.html", "plates/rows/index.html", "notes/index.html"])
def test_every_page_has_one_title_one_main_and_a_way_around(small, name):
    page = small[name]
    assert len(page.find_all("h1")) == len(page.find_all("main")) == len(page.select("header.md-header")) == 1
    assert page.select_one("nav#contents")
    assert page.select_one("footer.book-foot")


def test_addresses_for_those_who_cite(small):
    page = small["plates/rows/index.html"]
    assert page.find("link", rel="canonical")["href"] == "http://book.invalid/sub/plates/rows/"
    assert page.find("meta", property="og:url")["content"] == "http://book.invalid/sub/plates/rows/"
    assert page.title.get_text().endswith("· Plate 2 · The Transformer")


def test_one_turns_from_plate_to_plate(small):
    def turns(name: str) -> dict[str, tuple[str, str]]:
        links = small[name].select("nav.book-turns a")
        return {link["rel"][0]: (words(link), link["href"]) for link in links}

    assert turns("index.html") == {"next": ("Next · Plate 2 Rows & <Columns>", "plates/rows/")}
    assert turns("plates/rows/index.html")["next"] == ("Next · Plate 3 Last", "../last/")
    assert turns("plates/last/index.html")["prev"] == ("Previous · Plate 2 Rows & <Columns>", "../rows/")


def test_the_front_page_lists_every_place(small):
    places = small["index.html"].select("ol.book-places > li")
    assert [place["value"] for place in places] == ["1", "2", "3"]
    assert words(places[0]) == "1 not yet in print"
    assert [place.a and place.a["href"] for place in places] == [None, "plates/rows/", "plates/last/"]


def test_the_page_for_no_page_leads_home(small):
    assert small["404.html"].select_one("article a")["href"] in ("/sub/", "/sub/.")


def test_the_contents_say_where_one_is(small):
    here = small["plates/rows/index.html"].select('nav#contents [aria-current="page"]')
    assert [words(link) for link in here] == ["2 Rows & <Columns>"]
    sections = small["plates/rows/index.html"].select("nav#contents .book-nav__sections a")
    assert [link["href"] for link in sections] == ["#terms"]
