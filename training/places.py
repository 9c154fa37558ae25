"""What is recorded, and where it lies: the volume's recordings, and a reader's own.

A recording of the volume is exported to `generated/`, its checkpoints lie in `.recordings/`. A reader's own
has a folder for both, and nothing of the volume's is touched.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.engine import Precision
from training.files import GENERATED, TOKENIZER, WORKSHOP, RecordingError, read_manifest
from training.recipe import FLOAT32_RECORDING, PAIR_RECORDING, RECORDINGS, Recipe, pair

CHECKPOINTS = "checkpoints"
"""Folder of the checkpoints in a reader's own recording."""


@dataclass(frozen=True)
class Place:
    """One recording."""

    name: str
    recipes: tuple[Recipe, ...]
    """All of its runs; it is exported when every one is finished."""
    folder: Path
    """Where its files go."""
    workshop: Path
    """Where each run has a folder for its checkpoint."""
    tokenizers: tuple[Path, ...]
    """Where the tokenizer may lie; it is learned and kept in the last place if it is in none."""
    command: str
    """What records it."""
    texts: Path | None = None
    """A folder of texts in the place of the volume's corpus."""
    precision: Precision | None = None
    """Precision of the products where the recording fixes it."""

    def checkpoint(self, recipe: Recipe) -> Path:
        """Where a run's checkpoint lies."""
        return self.workshop / recipe.run / "checkpoint.pt"

    @property
    def tokenizer(self) -> Path:
        """The tokenizer's file: the first there is, or where it will be."""
        return next((path for path in self.tokenizers if path.exists()), self.tokenizers[-1])


def of_the_volume(name: str, generated: Path = GENERATED, workshop: Path = WORKSHOP) -> Place:
    """The place of one of the volume's recordings."""
    return Place(
        name=name,
        recipes=RECORDINGS[name],
        folder=generated / name,
        workshop=workshop / name,
        # Kept once learned, since learning may vary by machine.
        tokenizers=(generated / PAIR_RECORDING / TOKENIZER, workshop / TOKENIZER),
        command=f"python -m training record --recording {name}",
        precision="fp32" if name == FLOAT32_RECORDING else None,
    )


def of_a_reader(
    folder: Path, texts: Path | None, changes: Mapping[str, Any], command: Sequence[str]
) -> Place:
    """The place of a reader's own pair.

    Args:
        folder: where everything goes.
        texts: a folder of text files, or None for the volume's corpus.
        changes: fields in which both runs differ from the recorded pair.
        command: the arguments that were given, for the manifest.

    Raises:
        RecordingError: the folder is the volume's, holds something else, or can not be.
        ValueError: the changed recipe is not one.
    """
    if folder.resolve().is_relative_to(GENERATED.resolve()):
        raise RecordingError(f"{folder}: the volume's recordings lie there; name a folder of your own")
    if folder.exists() and not _is_recording(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise RecordingError(
            f"{folder}: wanted a new folder or one of a recording, found something else there"
        )
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise RecordingError(
            f"{folder}: wanted a folder that can be written to, found that {above} is none; name another"
        )
    return Place(
        name=folder.name,
        recipes=pair(**changes),
        folder=folder,
        workshop=folder / CHECKPOINTS,
        tokenizers=(folder / CHECKPOINTS / TOKENIZER,),
        command=" ".join(("python -m training", *command)),
        texts=texts,
    )


def _is_recording(folder: Path) -> bool:
    if (folder / CHECKPOINTS).exists():
        return True
    try:
        return bool(read_manifest(folder))
    except RecordingError:
        return False
