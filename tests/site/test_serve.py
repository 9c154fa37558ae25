"""`make serve`: what an author edits comes to show, a fault is told where it is, and mending it recovers.

A rebuild is a whole build, so edits are made together where one of them would not hide another.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from plates import new
from plates.places import Fault
from plates.served import is_served, notice
from tests.live import Live, live

PLATE, OTHER = "plates/attention/", "plates/output-head/"
FILE = "docs/plates/attention.md"
CURVES = "generated/output-head/curves.csv"
EXAMPLE, MODULE = "plates/data/attention-example.csv", "plates/plate_attention.py"


@pytest.fixture(scope="module")
def server(copy_tree, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The book with a new plate, served; each test leaves it sound."""
    folder = tmp_path_factory.mktemp("live")
    tree = copy_tree(folder / "tree")
    new.begin(tree, "Attention", 3)
    with live(tree, folder / "log") as running:
        assert running.shows(PLATE, lambda page: "Begin with the subject" in page)
        yield running


# What is edited, in which file, from what to what; and the page that then says something else.
EDITS = {
    "Markdown": (FILE, "Begin with", "Anew: begin with", PLATE, "Anew: begin with"),
    "front matter": (FILE, 'title: "Attention"', 'title: "Attending"', PLATE, "<h1>Attending</h1>"),
    "a term": (FILE, "Say here what it is", "Said anew", PLATE, 'data-definition="Said anew'),
    "CSV": (EXAMPLE, "short steps,0,0.5", "short steps,0,0.625", PLATE, "a loss of 0.625"),
    "figure code": (MODULE, "An example: ", "Drawn anew: ", PLATE, "Drawn anew: descents"),
    "press code": ("plates/terms.py", 'class_="terms")', 'class_="anew")', PLATE, '<dl class="anew">'),
    "its syntax": ("plates/formulas.py", 'class_="math")', 'class_="anew")', PLATE, '<span class="anew">'),
    "theme": ("plates/theme/partials/head.html", "book-lede", "anew-lede", PLATE, "anew-lede"),
    "settings": ("mkdocs.yml", "plates: 10 ", "plates: 11 ", PLATE, "Plate 3 of 11"),
    "works": ("docs/references.bib", "Press, Ofir", "Anew, Ofir", OTHER, "Ofir Anew"),
    "styles": ("docs/assets/css/book.css", "/* The page:", "/* Anew.", "assets/css/book.css", "/* Anew."),
}


def test_edits_come_to_show_and_so_does_taking_them_back(server: Live) -> None:
    for name, old, become, _, _ in EDITS.values():
        server.edit(name, old, become)
    for what, (*_, page, shown) in EDITS.items():
        assert server.shows(page, lambda text, shown=shown: shown in text), what
    for name, old, become, _, _ in EDITS.values():
        server.edit(name, become, old)
    for what, (*_, page, shown) in EDITS.items():
        assert server.shows(page, lambda text, shown=shown: bool(text) and shown not in text), what


def test_a_fault_on_a_page_is_told_in_the_browser_and_in_the_terminal(server: Live) -> None:
    since = len(server.told())
    server.edit(FILE, "Begin with", "Begin {{ fugure('x') }} with")
    server.edit(CURVES, "tied,0,0,", "tied,0,1,")
    line = (server.tree / FILE).read_text(encoding="utf-8").partition("fugure")[0].count("\n") + 1
    assert server.shows(PLATE, lambda page: "This page cannot be printed" in page)
    said = f"{FILE}:{line}:10: no macro or variable 'fugure'; did you mean 'figure'?"
    assert said in server.page(PLATE).replace("&#39;", "'")
    assert said in server.told()[since:]
    assert server.shows(OTHER, lambda page: f"{CURVES}:2: column tokens&#95;seen" in page)
    assert "<h1>Glossary</h1>" in server.page("glossary/"), "the sound pages are still there"
    server.edit(FILE, "{{ fugure('x') }} ", "")
    server.edit(CURVES, "tied,0,1,", "tied,0,0,")
    for page in (PLATE, OTHER):
        assert server.shows(page, lambda text: "<figure" in text and "cannot be printed" not in text)


# What keeps every page from being built, and where the terminal says it is.
STOPPING = {
    "front matter": (FILE, "plate: 3", "plate: three", f"{FILE}:3: plate: wanted a number from 1 to 10"),
    "Python": (MODULE, "NAME = ", "NAME = = ", "plate_attention.py"),
    "a template": ("plates/theme/partials/head.html", "{% if lede %}", "{% if lede %", "head.html"),
    "settings": ("mkdocs.yml", "nav:", "nav: [", "mkdocs.yml"),
}


def test_what_stops_all_pages_is_told_in_the_terminal_and_the_server_lives_on(server: Live) -> None:
    mend = None
    for what, (name, old, become, words) in STOPPING.items():
        since = len(server.told())
        if mend:
            server.edit(*mend)
        server.edit(name, old, become)
        mend = (name, become, old)
        assert server.says(words, since), (what, server.told()[since:])
        assert server.says("An error happened during the rebuild", since), what
        assert server.lives(), what
    assert mend
    server.edit(*mend)
    assert server.shows(PLATE, lambda page: "Begin with the subject" in page)


def test_only_a_live_servers_own_folder_takes_a_page_with_a_fault(tmp_path: Path) -> None:
    folder = Path(tempfile.gettempdir()) / "mkdocs_0"
    there = {"site_dir": str(folder), "site_url": "http://127.0.0.1:8000/", "dev_addr": "127.0.0.1:8000"}
    assert is_served(there)
    assert not is_served({**there, "site_dir": str(tmp_path / "site")})
    assert not is_served({**there, "site_dir": str(tmp_path / "mkdocs_site")})
    assert not is_served({**there, "site_url": ""})
    assert not is_served({**there, "site_url": "https://book.example/"})


def test_what_it_says_is_harmless() -> None:
    said = notice([Fault("docs/a.md", 2, 3, "no <b> {{ x }} *here*; write `it`")])
    assert "\n" not in said
    assert "<code>docs/a.md:2:3: no &lt;b&gt; &#123;&#123; x &#125;&#125; &#42;here&#42;" in said
