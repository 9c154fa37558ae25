"""A reader's own recording: another shape, another corpus, another folder."""

import errno
import json
from dataclasses import replace

import pytest

from tests.training import miniature
from training import commands, files, own_recipe, places, recipe
from training.__main__ import main
from training.corpus import load_folder
from training.material import prepare

SHAPE = {
    name: value
    for name, value in miniature.SMALL.as_dict().items()
    if name not in ("run", "head") and value != getattr(recipe.TIED, name)
}


@pytest.fixture
def texts(tmp_path):
    folder = tmp_path / "speeches"
    folder.mkdir()
    for address in miniature.addresses():
        (folder / f"{address.name}.txt").write_text(address.text, encoding="utf-8")
    return folder


@pytest.fixture
def shape(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text("".join(f"{name} = {value}\n" for name, value in SHAPE.items()))
    return path


def test_another_corpus_and_shape_go_into_a_folder_of_their_own_and_can_be_seen(
    texts, shape, tmp_path, capsys
):
    own = tmp_path / "mine"
    plain = ["--jobs", "1", "--precision", "fp32", "--no-compile"]
    command = ["record", "--into", str(own), "--corpus", str(texts), "--recipe", str(shape)]
    assert main([*command, "--set", "d_ff=48", *plain]) == 0
    manifest = json.loads((own / "manifest.json").read_text())
    assert manifest["corpus"]["name"] == "speeches"
    assert "presidents" not in json.dumps(manifest)
    assert {run["d_ff"] for run in manifest["recipe"].values()} == {48}
    assert (own / "baselines.csv").exists()
    assert main(["show", str(own)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith("tied")
    assert out.splitlines()[1].startswith("untied")
    assert (own / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert main(["show", str(own), "--to", str(tmp_path / "c.svg")]) == 0
    assert "<svg" in (tmp_path / "c.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--set", "d_model=65"], "d_model must be a multiple of n_heads; got 65 and 4"),
        (["--set", "d_modle=64"], "recipe: no field 'd_modle' to change; did you mean 'd_model'?"),
        (["--set", "zzz=64"], "recipe: no field 'zzz' to change; fields are seed, vocab_size"),
        (["--set", "run=3"], "recipe: no field 'run' to change"),
        (["--set", "d_model"], "--set d_model: wanted NAME=VALUE, such as d_model=64"),
        (["--set", "steps=many"], "recipe: steps must be a number; got 'many'"),
        (["--set", "steps=1.5"], "recipe: steps must be a whole number; got 1.5"),
        (["--set", "steps=nan"], "recipe: steps must be a whole number; got nan"),
        (["--set", "vocab_size=200"], "vocab_size must hold the 256 bytes and the end-of-text token"),
        (["--set", "learning_rate=" + "9" * 400], "recipe: learning_rate must be a number; got 999"),
        (["--set", "seed=1e30"], "recipe: seed must be a whole number; got 1e+30"),
        (["--recipe", "no.toml"], "no.toml: wanted a TOML file of recipe fields, got No such file"),
        (["--corpus", "no-such-folder"], "no-such-folder: wanted a folder of at least two .txt files"),
    ],
)
def test_a_wrong_recipe_or_corpus_gets_one_clear_line(tmp_path, capsys, arguments, complaint):
    own = tmp_path / "mine"
    assert main(["record", "--into", str(own), *arguments]) == 1
    error = capsys.readouterr().err
    assert complaint in error
    assert "Traceback" not in error
    assert not own.exists()


def test_a_place_that_can_not_be_written_is_told_in_one_line(tmp_path, capsys):
    (tmp_path / "letter.txt").write_text("mine")
    own = tmp_path / "letter.txt" / "mine"
    assert main(["record", "--into", str(own)]) == 1
    found = f"found that {tmp_path / 'letter.txt'} is none; name another"
    assert capsys.readouterr().err == f"training: {own}: wanted a folder that can be written to, {found}\n"


def test_a_folder_that_others_own_is_told_before_anything_is_begun(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(places.os, "access", lambda path, mode: False)
    assert main(["record", "--into", str(tmp_path / "mine")]) == 1
    assert f"found that {tmp_path} is none; name another" in capsys.readouterr().err
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            PermissionError(errno.EACCES, "Permission denied", "a.png"),
            "training: a.png: Permission denied; see",
        ),
        (OSError(errno.ENOSPC, "No space left on device"), "training: No space left on device; see"),
    ],
)
def test_what_the_system_refuses_is_told_in_one_line(monkeypatch, capsys, error, said):
    def refuse(options):
        raise error

    monkeypatch.setattr(commands, "show", refuse)
    assert main(["show", "mine"]) == 1
    told = capsys.readouterr().err
    assert told.startswith(said)
    assert told.count("\n") == 1


