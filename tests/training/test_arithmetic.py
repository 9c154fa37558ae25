import pytest
from torch.utils.flop_counter import FlopCounterMode

from training.arithmetic import step_flop, step_products
from training.recipe import TIED
from training.train import Trainer


def test_micros_step_costs_what_the_design_says():
    flop = step_flop(TIED)
    total = sum(flop.values())
    assert total / TIED.tokens_per_step == pytest.approx(11.8e6, rel=0.01)
    assert flop["head"] / total == pytest.approx(0.53, abs=0.005)
    assert sum(p.flop for p in step_products(TIED, 256)) == total


def test_torch_counts_the_same_products(small, material, engine):
    trainer = Trainer(small, material.data, engine)
    with FlopCounterMode(display=False) as counter:
        trainer.advance()
    assert counter.get_total_flops() == sum(step_flop(small).values())
