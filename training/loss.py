"""Cross-entropy through a large vocabulary, a few rows at a time.

Legend: N positions (B * T), V tokens, D width, C rows of one chunk.

All N * V logits of a step would fill 64 MiB in float32, written and read several times over. They are only
needed row by row: so each chunk of C rows is scored, turned into its own gradient while it lies in the cache,
multiplied back onto both sides, and dropped. Every matrix product is still done once.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor

from training.model import widen

CHUNK_ROWS = 512
"""Rows scored at once: 512 x 8192 bfloat16 logits fill 8 MiB."""

Gradients = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor, Tensor]]


class RowScores(NamedTuple):
    """What each of N rows makes of its target, and of its own token read again. The losses are in nats."""

    loss: Tensor
    """Cross-entropy of the target, [N]."""
    own_log_probability: Tensor
    """Log-probability given to the row's own token, [N]."""
    own_logit: Tensor
    """Logit of the row's own token, less the mean of the row's logits, [N]."""
    own_is_top: Tensor
    """Whether no token has a higher logit than the row's own, bool [N]."""


def score_rows(hidden: Tensor, table: Tensor, targets: Tensor, own: Tensor) -> RowScores:
    """Score rows against every token.

    Args:
        hidden: final vectors [N, D], in the precision of the products.
        table: output table [V, D], in the same precision.
        targets: the token after each row's own, int64 [N].
        own: the token that each row has just read, int64 [N].
    """
    chunks = []
    for h, y, x in zip(*(torch.split(part, CHUNK_ROWS) for part in (hidden, targets, own)), strict=True):
        logits = widen(h @ table.T)  # [C, V]
        total = logits.logsumexp(dim=1)  # [C]
        target, repeat = (logits.gather(1, token[:, None])[:, 0] for token in (y, x))
        chunks.append(
            (total - target, repeat - total, repeat - logits.mean(dim=1), repeat >= logits.amax(dim=1))
        )
    return RowScores(*(torch.cat(parts) for parts in zip(*chunks, strict=True)))


def cross_entropy_gradients(hidden: Tensor, table: Tensor, targets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the mean cross-entropy and its gradients without ever holding more than a chunk of logits.

    With p the softmax of a row's logits, the gradient by its logits is (p - one_hot(target)) / N. The one-hot
    part is sparse: it is left out of the products and added at its N places alone, in float32. And what
    enters the products is exp(logit - peak), straight from the loop that sums it: dividing the D numbers
    that come out is cheaper than the V that go in.

    Args:
        hidden: final vectors [N, D], in the precision of the products.
        table: output table [V, D], in the same precision.
        targets: int64 [N].

    Returns:
        The loss (nats per token, scalar), its gradient by `hidden` [N, D] and by `table` [V, D], all float32.

    Source: Goodfellow, Bengio and Courville 2016, section 6.2.2.
    """
    n = hidden.shape[0]
    loss = hidden.new_zeros((), dtype=torch.float32)
    table_gradient = table.new_zeros(table.shape, dtype=torch.float32)
    hidden_gradients = []
    for h, y in zip(torch.split(hidden, CHUNK_ROWS), torch.split(targets, CHUNK_ROWS), strict=True):
        logits = h @ table.T  # [C, V]
        peak = logits.amax(dim=1, keepdim=True).float()  # [C, 1]
        exponentials = (logits.float() - peak).exp()  # [C, V]
        total = exponentials.sum(dim=1, keepdim=True)  # [C, 1]
        loss = loss + (total.log() + peak - logits.gather(1, y[:, None]).float()).sum()
        exponentials, share = exponentials.to(h.dtype), 1 / (total * n)
        hidden_gradients.append((exponentials @ table).float() * share - table[y].float() / n)  # [C, D]
        table_gradient = table_gradient + exponentials.T @ (h * share).to(h.dtype)  # [V, D]
    table_gradient = table_gradient.index_add(0, targets, hidden.float() / -n)
    return loss / n, torch.cat(hidden_gradients), table_gradient


class CrossEntropy(torch.autograd.Function):
    """Mean cross-entropy whose gradients are made on the way forward, for torch's autograd.

    The table enters in float32 and so does its gradient, whatever the precision of the products: a tied
    table's two gradients, as it is read and as it scores, meet at full precision.
    """

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, table: Tensor, targets: Tensor, dtype: torch.dtype, gradients: Gradients
    ) -> Tensor:
        """Args: hidden [N, D]; table [V, D]; targets int64 [N]; the products' type; the function above."""
        loss, *ctx.gradients = gradients(hidden.to(dtype), table.to(dtype), targets)
        ctx.hidden_dtype = hidden.dtype
        return loss

    @staticmethod
    def backward(ctx: Any, scale: Tensor) -> tuple[Tensor, Tensor, None, None, None]:
        """Args: scale, the gradient of the loss, a scalar."""
        hidden, table = ctx.gradients
        return (hidden * scale).to(ctx.hidden_dtype), table * scale, None, None, None
