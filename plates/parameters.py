"""Exact parameter counts of decoder-only transformers, from shape alone.

Letters used below:
    V vocabulary   d width   L blocks   H query heads   K key/value heads   h head width   f MLP width
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

QK_NORMS = ("none", "head", "full")


@dataclass(frozen=True)
class ModelShape:
    """All that decides how many parameters a decoder-only transformer has."""

    name: str
    vocab_size: int
    """Rows of the embedding table, padding rows included (V)."""
    d_model: int
    """Width of the residual stream (d)."""
    n_layers: int
    """Blocks (L)."""
    n_heads: int
    """Query heads (H)."""
    n_kv_heads: int
    """Key and value heads (K); fewer than H where queries share them."""
    head_dim: int
    """Width of one head (h); H · h need not be d."""
    d_ff: int
    """Width inside the MLP (f)."""
    gated_mlp: bool
    """Three MLP matrices (gate, up, down) rather than two."""
    tied: bool
    """The head is the embedding table, transposed: no second matrix exists."""
    qkv_bias: bool = False
    """Biases on the query, key and value projections."""
    linear_bias: bool = False
    """Biases on the attention's output projection and on the MLP."""
    norms_per_layer: int = 2
    """Norms of width d in a block; one more stands before the head."""
    norm_bias: bool = False
    """LayerNorm (scale and bias) rather than RMSNorm (scale)."""
    qk_norm: str = "none"
    """Norms on queries and keys: none, one per `head` width, or over the `full` projections."""
    learned_positions: int = 0
    """Rows of a learned table of positions; 0 where positions have no parameters."""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise ValueError(f"a model shape wants a name, came {self.name!r}; name it")
        for field in fields(self):
            _check_field(self.name, field.name, getattr(self, field.name))
        if self.n_heads % self.n_kv_heads:
            raise ValueError(
                f"{self.name}: n_kv_heads wants a divisor of n_heads ({self.n_heads}), "
                f"came {self.n_kv_heads}; each key/value head serves the same number of query heads"
            )
        if self.qk_norm not in QK_NORMS:
            raise ValueError(
                f"{self.name}: qk_norm wants one of {', '.join(QK_NORMS)}, came {self.qk_norm!r}"
            )


def _check_field(model: str, field: str, value: object) -> None:
    """Hold a field of a shape to its kind: a positive integer, a flag, or a number of rows that may be 0."""
    if field in ("name", "qk_norm"):
        return
    if field in ("gated_mlp", "tied", "qkv_bias", "linear_bias", "norm_bias"):
        if not isinstance(value, bool):
            raise ValueError(f"{model}: {field} wants True or False, came {value!r}")
        return
    least = 0 if field in ("learned_positions", "norms_per_layer") else 1
    # bool is an int in Python; a True in a field of sizes is a mistake, not a 1.
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{model}: {field} wants an integer of at least {least}, came {value!r}")


@dataclass(frozen=True)
class ParameterCount:
    """Parameters of a model, part by part."""

    table: int
    head: int
    """The output matrix of its own; 0 when tied, for then it is the table."""
    positions: int
    attention: int
    mlp: int
    norms: int

    @property
    def blocks(self) -> int:
        """Parameters that are neither token table, head nor positions."""
        return self.attention + self.mlp + self.norms

    @property
    def total(self) -> int:
        """All parameters, each once."""
        return self.table + self.head + self.positions + self.blocks


def count(shape: ModelShape) -> ParameterCount:
    """Count the parameters of a shape exactly.

    Args:
        shape: the model's shape.

    Returns:
        Parameters, part by part and in total.
    """
    one_table = shape.vocab_size * shape.d_model
    return ParameterCount(
        table=one_table,
        head=0 if shape.tied else one_table,
        positions=shape.learned_positions * shape.d_model,
        attention=shape.n_layers * _attention(shape),
        mlp=shape.n_layers * _mlp(shape),
        norms=_norms(shape),
    )


def _widths(shape: ModelShape) -> tuple[int, int]:
    """Widths of all queries, H · h, and of all keys, K · h."""
    return shape.n_heads * shape.head_dim, shape.n_kv_heads * shape.head_dim


def _attention_weights(shape: ModelShape) -> int:
    queries, keys = _widths(shape)
    return shape.d_model * (queries + 2 * keys) + queries * shape.d_model


def _attention(shape: ModelShape) -> int:
    """Parameters of one block's attention, biases and query/key norms included."""
    queries, keys = _widths(shape)
    qkv_biases = (queries + 2 * keys) * shape.qkv_bias
    output_bias = shape.d_model * shape.linear_bias
    qk_norms = {"none": 0, "head": 2 * shape.head_dim, "full": queries + keys}[shape.qk_norm]
    return _attention_weights(shape) + qkv_biases + output_bias + qk_norms


def _mlp_weights(shape: ModelShape) -> int:
    return (3 if shape.gated_mlp else 2) * shape.d_model * shape.d_ff


def _mlp(shape: ModelShape) -> int:
    """Parameters of one block's MLP, biases included."""
    inner = 2 if shape.gated_mlp else 1
    return _mlp_weights(shape) + (inner * shape.d_ff + shape.d_model) * shape.linear_bias


def _norms(shape: ModelShape) -> int:
    """Parameters of every norm of width d: those of the blocks and the one before the head."""
    of_one = shape.d_model * (2 if shape.norm_bias else 1)
    return (shape.n_layers * shape.norms_per_layer + 1) * of_one


@dataclass(frozen=True)
class Arithmetic:
    """Multiply-adds for one token, forwards."""

    head: int
    projections: int
    """Attention's four projections and the MLP, in all blocks."""
    attention: int
    """Scores and weighted sums over the context, in all blocks."""

    @property
    def blocks(self) -> int:
        """Multiply-adds of all blocks."""
        return self.projections + self.attention

    @property
    def total(self) -> int:
        """Multiply-adds of head and blocks."""
        return self.head + self.blocks

    @property
    def head_share(self) -> float:
        """The head's part of the total, between 0 and 1."""
        return self.head / self.total

    @property
    def training_flops(self) -> int:
        """Floating-point operations to train on one token: 2 a multiply-add, 1 pass forwards, 2 back."""
        return 6 * self.total


def arithmetic(shape: ModelShape, context: int) -> Arithmetic:
    """Count the multiply-adds per token; tying changes none of them.

    Args:
        shape: the model's shape.
        context: positions attended to, in tokens; masked ones are multiplied all the same.

    Returns:
        Multiply-adds for one token, forwards.

    Raises:
        ValueError: the context is not a positive integer.
    Source: Chowdhery et al. 2022, PaLM, appendix B, which counts the same products.
    """
    _check_field(shape.name, "context", context)
    queries, _ = _widths(shape)
    return Arithmetic(
        head=shape.vocab_size * shape.d_model,
        projections=shape.n_layers * (_attention_weights(shape) + _mlp_weights(shape)),
        attention=shape.n_layers * 2 * queries * context,
    )


MICRO_TIED = ModelShape(
    name="micro, tied",
    vocab_size=8192,
    d_model=128,
    n_layers=4,
    n_heads=4,
    n_kv_heads=4,
    head_dim=32,
    d_ff=512,
    gated_mlp=False,
    tied=True,
    learned_positions=128,
)
MICRO_UNTIED = replace(MICRO_TIED, name="micro, untied", tied=False)
