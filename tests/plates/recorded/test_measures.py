"""Each table of measurements is read strictly and held to its recording; every fault is planted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plates.recorded.recordings import RecordingError, load
from tests.fixtures import recordings as fixture
from tests.fixtures.measures import NAMES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return fixture.write(tmp_path / "generated")


def sign(folder: Path) -> None:
    """Have the manifest vouch for the files as they now are."""
    told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    fixture.write_manifest(folder, recipe=told["recipe"])


def rewrite(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {name}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8", newline="")
    sign(folder)


def refused(folder: Path, words: str) -> None:
    with pytest.raises(RecordingError) as caught:
        load(folder)
    assert f"generated/output-head/{words}" in str(caught.value), caught.value
    assert str(folder) not in str(caught.value)


def test_every_table_is_read_with_its_types(folder: Path) -> None:
    recording = load(folder)
    assert tuple(recording.tables) == NAMES
    assert recording.table("repeats.csv").dtypes.astype(str).to_dict() == {
        "run": "str",
        "step": "int64",
        "own_probability": "float64",
        "own_logit": "float64",
        "own_top_share": "float64",
        "repeat_rate": "float64",
    }
    assert recording.table("repeats.csv")["own_logit"].tolist() == [2.0, 1.0, 0.0, 0.0, -1.0, -2.0]
    roles = recording.table("roles.csv")
    assert roles["table"].unique().tolist() == ["input", "output"]
    assert len(roles.drop_duplicates(["table", "centred", "shuffled", "group"])) == len(roles) == 80
    assert len(recording.table("frequencies.csv")) == 20


def test_a_table_that_only_some_recordings_hold_may_be_missing(folder: Path) -> None:
    (folder / "roles.csv").unlink()
    sign(folder)
    recording = load(folder)
    assert tuple(recording.tables) == tuple(name for name in NAMES if name != "roles.csv")
    with pytest.raises(RecordingError, match=r"output-head/roles\.csv: the recording has no such table; rec"):
        recording.table("roles.csv")


def test_a_wrong_name_of_a_table_is_answered_with_the_nearest(folder: Path) -> None:
    with pytest.raises(
        RecordingError, match=r"no such table; did you mean 'repeats\.csv'\?; record it again"
    ):
        load(folder).table("repeat.csv")


def test_a_table_that_no_contract_knows_is_refused(folder: Path) -> None:
    (folder / "repeat.csv").write_text("a\n1\n", newline="")
    told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    about = {"sha256": "0" * 64, "bytes": 4}
    fixture.write_manifest(folder, **{**told, "files": {**told["files"], "repeat.csv": about}})
    refused(folder, "repeat.csv: no table of a recording is called so; did you mean 'repeats.csv'?")


@pytest.mark.parametrize("name", ["addresses.csv", "repeats.csv", "frequencies.csv", "continuations.csv"])
def test_a_table_that_stands_in_every_recording_is_missed(folder: Path, name: str) -> None:
    (folder / name).unlink()
    sign(folder)
    refused(folder, f"{name}: the manifest does not name this table, which stands in every recording")


def test_a_table_edited_by_hand_is_noticed(folder: Path) -> None:
    path = folder / "continuations.csv"
    path.write_text(path.read_text().replace("0.03125", "0.03126"), newline="")
    refused(folder, "continuations.csv: wanted sha256 ")


FAULTS = [
    # The table, what stands there, what stands in its place, and the words wanted.
    ("repeats.csv", ",own_logit", ",own_logits", "1: column 'own_logit' is missing"),
    ("repeats.csv", "tied,10,", "tied,15,", "3: column step: wanted 10, as curves.csv has it there, came 15"),
    ("repeats.csv", "untied,0,", "tied,0,", "5: column run: wanted 'untied', as curves.csv has it there"),
    ("repeats.csv", "0.00375", "1.00375", "3: column own_probability: wanted a share from 0 to 1"),
    ("repeats.csv", ",0.5,", ",-0.5,", "2: column own_top_share: wanted a share from 0 to 1"),
    ("repeats.csv", ",2.0,", ",nan,", "2: column own_logit: wanted a finite number, with"),
    (
        "repeats.csv",
        "0.001,0.004\n",
        "0.001,0.005\n",
        "3: column repeat_rate: wanted 0.004, as in the first row",
    ),
    (
        "repeats.csv",
        "untied,20,0.00425,-2.0,0.001,0.004\n",
        "",
        "6: wanted 6 rows (as many as curves.csv has)",
    ),
    ("addresses.csv", "tied,1800-Nobody-1", "tide,1800-Nobody-1", "2: column run: wanted a run of runs.csv"),
    (
        "addresses.csv",
        "untied,1810-Nobody-2",
        "tied,1810-Nobody-2",
        "7: column run: wanted all rows of a run to",
    ),
    (
        "addresses.csv",
        "1800-Nobody-1,",
        "1800-Nobody-2,",
        "5: column address: wanted '1800-Nobody-2', as on line 2",
    ),
    (
        "addresses.csv",
        ",100,500,",
        ",101,500,",
        "4: column tokens: wanted 1000 in all, from line 2 on, came 1001",
    ),
    ("addresses.csv", ",100,500,", ",0,500,", "2: column tokens: wanted a number above 0"),
    (
        "addresses.csv",
        ",100,500,",
        ",100,501,",
        "4: column bytes: wanted 5000 in all, from line 2 on, came 5001",
    ),
    ("addresses.csv", ",1800,100", ",18,100", "5: column year: wanted 18, as on line 2, came 1800"),
    (
        "addresses.csv",
        ",600,3000,4.",
        ",600,3000,5.",
        "4: column heldout_loss: wanted a mean of 4.25, the run's",
    ),
    (
        "addresses.csv",
        ",600,3000,4.",
        ",600,3000,-4.",
        "4: column heldout_loss: wanted a finite number of at least",
    ),
    ("frequencies.csv", "tied,1,", "tied,0,", "2: column group: wanted a group from 1 to 10, came 0"),
    ("frequencies.csv", "tied,2,", "tied,1,", "3: column group: wanted a group from 2 to 10, came 1"),
    ("frequencies.csv", "tied,10,", "tied,11,", "11: column group: wanted a group from 10 to 10, came 11"),
    (
        "frequencies.csv",
        "untied,10,",
        "untied,11,",
        "21: column group: wanted a group from 10 to 10, came 11",
    ),
    ("frequencies.csv", ",819,0,10,", ",819,0,9,", "12: column most_count: wanted 9, as on line 2, came 10"),
    ("frequencies.csv", ",10,20,20,", ",10,20,21,", "11: column heldout_tokens: wanted 1000 in all"),
    ("frequencies.csv", ",550,", ",550.0,", "11: column heldout_tokens: wanted a whole number"),
    ("continuations.csv", "untied,200", "tied,200", "4: wanted rows for run 'untied', came none"),
    (
        "continuations.csv",
        "untied,200",
        "tied,100,64,64,0.0,0.0\nuntied,200",
        "3: wanted 1 rows (one for run 'tied'",
    ),
    (
        "continuations.csv",
        "untied,200,64,64,0.0234375,0.1875\n",
        "",
        "3: wanted rows for run 'untied', came none",
    ),
    ("continuations.csv", "tied,200", "tied,0", "2: column prompts: wanted a number above 0"),
    (
        "continuations.csv",
        "64,64",
        "64,65",
        "2: column continuation_tokens: wanted 64, what prompt_tokens leave",
    ),
    ("continuations.csv", "0.03125", "3.125", "2: column repeated_token_share: wanted a share from 0 to 1"),
    (
        "roles.csv",
        "tied,untied,input,no,no,1",
        "untied,untied,input,no,no,1",
        "2: column tied_run: wanted a run of runs.csv that",
    ),
    (
        "roles.csv",
        "tied,untied,input,no,no,1",
        "tied,tide,input,no,no,1",
        "2: column untied_run: wanted a run of runs.csv that is",
    ),
    (
        "roles.csv",
        "untied,output,no,no,1,",
        "untied,outputs,no,no,1,",
        "42: column table: wanted 'output', came 'outputs'",
    ),
    (
        "roles.csv",
        "untied,input,yes,no,1,",
        "untied,input,no,no,1,",
        "22: column centred: wanted 'yes', came 'no'",
    ),
    (
        "roles.csv",
        "untied,output,yes,yes,10,",
        "untied,output,yes,true,10,",
        "81: column shuffled: wanted 'yes', came 'true'",
    ),
    (
        "roles.csv",
        "untied,output,no,no,2,",
        "untied,output,no,no,1,",
        "43: column group: wanted group 2 of table 'output', came 1",
    ),
    ("roles.csv", "input,no,no,1,819,", "input,no,no,1,820,", "11: column vocabulary_tokens: wanted 8192 in"),
    (
        "roles.csv",
        "input,no,yes,1,819,",
        "input,no,yes,1,820,",
        "12: column vocabulary_tokens: wanted 819, as on line 2, came 820",
    ),
    (
        "roles.csv",
        "output,yes,yes,10,820,",
        "output,yes,yes,10,0,",
        "81: column vocabulary_tokens: wanted 820",
    ),
    ("roles.csv", "0.2578125", "-1.2578125", "2: column mean_cosine: wanted a cosine from -1 to 1"),
    ("baselines.csv", "unigram", "onegram", "3: column model: wanted 'unigram', came 'onegram'"),
    ("baselines.csv", "6.5", "6.4", "3: column heldout_bits_per_byte: wanted 1.84"),
]


@pytest.mark.parametrize(("name", "old", "new", "words"), FAULTS, ids=[f"{f[0]}:{f[3][:40]}" for f in FAULTS])
def test_a_faulty_cell_is_refused(folder: Path, name: str, old: str, new: str, words: str) -> None:
    rewrite(folder, name, old, new)
    refused(folder, f"{name}:{words}")


def drop(folder: Path, name: str, begin: str) -> None:
    """Take all lines that begin so out of a table."""
    path = folder / name
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith(begin)), newline="")
    sign(folder)


@pytest.mark.parametrize(
    ("name", "begin", "words"),
    [
        ("addresses.csv", "untied,1810-Nobody-2", "6: wanted 3 rows (as for run 'tied'), came 2"),
        ("frequencies.csv", "tied,10,", "10: column heldout_tokens: wanted 1000 in all"),
        (
            "roles.csv",
            "tied,untied,output,yes,yes",
            "71: wanted 80 rows (10 groups of 8 comparisons for a pair), came 70",
        ),
        ("roles.csv", "tied,", "2: wanted 80 rows (or no such file, where no runs are a pair), came 0"),
        ("baselines.csv", "bigram", "3: wanted 3 rows (uniform, unigram, bigram), came 2"),
    ],
)
def test_a_missing_row_is_missed(folder: Path, name: str, begin: str, words: str) -> None:
    drop(folder, name, begin)
    refused(folder, f"{name}:{words}")


def everywhere(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 2, "the same for both runs"
    path.write_text(text.replace(old, new), encoding="utf-8", newline="")
    sign(folder)


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        # Both runs say the same, and both say what cannot be.
        ("addresses.csv", ",1800,100,", ",1700,100,", "2: column year: wanted a year from 1790 to 2026"),
        (
            "addresses.csv",
            "1810-Nobody-2",
            "1810-Nobody-1",
            "4: column address: wanted each once (first on line 3)",
        ),
        (
            "frequencies.csv",
            ",10,20,20,",
            ",9,20,20,",
            "3: column least_count: wanted 10 or more, for groups go by",
        ),
        (
            "frequencies.csv",
            ",90,100,550,",
            ",90,89,550,",
            "11: column most_count: wanted least_count (90) or more",
        ),
        ("frequencies.csv", ",1,819,", ",1,820,", "11: column vocabulary_tokens: wanted 8192 in all"),
    ],
)
def test_what_no_run_may_say_is_refused(folder: Path, name: str, old: str, new: str, words: str) -> None:
    everywhere(folder, name, old, new)
    refused(folder, f"{name}:{words}")


def test_a_group_without_a_target_may_be_left_out(folder: Path) -> None:
    """Its held-out tokens are none, and its tokens of the vocabulary stand in no row."""
    path = folder / "frequencies.csv"
    lines = [line.split(",") for line in path.read_text().splitlines()]
    for first, second in ((1, 2), (11, 12)):
        a, b = (int(lines[at][5]) for at in (first, second))
        loss = (a * float(lines[first][6]) + b * float(lines[second][6])) / (a + b)
        lines[second][5:] = [str(a + b), repr(loss)]
    path.write_text(
        "".join(",".join(line) + "\n" for at, line in enumerate(lines) if at not in (1, 11)), newline=""
    )
    sign(folder)
    assert load(folder).table("frequencies.csv")["group"].tolist() == [*range(2, 11), *range(2, 11)]


def test_tables_are_compared_in_pairs_alone(folder: Path) -> None:
    told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    told["recipe"]["untied"]["note"] = "one more difference"
    fixture.write_manifest(folder, recipe=told["recipe"])
    refused(folder, "roles.csv:2: column untied_run: wanted a run that differs from 'tied' in the head alone")


def test_the_uniform_model_knows_the_vocabulary(folder: Path) -> None:
    path = folder / "baselines.csv"
    lines = path.read_text().splitlines()
    lines[1] = "uniform,6.5," + lines[2].split(",")[2]
    path.write_text("\n".join(lines) + "\n", newline="")
    sign(folder)
    refused(folder, "baselines.csv:2: column heldout_loss: wanted 9.01")
