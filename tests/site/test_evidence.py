"""What the printed book says of its committed recordings, held against them by other code."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bs4 import BeautifulSoup

from plates.evidence.planned import planned
from tests.recomputed import SEEDS, Found, Recorded, percent, printed, told


def words(site: Path, page: str) -> str:
    """A page's text, its figures apart."""
    soup = BeautifulSoup((site / page / "index.html").read_text(encoding="utf-8"), "html.parser")
    for figure in soup.find_all("figure"):
        figure.decompose()
    return " ".join(soup.get_text(" ").split())


def test_each_finding_is_printed_as_it_is_recomputed(site, root: Path) -> None:
    page = words(site.path, "evidence")
    for name, sentences in told(root / "generated"):
        assert sentences, name
        assert [each for each in sentences if each.strip() not in page] == [], name
    assert "not made yet" not in page


def test_the_plate_quotes_the_evidence(site, root: Path) -> None:
    page, data = words(site.path, "plates/output-head"), Recorded(root / "generated")
    gaps = [data.gap("output-head", column) for column in ("final_heldout_loss", "final_train_loss")]
    if 0 < gaps[0] / gaps[1] < 1:
        assert (
            f"so that {percent(gaps[0] / gaps[1])} of that lead is left on text that it has not seen" in page
        )
    curve = data.curve_gap("output-head", "heldout_loss")[1:]
    ahead = [step for step, gap in curve if printed(gap, signed=True).startswith("+")]
    counted = f"ahead at {len(ahead)} of the {len(curve)} steps measured after the first"
    assert f"{counted}, the last of them step {max(ahead):,}, on held-out text" in page
    top = [float(row["own_top_share"]) for row in data.rows("output-head", "repeats.csv", run="tied")]
    assert f"scores highest at {percent(top[0])} of held-out positions" in page
    found = Found([data.gap(name, "final_heldout_loss") for name in SEEDS])
    assert f"The mean difference on held-out text is {found.text()}" in page
    assert found.half_text() in page
    more = data.gap("learning-rate", "final_heldout_loss", "tied-0.004", "untied-0.004")
    assert f"In one pair more, made for another question, it is {printed(more, signed=True)}, outside" in page
    (summary,) = re.findall(r"Untying micro’s shape changes its loss on held-out text by .*? nats", page)
    assert found.text() in summary


def test_the_plate_weighs_what_the_parameters_could_buy(site, root: Path) -> None:
    data = Recorded(root / "generated")
    page = words(site.path, "plates/output-head")
    said = {-1: "better", 0: "not told apart from", 1: "worse"}
    sides = []
    for name in ("wider", "deeper"):
        gaps = []
        for seed, pair in ((7, "output-head"), (11, "seed-11"), (12, "seed-12")):
            run = data.run(name, f"{name}-{seed}")
            table = data.run(pair, "untied")
            gaps.append(float(run["final_heldout_loss"]) - float(table["final_heldout_loss"]))
        sides.append(said[Found(gaps).side()])
    assert re.search(
        rf"the wider MLPs are {sides[0]}.* the table, and the additional blocks {sides[1]}", page
    )


def test_every_recordings_files_are_listed_and_none_of_their_hashes_is_searched(site, root: Path) -> None:
    index = (site.path / "search/search_index.json").read_text(encoding="utf-8")
    soup = BeautifulSoup((site.path / "reproduce/index.html").read_text(encoding="utf-8"), "html.parser")
    for manifest in sorted((root / "generated").glob("*/manifest.json")):
        about = json.loads(manifest.read_text(encoding="utf-8"))["files"]["runs.csv"]
        printed_digits = about["sha256"][:12]
        assert soup.find("code", string=printed_digits), manifest
        assert printed_digits not in index
    captions = [caption.get_text() for caption in soup.find_all("caption")]
    assert all(f"Files of {name}" in captions for name in Recorded(root / "generated").names)


def test_the_page_of_the_recordings_lists_the_plan(site, root: Path) -> None:
    page = words(site.path, "reproduce")
    data = Recorded(root / "generated")
    assert data.names == sorted(each.name for each in planned())
    assert all(f"{name} " in page for name in data.names)
    exact, recorded = (data.run(name, "tied")["final_heldout_loss"] for name in ("float32", "output-head"))
    assert f"{printed(float(exact))} in place of {printed(float(recorded))}" in page
    assert "not yet" not in page
    assert "not made yet" not in page
