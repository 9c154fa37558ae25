"""What is run: the recipe of each recorded run, as plain data.

Nothing here needs torch: the book's side and the command line may read a recipe without loading it. A run is
the base recipe plus named changes, so what a reader sees as the difference is the difference that ran.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

Head = Literal["tied", "untied"]

BYTE_ALPHABET = 256
"""Smallest vocabulary of a byte-level tokenizer: one token for each byte, before the end-of-text token."""
SHORTEST_CONTEXT = 8
"""Half a context is continued at the end of a run, and passages of four tokens counted in it."""


@dataclass(frozen=True)
class Recipe:
    """One run, whole: the same recipe on the same machine gives the same bytes."""

    run: str
    """Name of the run: its key in every CSV."""
    seed: int
    """Seeds the initial weights and the order of the batches; nothing else is random."""
    head: Head = "tied"
    """Whether the embedding table also scores the output, or a second table does."""
    vocab_size: int = 8192
    """Tokens in the vocabulary, the end-of-text token included."""
    d_model: int = 128
    """Width of the residual stream."""
    n_layers: int = 4
    """Blocks of attention and MLP."""
    n_heads: int = 4
    """Attention heads in a block; each is d_model / n_heads wide."""
    d_ff: int = 512
    """Width of the MLP between its two matrices."""
    context_length: int = 128
    """Positions that the model reads at once, tokens."""
    steps: int = 6000
    """Updates of the weights."""
    batch_size: int = 16
    """Sequences of one context length in a step."""
    learning_rate: float = 4e-3
    """Peak learning rate of AdamW, reached after the warm-up."""
    warmup_steps: int = 200
    """Steps over which the learning rate rises linearly from zero."""
    final_learning_rate_share: float = 0.1
    """Share of the peak learning rate that the cosine ends at."""
    beta1: float = 0.9
    """Decay of AdamW's mean of gradients, per step."""
    beta2: float = 0.95
    """Decay of AdamW's mean of squared gradients, per step."""
    weight_decay: float = 0.1
    """Decoupled decay of the blocks' matrices, times the learning rate, per step."""
    table_weight_decay: float = 0.1
    """The same for the embedding, the positions and an untied head. As large as the matrices': a row met
    rarely would otherwise keep its initial noise, and the tied and untied tables must be treated alike.
    The norms' gains are never decayed: their resting value is one, not zero."""
    gradient_clip: float = 1.0
    """Largest Euclidean norm of the whole gradient; a longer one is scaled down to it."""
    heldout_every: int = 10
    """Of the corpus's years in order, every one at this stride is held out, all its addresses together."""
    train_every: int = 1
    """Of the other addresses in order, every one at this stride is trained on; 1 for all of them."""
    evaluation_windows: int = 160
    """Windows of one context length in each fixed sample that the curves are measured on."""
    final_evaluation_windows: int = 800
    """Windows in the fixed sample of the training split that the final training loss is measured on."""

    def __post_init__(self) -> None:
        for name, least in _WHOLE.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ValueError(
                    f"recipe {self.run!r}: {name} must be a whole number of at least {least}; got {value!r}"
                )
        for name in _NOT_NEGATIVE:
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
                raise ValueError(
                    f"recipe {self.run!r}: {name} must be a finite number, not negative; got {value!r}"
                )
        for name in ("beta1", "beta2"):
            if getattr(self, name) >= 1:
                raise ValueError(
                    f"recipe {self.run!r}: {name} must be less than 1; got {getattr(self, name)!r}"
                )
        if not self.gradient_clip:
            raise ValueError(
                f"recipe {self.run!r}: gradient_clip must be more than 0, or nothing is learned; "
                "1e9 clips nothing"
            )
        if self.head not in ("tied", "untied"):
            raise ValueError(f"recipe {self.run!r}: head must be 'tied' or 'untied'; got {self.head!r}")
        if self.d_model % self.n_heads:
            raise ValueError(
                f"recipe {self.run!r}: d_model must be a multiple of n_heads; "
                f"got {self.d_model} and {self.n_heads}"
            )
        if self.vocab_size < BYTE_ALPHABET + 1:
            raise ValueError(
                f"recipe {self.run!r}: vocab_size must hold the {BYTE_ALPHABET} bytes and the end-of-text "
                f"token, at least {BYTE_ALPHABET + 1}; got {self.vocab_size}"
            )

    @property
    def tokens_per_step(self) -> int:
        """Target tokens in one step."""
        return self.batch_size * self.context_length

    @property
    def recorded_steps(self) -> tuple[int, ...]:
        """Steps after which the losses are measured: dense early on, then every hundred, and the last."""
        early = (0, 10, 20, 30, 50)
        return tuple(
            sorted({s for s in (*early, *range(100, self.steps, 100)) if s < self.steps} | {self.steps})
        )

    def as_dict(self) -> dict[str, Any]:
        """The recipe as plain values, in the order of its fields."""
        return asdict(self)


