"""Cross-entropy through a large vocabulary, a few rows at a time.

Legend: N positions (B * T), V tokens, D width, C rows of one chunk.

All N * V logits of a step would fill 64 MiB in float32, written and read several times over. They are only
needed row by row: so each chunk of C rows is scored, turned into its own gradient while it lies in the cache,
multiplied back onto both sides, and dropped. Every matrix product is still done once.
"""

import torch
from torch import Tensor

CHUNK_ROWS = 256
"""Rows scored at once: 256 x 8192 bfloat16 logits fill 4 MiB, of the order of a second-level cache."""


def cross_entropy_rows(hidden: Tensor, table: Tensor, targets: Tensor) -> Tensor:
    """Score rows against every token and return each row's loss.

    Args:
        hidden: final vectors [N, D], in the precision of the products.
        table: output table [V, D], in the same precision.
        targets: int64 [N].

    Returns:
        Loss of each row, float32 [N], nats.
    """
    losses = []
    for h, y in zip(torch.split(hidden, CHUNK_ROWS), torch.split(targets, CHUNK_ROWS), strict=True):
        logits = (h @ table.T).float()  # [C, V]
        losses.append(logits.logsumexp(dim=1) - logits.gather(1, y[:, None])[:, 0])
    return torch.cat(losses)


def cross_entropy_gradients(hidden: Tensor, table: Tensor, targets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the mean cross-entropy and its gradients without ever holding more than a chunk of logits.

    Args:
        hidden: final vectors [N, D], in the precision of the products; N a multiple of CHUNK_ROWS.
        table: output table [V, D], in the same precision.
        targets: int64 [N].

    Returns:
        The loss (nats per token, float32 scalar), its gradient by `hidden` [N, D] in the precision of the
        products and its gradient by `table` [V, D] in float32.

    Source: d loss / d logits = (softmax - one_hot) / N, for instance
    Goodfellow, Bengio and Courville 2016, section 6.2.2.
    """
    n = hidden.shape[0]
    loss = hidden.new_zeros((), dtype=torch.float32)
    table_gradient = table.new_zeros(table.shape, dtype=torch.float32)
    hidden_gradients = []
    tokens = torch.arange(table.shape[0], dtype=torch.int32, device=table.device)
    for h, y in zip(torch.split(hidden, CHUNK_ROWS), torch.split(targets, CHUNK_ROWS), strict=True):
        logits = (h @ table.T).float()  # [C, V]
        peak = logits.amax(dim=1, keepdim=True)  # [C, 1]
        exponentials = (logits - peak).exp()  # [C, V]
        total = exponentials.sum(dim=1, keepdim=True)  # [C, 1]
        loss = loss + (total.log() + peak - logits.gather(1, y[:, None])).sum()
        # 32-bit ids: sixteen comparisons an instruction instead of eight, over every logit there is.
        one_hot = (tokens == y.int()[:, None]).float()  # [C, V]
        gradient = (exponentials * (1 / (total * n)) - one_hot * (1 / n)).to(h.dtype)  # [C, V]
        hidden_gradients.append(gradient @ table)  # [C, D]
        table_gradient = table_gradient + gradient.T @ h  # [V, D]
    return loss / n, torch.cat(hidden_gradients), table_gradient
