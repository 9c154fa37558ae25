"""The matrix products of one training step: their shapes and their floating-point operations.

Legend: N = B * T positions, D width, F MLP width, V vocabulary, H heads, K = D / H, L blocks.
"""

from dataclasses import dataclass

from training.recipe import Recipe


@dataclass(frozen=True)
class Product:
    """A batch of equal matrix products [m, k] x [k, n], done `count` times in a step."""

    part: str
    """'blocks', 'attention' or 'head'."""
    count: int
    batch: int
    m: int
    k: int
    n: int

    @property
    def flop(self) -> int:
        """Floating-point operations in a step: a multiplication and an addition for each term."""
        return 2 * self.count * self.batch * self.m * self.k * self.n


def step_products(recipe: Recipe, chunk_rows: int) -> tuple[Product, ...]:
    """List the products of a step, forward and both gradients.

    Each product [m, k] x [k, n] has two gradients, [m, n] x [n, k] and [k, m] x [m, n], with as
    many operations: so a step is three times its forward pass. Causal attention is counted in full,
    as it is computed.

    Args:
        recipe: gives the shape and the batch.
        chunk_rows: rows that the head scores at once.
    """
    n, d, heads = recipe.tokens_per_step, recipe.d_model, recipe.n_heads
    t, layers = recipe.context_length, recipe.n_layers
    width, sequences = d // heads, recipe.batch_size * heads
    forward = [
        Product("blocks", layers, 1, n, d, 3 * d),
        Product("blocks", layers, 1, n, d, d),
        Product("blocks", layers, 1, n, d, recipe.d_ff),
        Product("blocks", layers, 1, n, recipe.d_ff, d),
        Product("attention", layers, sequences, t, width, t),
        Product("attention", layers, sequences, t, t, width),
        Product("head", n // chunk_rows, 1, chunk_rows, d, recipe.vocab_size),
    ]
    assert heads * width == d
    gradients = [
        Product(p.part, p.count, p.batch, *shape)
        for p in forward
        for shape in ((p.m, p.n, p.k), (p.k, p.m, p.n))
    ]
    return tuple(forward + gradients)


def step_flop(recipe: Recipe) -> dict[str, int]:
    """Floating-point operations of a step's matrix products, by part."""
    totals: dict[str, int] = {}
    for product in step_products(recipe, recipe.tokens_per_step):
        totals[product.part] = totals.get(product.part, 0) + product.flop
    return totals