def test_a_manifest_that_is_not_there_is_told_without_the_systems_number(tmp_path):
    with pytest.raises(files.RecordingError, match="manifest, got No such file or directory; record it"):
        files.read_manifest(tmp_path)


@pytest.mark.parametrize("option", ["--corpus", "--recipe", "--set"])
def test_the_volumes_own_recordings_can_not_be_bent(capsys, option):
    assert main(["record", option, "seed=8"]) == 1
    assert "the volume's own recordings stay as they are; add --into FOLDER" in capsys.readouterr().err


def test_the_volumes_folders_are_not_a_readers_own(capsys):
    inside = places.GENERATED / "mine"
    assert main(["record", "--into", str(inside)]) == 1
    assert "the volume's recordings lie there" in capsys.readouterr().err
    assert not inside.exists()


def test_a_folder_with_other_files_is_left_alone(tmp_path, capsys):
    (tmp_path / "letter.txt").write_text("mine")
    assert main(["record", "--into", str(tmp_path)]) == 1
    assert "wanted a new folder or one of a recording" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_manifest_of_something_else_is_left_alone(tmp_path, capsys):
    (tmp_path / "manifest.json").write_text('{"name": "my site"}')
    assert main(["record", "--into", str(tmp_path)]) == 1
    assert "wanted a new folder or one of a recording" in capsys.readouterr().err
    assert (tmp_path / "manifest.json").read_text() == '{"name": "my site"}'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("runs.csv", "run,parameters\ntied,12\n"),
        ("runs.csv", "run,parameters,final_heldout_loss,final_train_loss\ntied,12,5.1\n"),
        ("runs.csv", ""),
        ("curves.csv", "run,step,heldout_loss,train_loss\ntied,0,many,5\n"),
        ("curves.csv", "run,step\ntied,0\n"),
    ],
)
def test_show_names_a_table_that_is_none(tmp_path, capsys, name, content):
    tables = {
        "runs.csv": "run,parameters,final_heldout_loss,final_train_loss\ntied,12,5.1,5.0\n",
        "curves.csv": "run,step,heldout_loss,train_loss\ntied,0,5.6,5.6\n",
        name: content,
    }
    vouched = {table: {"sha256": files.sha256(text.encode())} for table, text in tables.items()}
    manifest = {"files": vouched, "recipe": {}, "machine": {}, "versions": {}}
    for file, text in {**tables, "manifest.json": json.dumps(manifest)}.items():
        (tmp_path / file).write_text(text)
    assert main(["show", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert f"{tmp_path}: wanted the tables of a recording, runs.csv and curves.csv, got" in error
    assert not (tmp_path / "curves.png").exists()


def test_nothing_is_drawn_into_the_volumes_recordings(capsys):
    assert main(["show", str(places.GENERATED / "output-head")]) == 1
    assert "nothing is drawn into the volume's recordings" in capsys.readouterr().err
    assert not (places.GENERATED / "output-head" / "curves.png").exists()


def test_show_says_what_it_can_not_draw(tmp_path, capsys):
    assert main(["show", str(tmp_path)]) == 1
    assert "wanted the recording's manifest" in capsys.readouterr().err
    assert main(["show", str(tmp_path), "--to", "curves.docx"]) == 1
    assert "wanted a file that ends in .png, .svg, .pdf" in capsys.readouterr().err


def test_texts_are_read_in_the_order_of_their_names(texts):
    addresses = load_folder(texts)
    assert [address.year for address in addresses] == list(range(1, 13))
    assert addresses[0].name == "1800-Nobody-1.txt"


@pytest.mark.parametrize(
    ("content", "complaint"), [(b"caf\xe9 au lait", "wanted UTF-8 text"), (b" \n", "got an empty file")]
)
def test_a_text_that_can_not_be_read_is_named(texts, content, complaint):
    (texts / "0.txt").write_bytes(content)
    with pytest.raises(ValueError, match=complaint) as error:
        load_folder(texts)
    assert "0.txt" in str(error.value)


def test_a_text_that_is_no_file_is_named(texts):
    (texts / "z.txt").mkdir()
    with pytest.raises(ValueError, match=r"z\.txt: wanted a text, got Is a directory"):
        load_folder(texts)


def test_heldout_texts_that_fill_no_window_are_refused_before_a_run(texts):
    for held_out in (1802, 1807):
        (texts / f"{held_out}-Nobody-1.txt").write_text("short")
    with pytest.raises(ValueError, match="wanted a held-out text of at least 16 tokens, the longest has 4"):
        prepare(replace(miniature.SMALL, heldout_every=5), None, texts)


def test_a_setting_goes_before_the_file(shape):
    assert own_recipe.read_changes(shape, ["steps=9"]) == {**SHAPE, "steps": 9}
    changed = replace(recipe.TIED, **own_recipe.read_changes(shape, []))
    assert changed == replace(miniature.SMALL, seed=miniature.SMALL.seed)
