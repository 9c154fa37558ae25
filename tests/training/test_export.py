import csv
import io
import json
import math
from dataclasses import replace

import pytest

from training import export, files, record
from training.places import of_the_volume


@pytest.fixture(scope="module")
def finished(small, engine, material, tmp_path_factory):
    pair = [small, replace(small, run="untied", head="untied")]
    folder = tmp_path_factory.mktemp("pair")
    return [
        (
            recipe,
            record.record_run(
                recipe, engine, material, folder / recipe.run / "checkpoint.pt", lambda progress: None
            ),
        )
        for recipe in pair
    ]


@pytest.fixture(scope="module")
def contents(finished, material, engine):
    return export.recording_files(of_the_volume("output-head"), finished, material, engine)


def table(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_the_tables_hold_what_was_measured_to_the_last_bit(contents, finished):
    curves = table(contents["curves.csv"])
    repeats = table(contents["repeats.csv"])
    recorded = [(r.run, *row) for r, checkpoint in finished for row in checkpoint["rows"]]
    names = ("own_probability", "own_logit", "own_top_share", "repeat_rate")
    assert [
        (c["run"], int(c["step"]), *map(float, (c["train_loss"], c["heldout_loss"], *map(r.get, names))))
        for c, r in zip(curves, repeats, strict=True)
    ] == recorded
    assert [(r["run"], r["step"]) for r in repeats] == [(c["run"], c["step"]) for c in curves]
    assert [int(c["tokens_seen"]) for c in curves[:2]] == [0, 10 * 256]
    runs = table(contents["runs.csv"])
    for run, (_, checkpoint) in zip(runs, finished, strict=True):
        assert float(run["final_heldout_loss"]) == checkpoint["result"]["final_heldout_loss"]
    assert int(runs[1]["parameters"]) - int(runs[0]["parameters"]) == 280 * 16
    assert all(math.isfinite(float(row["heldout_loss"])) for row in table(contents["addresses.csv"]))


def test_headers_are_the_contracts(contents):
    assert contents["curves.csv"].splitlines()[0] == b"run,step,tokens_seen,train_loss,heldout_loss"
    assert contents["runs.csv"].splitlines()[0] == (
        b"run,head,seed,vocab_size,d_model,n_layers,n_heads,d_ff,context_length,parameters,steps,batch_size,tokens_seen,"
        b"learning_rate,final_train_loss,final_heldout_loss,heldout_bits_per_byte,elapsed_seconds"
    )
    heads = {name: content.splitlines()[0] for name, content in contents.items() if name.endswith(".csv")}
    assert heads["addresses.csv"] == b"run,address,year,tokens,bytes,heldout_loss"
    assert heads["repeats.csv"] == b"run,step,own_probability,own_logit,own_top_share,repeat_rate"
    assert heads["frequencies.csv"] == (
        b"run,group,vocabulary_tokens,least_count,most_count,heldout_tokens,heldout_loss"
    )
    assert heads["continuations.csv"] == (
        b"run,prompts,prompt_tokens,continuation_tokens,repeated_token_share,repeated_4gram_share"
    )
    assert heads["roles.csv"] == (
        b"tied_run,untied_run,table,centred,shuffled,group,vocabulary_tokens,mean_cosine"
    )
    assert heads["baselines.csv"] == b"model,heldout_loss,heldout_bits_per_byte"
    assert not any(b"\r" in content for name, content in contents.items() if name.endswith(".csv"))


def test_the_manifest_names_every_file_by_its_hash_and_comes_last(contents):
    manifest = json.loads(contents["manifest.json"])
    assert set(manifest["files"]) == set(contents) - {"manifest.json"}
    for name, entry in manifest["files"].items():
        assert entry["sha256"] == files.sha256(contents[name])
        assert entry["bytes"] == len(contents[name])
    assert list(contents)[-1] == "manifest.json"
    assert manifest["recipe"]["untied"]["head"] == "untied"
    assert manifest["tokenizer"]["sha256"] == manifest["files"]["tokenizer.json"]["sha256"]


def test_a_row_is_counted_once_whatever_its_cells_hold():
    content = export._csv(("address", "tokens"), [["a\nb, c.txt", 1], ['"d"', 2]])
    assert export._file_entry("addresses.csv", content)["rows"] == 2


def test_only_one_recording_carries_the_tokenizer(finished, material, engine):
    contents = export.recording_files(of_the_volume("learning-rate"), finished, material, engine)
    assert "tokenizer.json" not in contents
    assert json.loads(contents["manifest.json"])["selection"]["chosen"] in ("tied", "untied")


def test_the_lowest_heldout_loss_is_chosen(small):
    losses = {0.1: 4.2, 0.2: 4.1, 0.4: 4.3}
    runs = [
        (replace(small, run=f"tied-{rate}", learning_rate=rate), {"result": {"final_heldout_loss": loss}})
        for rate, loss in losses.items()
    ]
    assert export.describe_selection(runs)["chosen"] == "tied-0.2"
