"""Plate 7's own facts: one recorded pair, tied and untied."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from plates import numbers
from plates.names import Namespace
from plates.parameters import Arithmetic, ModelShape, ParameterCount, arithmetic, count
from plates.recorded.recordings import Recording, RecordingError

RUNS = ("tied", "untied")
# What may differ between the two runs; all else must not, or the page compares two things at once.
OWN = ("run", "head", "parameters", "elapsed_seconds", "heldout_bits_per_byte")


@dataclass(frozen=True)
class OutputHead:
    """What the recorded pair and its shapes say; losses in nats per token, differences untied − tied."""

    tied: Namespace
    """The tied run's row of `runs.csv`."""
    untied: Namespace
    """The untied run's row."""
    counts_tied: ParameterCount
    counts_untied: ParameterCount
    one_block: int
    """Parameters of one more block."""
    arithmetic: Arithmetic
    """Multiply-adds for one token: the same for both."""
    train_tokens: int
    """Tokens of the training split."""
    first_heldout_tied: float
    """Held-out loss before the first step."""
    first_heldout_untied: float

    @property
    def parameters_tied(self) -> int:
        """Parameters of the tied model."""
        return self.counts_tied.total

    @property
    def parameters_untied(self) -> int:
        """Parameters of the untied model."""
        return self.counts_untied.total

    @property
    def saved(self) -> int:
        """Parameters that tying saves: V · d, one table."""
        return self.parameters_untied - self.parameters_tied

    @property
    def extra_share(self) -> float:
        """How much larger untying makes the tied model, as a share of the tied model."""
        return self.saved / self.parameters_tied

    @property
    def saved_share(self) -> float:
        """How much of the untied model tying saves, as a share of the untied model."""
        return self.saved / self.parameters_untied

    @property
    def table_share(self) -> float:
        """The one table's part of the tied model."""
        return self.counts_tied.table / self.parameters_tied

    @property
    def blocks_for_saved(self) -> float:
        """How many further blocks of the model's kind the saved parameters would make."""
        return self.saved / self.one_block

    @property
    def mlp_for_saved(self) -> float:
        """How many times as wide the saved parameters would make every MLP."""
        return (self.counts_tied.mlp + self.saved) / self.counts_tied.mlp

    @property
    def train_tied(self) -> float:
        """Final training loss of the tied run."""
        return float(self.tied.final_train_loss)

    @property
    def train_untied(self) -> float:
        """Final training loss of the untied run."""
        return float(self.untied.final_train_loss)

    @property
    def heldout_tied(self) -> float:
        """Final held-out loss of the tied run."""
        return float(self.tied.final_heldout_loss)

    @property
    def heldout_untied(self) -> float:
        """Final held-out loss of the untied run."""
        return float(self.untied.final_heldout_loss)

    @property
    def train_difference(self) -> float:
        """Difference of the final training losses, untied − tied: below zero where untied is better."""
        return self.train_untied - self.train_tied

    @property
    def heldout_difference(self) -> float:
        """Difference of the final held-out losses, untied − tied: below zero where untied is better."""
        return self.heldout_untied - self.heldout_tied

    @property
    def carried(self) -> float:
        """The part of the training difference that is there on held-out text too; 0 where there is none."""
        printed = numbers.nats(self.train_gap) != numbers.nats(0.0)
        return self.heldout_difference / self.train_difference if printed else 0.0

    @property
    def heldout_gap(self) -> float:
        """The same without its sign, for a sentence that says which is better."""
        return abs(self.heldout_difference)

    @property
    def train_gap(self) -> float:
        """Distance of the final training losses, without sign."""
        return abs(self.train_difference)

    @property
    def untied_is(self) -> str:
        """How untied does on held-out text: "better", "worse" or, to the printed digit, "no better"."""
        return _word(self.heldout_difference, "better", "worse", "no better")

    @property
    def untied_train_is(self) -> str:
        """The same on training text."""
        return _word(self.train_difference, "better", "worse", "no better")

    @property
    def untying_is(self) -> str:
        """What untying brings on held-out text: "an improvement", "a loss" or "a difference"."""
        return _word(self.heldout_difference, "an improvement", "a loss", "a difference")

    @property
    def better(self) -> str:
        """The run with the lower held-out loss: "tied", "untied" or, to the printed digit, "neither"."""
        return _word(self.heldout_difference, "untied", "tied", "neither")

    @property
    def bits_tied(self) -> float:
        """Held-out bits per byte of the tied run."""
        return float(self.tied.heldout_bits_per_byte)

    @property
    def bits_untied(self) -> float:
        """Held-out bits per byte of the untied run."""
        return float(self.untied.heldout_bits_per_byte)

    @property
    def steps(self) -> int:
        """Steps of each run."""
        return int(self.tied.steps)

    @property
    def tokens_seen(self) -> int:
        """Tokens each run was trained on, repeats included."""
        return int(self.tied.tokens_seen)

    @property
    def passes(self) -> float:
        """How often each run saw the training split."""
        return self.tokens_seen / self.train_tokens

    @property
    def uniform_loss(self) -> float:
        """Loss of a model that holds all tokens equally likely: ln V."""
        return math.log(self.tied.vocab_size)

    @property
    def head_share(self) -> float:
        """The head's part of the arithmetic for one token, in both."""
        return self.arithmetic.head_share

    @property
    def training_flops(self) -> int:
        """Floating-point operations to train on one token, in both."""
        return self.arithmetic.training_flops


