"""A small model on a small corpus: everything that micro has, at a size where a run takes a second."""

import numpy as np

from training import corpus
from training.engine import Engine
from training.material import Material
from training.recipe import Recipe
from training.train import Data

WORDS = (
    "the", "union", "of", "these", "states", "is", "a", "work", "of", "many", "hands", "and", "of",
    "more", "years", "than", "any", "one", "of", "us", "will", "see",
)  # fmt: skip
SMALL = Recipe(
    run="tied", seed=3, vocab_size=280, d_model=16, n_layers=2, n_heads=2, d_ff=32, context_length=16,
    steps=12, batch_size=16, learning_rate=0.01, warmup_steps=2, heldout_every=4, evaluation_windows=5,
    final_evaluation_windows=9,
)  # fmt: skip
PLAIN = Engine(device="cpu", precision="fp32", threads=1, compiled=False)


def addresses(count: int = 12, words: int = 400) -> tuple[corpus.Address, ...]:
    """Addresses of words in an order of their own, one a year."""
    random = np.random.default_rng(0)
    return tuple(
        corpus.Address(f"{1800 + i}-Nobody-1", 1800 + i, " ".join(random.choice(WORDS, size=words)) + ".")
        for i in range(count)
    )


def small_material(recipe: Recipe = SMALL) -> Material:
    """The small corpus in tokens."""
    split = corpus.split_by_year(addresses(), recipe.heldout_every)
    tokenizer = corpus.train_tokenizer([address.text for address in split.train], recipe.vocab_size)
    train, heldout = (corpus.encode(tokenizer, side) for side in (split.train, split.heldout))
    data = Data(
        np.concatenate(train),
        corpus.cut_windows(train, recipe.context_length),
        corpus.cut_windows(heldout, recipe.context_length),
    )
    return Material(split, tokenizer, data, corpus.corpus_sha256(addresses()))
