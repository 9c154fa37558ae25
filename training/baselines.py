"""Models without a network, on the same held-out tokens: what micro has to beat.

Legend: N training tokens, M held-out targets, V tokens of the vocabulary.
"""

import numpy as np

from training.corpus import Tokens, Windows
from training.evaluate import Floats

DISCOUNT = 0.75
"""Taken off every pair's count and given to the unigram. Source: Ney, Essen and Kneser 1994, Computer Speech
and Language 8; the value usual for word pairs."""


def baseline_rows(
    stream: Tokens, heldout: Windows, heldout_bytes: int, vocab_size: int
) -> list[list[object]]:
    """Score three models that count.

    Args:
        stream: training tokens [N].
        heldout: the held-out addresses as windows.
        heldout_bytes: their length as UTF-8, bytes.
        vocab_size: V.

    Returns:
        Name, loss in nats per token and in bits per byte, of 'uniform', 'unigram' and 'bigram'.
    """
    real = heldout.targets >= 0
    own, targets = heldout.inputs[real], heldout.targets[real]
    losses = {
        "uniform": np.full(len(targets), np.log(vocab_size)),
        "unigram": -np.log(unigram(stream, vocab_size))[targets],
        "bigram": bigram_losses(stream, own, targets, vocab_size),
    }
    to_bits = 1 / np.log(2) / heldout_bytes
    return [[name, float(loss.mean()), float(loss.sum() * to_bits)] for name, loss in losses.items()]


def unigram(stream: Tokens, vocab_size: int) -> Floats:
    """Probability of each token [V], one added to its count so that none is zero (Laplace)."""
    counts = np.bincount(stream, minlength=vocab_size) + 1.0
    return np.asarray(counts / counts.sum())


def bigram_losses(stream: Tokens, own: Tokens, targets: Tokens, vocab_size: int) -> Floats:
    """Loss of each target after its own token, nats [M], by interpolated absolute discounting.

    p(y | x) = max(c(x, y) - d, 0) / c(x) + d u(x) / c(x) p(y), with c the counts, u(x) the number of
    different tokens seen after x, d the discount and p(y) the unigram; after a token never seen, p(y) alone.
    """
    pairs, counts = np.unique(_keys(stream[:-1], stream[1:], vocab_size), return_counts=True)
    seen = np.bincount(pairs // vocab_size, weights=counts, minlength=vocab_size)  # c(x), [V]
    different = np.bincount(pairs // vocab_size, minlength=vocab_size)  # u(x), [V]
    wanted = _keys(own, targets, vocab_size)
    place = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    count = np.where(pairs[place] == wanted, counts[place], 0)  # c(x, y), [M]
    backoff = unigram(stream, vocab_size)[targets]
    total = np.maximum(seen[own], 1)
    mixed = np.maximum(count - DISCOUNT, 0) / total + DISCOUNT * different[own] / total * backoff
    return np.asarray(-np.log(np.where(seen[own] > 0, mixed, backoff)))


def _keys(first: Tokens, second: Tokens, vocab_size: int) -> Tokens:
    """One number for each pair of tokens."""
    return np.asarray(first * vocab_size + second)
