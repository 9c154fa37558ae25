"""The result of a run: what its final weights are worth on everything held out.

Losses are those of `training.evaluate.exact_losses`: in float64, a property of the weights alone.

Legend: W windows, T positions, V tokens.
"""

from typing import Any

import numpy as np

from training.corpus import Tokens, Windows
from training.evaluate import Floats, exact_losses
from training.material import Material
from training.train import Trainer

GROUPS = 10
"""Groups of equally many tokens of the vocabulary, by how often they come in the training text."""
PROMPTS = 200
"""Held-out prompts that are continued."""
NGRAM = 4
"""Tokens in the passages whose return inside a continuation is counted."""


def measure_result(trainer: Trainer, material: Material) -> dict[str, Any]:
    """Measure the final weights.

    Returns:
        `final_train_loss` and `final_heldout_loss`, nats per token; `heldout_bits_per_byte`; and the rows of
        `addresses`, `frequencies` and `continuations`, in the columns that `training.export` names.
    """
    heldout = material.data.heldout
    losses = exact_losses(trainer.model, heldout)
    sample = material.data.train.sample(trainer.recipe.final_evaluation_windows)
    prompts, continuations = trainer.sampler.continue_greedily(heldout, PROMPTS)
    return {
        "final_train_loss": float(exact_losses(trainer.model, sample).sum() / sample.tokens),
        "final_heldout_loss": float(losses.sum() / heldout.tokens),
        "heldout_bits_per_byte": float(losses.sum() / np.log(2) / material.split.heldout_bytes),
        "addresses": address_rows(losses, material),
        "frequencies": frequency_rows(losses, heldout, material.data.stream, trainer.recipe.vocab_size),
        "continuations": [continuation_row(prompts, continuations)],
    }


def address_rows(losses: Floats, material: Material) -> list[list[Any]]:
    """Name, year, tokens, bytes and loss of each held-out address, nats per token."""
    heldout = material.data.heldout
    rows = []
    for index, address in enumerate(material.split.heldout):
        own = heldout.address == index
        tokens = int((heldout.targets[own] >= 0).sum())
        rows.append([address.name, address.year, tokens, address.bytes, float(losses[own].sum() / tokens)])
    return rows


def frequency_rows(losses: Floats, windows: Windows, stream: Tokens, vocab_size: int) -> list[list[Any]]:
    """Split the loss by how often the target comes in the training text.

    Returns:
        For each group of the vocabulary, rarest first: its number from 1, its tokens, their least and most
        frequent training count, the targets that are of the group, and their loss in nats per token. A group
        without a target is left out.
    """
    counts = np.bincount(stream, minlength=vocab_size)
    group = frequency_groups(counts)
    real = windows.targets >= 0
    of_target = group[windows.targets[real]]
    rows: list[list[Any]] = []
    for number in range(GROUPS):
        members, own = counts[group == number], losses[real][of_target == number]
        if len(own):
            span = int(members.min()), int(members.max())
            rows.append([number + 1, len(members), *span, len(own), float(own.mean())])
    return rows


def frequency_groups(counts: Tokens) -> Tokens:
    """Number the group of each token [V], from 0 for the rarest; ties go by token id."""
    rank = np.empty(len(counts), dtype=np.int64)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(counts))
    return rank * GROUPS // len(counts)


def continuation_row(prompts: Tokens, continuations: Tokens) -> list[Any]:
    """How greedy continuations repeat themselves.

    Returns:
        Prompts, tokens of a prompt, tokens of a continuation; the share of continued tokens equal to the
        token before them; the share of the 4-grams of a continuation that came in it before.
    """
    before = np.concatenate([prompts[:, -1:], continuations[:, :-1]], axis=1)
    grams = np.lib.stride_tricks.sliding_window_view(continuations, NGRAM, axis=1)  # [P, S - 3, 4]
    repeated = sum(len(own) - len({tuple(gram) for gram in own.tolist()}) for own in grams)
    return [
        len(prompts),
        prompts.shape[1],
        continuations.shape[1],
        float((continuations == before).mean()),
        repeated / (grams.shape[0] * grams.shape[1]),
    ]
