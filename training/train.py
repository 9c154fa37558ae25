"""One run, step by step. Nothing here opens a file: records go out, state goes in and out.

Legend: B sequences, T positions, D width, V vocabulary, N = B * T tokens of a step.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from training import ranks
from training.batches import batch
from training.corpus import Tokens, Windows
from training.engine import Engine
from training.evaluate import Sampler, Scores
from training.loss import CrossEntropy, cross_entropy_gradients
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
    """What is known after a step."""

    step: int
    """Updates made."""
    batch_loss: float | None
    """Loss of the step's own batch before its update, nats per token; None at step 0."""
    train: Scores | None
    """The fixed sample of the training split, at recorded steps."""
    heldout: Scores | None
    """The fixed sample of the held-out split, at recorded steps."""
    measuring_seconds: float
    """Time that measuring the two took."""


class Objective(nn.Module):
    """The mean loss of a batch: what a step differentiates."""

    def __init__(self, model: Micro, engine: Engine) -> None:
        super().__init__()
        self.model = model
        # Not a submodule: its parameters are the model's, and must be met only once.
        self.body = _Held(engine.compile(model))
        self._gradients = engine.compile(cross_entropy_gradients)
        self._engine = engine

    def forward(self, inputs: Tensor, targets: Tensor) -> Tensor:
        """Args: token ids int64 [B, T], both. Returns: nats per token, float32 scalar."""
        with self._engine.autocast():
            hidden = self.body(inputs).flatten(0, 1)  # [N, D]
        table, dtype = self.model.output_table, self._engine.product_dtype
        apply: Callable[..., Tensor] = CrossEntropy.apply
        return apply(hidden, table, targets.flatten(), dtype, self._gradients)


class _Held:
    """Calls a module without making it a part of the one that holds it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)


class Trainer:
    """The state of one run: model, optimiser, and the number of updates made."""

    def __init__(self, recipe: Recipe, data: Data, engine: Engine) -> None:
        engine.prepare()
        ranks.check_batch(recipe, engine)
        self.recipe, self.data, self.engine = recipe, data, engine
        self.model = Micro(recipe).to(engine.device)
        self.optimizer = build_optimizer(self.model, recipe)
        self.step = 0
        objective = Objective(self.model, engine)
        self._objective = ranks.share(objective, engine)
        self.sampler = Sampler(self.model, objective.body, engine, recipe.batch_size // engine.ranks)
        self._samples = {
            "train": data.train.sample(recipe.evaluation_windows),
            "heldout": data.heldout.sample(recipe.evaluation_windows),
        }

    def advance(self) -> float:
        """Make one update and return the loss of its batch, nats per token.

        Raises:
            NonFiniteLossError: the loss or the gradient is not finite; the weights are those before the step.
        """
        inputs, targets = batch(self.data.stream, self.recipe, self.step)
        mine = ranks.own_part(self.recipe, self.engine)
        self.optimizer.zero_grad(set_to_none=True)
        loss = self._objective(self._tensor(inputs[mine]), self._tensor(targets[mine]))
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.gradient_clip)
        value = ranks.mean(loss.detach(), self.engine)
        if not math.isfinite(value) or not math.isfinite(norm.item()):
            raise _diverged(self, f"loss {value} with a gradient of norm {norm.item()}", self.step + 1)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(self.recipe, self.step)
        self.optimizer.step()
        self.step += 1
        return value

    def sample_scores(self, split: str) -> Scores:
        """Score the fixed sample of 'train' or 'heldout'."""
        return self.sampler.scores(self._samples[split])

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

    Raises:
        NonFiniteLossError: a loss, of a batch or of a sample, is not finite.
    """
    recorded = set(trainer.recipe.recorded_steps)
    if trainer.step == 0:
        yield _record(trainer, None, measured=True)
    while trainer.step < trainer.recipe.steps:
        loss = trainer.advance()
        yield _record(trainer, loss, measured=trainer.step in recorded)


def _record(trainer: Trainer, batch_loss: float | None, measured: bool) -> Record:
    if not measured or not trainer.engine.writes:
        return Record(trainer.step, batch_loss, None, None, 0.0)
    start = time.perf_counter()
    scores = {split: trainer.sample_scores(split) for split in ("train", "heldout")}
    for split, found in scores.items():
        # The update itself may have spoilt the weights, and no later step tells before they are kept.
        if not math.isfinite(found.loss):
            raise _diverged(trainer, f"{split} loss {found.loss}", trainer.step)
    return Record(trainer.step, batch_loss, **scores, measuring_seconds=time.perf_counter() - start)


def _diverged(trainer: Trainer, what: str, step: int) -> NonFiniteLossError:
    return NonFiniteLossError(
        f"run {trainer.recipe.run!r}: {what} at step {step}; lower the learning rate or raise the warm-up"
    )


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