def _word(difference: float, below: str, above: str, none: str) -> str:
    """Choose a word by the sign that a reader sees: zero to the printed digit is no difference."""
    if numbers.nats(abs(difference)) == numbers.nats(0.0):
        return none
    return below if difference < 0 else above


def facts(recording: Recording) -> OutputHead:
    """Derive what the plate says of its pair.

    Args:
        recording: one with the runs `tied` and `untied`.

    Returns:
        The facts.

    Raises:
        RecordingError: the runs differ in more than the head, or their counts are not their shapes'.
    """
    tied, untied = (recording.run(name) for name in RUNS)
    _check_pair(recording, tied, untied)
    shapes = [shape_of(recording, run) for run in (tied, untied)]
    counts = [count(shape) for shape in shapes]
    return OutputHead(
        tied=tied,
        untied=untied,
        counts_tied=counts[0],
        counts_untied=counts[1],
        one_block=count(replace(shapes[0], n_layers=shapes[0].n_layers + 1)).total - counts[0].total,
        arithmetic=arithmetic(shapes[0], tied.context_length),
        train_tokens=recording.manifest["corpus"]["train_tokens"],
        first_heldout_tied=float(recording.curve("tied")["heldout_loss"].iloc[0]),
        first_heldout_untied=float(recording.curve("untied")["heldout_loss"].iloc[0]),
    )


def _check_pair(recording: Recording, tied: Namespace, untied: Namespace) -> None:
    """Hold the two runs to one recipe but for the head."""
    for name, run in zip(RUNS, (tied, untied), strict=True):
        if run.head != name:
            raise RecordingError(f"{recording.name}: run {name!r}: wanted head {name!r}, came {run.head!r}")
    for column in tied:
        if column not in OWN and not column.startswith("final_") and tied[column] != untied[column]:
            both = f"{tied[column]!r} in 'tied' and {untied[column]!r} in 'untied'"
            raise RecordingError(
                f"{recording.name}: wanted one {column} in both runs, came {both}; record both again"
            )


def shape_of(recording: Recording, run: Namespace) -> ModelShape:
    """Give the shape of a recorded run, in micro's kind of block.

    Args:
        recording: that holds it.
        run: its row of `runs.csv`.

    Returns:
        The shape.

    Raises:
        RecordingError: its count is not the one recorded.
    """
    shape = ModelShape(
        name=f"micro, {run.head}",
        vocab_size=run.vocab_size,
        d_model=run.d_model,
        n_layers=run.n_layers,
        n_heads=run.n_heads,
        n_kv_heads=run.n_heads,
        head_dim=run.d_model // run.n_heads,
        d_ff=run.d_ff,
        gated_mlp=False,
        tied=run.head == "tied",
        learned_positions=run.context_length,
    )
    if (ours := count(shape).total) != run.parameters:
        raise RecordingError(
            f"{recording.name}: run {run.run!r}: wanted {ours} parameters, as its shape gives, "
            f"came {run.parameters}; "
            "model and count have parted: mend plates/parameters.py or training/model.py, then record again"
        )
    return shape
