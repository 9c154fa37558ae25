"""The rule of thumb, what the list of models says of tying, the figure of shares and the table."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from plates import numbers
from plates.figures.render import render
from plates.open_models import COLUMNS, OpenModel, model, open_models
from plates.parameters import MICRO_TIED, MICRO_UNTIED, ModelShape, count
from plates.recorded.recordings import publish
from plates.tying import (
    Tying,
    as_csv,
    errors,
    facts,
    families,
    head_share,
    in_words,
    one_table_share,
    rule_of_thumb,
)
from plates.tying_figures import HEADER, models_table, share_figure

MODELS = open_models()


def of(name: str, tied: bool, family: str = "one", **shape: int) -> OpenModel:
    return OpenModel(replace(MICRO_TIED, name=name, tied=tied, **shape), family, 2024, 0, "")


def test_the_rule_is_exact_for_bare_blocks_of_micros_kind() -> None:
    # Without norms and positions nothing is left that the rule does not count, but for the last norm.
    bare = ModelShape("bare", 1000, 64, 3, 4, 4, 16, 256, False, True, norms_per_layer=0)
    parts = count(bare)
    assert parts.attention + parts.mlp == 12 * 3 * 64**2
    assert rule_of_thumb(bare) == pytest.approx(parts.table / (parts.total - parts.norms))


def test_shares_of_micro() -> None:
    assert one_table_share(MICRO_TIED) == one_table_share(MICRO_UNTIED) == 1_048_576 / 1_852_544
    assert rule_of_thumb(MICRO_TIED) == 8192 / (8192 + 12 * 4 * 128)
    assert head_share(of("u", tied=False)) == 1_048_576 / 2_901_120


def test_the_rule_is_held_against_the_data() -> None:
    said = facts(MODELS)
    assert (said.all.models, said.ungated.models) == (39, 8)
    assert said.ungated.median < 0.001
    assert said.ungated.largest < 0.0025
    assert said.all.median < 0.004
    assert (said.all.worst, round(said.all.largest, 3)) == ("Gemma 3 1B", 0.12)
    assert errors(MODELS[:1]).largest == errors(MODELS[:1]).median
    assert model("Gemma 3 1B").shape.d_ff == 6 * model("Gemma 3 1B").shape.d_model, "as the page says"


def test_what_the_list_says() -> None:
    said = facts(MODELS)
    assert (said.number, said.tied, said.untied, said.families) == (39, 21, 18, 13)
    assert (said.heavy, said.heavy_tied, said.heavy_untied, said.heavy_untied_families) == (
        19,
        15,
        4,
        "Pythia",
    )
    assert (said.light, said.light_untied) == (20, 14)
    assert (said.mixed, said.crossing, said.not_crossing) == (4, 3, "Phi")
    assert said.heavy + said.light == said.number


def test_the_exceptions_that_the_plate_names() -> None:
    said = facts(MODELS)
    assert said.gemma == said.gemma_tied == 4
    assert (said.gemma_smallest, said.gemma_largest) == (268_098_176, 9_241_705_984)
    assert not model("Phi-3-mini").shape.tied
    assert model("Phi-4-mini").shape.tied
    assert 0 < said.phi_size_ratio < 0.005
    assert said.phi_vocabulary_ratio == 200_064 / 32_064
    largest = max(MODELS, key=lambda one: one.shape.vocab_size)
    assert largest.family.startswith("Gemma"), "with the largest vocabulary of the list"


@pytest.mark.parametrize(
    ("kinds", "crossing"),
    [((True, False), 1), ((True, True, False), 1), ((False, True), 0), ((True, False, True), 0)],
)
def test_a_family_crosses_once_from_tied_to_untied(kinds: tuple[bool, ...], crossing: int) -> None:
    models = tuple(of(str(size), tied, n_layers=40 * size) for size, tied in enumerate(kinds, 1))
    assert (Tying(models).mixed, Tying(models).crossing) == (1, crossing)
    assert Tying(models).not_crossing == ("" if crossing else "one")


def test_families_are_in_order_of_size() -> None:
    for its in families(tuple(reversed(MODELS))).values():
        sizes = [one.parameters.total for one in its]
        assert sizes == sorted(sizes)
    assert in_words(["a"]) == "a"
    assert in_words(["a", "b", "c"]) == "a, b and c"
    assert in_words([]) == ""


def test_the_figure_holds_every_model_and_micro() -> None:
    figure = share_figure(MODELS, "models.csv")
    points = {
        name: (x, y, role)
        for one in figure.series
        for name, x, y, role in zip(one.names, one.x, one.y, one.roles, strict=True)
    }
    assert len(points) == 41
    for one in MODELS:
        role = "tied" if one.shape.tied else "untied"
        assert points[one.name] == (one.published_parameters, head_share(one), role)
    assert points["micro, untied"] == (2_901_120, 1_048_576 / 2_901_120, "untied")
    drawn = render(figure, "7.2")
    assert "<td>0.5%</td><td>Llama 3</td><td>untied</td>" in drawn
    assert "\n" not in drawn
    assert 'href="models.csv"' in drawn
    assert "63%" in figure.description
    assert "Micro stands at 57% tied and 36% untied." in figure.description


def test_the_table_tells_each_model_once() -> None:
    soup = BeautifulSoup(models_table(MODELS), "html5lib")
    rows = [[cell.get_text() for cell in row.select("th, td")] for row in soup.select("tbody tr")]
    assert tuple(cell.get_text() for cell in soup.select("thead th")) == HEADER
    assert [row[0] for row in rows] == [one.name for one in MODELS]
    for row, one in zip(rows, MODELS, strict=True):
        other = count(replace(one.shape, tied=not one.shape.tied)).total
        assert row[5] == numbers.count(one.published_parameters)
        assert row[6] == ("tied" if one.shape.tied else "untied")
        assert row[8:] == [numbers.percent(head_share(one), 1), numbers.count(other), one.source]
    frame = soup.select_one(".wide-table")
    assert frame is not None
    assert (frame["role"], frame["tabindex"], bool(frame["aria-label"])) == ("region", "0", True)


def test_the_file_of_models_holds_what_the_figure_shows(tmp_path: Path) -> None:
    publish(tmp_path / "none", tmp_path / "data", {"open-models.csv": as_csv(MODELS).encode()})
    text = (tmp_path / "data" / "open-models.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0])[: len(COLUMNS)] == list(COLUMNS)
    for row, one in zip(rows, MODELS, strict=True):
        assert row["name"] == one.name
        assert int(row["parameters"]) == int(row["published_parameters"]) == one.published_parameters
        assert float(row["head_share"]) == head_share(one)
        assert row["tied"] == str(int(one.shape.tied))
    publish(tmp_path / "none", tmp_path / "data")
    assert not list((tmp_path / "data").glob("*.csv")), "what is no more published goes"
