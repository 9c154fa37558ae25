"""Record a run: checkpoints while it goes, and at its end what the final weights are worth."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from training import corpus, files
from training.engine import Engine, versions
from training.recipe import Recipe
from training.train import Data, Trainer, train

CHECKPOINT_EVERY = 200
"""Steps between checkpoints: what a kill can cost, about a minute of work on the machine of the recording."""


@dataclass(frozen=True)
class Material:
    """The corpus, ready for the runs of one split and vocabulary."""

    split: corpus.Split
    tokenizer: Tokenizer
    data: Data
    corpus_sha256: str

    @property
    def tokenizer_sha256(self) -> str:
        """Hash of the tokenizer's file."""
        return files.sha256(tokenizer_bytes(self.tokenizer))


@dataclass(frozen=True)
class Progress:
    """Where a run is, for whoever shows it."""

    run: str
    step: int
    steps: int
    loss: float | None
    """Loss of the last batch, nats per token."""
    steps_per_second: float | None
    """Mean over this process's own steps."""


Report = Callable[[Progress], None]


def prepare(recipe: Recipe, tokenizer: Tokenizer | None) -> Material:
    """Load the corpus, split it and turn it into tokens; learn the tokenizer where none is given."""
    addresses = corpus.load_sotu()
    split = corpus.split_by_year(addresses, recipe.heldout_every)
    if tokenizer is None:
        tokenizer = corpus.train_tokenizer([address.text for address in split.train], recipe.vocab_size)
    corpus.check_tokenizer(tokenizer, recipe.vocab_size)
    train_tokens, heldout_tokens = (corpus.encode(tokenizer, side) for side in (split.train, split.heldout))
    data = Data(
        stream=np.concatenate(train_tokens),
        train=corpus.cut_windows(train_tokens, recipe.context_length),
        heldout=corpus.cut_windows(heldout_tokens, recipe.context_length),
    )
    return Material(split, tokenizer, data, corpus.corpus_sha256(addresses))


def tokenizer_bytes(tokenizer: Tokenizer) -> bytes:
    """The tokenizer as the bytes of its file."""
    return (tokenizer.to_str(pretty=False) + "\n").encode()


def record_run(
    recipe: Recipe, engine: Engine, material: Material, checkpoint: Path, report: Report
) -> dict[str, Any]:
    """Record one run to its end, going on from its checkpoint if there is one.

    Args:
        recipe: the run.
        engine: what it is computed with.
        material: the corpus in tokens.
        checkpoint: the run's checkpoint file.
        report: called after every step.

    Returns:
        The finished run's checkpoint: identity, state, rows and result.

    Raises:
        RecordingError: the checkpoint was made by another recipe, engine or corpus; nothing is changed.
        NonFiniteLossError: the run diverged; its last checkpoint is kept.
    """
    identity = {
        "recipe": recipe.as_dict(),
        "engine": engine.as_dict(),
        "corpus": {"sha256": material.corpus_sha256, "tokenizer_sha256": material.tokenizer_sha256},
        "versions": versions(),
    }
    lock = files.lock_run(checkpoint.parent)
    try:
        saved = files.load_checkpoint(checkpoint)
        if saved is not None:
            refuse_changes(checkpoint, saved["identity"], identity)
            if saved["result"] is not None:
                return saved
        return _go_on(Trainer(recipe, material.data, engine), identity, material, saved, checkpoint, report)
    finally:
        lock.release()


def refuse_changes(checkpoint: Path, saved: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Raise a RecordingError that names every value in which a checkpoint differs from what is asked for."""
    changes = [
        f"{part}.{name} was {saved[part].get(name)!r} and is now {value!r}"
        for part, values in wanted.items()
        for name, value in values.items()
        if saved[part].get(name) != value
    ]
    if changes:
        raise files.RecordingError(
            f"{checkpoint}: this run was begun otherwise: {'; '.join(changes)}. Ask for what it was begun "
            f"with, or delete {checkpoint.parent} to record it anew"
        )


def _go_on(
    trainer: Trainer,
    identity: dict[str, Any],
    material: Material,
    saved: dict[str, Any] | None,
    checkpoint: Path,
    report: Report,
) -> dict[str, Any]:
    rows: list[list[float]] = []
    clock, measuring_seconds = Clock(0.0), 0.0
    if saved is not None:
        trainer.restore(saved["state"])
        rows, clock = saved["rows"], Clock(saved["elapsed_seconds"])
        measuring_seconds = saved["measuring_seconds"]
    first = trainer.step

    def keep(result: dict[str, Any] | None = None) -> dict[str, Any]:
        current = {
            "identity": identity,
            "state": trainer.state(),
            "rows": rows,
            "elapsed_seconds": clock.seconds,
            "measuring_seconds": measuring_seconds,
            "result": result,
        }
        files.save_checkpoint(checkpoint, current)
        return current

    for record in train(trainer):
        measuring_seconds += record.measuring_seconds
        if record.train_loss is not None and record.heldout_loss is not None:
            rows.append([record.step, record.train_loss, record.heldout_loss])
        speed = (record.step - first) / clock.here if record.step > first else None
        report(Progress(trainer.recipe.run, record.step, trainer.recipe.steps, record.batch_loss, speed))
        # Not at step 0: a run resumed there would measure its first row a second time.
        if record.step and record.step % CHECKPOINT_EVERY == 0:
            keep()
    return keep(measure_result(trainer, material))


def measure_result(trainer: Trainer, material: Material) -> dict[str, Any]:
    """Measure the final weights on the whole held-out split, by address, and a sample of the training split.

    Returns:
        `final_train_loss` and `final_heldout_loss`, nats per token; `heldout_bits_per_byte`; and `addresses`,
        a list of [name, year, tokens, bytes, loss in nats per token] for each held-out address.
    """
    heldout = material.data.heldout
    sums = trainer.window_losses(heldout)
    tokens = (heldout.targets >= 0).sum(axis=1)
    addresses = []
    for index, address in enumerate(material.split.heldout):
        own = heldout.address == index
        count = int(tokens[own].sum())
        addresses.append(
            [address.name, address.year, count, len(address.text.encode()), float(sums[own].sum() / count)]
        )
    total_bytes = sum(len(address.text.encode()) for address in material.split.heldout)
    sample = material.data.train.sample(trainer.recipe.final_evaluation_windows)
    return {
        "final_train_loss": trainer.mean_loss(sample),
        "final_heldout_loss": float(sums.sum() / heldout.tokens),
        "heldout_bits_per_byte": float(sums.sum() / np.log(2) / total_bytes),
        "addresses": addresses,
    }


class Clock:
    """Seconds that a run has taken, over all the processes that worked on it."""

    def __init__(self, before: float) -> None:
        self._before, self._start = before, time.perf_counter()

    @property
    def here(self) -> float:
        """Seconds in this process."""
        return time.perf_counter() - self._start

    @property
    def seconds(self) -> float:
        """Seconds in all."""
        return self._before + self.here
