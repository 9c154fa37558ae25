"""What the weights are worth: fixed samples while a run goes, and everything held out at its end.

Nothing here changes a weight or draws a random number: how often one looks leaves the training as it is.

Legend: W windows, B windows scored at once, T positions, V tokens, D width.
"""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.corpus import Tokens, Windows
from training.engine import Engine
from training.loss import score_rows
from training.model import Micro

Floats = NDArray[np.float64]

EXACT_BATCH = 16
"""Windows scored at once in float64. Another number changes a loss by less than 1e-9 nats."""


@dataclass(frozen=True)
class Scores:
    """Means over the targets of a sample."""

    loss: float
    """Nats per token."""
    own_probability: float
    """Probability that a position gives to its own token, to come once more."""
    own_logit: float
    """Logit of a position's own token, less the mean of its logits."""
    own_top_share: float
    """Share of the positions at which no token scores higher than their own."""
    repeat_rate: float
    """Share of the positions whose own token does come once more: what the probability should be."""


class Sampler:
    """Scores samples in the precision and with the compiled loops of a run.

    Windows are scored in batches of one shape, the last one filled up, so that one compiled shape serves all
    and a window's loss does not depend on its company.
    """

    def __init__(self, model: Micro, body: Callable[[Tensor], Tensor], engine: Engine, windows: int) -> None:
        self._model, self._body, self._engine, self._windows = model, body, engine, windows
        self._score_rows = engine.compile(score_rows)

    @torch.no_grad()
    def scores(self, windows: Windows) -> Scores:
        """Average over the targets of some windows, in float64."""
        sums, counted, repeats = np.zeros(4), 0, 0
        dtype = self._engine.product_dtype
        table = self._model.output_table.to(dtype)
        for inputs, targets, _ in batches(windows, self._windows):
            x, y = (torch.from_numpy(part).to(self._engine.device) for part in (inputs, targets))
            rows = self._score_rows(self.hidden(x).flatten(0, 1).to(dtype), table, *_flat(y, x))
            real = (targets >= 0).ravel()
            loss, own_log_probability, own_logit, own_is_top = (
                part.cpu().numpy().astype(np.float64)[real] for part in rows
            )
            sums += [part.sum() for part in (loss, np.exp(own_log_probability), own_logit, own_is_top)]
            counted += int(real.sum())
            repeats += int((inputs == targets).sum())
        loss, own_probability, own_logit, own_top_share = (float(total) / counted for total in sums)
        return Scores(loss, own_probability, own_logit, own_top_share, repeats / counted)

    def hidden(self, tokens: Tensor) -> Tensor:
        """Final vectors [B, T, D] of a batch [B, T]."""
        with self._engine.autocast():
            return self._body(tokens)

    @torch.no_grad()
    def continue_greedily(self, windows: Windows, prompts: int) -> tuple[Tokens, Tokens]:
        """Continue the first half of some windows by the likeliest token, up to the end of the window.

        Args:
            windows: where the prompts come from: of those without a tail, evenly spaced ones.
            prompts: how many.

        Returns:
            The prompts [P, T // 2] and their continuations [P, T - T // 2].
        """
        whole = np.flatnonzero((windows.targets >= 0).all(axis=1))
        chosen = windows.take(whole).sample(prompts)
        half = windows.inputs.shape[1] // 2
        table = self._model.output_table.to(self._engine.product_dtype)
        done = []
        # The shape stays that of a training batch: what stands to the right of a position is not read.
        for inputs, _, count in batches(chosen, self._windows):
            tokens = torch.from_numpy(inputs).to(self._engine.device)
            for position in range(half, tokens.shape[1]):
                last = self.hidden(tokens)[:, position - 1]  # [B, D]
                tokens[:, position] = (last.to(table.dtype) @ table.T).argmax(dim=1)
            done.append(tokens.cpu().numpy()[:count])
        everything = np.concatenate(done)
        return everything[:, :half], everything[:, half:]


@torch.no_grad()
def exact_losses(model: Micro, windows: Windows, batch: int = EXACT_BATCH) -> Floats:
    """Losses of every target in float64, nats [W, T]; zero past the end of an address.

    They are a property of the weights: to within 1e-9 nats they depend neither on the precision of the
    training nor on the number of windows scored at once.
    """
    double = copy.deepcopy(model).double()
    device = double.embedding.device
    losses = []
    for inputs, targets, count in batches(windows, batch):
        x, y = (torch.from_numpy(part).to(device) for part in (inputs, targets))
        rows = score_rows(double(x).flatten(0, 1), double.output_table, *_flat(y, x))
        losses.append(np.where(targets >= 0, rows.loss.view(y.shape).cpu().numpy(), 0.0)[:count])
    return np.concatenate(losses)


def batches(windows: Windows, size: int) -> Iterator[tuple[Tokens, Tokens, int]]:
    """Yield inputs and targets of one shape [B, T], and how many of the windows are real."""
    for start in range(0, len(windows.inputs), size):
        inputs, targets = windows.inputs[start : start + size], windows.targets[start : start + size]
        missing = ((0, size - len(inputs)), (0, 0))
        yield np.pad(inputs, missing), np.pad(targets, missing, constant_values=-1), len(inputs)


def _flat(targets: Tensor, inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Targets with a token to score in the place of the missing ones, and the tokens read, [B * T]."""
    return targets.clamp(min=0).flatten(), inputs.flatten()
