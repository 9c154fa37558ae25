import numpy as np

from training.duplicates import shared_passages


def test_a_planted_duplicate_is_found_to_the_token():
    random = np.random.default_rng(1)
    train = random.integers(5000, size=3000)
    clean, spoiled = random.integers(5000, size=400), random.integers(5000, size=400)
    spoiled[30:90] = train[1000:1060]
    found = shared_passages(train, [clean, spoiled, train[:20]], length=50)
    # A neighbour may agree by chance too; here none does.
    assert found == {"length": 50, "tokens": 60, "addresses": 1}


def test_a_training_text_shorter_than_a_passage_shares_none():
    tokens = np.arange(60)
    assert shared_passages(tokens[:20], [tokens]) == {"length": 50, "tokens": 0, "addresses": 0}
