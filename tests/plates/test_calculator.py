"""The reader's own model: the script and Python count and print the same, and bad fields are told."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from bs4 import BeautifulSoup

from plates import calculator, numbers
from plates.calculator import FIELDS, FLAGS, context_of, form, known, texts
from plates.calculator_form import calculator as controls
from plates.open_models import open_models
from plates.parameters import MICRO_TIED, QK_NORMS, ModelShape, arithmetic, count

MODELS = open_models()
SHAPES = {"micro": MICRO_TIED, **{one.name: one.shape for one in MODELS}}
NAMES = [*(field.name for field in FIELDS), *(name for name, _ in FLAGS), "qk_norm"]
MICRO_FORM = dict(zip(NAMES, form(MICRO_TIED), strict=True))
ASK = """
require(process.argv[1]);
const { known, ask } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const all = bookTying.unpack(known);
const answers = {
  texts: (form) => { const { shape, faults } = bookTying.check(form, all.fields);
    return { faults, texts: Object.keys(faults).length ? null : bookTying.texts(shape, all.released) }; },
  form: (name) => all.forms.get(name),
  print: ([form, ...given]) => bookTying[form](...given),
  place: ([total, share]) => bookTying.place(total, share, all.domain),
  address: ([form, name]) => bookTying.toHash(form, name, all),
  read: (hash) => bookTying.fromHash(hash, all),
};
process.stdout.write(JSON.stringify(ask.map(([what, given]) => answers[what](given) ?? null)));
"""


@pytest.fixture(scope="session")
def node(root) -> Callable[[str, list[Any]], list[Any]]:
    """Asks the script's pure functions, all in one process."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("THE SCRIPT WAS NOT HELD AGAINST PYTHON HERE: no node; the browser tests do it too")

    def asked(what: str, given: list[Any]) -> list[Any]:
        told = json.dumps({"known": known(MODELS), "ask": [[what, one] for one in given]})
        script = str(root / "docs" / "assets" / "js" / "tying.js")
        done = subprocess.run(
            [program, "-e", ASK, script], input=told, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return asked


def as_form(shape: ModelShape, context: int) -> dict[str, Any]:
    values = dict(zip(NAMES, form(shape), strict=True))
    return {**values, "context": context, **{name: bool(values[name]) for name, _ in FLAGS}}


def random_shape(chance: random.Random, number: int) -> ModelShape:
    kv = chance.choice((1, 2, 4))
    return ModelShape(
        name=str(number),
        vocab_size=chance.randint(1, 10**7),
        d_model=chance.randint(1, 16_384),
        n_layers=chance.randint(1, 1000),
        n_heads=kv * chance.randint(1, 32),
        n_kv_heads=kv,
        head_dim=chance.randint(1, 1024),
        d_ff=chance.randint(1, 2**20),
        gated_mlp=chance.random() < 0.5,
        tied=True,
        qkv_bias=chance.random() < 0.5,
        linear_bias=chance.random() < 0.5,
        norms_per_layer=chance.randint(0, 8),
        norm_bias=chance.random() < 0.5,
        qk_norm=chance.choice(QK_NORMS),
        learned_positions=chance.choice((0, 1024, 10**7)),
    )


def test_the_script_and_python_agree_for_every_model_and_for_any_shape(node) -> None:
    chance = random.Random(7)
    asked = [(shape, context_of(shape)) for shape in SHAPES.values()]
    asked += [(random_shape(chance, n), chance.randint(1, 10**6)) for n in range(300)]
    asked += [
        (replace(MICRO_TIED, vocab_size=v, n_layers=n), 1) for v in (1, 2, 9999, 10**7) for n in (1, 1000)
    ]
    answers = node("texts", [as_form(shape, context) for shape, context in asked])
    for (shape, context), answer in zip(asked, answers, strict=True):
        assert answer == {"faults": {}, "texts": texts(shape, context, MODELS)}, shape.name


def test_the_script_knows_every_model_as_its_form(node) -> None:
    for (_, shape), told in zip(SHAPES.items(), node("form", list(SHAPES)), strict=True):
        assert told == {**as_form(shape, context_of(shape)), "tied": int(shape.tied)}


def test_the_script_prints_as_numbers_does(node) -> None:
    chance = random.Random(3)
    whole = [0, 1, 999, 1000, 999_499, 999_500, 999_999, 10**6, 1_005_000, 9_995_000, 999_500_000, 10**12]
    whole += [chance.randint(0, 10 ** chance.randint(1, 15)) for _ in range(200)]
    shares = [0.0, 1.0, 0.005, 0.0005, 0.285, 0.99949, 0.9995, 0.5, 1e-9]
    shares += [chance.randint(1, 10**6) / 10**6 for _ in range(200)]
    asked: list[list[Any]] = [[name, one] for name in ("count", "compact", "memory") for one in whole]
    wanted = [getattr(numbers, name)(one) for name, one in asked]
    asked += [["percent", one, digits] for one in shares for digits in (0, 1, 2)]
    asked += [["decimal", one * 50, 1] for one in shares]
    wanted += [numbers.percent(one, digits) for one in shares for digits in (0, 1, 2)]
    wanted += [numbers.decimal(one * 50, 1) for one in shares]
    assert node("print", asked) == wanted


def test_places_in_the_drawing_agree_and_stay_on_it(node) -> None:
    asked = [(one.parameters.total, 0.3) for one in MODELS] + [(1, 0.999), (10**15, 0.0)]
    for (total, share), told in zip(asked, node("place", asked), strict=True):
        assert told == pytest.approx(calculator.place(total, share))
        assert all(0 <= one <= 100 for one in told)


BAD = [
    ({"vocab_size": 0}, "vocab_size", "Vocabulary: wanted a whole number from 1 to 10,000,000, came “0”"),
    (
        {"vocab_size": ""},
        "vocab_size",
        "Vocabulary: wanted a whole number from 1 to 10,000,000, came nothing",
    ),
    ({"d_model": "-128"}, "d_model", "Width: wanted a whole number from 1 to 131,072, came “-128”"),
    ({"d_model": "128.5"}, "d_model", "came “128.5”"),
    ({"d_model": "1e3"}, "d_model", "came “1e3”"),
    ({"n_layers": "99999999999999999999"}, "n_layers", "Blocks: wanted a whole number from 1 to 1,000"),
    ({"n_layers": "no number"}, "n_layers", "came “no number”"),
    ({"n_heads": 3}, "n_heads", "Heads: wanted a divisor of the width, 128, came 3; or give a head’s width"),
    ({"n_kv_heads": 3}, "n_kv_heads", "Key and value heads: wanted a divisor of the heads, 4, came 3"),
    ({"context": ""}, "context", "Tokens attended to: wanted a whole number from 1 to 1,000,000"),
    ({"norms_per_layer": 9}, "norms_per_layer", "Norms in a block: wanted a whole number from 0 to 8"),
    ({"qk_norm": "odd"}, "qk_norm", "wanted one of none, head, full"),
]


def test_bad_fields_are_told_and_nothing_else(node) -> None:
    for (_, field, words), answer in zip(
        BAD, node("texts", [{**MICRO_FORM, **bad} for bad, *_ in BAD]), strict=True
    ):
        assert list(answer["faults"]) == [field]
        assert words in answer["faults"][field]
        assert answer["texts"] is None
    (free,) = node("texts", [{**MICRO_FORM, "n_heads": 3, "head_dim": 40}])
    assert free["faults"] == {}, "heads of a width of their own need not divide the model's"


def test_an_address_says_a_shape_and_is_read_again(node) -> None:
    forms = [as_form(shape, context_of(shape)) for shape in SHAPES.values()]
    hashes = node("address", [[one, ""] for one in forms])
    for told, one in zip(node("read", hashes), forms, strict=True):
        assert {key: str(value) for key, value in told.items()} == {
            key: str(value) for key, value in one.items()
        }
    (named,) = node("address", [[forms[6], "Llama 3 8B"]])
    assert named == "#model:name=Llama+3+8B"
    (back,) = node("read", [named])
    assert {**back, "tied": None} == {**forms[6], "tied": None}


def test_a_strange_address_is_harmless(node) -> None:
    strange = [
        "",
        "#",
        "#terms",
        "#model:",
        "#model:name=No+such",
        "#model:vocab_size=abc&x=1",
        "#model:%E0%A4%A",
    ]
    told = node("read", strange)
    assert told[:3] == [None] * 3
    assert told[3] == told[4] == as_form(MICRO_TIED, 128)
    assert told[5] == {**as_form(MICRO_TIED, 128), "vocab_size": "abc"}
    assert told[6] is not None


def test_the_largest_shape_is_still_counted_exactly() -> None:
    """In a script whole numbers are exact below 2 ** 53."""
    most = {field.name: field.most for field in FIELDS}
    context = most.pop("context")
    shape = ModelShape("most", gated_mlp=True, tied=False, qkv_bias=True, linear_bias=True, norm_bias=True,
                       qk_norm="full", **most)  # fmt: skip
    assert count(shape).total < 2**53
    assert arithmetic(shape, context).total < 2**53
    assert 4 * count(shape).table < 2**53


def test_the_controls_have_labels_messages_and_no_script_of_their_own() -> None:
    soup = BeautifulSoup(controls(MODELS, ["a.js", "b.js"], "c.css"), "html5lib")
    for control in soup.select("input, select"):
        assert control.get("aria-label") or soup.select_one(f"label[for='{control['id']}']"), control
    for number in soup.select("input[type=number]"):
        assert soup.find(id=number["aria-describedby"])["aria-live"] == "polite"
    text = str(soup)
    assert " style=" not in text
    assert not [name for tag in soup.find_all(True) for name in tag.attrs if name.startswith("on")]
    assert [script["src"] for script in soup.select("script[src]")] == ["a.js", "b.js"]
    assert "\n" not in controls(MODELS, [], "")
    box = soup.select_one(".calc")
    assert box.has_attr("hidden"), "without a script nothing of it is seen"
    assert len(soup.select("option")) == 41 + len(QK_NORMS)


def test_the_controls_show_micro_before_any_script() -> None:
    soup = BeautifulSoup(controls(MODELS, [], ""), "html5lib")
    shown = {place["data-out"]: place.get_text() for place in soup.select("[data-out]")}
    assert shown == texts(MICRO_TIED, 128, MODELS)
    assert shown["total_tied"] == "1,852,544"
    assert (shown["nearest_tied"], shown["products_share"]) == ("Gemma 3 270M", "53.3%")


def test_worked_examples_say_the_same() -> None:
    table = str(calculator.examples(MODELS))
    for wanted in ("1,852,544", "268,098,176", "8,030,261,248", "525,336,576", "62.6%", "6.5%", "1.05 GB"):
        assert f">{wanted}<" in table, wanted


def test_data_for_the_script_cannot_end_it() -> None:
    strange = replace(MODELS[0], shape=replace(MODELS[0].shape, name="</script><b>"))
    written = str(calculator.data([strange]))
    assert written.count("<") == 2
    assert written.count("</script>") == 1
