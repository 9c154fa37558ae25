import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from training.corpus import Windows
from training.recipe import TIED, UNTIED
from training.train import Data, NonFiniteLossError, Trainer, train


def test_the_first_record_is_measured_before_any_update(small, material, engine):
    first = next(train(Trainer(small, material.data, engine)))
    assert (first.step, first.batch_loss) == (0, None)
    assert first.heldout.loss == pytest.approx(math.log(small.vocab_size), abs=0.1)


@pytest.mark.parametrize("recipe", [TIED, UNTIED], ids=["tied", "untied"])
def test_micro_begins_near_the_uniform_loss(recipe, engine):
    stream = np.random.default_rng(0).integers(recipe.vocab_size, size=5 * recipe.tokens_per_step)
    windows = Windows(
        *(part.reshape(-1, 128)[:16] for part in (stream[:-128], stream[128:])), np.zeros(16, np.int64)
    )
    trainer = Trainer(recipe, Data(stream, windows, windows), engine)
    assert trainer.sample_scores("train").loss == pytest.approx(math.log(recipe.vocab_size), abs=0.1)


def test_a_run_learns_and_ends_at_its_last_step(small, material, engine):
    records = list(train(Trainer(small, material.data, engine)))
    assert [record.step for record in records] == list(range(small.steps + 1))
    assert [record.step for record in records if record.heldout is not None] == [0, 10, 12]
    assert records[-1].heldout.loss < records[0].heldout.loss - 0.3


def test_training_does_not_depend_on_how_often_one_looks(small, material, engine):
    seldom = [record.batch_loss for record in train(Trainer(small, material.data, engine))]
    trainer, often = Trainer(small, material.data, engine), [None]
    while trainer.step < small.steps:
        trainer.sample_scores("heldout")
        often.append(trainer.advance())
        trainer.sample_scores("train")
    assert often == seldom


def test_same_seed_same_bytes_and_resumed_as_uninterrupted(small, material, engine):
    whole = Trainer(small, material.data, engine)
    losses = [whole.advance() for _ in range(small.steps)]
    first = Trainer(small, material.data, engine)
    head = [first.advance() for _ in range(5)]
    second = Trainer(small, material.data, engine)
    second.restore(first.state())
    assert head + [second.advance() for _ in range(small.steps - 5)] == losses
    ours, theirs = whole.model.state_dict(), second.model.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize("head", ["tied", "untied"])
def test_the_step_is_that_of_autograd(small, material, engine, head):
    recipe = replace(small, run=head, head=head, gradient_clip=1e9)
    trainer = Trainer(recipe, material.data, engine)
    reference = Trainer(recipe, material.data, engine).model
    from training.batches import batch

    inputs, targets = (torch.from_numpy(part.copy()) for part in batch(material.data.stream, recipe, 0))
    loss = torch.nn.functional.cross_entropy(
        reference(inputs).flatten(0, 1) @ reference.output_table.T, targets.flatten()
    )
    loss.backward()
    assert trainer.advance() == pytest.approx(loss.item(), abs=1e-5)
    for name, parameter in reference.named_parameters():
        found = dict(trainer.model.named_parameters())[name].grad
        torch.testing.assert_close(found, parameter.grad, rtol=1e-4, atol=1e-6, msg=name)


def test_a_loss_that_is_not_finite_stops_the_run_at_its_step(small, material, engine):
    trainer = Trainer(small, material.data, engine)
    trainer.advance()
    with torch.no_grad():
        trainer.model.final_norm.weight[0] = torch.inf
    before = trainer.model.embedding.clone()
    complaint = r"run 'tied': loss nan .* at step 2; lower the learning rate"
    with pytest.raises(NonFiniteLossError, match=complaint):
        trainer.advance()
    assert trainer.step == 1
    assert torch.equal(trainer.model.embedding, before)


def test_weights_that_the_last_update_spoilt_are_not_taken_for_a_result(small, material, engine):
    """The batch's own loss is measured before the update, and is finite here."""
    wild = replace(small, steps=1, warmup_steps=1, learning_rate=1e40)
    with pytest.raises(NonFiniteLossError, match=r"run 'tied': train loss (nan|inf) at step 1; lower"):
        list(train(Trainer(wild, material.data, engine)))
