"""How much of the held-out text also stands in the training text, word for word."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from training.corpus import Tokens


def shared_passages(train: Tokens, heldout: Sequence[Tokens], length: int = 50) -> dict[str, int]:
    """Measure how much held-out text also stands in the training text, word for word.

    Args:
        train: the training stream [N].
        heldout: the encoded held-out addresses.
        length: shortest passage that counts, tokens.

    Returns:
        `length`, `tokens` (held-out tokens inside such a passage) and
        `addresses` (held-out addresses with one).
    """
    known = np.unique(_passage_hashes(train, length))
    tokens = addresses = 0
    for address in heldout:
        covered = np.zeros(len(address), dtype=bool)
        hashes = _passage_hashes(address, length)
        # A search in the sorted hashes, where np.isin would sort the millions anew for every address.
        before, after = (np.searchsorted(known, hashes, side) for side in ("left", "right"))
        for start in np.flatnonzero(before < after):
            covered[start : start + length] = True
        tokens += int(covered.sum())
        addresses += bool(covered.any())
    return {"length": length, "tokens": tokens, "addresses": addresses}


def _passage_hashes(tokens: Tokens, length: int) -> NDArray[np.uint64]:
    """Hash every run of `length` tokens by a polynomial modulo 2^64; two of millions collide about never."""
    count = max(len(tokens) - length + 1, 0)
    hashes = np.zeros(count, dtype=np.uint64)
    for offset in range(length):
        hashes = (
            hashes * np.uint64(0x9E3779B97F4A7C15)
            + tokens[offset : offset + count].astype(np.uint64)
            + np.uint64(1)
        )
    return hashes
