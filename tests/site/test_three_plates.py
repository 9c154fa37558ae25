"""A volume of three plates: a new one, Plate 7, and one with every construct of the authors' guide."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from plates import new
from plates.recorded.recordings import find
from tests.fixtures import guide
from tests.site.test_pages import dead, links

ATTENTION, HEAD, ALL = (
    f"plates/{name}/index.html" for name in ("attention", "output-head", "every-construct")
)
ALSO = "second-example"
ELSEWHERE = '{{ ref("fig-attention-example") }} of {{ ref("plate-3") }}: {{ term("attention") }}.'


@pytest.fixture(scope="module")
def volume(
    copy_tree, mkdocs, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, BeautifulSoup]:
    """The built volume: every page by its path in the site."""
    tree = copy_tree(tmp_path_factory.mktemp("three") / "tree")
    new.begin(tree, "Every construct", 9)
    new.begin(tree, "Attention", 3)
    page = tree / "docs/plates/every-construct.md"
    head, _, _ = page.read_text(encoding="utf-8").partition("\n---\n")
    text = guide.every_construct(root, "every-construct-example")
    text = text.replace(
        "## Terms", f'{{{{ figure("{ALSO}") }}}}\n\nSee {{{{ ref("fig-{ALSO}") }}}}.\n\n## Terms'
    )
    page.write_text(f"{head}\n---\n\n{ELSEWHERE}\n\n{text}", encoding="utf-8")
    _with_another_figure(tree / "plates/plate_every_construct.py")
    built = mkdocs(tree, tree / "site", "--strict")
    assert built.returncode == 0, built.stdout
    return {
        str(path.relative_to(tree / "site")): BeautifulSoup(path.read_text(encoding="utf-8"), "html5lib")
        for path in (tree / "site").rglob("*.html")
    } | {"": tree / "site"}


def _with_another_figure(module: Path) -> None:
    """Give a plate a second figure, as an author would: the first under another name."""
    code, table = module.read_text(encoding="utf-8").split("FIGURES = {NAME: figure}")
    code = code.replace("import dataclass\n", "import dataclass, replace\n")
    also = f'def also(book: Book) -> Figure:\n    return replace(figure(book), id="fig-{ALSO}")\n'
    tables = f'FIGURES = {{NAME: figure, "{ALSO}": also}}{table}'
    module.write_text(f"{code}{also}\n\n{tables}", encoding="utf-8")


def words(element) -> str:
    return " ".join(element.get_text().split())


def test_plates_stand_in_order(volume):
    listed = volume["index.html"].select("ol.book-places > li.book-place--printed")
    assert [place["value"] for place in listed] == ["3", "7", "9"]
    contents = volume["index.html"].select("nav#contents .book-nav__plate")
    assert [words(entry) for entry in contents] == ["3 Attention", "7 The Output Head", "9 Every construct"]
    assert [words(volume[page].select(".book-volume span")[-1]) for page in (ATTENTION, HEAD, ALL)] == [
        *("Plate 3 of 10", "Plate 7 of 10", "Plate 9 of 10")
    ]


def test_one_turns_from_plate_to_plate(volume):
    def turns(page: str) -> dict[str, str]:
        return {link["rel"][0]: link["href"] for link in volume[page].select("nav.book-turns a")}

    assert turns("index.html")["next"] == "plates/attention/"
    assert turns(ATTENTION)["next"] == turns(ALL)["prev"] == "../output-head/"
    assert turns(HEAD) == {"prev": "../attention/", "next": "../every-construct/"}


def test_figures_are_numbered_by_their_plates(volume):
    numbers = {
        page: [words(each) for each in volume[page].select(".fig-number")] for page in (ATTENTION, HEAD, ALL)
    }
    assert numbers[ATTENTION] == ["Figure 3.1"]
    assert numbers[HEAD] == [f"Figure 7.{index + 1}" for index in range(len(numbers[HEAD]))]
    assert numbers[ALL] == ["Figure 9.1", "Figure 9.2"]
    references = {link["href"]: words(link) for link in volume[ALL].select("a.ref")}
    assert references[f"#fig-{ALSO}"] == "Figure 9.2"
    assert references["../attention/#fig-attention-example"] == "Figure 3.1"
    assert references["../output-head/#fig-output-head-loss"] == "Figure 7.1"
    assert references["../attention/"] == "Plate 3"


def test_the_glossary_has_the_terms_of_all_plates_by_alphabet(volume):
    glossary = volume["glossary/index.html"]
    names = [words(term) for term in glossary.select("dl.glossary > dt")]
    assert names == sorted(names, key=str.lower)
    of = {
        words(term): words(term.find_next("dd").select_one(".ref"))
        for term in glossary.select("dl.glossary > dt")
    }
    assert (of["Attention"], of["Every construct"], of["Logit"]) == ("Plate 3", "Plate 9", "Plate 7")
    assert set(of.values()) == {"Plate 3", "Plate 7", "Plate 9"}


def test_a_term_of_another_plate_leads_there_and_its_second_use_is_no_link(volume):
    links = {link["href"]: link for link in volume[ALL].select("a.term")}
    assert links["../attention/#term-attention"]["data-definition"].startswith("Say here what it is")
    assert len(links) == len(volume[ALL].select("a.term"))


def test_each_plate_lists_what_it_cites(volume):
    assert not volume[ATTENTION].select(".bibliography")
    for page in (HEAD, ALL):
        cited = {link["href"] for link in volume[page].select("a.cite")}
        listed = {f"#{item['id']}" for item in volume[page].select(".bibliography > li")}
        assert cited == listed
        backs = [link["href"] for link in volume[page].select(".backref")]
        assert sorted(backs) == sorted(f"#{link['id']}" for link in volume[page].select("a.cite"))
    assert len(volume[ALL].select(".bibliography > li")) == 2


def test_every_example_of_the_guide_is_printed(volume, root):
    page = volume[ALL]
    assert len(page.select("math[aria-label]")) >= 4
    assert page.select_one("#its-own-address").name == "h2"
    assert page.select_one("p.untied")
    assert '{{ run("tied") }}' in [code.get_text() for code in page.select("p code")]
    assert any('{"{{": "two braces"}' in block.get_text() for block in page.select("article pre"))
    assert len(page.select(".sidenote")) == 2
    assert len(page.select("table.readings")) >= 7
    text = words(page)
    run = find(root / "generated", "output-head").run("tied")
    assert f"ends at {run.final_heldout_loss:.3f}." in text
    assert "Is that so?" not in text


def test_no_link_is_dead_and_no_address_stands_twice(volume):
    site = volume[""]
    pages = {name: page for name, page in volume.items() if name and name != "404.html"}
    faults = [dead(name, address, pages, site) for name, page in pages.items() for address in links(page)]
    assert [fault for fault in faults if fault] == []
    for name, page in pages.items():
        ids = [element["id"] for element in page.find_all(id=True)]
        assert sorted(set(ids)) == sorted(ids), name
