"""Which of an untied model's two tables does a tied table resemble, the input's or the output's?

Two tables learned apart have axes of their own, so one is first turned onto the other as well as a
rotation can: the orthogonal Procrustes problem. Then each token's two rows are compared by their cosine.

Where all rows of a table share a direction, so do the rows of different tokens, and a cosine says little of
the token. So the tables are compared as they are and once more centred, each row less its table's mean row;
and either way with the tied rows in their own order and in another, which shows what belongs to no token.

Legend: V tokens, D width.

Source: Schönemann 1966, Psychometrika 31; centred first, as in Gower 1975, Psychometrika 40. The question is
that of Press and Wolf 2016, arXiv 1608.05859; the direction that rows share, of Mu and Viswanath 2018, arXiv
1702.01417.
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


def centre(rows: Floats) -> Floats:
    """Take the mean row from each of rows [V, D], and so the direction that they share."""
    return np.asarray(rows - rows.mean(axis=0))


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
        For each comparison and each group of the vocabulary, rarest first: the untied table, 'input' or
        'output'; whether both tables were centred, and whether the tied rows stand in another order, 'no' or
        'yes'; the group from 1; its tokens; the mean of their cosines.
    """
    order = np.random.Generator(np.random.PCG64(SHUFFLE_SEED)).permutation(len(tied))
    group = frequency_groups(np.bincount(stream, minlength=len(tied)))
    rows: list[list[Any]] = []
    for table, theirs in (("input", inputs), ("output", outputs)):
        for centred, (ours, others) in (("no", (tied, theirs)), ("yes", (centre(tied), centre(theirs)))):
            for shuffled, values in (("no", cosines(ours, others)), ("yes", cosines(ours[order], others))):
                for number in range(GROUPS):
                    own = values[group == number]
                    rows.append([table, centred, shuffled, number + 1, len(own), float(own.mean())])
    return rows
