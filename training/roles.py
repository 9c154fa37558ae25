"""Which of an untied model's two tables does a tied table resemble, the input's or the output's?

Two tables learned apart have axes of their own, so one is first turned onto the other as well as a
rotation can: the orthogonal Procrustes problem. Then each token's two rows are compared by their cosine.

Legend: V tokens, D width.

Source: Schönemann 1966, Psychometrika 31. The question is that of Press and Wolf 2016, arXiv 1608.05859.
"""

from typing import Any

import numpy as np

from training.corpus import Tokens
from training.evaluate import Floats
from training.measure import GROUPS, frequency_groups

SHUFFLE_SEED = 0
"""Of the comparison in which the rows of the tied table stand in another order."""


def align(rows: Floats, onto: Floats) -> Floats:
    """Rotate rows [V, D] onto others [V, D], so that the sum of squared distances is the least possible."""
    left, _, right = np.linalg.svd(rows.T @ onto)
    turned: Floats = rows @ (left @ right)
    return turned


def cosines(rows: Floats, others: Floats) -> Floats:
    """Cosine of each row with its counterpart, after the first table is rotated onto the second, [V]."""
    turned = align(rows, others)
    lengths = np.linalg.norm(turned, axis=1) * np.linalg.norm(others, axis=1)
    # A row of zeros points nowhere: its cosine counts as zero.
    return np.asarray((turned * others).sum(axis=1) / np.maximum(lengths, np.finfo(np.float64).tiny))


def role_rows(tied: Floats, inputs: Floats, outputs: Floats, stream: Tokens) -> list[list[Any]]:
    """Compare a tied table with both tables of an untied model.

    Args:
        tied: the tied table [V, D].
        inputs: the untied model's table that reads [V, D].
        outputs: the untied model's table that scores [V, D].
        stream: the training tokens, which the groups of frequency are counted on.

    Returns:
        For each table and each group of the vocabulary, rarest first: 'input', 'output', or 'shuffled' (the
        input table after the tied rows are put in another order: what an alignment finds by chance);
        the group from 1; its tokens; the mean of their cosines.
    """
    order = np.random.Generator(np.random.PCG64(SHUFFLE_SEED)).permutation(len(tied))
    group = frequency_groups(np.bincount(stream, minlength=len(tied)))
    compared = {
        "input": cosines(tied, inputs),
        "output": cosines(tied, outputs),
        "shuffled": cosines(tied[order], inputs),
    }
    return [
        [name, number + 1, int((group == number).sum()), float(values[group == number].mean())]
        for name, values in compared.items()
        for number in range(GROUPS)
    ]
