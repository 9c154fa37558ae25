import math

import numpy as np
import pytest
import torch

from training.corpus import Windows
from training.evaluate import batches, exact_losses
from training.train import Trainer


@pytest.fixture
def trained(small, material, engine):
    trainer = Trainer(small, material.data, engine)
    for _ in range(6):
        trainer.advance()
    return trainer


def one_window(windows: Windows, index: int) -> list[np.ndarray]:
    return [part[index : index + 1].copy() for part in (windows.inputs, windows.targets, windows.address)]


@pytest.mark.parametrize("size", [1, 7, 16, 64])
def test_heldout_loss_does_not_depend_on_the_evaluation_batch(trained, material, size):
    heldout = material.data.heldout
    assert len(heldout.inputs) % size or size == 1  # the last batch is a short one
    wanted = exact_losses(trained.model, heldout)
    assert abs(exact_losses(trained.model, heldout, size) - wanted).max() < 1e-9


def test_the_exact_losses_are_the_formula_s(trained, material):
    inputs, targets, _ = one_window(material.data.heldout, 3)
    model = trained.model.double()
    logits = (model(torch.from_numpy(inputs))[0] @ model.output_table.T).detach().numpy()
    wanted = [math.log(np.exp(row).sum()) - row[y] for row, y in zip(logits, targets[0], strict=True)]
    found = exact_losses(trained.model.float(), Windows(*one_window(material.data.heldout, 3)))
    np.testing.assert_allclose(found[0], wanted, atol=1e-7)


def test_measuring_leaves_the_model_in_its_own_precision(trained, material):
    before = {name: value.clone() for name, value in trained.model.state_dict().items()}
    exact_losses(trained.model, material.data.heldout)
    trained.sample_scores("heldout")
    after = trained.model.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert {value.dtype for value in after.values()} == {torch.float32}


def test_a_samples_loss_is_the_exact_one_to_within_the_precision(trained, material):
    heldout = material.data.heldout
    exact = exact_losses(trained.model, heldout).sum() / heldout.tokens
    assert trained.sampler.scores(heldout).loss == pytest.approx(exact, abs=1e-6)


def test_filled_up_positions_do_not_count(trained, material):
    heldout = material.data.heldout
    tail = np.flatnonzero((heldout.targets < 0).any(axis=1))[0]
    window = one_window(heldout, tail)
    before = trained.sampler.scores(Windows(*window)), exact_losses(trained.model, Windows(*window)).tolist()
    window[0][window[1] < 0] = 7
    after = trained.sampler.scores(Windows(*window)), exact_losses(trained.model, Windows(*window)).tolist()
    assert before == after
    assert set(np.array(after[1])[window[1] < 0]) == {0.0}


def test_scores_are_those_of_plain_loops(trained, material):
    heldout = material.data.heldout
    rows = []
    with torch.no_grad():
        for inputs, targets in zip(heldout.inputs, heldout.targets, strict=True):
            logits = trained.model(torch.from_numpy(inputs[None]))[0] @ trained.model.output_table.T
            for x, y, z in zip(inputs, targets, logits, strict=True):
                if y >= 0:
                    p = z.softmax(dim=0)
                    rows.append((-p[y].log(), p[x], z[x] - z.mean(), z.argmax() == x, x == y))
    found = trained.sampler.scores(heldout)
    assert (
        found.loss, found.own_probability, found.own_logit, found.own_top_share, found.repeat_rate
    ) == pytest.approx([float(np.mean(column)) for column in zip(*rows, strict=True)], abs=1e-5)  # fmt: skip


def test_continuations_are_the_likeliest_token_after_the_likeliest(trained, material):
    heldout = material.data.heldout
    prompts, continuations = trained.sampler.continue_greedily(heldout, 5)
    assert prompts.shape == (5, 8)
    assert continuations.shape == (5, 8)
    whole = heldout.inputs[(heldout.targets >= 0).all(axis=1)]
    assert prompts[0].tolist() == whole[0, :8].tolist()
    assert prompts[-1].tolist() == whole[-1, :8].tolist()
    text = prompts[2].tolist()
    with torch.no_grad():
        for _ in range(8):
            last = trained.model(torch.tensor([text]))[0, -1]
            text.append(int((last @ trained.model.output_table.T).argmax()))
    assert text[8:] == continuations[2].tolist()


def test_every_window_is_in_one_batch(material):
    heldout = material.data.heldout
    pieces = [inputs[:count] for inputs, _, count in batches(heldout, 7)]
    assert np.concatenate(pieces).tolist() == heldout.inputs.tolist()
