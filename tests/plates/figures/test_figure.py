"""A figure's three layers hold the same points; bad frames are refused; labels cannot inject markup."""

import csv
import io
import json
import math
import re
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from plates import numbers
from plates.figures.layout import MAIN, lay
from plates.figures.live import chart
from plates.figures.names import place_names
from plates.figures.render import Axis, Detail, Difference, Figure, FigureError, OtherX, Series, render
from plates.figures.scale import round_spacing, scale, spread
from plates.figures.table import bibtex
from tests.samples import STEPS, bars_figure, loss_figure, points_figure

KINDS = [loss_figure, points_figure, bars_figure]
NASTY = "</script><script>alert(1)</script><b onclick=x>\"'&amp; <!-- שלום "


@cache
def parse(figure: Figure) -> BeautifulSoup:
    return BeautifulSoup(render(figure, "7.1"), "html5lib")


def paths(soup: BeautifulSoup, kind: str = "fig-line") -> list[list[tuple[float, float]]]:
    """The vertices of the drawn series, in the plane's units."""
    found = [path for path in soup.select(f"path.{kind}") if "fig-difference" not in path["class"]]
    return [
        [tuple(map(float, pair.split())) for pair in path["d"].removeprefix("M").split("L")] for path in found
    ]


def live(soup: BeautifulSoup) -> dict:
    return json.loads(soup.select_one("script.fig-data").string)


def cells(soup: BeautifulSoup) -> list[list[str]]:
    return [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in soup.select("tbody tr")]


