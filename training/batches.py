"""Which tokens a step reads: a pure function of the seed and the step.

No position in a stream is kept, so a run that is cut short and resumed can neither repeat nor skip a batch.
"""

from functools import lru_cache

import numpy as np

from training.corpus import Tokens
from training.recipe import Recipe


def batch(stream: Tokens, recipe: Recipe, step: int) -> tuple[Tokens, Tokens]:
    """Return what the update from `step` to `step + 1` reads.

    The stream is cut into windows of one context length; each pass over it visits every window once, in an
    order and from a first token of its own, both drawn from the seed and the number of the pass.

    Args:
        stream: the training tokens [N].
        recipe: gives seed, batch size B and context length T.
        step: updates made before this one.

    Returns:
        Inputs and targets, each int64 [B, T].

    Raises:
        ValueError: the stream is shorter than two windows.
    """
    starts = [_start(len(stream), recipe, step * recipe.batch_size + i) for i in range(recipe.batch_size)]
    offsets = np.array(starts)[:, None] + np.arange(recipe.context_length + 1)  # [B, T + 1]
    tokens = stream[offsets]
    return tokens[:, :-1], tokens[:, 1:]


def passes(stream_tokens: int, recipe: Recipe) -> float:
    """How often the whole run reads the training stream."""
    return recipe.steps * recipe.batch_size / _windows(stream_tokens, recipe.context_length)


def _start(stream_tokens: int, recipe: Recipe, sequence: int) -> int:
    """First token of the run's n-th sequence."""
    windows = _windows(stream_tokens, recipe.context_length)
    first, order = _pass_order(recipe.seed, sequence // windows, windows, recipe.context_length)
    return first + int(order[sequence % windows]) * recipe.context_length


def _windows(stream_tokens: int, context_length: int) -> int:
    """Windows that fit in the stream whatever the first token: the shift costs up to one of them."""
    windows = (stream_tokens - context_length) // context_length
    if windows < 1:
        raise ValueError(
            f"batches: wanted a training stream of at least {2 * context_length} tokens, "
            f"got {stream_tokens}; give more text or a shorter context_length"
        )
    return windows


@lru_cache(maxsize=4)
def _pass_order(seed: int, number: int, windows: int, context_length: int) -> tuple[int, Tokens]:
    """The shift of one pass and the order of its windows."""
    random = np.random.Generator(np.random.PCG64([seed, number]))
    return int(random.integers(context_length)), random.permutation(windows).astype(np.int64)
