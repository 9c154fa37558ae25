import math
from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from training.model import INITIAL_STD, Micro, count_parameters
from training.recipe import TIED, UNTIED
from training.train import build_optimizer, learning_rate, weight_decay


@pytest.fixture(scope="module")
def pair():
    return Micro(TIED), Micro(UNTIED)


def test_torch_counts_what_the_design_says(pair):
    assert [count_parameters(model) for model in pair] == [1_852_544, 2_901_120]


def test_the_tie_is_structural(pair):
    tied, untied = pair
    assert tied.output_table is tied.embedding
    assert "head" not in dict(tied.named_parameters())
    assert "head" not in tied.state_dict()
    assert untied.output_table is untied.head
    with torch.no_grad():
        before = tied.embedding[5].clone()
        tied.output_table[5] += 1
        assert torch.equal(tied.embedding[5], before + 1)
        tied.output_table[5] -= 1


def test_all_that_both_models_own_begins_the_same_bit_for_bit():
    tied, untied = Micro(TIED).state_dict(), Micro(UNTIED).state_dict()
    assert set(untied) - set(tied) == {"head"}
    assert all(torch.equal(tied[name], untied[name]) for name in tied)
    assert not torch.equal(untied["head"], untied["embedding"])


@pytest.mark.parametrize("recipe", [TIED, UNTIED], ids=["tied", "untied"])
def test_initial_standard_deviations(recipe):
    for name, parameter in Micro(recipe).named_parameters():
        if "norm" in name:
            assert torch.equal(parameter, torch.ones_like(parameter)), name
            continue
        residual = name.endswith("out.weight")
        wanted = INITIAL_STD / math.sqrt(8) if residual else INITIAL_STD
        # Four standard errors of a standard deviation estimated from that many values.
        assert parameter.std().item() == pytest.approx(wanted, rel=4 / math.sqrt(2 * parameter.numel())), name


def test_another_seed_gives_other_weights():
    one, other = Micro(TIED), Micro(replace(TIED, seed=TIED.seed + 1))
    assert not torch.equal(one.embedding, other.embedding)


def test_no_position_reads_a_later_one(small):
    model = Micro(small)
    tokens = torch.randint(280, (1, 16), generator=torch.Generator().manual_seed(0))
    changed = tokens.clone()
    changed[0, 9] = (changed[0, 9] + 1) % 280
    ours, theirs = model(tokens), model(changed)
    assert torch.equal(ours[0, :9], theirs[0, :9])
    assert not torch.equal(ours[0, 9:], theirs[0, 9:])


def test_attention_is_the_textbooks(small):
    attention = Micro(small).blocks[0].attention
    x = torch.randn(2, 16, 16, generator=torch.Generator().manual_seed(0))
    q, k, v = attention.qkv(x).view(2, 16, 3, 2, 8).permute(2, 0, 3, 1, 4)
    reference = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    wanted = attention.out(reference.transpose(1, 2).reshape(2, 16, 16))
    torch.testing.assert_close(attention(x), wanted)


def test_decay_is_the_recipes_and_never_on_norms():
    recipe = replace(UNTIED, weight_decay=0.3, table_weight_decay=0.2)
    model = Micro(recipe)
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    decays = {
        names[id(parameter)]: group["weight_decay"]
        for group in build_optimizer(model, recipe).param_groups
        for parameter in group["params"]
    }
    assert decays["embedding"] == decays["head"] == decays["positions"] == 0.2
    assert decays["blocks.0.attention.qkv.weight"] == decays["blocks.3.mlp.out.weight"] == 0.3
    assert {decay for name, decay in decays.items() if "norm" in name} == {0.0}
    assert len(decays) == len(names)


def test_a_tied_table_is_decayed_once():
    groups = build_optimizer(Micro(TIED), TIED).param_groups
    parameters = [id(parameter) for group in groups for parameter in group["params"]]
    assert len(parameters) == len(set(parameters))
    assert weight_decay("embedding", TIED) == TIED.table_weight_decay


def test_the_learning_rate_warms_up_and_falls_to_its_share():
    peak = TIED.learning_rate
    assert learning_rate(TIED, 0) == pytest.approx(peak / 200)
    assert learning_rate(TIED, 199) == learning_rate(TIED, 200) == peak
    assert learning_rate(TIED, 3100) == pytest.approx(peak * 0.55)
    assert learning_rate(TIED, 6000) == pytest.approx(peak * 0.1)
    rates = [learning_rate(TIED, step) for step in range(200, 6000)]
    assert all(a >= b for a, b in pairwise(rates))