def as_csv(figure: Figure) -> list[dict[str, str]]:
    """The frame as a recording writes it: floats by repr."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["x", *(one.name for one in figure.series)])
    writer.writerows(zip(figure.series[0].x, *(map(repr, one.y) for one in figure.series), strict=True))
    return list(csv.DictReader(io.StringIO(file.getvalue())))


class TestLayersAgree:
    """The drawing, the table and the live data, each held against the CSV."""

    def test_drawing(self):
        figure = loss_figure()
        layout, rows = lay(figure), as_csv(figure)
        for one, line in zip(figure.series, paths(parse(figure)), strict=True):
            assert len(line) == len(rows)
            for row, (x, y) in zip(rows, line, strict=True):
                assert x == pytest.approx(1000 * layout.x.place(float(row["x"])), abs=0.051)
                assert y == pytest.approx(1000 * (1 - layout.y.place(float(row[one.name]))), abs=0.051)

    def test_table(self):
        figure = loss_figure()
        rows = zip(as_csv(figure), cells(parse(figure)), strict=True)
        for row, (step, tokens, *losses, difference) in rows:
            assert step == numbers.count(int(row["x"]))
            assert tokens == numbers.count(int(row["x"]) * 2048)
            assert losses == [numbers.nats(float(row[one.name])) for one in figure.series]
            gap = float(row["untied, held-out"]) - float(row["tied, held-out"])
            assert difference == numbers.nats(gap, signed=True)

    def test_live(self):
        figure = loss_figure()
        rows, data = as_csv(figure), live(parse(figure))["data"]
        for one, trace in zip(figure.series, data, strict=False):
            assert trace["name"] == one.name
            assert trace["x"] == [int(row["x"]) for row in rows]
            assert trace["y"] == [round(float(row[one.name]), 6) for row in rows]
            assert trace["customdata"] == [numbers.perplexity(float(row[one.name])) for row in rows]
        gaps = [float(row["untied, held-out"]) - float(row["tied, held-out"]) for row in rows]
        assert data[4]["y"] == [round(gap, 6) for gap in gaps]
        assert data[4]["yaxis"] == "y2"

    def test_points(self):
        figure = points_figure()
        soup, layout = parse(figure), lay(figure)
        rows = cells(soup)
        for one, line, trace in zip(figure.series, paths(soup), live(soup)["data"], strict=True):
            for name, x, y, (a, b) in zip(one.names, one.x, one.y, line, strict=True):
                assert a == pytest.approx(1000 * layout.x.place(x), abs=0.051)
                assert b == pytest.approx(1000 * (1 - layout.y.place(y)), abs=0.051)
                assert rows.pop(0) == [name, numbers.compact(x), numbers.percent(y), one.name]
            assert (trace["x"], trace["y"]) == (list(one.x), list(one.y))
        assert not rows

    def test_bars(self):
        figure = bars_figure()
        soup, layout = parse(figure), lay(figure)
        for index, (one, path) in enumerate(zip(figure.series, soup.select("path.fig-bar"), strict=True)):
            tops = [float(top) for top in re.findall(r"M\S+ [\d.]+V([\d.]+)H", path["d"])]
            wanted = [1000 * (1 - layout.y.place(value)) for value in one.y]
            assert tops == pytest.approx(wanted, abs=0.051)
            assert [row[index + 1] for row in cells(soup)] == list(map(numbers.count, one.y))
            assert live(soup)["data"][index]["y"] == list(one.y)

    def test_the_inset_shows_the_same_paths_over_its_stretch_alone(self):
        soup, layout = parse(loss_figure()), lay(loss_figure())
        assert (layout.inset.x.low, layout.inset.x.high) == (3000, 6000)
        assert layout.inset.y.low > 3
        assert soup.select_one(".fig-inset use")["href"] == f"#{soup.select_one('g').get('id')}"


class TestDrawing:
    def test_same_bytes_at_every_build(self):
        for make in KINDS:
            assert render(make(), "7.1") == render(make(), "7.1")

    def test_is_one_line_without_styles_or_handlers(self):
        for make in KINDS:
            text = render(make(), "7.1")
            assert "\n" not in text
            assert not re.search(r"\sstyle=|\son[a-z]+=|javascript:|https?:", text)

    def test_is_a_few_kilobytes(self):
        assert len(str(parse(loss_figure()).select_one("svg"))) < 16_000

    def test_has_title_and_description(self):
        soup = parse(loss_figure())
        svg = soup.select_one("svg")
        named = [soup.find(id=name).get_text() for name in svg["aria-labelledby"].split()]
        assert svg["role"] == "img"
        assert named == ["Loss of two runs", "Both fall from 9.011 nats to a little over 4."]

    def test_ids_are_unique_on_a_page_of_figures(self):
        ids = [tag["id"] for make in KINDS for tag in parse(make()).find_all(id=True)]
        assert len(ids) == len(set(ids))

    def test_axes_have_units_and_labels_stand_at_the_ends(self):
        texts = [text.get_text() for text in parse(loss_figure()).select("svg text")]
        for wanted in ("Loss, nats per token", "Step", "untied − tied, nats per token", "tied, held-out"):
            assert wanted in texts

    def test_only_roles_have_colours(self):
        text = str(parse(loss_figure()).select_one("svg"))
        assert not re.search(r"#[0-9a-f]{3,6}\b(?!-)|rgb|stroke=|fill=", text.replace("#fig", ""))

    def test_every_line_differs_without_colour(self):
        classes = [tuple(sorted(path["class"])) for path in parse(loss_figure()).select("path.fig-line")]
        assert len(set(classes)) == len(classes)

    def test_end_labels_keep_their_distance(self):
        figure = loss_figure(detail=None)
        labels = parse(figure).select_one(".fig-panel").select("tspan[y]")
        places = sorted(float(span["y"].removesuffix("em")) for span in labels)
        assert all(b - a >= 1.24 for a, b in pairwise(places))


class TestCaption:
    def test_number_permalink_and_id(self):
        soup = parse(loss_figure())
        assert soup.figure["id"] == "fig-loss"
        assert soup.select_one("a.fig-number")["href"] == "#fig-loss"
        assert soup.select_one("figcaption").get_text().startswith("Figure 7.1 Loss of two runs. Two made-up")

    def test_reproduction_names_command_runs_and_hash(self):
        text = parse(loss_figure()).select("details")[1].get_text(" ")
        for wanted in ("Reproduce this figure", "python -m training record", "untied", "0123456789ab"):
            assert wanted in text

    def test_table_has_caption_and_file(self):
        soup = parse(loss_figure())
        assert soup.select_one("table caption").get_text().startswith("Figure 7.1: Loss of two runs.")
        assert soup.select_one("a.fig-csv")["href"] == "curves.csv"
        assert all(head["scope"] == "col" for head in soup.select("thead th"))

    def test_table_and_drawing_stay_out_of_the_search_index(self):
        soup = parse(loss_figure())
        for tag in soup.select("table, svg, script, button, pre"):
            assert tag.find_parent(attrs={"data-search-exclude": True}), tag.name
        for tag in soup.select("[data-search-exclude]"):
            assert not tag.find(tag.name)  # the theme ends an exclusion at the first end tag of its name

    def test_bibtex(self):
        entry = bibtex(
            loss_figure(title="50% of {V} & d_model"), "7.1", "The Transformer", "https://a.example/p/"
        )
        assert entry.startswith("@misc{fig-loss,\n  title = {Figure 7.1. 50\\% of \\{V\\} \\& d\\_model},")
        assert "url = {https://a.example/p/#fig-loss}" in entry
        assert entry.count("{") == entry.count("}")

    @pytest.mark.parametrize("number", ["", "7.1.1", "<b>", "7,1", None, 7.1])
    def test_refuses_what_is_no_number(self, number):
        with pytest.raises(FigureError, match="wanted a number such as"):
            render(loss_figure(), number)


class TestLabels:
    """Text from data files can neither inject markup nor break a layer."""

    @pytest.mark.parametrize("make", KINDS)
    def test_nasty_text_stays_text(self, make):
        figure = make(title=NASTY, caption=NASTY, description=NASTY, command=NASTY, runs=(NASTY,))
        nasty = replace(figure.series[0], name=NASTY)
        figure = replace(
            figure, difference=None, series=(nasty, *figure.series[1:]), x=replace(figure.x, label=NASTY)
        )
        soup = parse(figure)
        assert [script["type"] for script in soup.find_all("script")] == ["application/json"]
        assert not soup.find_all("b")
        assert soup.select_one("svg title").get_text() == NASTY
        assert NASTY in soup.select_one("button[data-series='0']").get_text()
        assert "<" not in live(soup)["data"][0]["name"]
        assert "<" not in soup.select_one("script").string

    def test_right_to_left_text_is_kept(self):
        figure = points_figure()
        figure = replace(figure, series=(replace(figure.series[0], name="קשור"), *figure.series[1:]))
        assert "קשור" in [text.get_text() for text in parse(figure).select("svg text")]

    def test_a_long_name_is_broken_and_cut(self):
        figure = loss_figure(difference=None)
        long = "an untied head with a name that nobody would ever give to a run of this shape"
        figure = replace(figure, series=(replace(figure.series[0], name=long), *figure.series[1:]))
        lines = [span.get_text() for span in parse(figure).select("tspan[y]")][:3]
        assert max(map(len, lines)) <= 16
        assert lines[2].endswith("…")
        assert long in render(figure, "1")

    def test_a_thousand_points_are_drawn(self):
        xs = range(1000)
        figure = loss_figure(series=(Series("a", xs, [math.sin(x / 50) for x in xs]),), **PLAIN)
        soup = parse(figure)
        assert len(paths(soup)[0]) == len(cells(soup)) == len(live(soup)["data"][0]["y"]) == 1000


class TestPoints:
    """Sets of points that join those of different kinds, and where their names stand."""

    @staticmethod
    def mixed(**changes) -> Figure:
        figure = points_figure(**changes)
        family = replace(figure.series[1], role="neutral", roles=("tied", "untied", "untied"))
        return replace(figure, series=(figure.series[0], family, *figure.series[2:]))

    def test_each_point_has_its_own_kind(self):
        soup = parse(self.mixed())
        dots = {tuple(dot["class"][:2]): dot["d"].count("h.01") for dot in soup.select("path.fig-dot")[1:3]}
        assert dots == {("fig-dot", "fig-tied"): 1, ("fig-dot", "fig-untied"): 2}
        assert "fig-neutral" in soup.select("path.fig-line")[1]["class"]
        trace = live(soup)["data"][1]
        assert trace["marker"]["symbol"] == ["circle", "square", "square"]
        assert trace["meta"]["roles"] == ["tied", "untied", "untied"]
        assert [row[-1] for row in cells(soup)] == ["tied", *("tied", "untied", "untied"), *["tied"] * 3]
        assert soup.select("thead th")[-1].get_text() == "Head"

    def test_names_stand_beside_their_points_and_on_nothing(self):
        figure = self.mixed()
        layout = lay(figure)
        names = place_names(figure, layout)
        assert [name.text for name in names] == [one.name for one in figure.series]
        for width in (14.0, 30.0, 60.0):
            boxes = [name.box(width) for name in names]
            for a, b in combinations(boxes, 2):
                assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]

    def test_a_name_without_room_is_left_to_the_table(self):
        points = tuple(Series(f"a long name, {n}", (1e6 + n,), (0.5,)) for n in range(40))
        figure = points_figure(series=points)
        soup = parse(figure)
        assert 1 <= len(soup.select(".fig-name")) < 40
        assert len(cells(soup)) == 40


BAD_SERIES = [
    ({"y": (1.0, math.nan)}, r"series 'a': wanted a finite number as y\[1\], got nan"),
    ({"y": (math.inf, 1.0)}, "finite"),
    ({"y": (1.0,)}, "wanted as many y as x, got 2 x and 1 y"),
    ({"x": range(1001), "y": [0.0] * 1001}, "wanted 1 to 1000 points, got 1001"),
    ({"x": (), "y": ()}, "wanted 1 to 1000 points, got 0"),
    ({"y": ("1", 2.0)}, "wanted a number as y"),
    ({"y": (None, 2.0)}, "wanted a number as y"),
    ({"y": (True, 2.0)}, "wanted a number as y"),
    ({"y": "12"}, "wanted a sequence as y"),
    ({"y": 3.0}, "wanted a sequence as y"),
    ({"role": "green"}, "wanted role to be one of tied, untied, neutral; got 'green'"),
    ({"weight": "bold"}, "wanted weight to be one of"),
    ({"name": " "}, "wanted some text as name"),
    ({"name": "a\x00"}, "wanted some text as name"),
    ({"names": ("one",)}, "wanted 2 names, one a point, got 1"),
    ({"roles": ("tied",)}, "wanted 2 roles, one a point, got 1"),
    ({"roles": ("tied", "green")}, "wanted each of roles to be one of tied, untied, neutral; got 'green'"),
]


@pytest.mark.parametrize(("changes", "message"), BAD_SERIES)
def test_refuses_a_bad_series(changes, message):
    with pytest.raises(FigureError, match=message):
        Series(**({"name": "a", "x": (1, 2), "y": (3.0, 4.0)} | changes))


def one(*, x=(1, 2, 3), y=(1.0, 2.0, 3.0), **more) -> tuple[Series, ...]:
    return (Series("a", x, y, **more),)


PLAIN = {"other_x": None, "difference": None, "detail": None}
BAD_FIGURES = [
    ({"id": "loss"}, "wanted an id such as"),
    ({"id": "fig-a b"}, "wanted an id such as"),
    ({"title": ""}, "wanted some text as title"),
    ({"caption": "  "}, "wanted some text as caption"),
    ({"description": None}, "wanted some text as description"),
    ({"kind": "pie"}, "wanted kind to be one of lines, points, bars; got 'pie'"),
    ({"digest": "abc"}, "digest"),
    ({"series": ()}, "wanted 1 to 60 series, got 0"),
    ({"series": one() + one(), **PLAIN}, "wanted a name for each series alone"),
    ({"series": one(x=(1,), y=(2.0,)), **PLAIN}, "wanted two points or more for a line, got one"),
    ({"series": one(x=(1, 1, 2)), **PLAIN}, "wanted x rising"),
    ({"series": one(roles=["tied"] * 3), **PLAIN}, "wanted roles of its points for points and bars alone"),
    ({"series": one(x=(3, 2, 1)), **PLAIN}, "wanted x rising"),
    ({"series": one(x=("a", "b", "c")), **PLAIN}, "wanted names as x for bars and numbers for all else"),
    ({"series": one(y=(0.0, 1, 2)), "y": Axis("y", logarithmic=True), **PLAIN}, "wanted values above zero"),
    ({"difference": Difference("untied", "tied, held-out", "d")}, "no series 'untied'; series are 'tied, h"),
    ({"other_x": OtherX(Axis("t"), (1.0, 2.0))}, "values in other_x, got 2"),
    ({"detail": Detail(6001, 7000)}, "wanted two points or more in Detail"),
    ({"series": one(), **PLAIN, "detail": Detail(1, 3)}, "no room above the curves"),
    ({"kind": "points"}, "wanted lines at the same x"),
]


@pytest.mark.parametrize(("changes", "message"), BAD_FIGURES)
def test_refuses_a_bad_figure(changes, message):
    with pytest.raises(ValueError, match=message):
        render(loss_figure(**changes), "7.1")


def test_refuses_an_unknown_form():
    with pytest.raises(ValueError, match="no number form 'nat'"):
        Axis("Loss", form="nat")


def test_takes_pandas_and_numpy_columns():
    frame = pd.DataFrame({"step": [0, 10], "loss": np.array([9.0, 8.0], dtype=np.float64)})
    series = Series("a", frame["step"], frame["loss"])
    assert series.x == (0, 10)
    assert (type(series.x[0]), type(series.y[0])) == (int, float)
    frame.loc[1, "loss"] = np.nan
    with pytest.raises(FigureError, match="finite"):
        Series("a", frame["step"], frame["loss"])


def test_curves_of_unlike_steps_get_rows_of_their_own():
    figure = loss_figure(series=(*one(), Series("b", (1, 2), (2.0, 1.0))), **PLAIN)
    soup = parse(figure)
    assert cells(soup)[0] == ["1", "a", "1.000"]
    assert len(cells(soup)) == 5


class TestScale:
    @pytest.mark.parametrize(
        ("least", "spacing"), [(0.9, 1), (1, 1), (1.1, 2), (0.03, 0.05), (800, 1000), (51, 100)]
    )
    def test_round_spacing(self, least, spacing):
        assert round_spacing(least) == pytest.approx(spacing)

    def test_ticks_are_round_and_inside(self):
        laid = scale(Axis("Step"), STEPS, 7, 0)
        assert laid.labels == ("0", "1,000", "2,000", "3,000", "4,000", "5,000", "6,000")
        assert (laid.low, laid.high) == (0, 6000)

    @pytest.mark.parametrize("value", [2.0, -3.0, 0.0, 5e-324, 1e12])
    def test_a_flat_curve_has_a_scale(self, value):
        laid = scale(Axis("y"), (value, value))
        assert laid.low < value < laid.high
        assert len(laid.ticks) >= 2

    @pytest.mark.parametrize(
        ("values", "ticks"), [((0.0036, 0.0047), 2), ((0.002, 0.008), 4), ((5.0, 5.0), 3)]
    )
    def test_a_short_logarithmic_axis_has_even_ticks(self, values, ticks):
        found = scale(Axis("y", logarithmic=True), values)
        steps = {round(b - a, 9) for a, b in pairwise(found.ticks)}
        assert (len(steps), len(found.ticks) >= ticks, found.logarithmic) == (1, True, True)
        assert found.low < min(values) <= max(values) < found.high
        assert found.place(found.low) == 0

    def test_ticks_stand_where_an_axis_wants_them(self):
        axis = Axis("Rate", form="learning_rate", logarithmic=True, ticks=(0.002, 0.004, 0.008))
        laid = scale(axis, axis.ticks)
        assert (laid.ticks, laid.labels) == (axis.ticks, ("0.002", "0.004", "0.008"))
        with pytest.raises(
            FigureError, match=r"axis 'Rate': wanted ticks from .* to .*, got 0\.008; leave it out"
        ):
            scale(axis, (0.002, 0.004))

    @pytest.mark.parametrize(
        ("ticks", "words"),
        [
            (0.004, "wanted a sequence as ticks, got 0.004"),
            ("0.004", "wanted a sequence as ticks, got '0.004'"),
            ((1, "2"), r"wanted a number as ticks\[1\], got '2'"),
            ((2, 1), r"wanted rising ticks, got \(2, 1\); sort them"),
            ((1, 1), r"wanted rising ticks, got \(1, 1\); sort them"),
            ((math.nan,), r"wanted a finite number as ticks\[0\], got nan"),
        ],
    )
    def test_ticks_are_numbers(self, ticks, words):
        with pytest.raises(FigureError, match=f"axis 'Rate': {words}"):
            Axis("Rate", ticks=ticks)

    def test_ticks_whose_labels_have_no_room_are_refused(self):
        figure = loss_figure(**PLAIN)
        crowded = replace(figure, x=replace(figure.x, ticks=tuple(range(0, 6000, 100))))
        with pytest.raises(FigureError, match=r"wanted ticks with room for their labels, got 60; leave some"):
            lay(crowded)

    def test_bars_have_no_ticks_on_x(self):
        figure = bars_figure()
        with pytest.raises(FigureError, match="wanted no ticks on x, where bars have their names"):
            replace(figure, x=replace(figure.x, ticks=(1,)))

    def test_neither_the_detail_nor_the_second_panel_is_bound_by_them(self):
        figure = loss_figure()
        wanted = replace(figure, x=replace(figure.x, ticks=(0, 20)), y=replace(figure.y, ticks=(8.0,)))
        plain, laid = lay(figure), lay(wanted)
        assert (laid.inset, laid.second) == (plain.inset, plain.second)
        assert (laid.y.labels, laid.x.labels) == (("8.000",), ("0", "20"))

    def test_a_marker_keeps_clear_of_the_axis(self):
        points = Series("a", (1, 2), (0.0, 1.0))
        laid = lay(loss_figure(**PLAIN, series=(points,), kind="points"))
        assert MAIN * laid.y.place(0.0) > 1, "in em: a marker and as much again"
        assert 36 * laid.x.place(1) > 1

    @pytest.mark.parametrize("low", [3.76, 1_850_000, 0.002, 0.1])
    @pytest.mark.parametrize("logarithmic", [False, True])
    def test_a_phone_keeps_evenly_chosen_labels(self, low, logarithmic):
        line = Series("a", (low + 0.001, low * 1.6 + 1), (1.0, 2.0))
        x = Axis("x", form="compact", logarithmic=logarithmic)
        laid = lay(loss_figure(**PLAIN, series=(line,), x=x)).x
        kept = [index for index, always in enumerate(laid.sparse) if always]
        assert len(kept) >= 2
        assert len({b - a for a, b in pairwise(kept)}) <= 1
        assert sum(len(laid.labels[index]) * 0.52 + 1.2 for index in kept) <= 14

    def test_percent_and_compact_labels(self):
        shares = scale(Axis("s", form="percent", from_zero=True), (0.0, 0.6), 4)
        assert shares.labels == ("0%", "20%", "40%", "60%")
        laid = scale(Axis("p", form="compact", logarithmic=True), (2e6, 7e10), 6)
        assert laid.labels == ("10 million", "100 million", "1 billion", "10 billion", "100 billion")

    @settings(max_examples=200, deadline=None)
    @given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=20), st.integers(2, 9))
    def test_holds_all_values_with_few_ticks(self, values, most):
        laid = scale(Axis("y"), values, most)
        assert all(-1e-9 <= laid.place(value) <= 1 + 1e-9 for value in values)
        assert len(laid.ticks) <= most + 1
        assert len(set(laid.labels)) == len(laid.labels)

    @settings(max_examples=200, deadline=None)
    @given(st.lists(st.floats(0, 20), min_size=1, max_size=12))
    def test_labels_are_spread_in_order(self, wanted):
        places = spread(wanted, 1.25, 0, 23)
        ordered = sorted(zip(wanted, places, strict=True))
        assert all(b - a >= 1.25 - 1e-9 for a, b in pairwise(sorted(places)))
        in_order = [place for _, place in ordered]
        assert in_order == pytest.approx(sorted(places)) or len(set(wanted)) < len(wanted)
        assert min(places) >= -1e-9
        assert max(places) <= 23 + 1e-9

    def test_labels_that_do_not_touch_stay(self):
        assert spread([3.0, 1.0, 9.0], 1.25, 0, 23) == [3.0, 1.0, 9.0]


def test_no_dot_is_a_stroke_without_direction():
    """A square cap on a stroke of no length is drawn on a screen and vanishes on paper."""
    drawn = render(points_figure(), "7.2")
    assert "fig-dot" in drawn
    assert re.search(r"h0(?![.\d])|h\.0+(?![\d])", drawn) is None


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("changes", [{}, {"exponential": None, "difference": None, "detail": None}])
def test_the_live_chart_is_in_plotlys_own_form(make, changes: dict) -> None:
    """plotly.py refuses what it does not know, and writes back what it was given."""
    figure = make(**changes)
    written = chart(figure, lay(figure))
    assert json.loads(go.Figure(written).to_json()) == json.loads(json.dumps(written))


def test_plotly_refuses_a_form_that_is_not_its_own() -> None:
    figure = loss_figure()
    written = chart(figure, lay(figure))
    written["data"][0]["lin"] = written["data"][0].pop("line")
    with pytest.raises(ValueError, match="lin"):
        go.Figure(written)
