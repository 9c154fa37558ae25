"""The benchmark measures what it says: sound volumes, and beside them the same pages without macros."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from plates.benchmark_volumes import SOURCE, plate
from plates.book_benchmark import add_arguments, main, report
from plates.volume import read


def test_a_volume_of_the_same_plate_under_other_names_is_sound(root: Path, tmp_path: Path) -> None:
    text = (root / "docs" / SOURCE).read_text(encoding="utf-8")
    (tmp_path / "plates").mkdir()
    for number in (1, 2, 3):
        (tmp_path / f"plates/{number}.md").write_text(plate(text, number), encoding="utf-8")
    volume = read(tmp_path)
    assert [one.number for one in volume.plates] == [1, 2, 3]
    assert (
        len({name for one in volume.plates for name in one.figures}) == 3 * len(volume.plates[0].figures) > 0
    )
    assert len(volume.terms) == 3 * len(volume.plates[0].terms) > 0


def test_the_report_has_seconds_seconds_a_plate_and_the_ratio() -> None:
    told = report({(1, "macros"): 1.5, (1, "plain"): 1.0, (10, "macros"): 6.0, (10, "plain"): 3.0})
    head, *lines = told.splitlines()
    assert head.split("  ")[0] == "plates"
    assert [line.split() for line in lines] == [
        ["1", "1.50", "1.500", "1.00", "1.000", "1.50"],
        ["10", "6.00", "0.600", "3.00", "0.300", "2.00"],
    ]


def test_the_command_builds_both_and_prints_a_line(root: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(root)
    assert main(argparse.Namespace(repeats=1, sizes=[2])) == 0
    assert re.search(r"^ +2( +\d+\.\d+){5}$", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize("words", [["--repeats", "0"], ["--sizes", "1", "x"], ["--sizes", "-3"]])
def test_counts_that_are_none_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(words)
    assert "wanted a whole number of at least 1" in capsys.readouterr().err