_WHOLE = {
    "seed": 0,
    "warmup_steps": 0,
    "context_length": SHORTEST_CONTEXT,
    **dict.fromkeys(
        (
            "vocab_size", "d_model", "n_layers", "n_heads", "d_ff", "steps", "batch_size", "heldout_every",
            "train_every", "evaluation_windows", "final_evaluation_windows",
        ),
        1,
    ),
}  # fmt: skip
"""Fields that count something, and the least that each may be."""
_NOT_NEGATIVE = (
    "learning_rate", "final_learning_rate_share", "beta1", "beta2", "weight_decay", "table_weight_decay",
    "gradient_clip",
)  # fmt: skip


RECORDED_SEED = 7
"""Seed of the pair that the plate shows."""
SELECTION_SEED = 1
"""Seed of the runs that the learning rate was chosen on; never the recorded one."""

TIED = Recipe(run="tied", seed=RECORDED_SEED)
UNTIED = replace(TIED, run="untied", head="untied")

LEARNING_RATES = (0.002, 0.004, 0.008)
SELECTION = tuple(
    replace(TIED, run=f"tied-{rate}", seed=SELECTION_SEED, learning_rate=rate) for rate in LEARNING_RATES
)
"""Tied runs alone: the untied head has no say in a recipe that it is then compared under."""
UNTIED_RATES = tuple(
    replace(UNTIED, run=f"untied-{rate}", seed=SELECTION_SEED, learning_rate=rate) for rate in LEARNING_RATES
)
"""The same runs untied: whether the learning rate decides the comparison."""

REPLICATE_SEEDS = (11, 12, 13, 14)
"""Seeds of the pair's repetitions."""
BUDGET_SEEDS = (RECORDED_SEED, *REPLICATE_SEEDS[:2])
"""Seeds of the tied models that spend the untied head's parameters otherwise."""


def pair(**changes: Any) -> tuple[Recipe, Recipe]:
    """The recorded pair, both runs with the same changes."""
    return replace(TIED, **changes), replace(UNTIED, **changes)


SELECTION_RECORDING = "learning-rate"
PAIR_RECORDING = "output-head"
FLOAT32_RECORDING = "float32"
"""The one recording that fixes the precision of its products; all others take what the machine does best."""
RECORDINGS: dict[str, tuple[Recipe, ...]] = {
    PAIR_RECORDING: (TIED, UNTIED),
    **{f"seed-{seed}": pair(seed=seed) for seed in REPLICATE_SEEDS},
    "quarter": pair(train_every=4),
    SELECTION_RECORDING: (*SELECTION, *UNTIED_RATES),
    "wider": tuple(replace(TIED, run=f"wider-{seed}", seed=seed, d_ff=1536) for seed in BUDGET_SEEDS),
    "deeper": tuple(replace(TIED, run=f"deeper-{seed}", seed=seed, n_layers=9) for seed in BUDGET_SEEDS),
    "table-decay": pair(table_weight_decay=0.0),
    FLOAT32_RECORDING: (TIED,),
}
"""Every recording of the volume: the folder in `generated/`, and its runs."""


def differences(one: Recipe, other: Recipe) -> dict[str, tuple[Any, Any]]:
    """Name the fields in which two recipes differ, with both values."""
    ours, theirs = one.as_dict(), other.as_dict()
    return {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}


def choose_runs(recording: str, recipes: Sequence[Recipe], names: Sequence[str]) -> tuple[Recipe, ...]:
    """Return the named recipes of a recording, all of them for no name.

    Raises:
        ValueError: a name that the recording does not have.
    """
    known = {recipe.run: recipe for recipe in recipes}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"no run {unknown[0]!r} in {recording!r}; runs are {', '.join(map(repr, known))}")
    return tuple(known[name] for name in dict.fromkeys(names or known))
