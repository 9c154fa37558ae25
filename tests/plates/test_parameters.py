"""Counts are exact: micro's, and every released model's to the last digit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from plates.open_models import COLUMNS, TABLE, OpenModel, model, open_models
from plates.parameters import MICRO_TIED, MICRO_UNTIED, ModelShape, arithmetic, count


def test_micro_tied_and_untied() -> None:
    assert count(MICRO_TIED).total == 1_852_544
    assert count(MICRO_UNTIED).total == 2_901_120
    assert count(MICRO_UNTIED).head == 8192 * 128 == 1_048_576
    assert count(MICRO_TIED).head == 0


def test_the_parts_add_up_and_tying_changes_the_head_alone() -> None:
    tied, untied = count(MICRO_TIED), count(MICRO_UNTIED)
    assert tied.table + tied.positions + tied.attention + tied.mlp + tied.norms == tied.total
    assert replace(untied, head=0) == tied


def test_there_are_39_models() -> None:
    assert len(open_models()) == len({each.name for each in open_models()}) == 39


@pytest.mark.parametrize("released", open_models(), ids=lambda released: released.name)
def test_every_open_model_counts_to_its_published_total(released: OpenModel) -> None:
    assert released.parameters.total == released.published_parameters
    assert released.source
    assert 2018 <= released.year <= 2026


def test_llama_3_8b_head() -> None:
    llama = model("Llama 3 8B")
    assert llama.parameters.head == llama.one_table == 525_336_576
    assert llama.table_share == pytest.approx(0.0654, abs=5e-5)


def test_gemma_3_270m_is_mostly_table() -> None:
    assert model("Gemma 3 270M").table_share == pytest.approx(0.626, abs=5e-4)


def test_arithmetic_of_micro_is_the_same_tied_or_untied() -> None:
    tied = arithmetic(MICRO_TIED, context=128)
    assert tied == arithmetic(MICRO_UNTIED, context=128)
    assert tied.head == 1_048_576
    assert tied.projections == 4 * (4 * 128**2 + 2 * 128 * 512)
    assert tied.attention == 4 * 2 * 128 * 128
    assert tied.training_flops == pytest.approx(11.8e6, rel=1e-3)
    assert tied.head_share == pytest.approx(0.533, abs=5e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vocab_size": 0}, "vocab_size wants an integer of at least 1, came 0"),
        ({"d_model": -128}, "d_model wants an integer of at least 1, came -128"),
        ({"n_layers": 4.0}, "n_layers wants an integer of at least 1, came 4.0"),
        ({"n_heads": "4"}, "n_heads wants an integer of at least 1, came '4'"),
        ({"d_ff": True}, "d_ff wants an integer of at least 1, came True"),
        ({"head_dim": None}, "head_dim wants an integer of at least 1, came None"),
        ({"n_kv_heads": 3}, r"n_kv_heads wants a divisor of n_heads \(4\), came 3"),
        ({"n_kv_heads": 8}, r"n_kv_heads wants a divisor of n_heads \(4\), came 8"),
        ({"learned_positions": -1}, "learned_positions wants an integer of at least 0"),
        ({"tied": 1}, "tied wants True or False, came 1"),
        ({"qk_norm": "heads"}, "qk_norm wants one of none, head, full, came 'heads'"),
        ({"name": " "}, "a model shape wants a name"),
    ],
)
def test_a_shape_is_checked_at_birth(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(MICRO_TIED, **change)  # type: ignore[arg-type]


def test_every_part_counts_with_biases_and_norms() -> None:
    shape = ModelShape("all", 10, 4, 1, 2, 1, 3, 5, True, False, True, True, 3, True, "full", 7)
    parts = count(shape)
    assert (parts.table, parts.head, parts.positions) == (40, 40, 28)
    assert parts.attention == 4 * 6 + 2 * (4 * 3) + 6 * 4 + (6 + 3 + 3) + 4 + (6 + 3)
    assert parts.mlp == 3 * 4 * 5 + 2 * 5 + 4
    assert parts.norms == (3 + 1) * 2 * 4


@pytest.mark.parametrize("context", [0, -1, 1.5, None])
def test_arithmetic_refuses_a_context_that_is_no_count(context: int) -> None:
    with pytest.raises(ValueError, match="context wants an integer of at least 1"):
        arithmetic(MICRO_TIED, context)


def test_an_unknown_model_is_answered_with_the_nearest() -> None:
    with pytest.raises(ValueError, match=r"no open model 'Llama 3 8b'; did you mean 'Llama 3 8B'\?"):
        model("Llama 3 8b")
    with pytest.raises(ValueError, match=r"the names are in plates/data/open-models\.csv"):
        model("zzz")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name,family", "nom,family", "copy.csv:1: wanted the columns name,family"),
        (
            "GPT-2 124M,GPT-2,2019,50257",
            'GPT-2 124M,GPT-2,2019,"50,257"',
            "copy.csv:2: vocab_size wants a whole",
        ),
        ("GPT-2 124M,", "GPT-2 124M,extra,", r"copy.csv:2: wanted 20 cells, came 21"),
        ("768,12,12,12,64,3072,0,1", "768,12,12,12,64,3072,0,2", "copy.csv:2: tied wants 0 or 1, came '2'"),
        ("768,12,12,12,64", "768,12,12,5,64", "copy.csv:2: GPT-2 124M: n_kv_heads wants a divisor"),
    ],
)
def test_a_damaged_table_is_refused_with_its_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = TABLE.read_text(encoding="utf-8")
    assert old in text
    copy = tmp_path / "copy.csv"
    copy.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        open_models(copy)


def test_the_columns_are_those_of_the_file() -> None:
    assert TABLE.read_text(encoding="utf-8").splitlines()[0] == ",".join(COLUMNS)
