"""A plate's BibTeX entry and a recording's description: whole, and safe whatever words they are made of."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from pybtex.database import parse_string

from plates import citation, dataset
from plates.edition import Edition
from plates.recorded import recordings
from plates.volume import Plate
from tests.fixtures import recordings as made

PLATE = Plate("plates/output-head.md", 7, "The Output Head", (), ())
CLEAN = Edition("a1b2c3d4e5f60718293a4b5c6d7e8f9012345678", datetime(2026, 3, 2, tzinfo=UTC), ())
NASTY = "100% & more_{of} <b>\\it</b> #1 ~ ^"


def cite(
    plate: Plate = PLATE, authors: str = "The authors", address: str = "", edition: Edition = CLEAN
) -> str:
    return citation.entry(plate, "The Transformer", "V", authors, address, edition)


def test_an_entry_says_all_that_one_cites():
    assert cite(address="https://book.invalid/plates/output-head/").splitlines() == [
        "@incollection{the-transformer-7,",
        "  author = {{The authors}},",
        "  title = {{The Output Head}},",
        "  booktitle = {The Transformer},",
        "  volume = {V},",
        "  chapter = {7},",
        "  year = {2026},",
        "  url = {https://book.invalid/plates/output-head/},",
        "  note = {Commit a1b2c3d4e5},",
        "}",
    ]


def test_what_is_not_known_is_left_out():
    assert "url" not in cite()
    assert "author" not in cite(authors="")


@pytest.mark.parametrize(
    ("edition", "said"),
    [
        (replace(CLEAN, changed=("docs/index.md",)), "Proof, changed since commit a1b2c3d4e5"),
        (replace(CLEAN, commit=""), "Proof, of no recorded commit"),
    ],
)
def test_a_proof_says_so(edition, said):
    assert f"note = {{{said}}}" in cite(edition=edition)


def test_an_entry_can_be_read_whatever_the_title():
    text = cite(replace(PLATE, title=NASTY), address="https://book.invalid/{x}/")
    (entry,) = parse_string(text, "bibtex").entries.values()
    assert r"100\% \& more\_\{of\}" in entry.fields["title"]
    block = BeautifulSoup(citation.block(text, "Plate 7"), "html.parser")
    assert block.find("b") is None
    assert block.code.get_text() == text


@pytest.fixture
def recording(tmp_path: Path) -> recordings.Recording:
    made.write(tmp_path)
    return recordings.load(tmp_path / "output-head")


def test_a_description_holds_every_file_with_its_hash(recording):
    about = dataset.described(recording, "Book", "The authors", lambda name: f"../data/{name}")
    files = {file["name"]: (file["contentUrl"], file["sha256"]) for file in about["distribution"]}
    assert files.keys() == {path.name for path in recording.folder.iterdir()}
    for name, (address, sha256) in files.items():
        assert address == f"../data/{name}"
        assert sha256 == hashlib.sha256((recording.folder / name).read_bytes()).hexdigest()
    assert about["dateCreated"] == recording.manifest["recorded_at"]
    assert f"{len(recording.runs)} recorded runs" in about["description"]


def test_no_word_of_a_description_can_end_its_block(recording):
    about = dataset.described(recording, "</script><img src=x>&amp;", "A", str)
    block = dataset.block(about)
    assert block.count("<") == 2, "its own two tags"
    assert json.loads(BeautifulSoup(block, "html.parser").script.string) == about
