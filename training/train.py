"""One run, step by step. Nothing here opens a file: records go out, state goes in and out.

Legend: B sequences, T positions, D width, V vocabulary, N = B * T tokens of a step.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from training.batches import batch
from training.corpus import Tokens, Windows
from training.engine import Engine
from training.loss import cross_entropy_gradients, cross_entropy_rows
from training.model import Micro
from training.recipe import Recipe


class NonFiniteLossError(ArithmeticError):
    """The loss of a step was infinite or not a number; the message names the step."""


@dataclass(frozen=True)
class Data:
    """What a run reads."""

    stream: Tokens
    """The training tokens, addresses one after another, [N]."""
    train: Windows
    """The training addresses as windows, to draw fixed samples from."""
    heldout: Windows
    """The held-out addresses, whole, as windows."""


@dataclass(frozen=True)
class Record:
    """What is known after a step. Losses in nats per token."""

    step: int
    """Updates made."""
    batch_loss: float | None
    """Loss of the step's own batch before its update; None at step 0."""
    train_loss: float | None
    """Loss on the fixed sample of the training split, at recorded steps."""
    heldout_loss: float | None
    """Loss on the fixed sample of the held-out split, at recorded steps."""
    measuring_seconds: float
    """Time that measuring the two took."""


class Trainer:
    """The state of one run: model, optimiser, and the number of updates made."""

    def __init__(self, recipe: Recipe, data: Data, engine: Engine) -> None:
        engine.prepare()
        self.recipe, self.data, self.engine = recipe, data, engine
        self.model = Micro(recipe).to(engine.device)
        self.optimizer = build_optimizer(self.model, recipe)
        self.step = 0
        self._body = engine.compile(self.model)
        self._gradients = engine.compile(cross_entropy_gradients)
        self._row_losses = engine.compile(cross_entropy_rows)
        self._samples = {
            "train": data.train.sample(recipe.evaluation_windows),
            "heldout": data.heldout.sample(recipe.evaluation_windows),
        }

    def advance(self) -> float:
        """Make one update and return the loss of its batch, nats per token.

        Raises:
            NonFiniteLossError: the loss or the gradient is not finite; the weights are those before the step.
        """
        inputs, targets = (self._tensor(tokens) for tokens in batch(self.data.stream, self.recipe, self.step))
        self.optimizer.zero_grad(set_to_none=True)
        with self.engine.autocast():
            hidden = self._body(inputs).flatten(0, 1)  # [N, D]
        table = self.model.output_table
        dtype = self.engine.product_dtype
        with torch.no_grad():
            loss, hidden_gradient, table_gradient = self._gradients(
                hidden.to(dtype), table.to(dtype), targets.flatten()
            )
        hidden.backward(hidden_gradient.to(hidden.dtype))
        # Both roles of a tied row end in one gradient: as it was read, by the body; as it scored, here.
        table.grad = table_gradient if table.grad is None else table.grad.add_(table_gradient)
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.gradient_clip)
        if not math.isfinite(loss.item()) or not math.isfinite(norm.item()):
            raise NonFiniteLossError(
                f"run {self.recipe.run!r}: loss {loss.item()} with a gradient of norm {norm.item()} "
                f"at step {self.step + 1}; lower the learning rate or raise the warm-up"
            )
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.recipe, self.step)
        self.optimizer.step()
        self.step += 1
        return float(loss.item())

    def sample_loss(self, split: str) -> float:
        """Loss on the fixed sample of 'train' or 'heldout', nats per token."""
        return self.mean_loss(self._samples[split])

    def mean_loss(self, windows: Windows) -> float:
        """Token-weighted mean loss over windows, nats per token."""
        losses = self.window_losses(windows)
        return float(losses.sum() / windows.tokens)

    def window_losses(self, windows: Windows) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Sum the losses of each window's tokens, in float64 nats [windows].

        Windows are scored in batches of the training shape, the last one filled up, so that one compiled
        shape serves all and a window's loss does not depend on its company.
        """
        size = self.recipe.batch_size
        sums = []
        for start in range(0, len(windows.inputs), size):
            inputs, targets = windows.inputs[start : start + size], windows.targets[start : start + size]
            missing = size - len(inputs)
            inputs = np.pad(inputs, ((0, missing), (0, 0)))
            targets = np.pad(targets, ((0, missing), (0, 0)), constant_values=-1)
            rows = self._score(self._tensor(inputs), self._tensor(np.maximum(targets, 0)))  # [B, T]
            sums.append(np.where(targets >= 0, rows, 0.0).sum(axis=1)[: size - missing])
        return np.concatenate(sums)

    @torch.no_grad()
    def _score(self, inputs: Tensor, targets: Tensor) -> np.ndarray[Any, np.dtype[np.float64]]:
        with self.engine.autocast():
            hidden = self._body(inputs).flatten(0, 1)  # [N, D]
        dtype = self.engine.product_dtype
        rows: Tensor = self._row_losses(
            hidden.to(dtype), self.model.output_table.to(dtype), targets.flatten()
        )
        return rows.view(targets.shape).cpu().numpy().astype(np.float64)

    def state(self) -> dict[str, Any]:
        """Everything that the next step depends on."""
        return {"step": self.step, "model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a state."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step = int(state["step"])

    def _tensor(self, tokens: Tokens) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(tokens)).to(self.engine.device)


def train(trainer: Trainer) -> Iterator[Record]:
    """Run on from the trainer's state to the recipe's last step, yielding one record per step.

    A fresh trainer yields step 0 first, measured before any update. Evaluation reads the weights and changes
    nothing, so the rows of training do not depend on how often one looks.
    """
    recorded = set(trainer.recipe.recorded_steps)
    if trainer.step == 0:
        yield _record(trainer, None, measured=True)
    while trainer.step < trainer.recipe.steps:
        loss = trainer.advance()
        yield _record(trainer, loss, measured=trainer.step in recorded)


def _record(trainer: Trainer, batch_loss: float | None, measured: bool) -> Record:
    if not measured:
        return Record(trainer.step, batch_loss, None, None, 0.0)
    start = time.perf_counter()
    train_loss, heldout_loss = trainer.sample_loss("train"), trainer.sample_loss("heldout")
    return Record(trainer.step, batch_loss, train_loss, heldout_loss, time.perf_counter() - start)


def learning_rate(recipe: Recipe, step: int) -> float:
    """Learning rate of the update after `step` updates: a linear warm-up, then half a cosine.

    Source: Loshchilov and Hutter 2016, arXiv 1608.03983, without restarts.
    """
    if step < recipe.warmup_steps:
        return recipe.learning_rate * (step + 1) / recipe.warmup_steps
    progress = (step - recipe.warmup_steps) / max(recipe.steps - recipe.warmup_steps, 1)
    floor = recipe.final_learning_rate_share
    return recipe.learning_rate * (floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * progress)))


def build_optimizer(model: nn.Module, recipe: Recipe) -> torch.optim.AdamW:
    """AdamW over three groups: the blocks' matrices, the tables, and the norms' gains.

    Source: Loshchilov and Hutter 2017, arXiv 1711.05101.
    """
    groups: dict[float, list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        groups.setdefault(weight_decay(name, recipe), []).append(parameter)
    return torch.optim.AdamW(
        [{"params": parameters, "weight_decay": decay} for decay, parameters in groups.items()],
        lr=recipe.learning_rate,
        betas=(recipe.beta1, recipe.beta2),
        fused=True,
    )


def weight_decay(name: str, recipe: Recipe) -> float:
    """The decay of a parameter, by its name; the recipe's fields give the reasons."""
    if "norm" in name:
        return 0.0
    return recipe.weight_decay if name.startswith("blocks.") else recipe.table_weight_decay
