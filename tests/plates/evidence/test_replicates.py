"""Thin lines for further runs: drawn, in the table and in the live chart, without label or switch."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup, Tag

from plates import numbers
from plates.figures.layout import lay
from plates.figures.render import Difference, Figure, FigureError, Series, render
from tests.samples import STEPS, loss_figure, replicated_figure


@pytest.fixture(scope="module")
def figure() -> Figure:
    return replicated_figure()


@pytest.fixture(scope="module")
def soup(figure: Figure) -> BeautifulSoup:
    return BeautifulSoup(render(figure, "7.1"), "html5lib")


def vertices(path: Tag) -> list[list[float]]:
    return [[float(value) for value in pair.split()] for pair in path["d"].removeprefix("M").split("L")]


def test_other_differences_are_drawn_where_they_belong(figure: Figure, soup: BeautifulSoup) -> None:
    layout = lay(figure)
    assert layout.second is not None
    drawn = soup.select(".fig-difference.fig-replicate")
    for other, path in zip(figure.others, drawn, strict=True):
        for step, value, (x, y) in zip(other.x, other.y, vertices(path), strict=True):
            assert x == pytest.approx(1000 * layout.x.place(step), abs=0.051)
            assert y == pytest.approx(1000 * (1 - layout.second.place(value)), abs=0.051)
    last = soup.select(".fig-difference")[-1]
    assert "fig-replicate" not in last["class"], "the thick line lies on the thin ones"


def test_the_second_panel_has_room_for_all(figure: Figure) -> None:
    second = lay(figure).second
    assert second is not None
    values = [value for other in figure.others for value in other.y]
    assert second.low < min(values)
    assert max(values) < second.high
    assert max(values) > max(figure.difference_values())


def test_their_points_stand_in_the_table(figure: Figure, soup: BeautifulSoup) -> None:
    head = [cell.get_text() for cell in soup.select("thead th")]
    assert head[-3:] == ["untied − tied", "seed 5", "seed 6"]
    assert "third run" in head
    for index, row in enumerate(soup.select("tbody tr")):
        cells = [cell.get_text() for cell in row.select("td")]
        assert cells[-2:] == [numbers.nats(other.y[index], signed=True) for other in figure.others]


def test_they_are_in_the_live_chart(figure: Figure, soup: BeautifulSoup) -> None:
    data = json.loads(soup.select_one("script.fig-data").string)["data"]
    assert [trace["name"] for trace in data[-3:]] == ["untied − tied", "seed 5", "seed 6"]
    for other, trace in zip(figure.others, data[-2:], strict=True):
        assert (trace["x"], trace["yaxis"]) == (list(STEPS), "y2")
        assert trace["y"] == [round(value, 6) for value in other.y]
        assert "customdata" not in trace


def test_a_replicate_has_neither_label_nor_switch(soup: BeautifulSoup) -> None:
    labels = " ".join(text.get_text() for text in soup.select("svg .fig-name"))
    switches = [button["data-series"] for button in soup.select("button[data-series]")]
    assert "third run" not in labels
    assert switches == ["0", "1", "2", "3"]
    assert len(soup.select("#fig-replicated-curves .fig-replicate")) == 1


def test_neutral_lines_are_told_apart_by_their_pattern() -> None:
    lines = (Series("a", (1, 2), (3.0, 4.0)), Series("b", (1, 2), (4.0, 5.0), broken=True))
    figure = replace(loss_figure(other_x=None, difference=None, detail=None), series=lines)
    soup = BeautifulSoup(render(figure, "7.1"), "html5lib")
    assert ["fig-broken" in path["class"] for path in soup.select("path.fig-line")] == [False, True]
    assert ["fig-broken" in key["class"] for key in soup.select("i.fig-key")] == [False, True]
    data = json.loads(soup.select_one("script.fig-data").string)["data"]
    assert [trace["line"]["dash"] for trace in data] == ["solid", "6px,3px"]


def other(**changes: object) -> Series:
    return Series(
        **({"name": "seed 5", "x": STEPS, "y": [0.0] * len(STEPS), "weight": "replicate"} | changes)
    )


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ((other(weight="plain"),), "wanted others of weight 'replicate', got 'plain' in 'seed 5'"),
        ((other(x=range(len(STEPS))),), "wanted the other difference 'seed 5' at the same x as the series"),
        ((other(), other()), "wanted a name for each other difference alone"),
        ((other(name="tied, held-out"),), "wanted a name for each other difference alone"),
    ],
)
def test_other_differences_must_fit(others: tuple[Series, ...], words: str) -> None:
    with pytest.raises(FigureError, match=words):
        loss_figure(difference=Difference("untied, held-out", "tied, held-out", "untied − tied", others))
