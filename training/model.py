"""Micro: a small decoder-only transformer whose output head is tied or untied.

Read this file from top to bottom; it is the whole model. Shapes stand at the end of lines, in these letters:

    B  sequences in a batch          V  tokens in the vocabulary
    T  positions in a sequence       D  width of the residual stream (d_model)
    H  attention heads               K  width of one head, D / H
    F  width of the MLP (d_ff)       L  blocks (n_layers)

The model ends at the final norm. The product with the output table belongs to the loss
(`training.loss`), which never needs all B * T * V logits at once.
"""

import math
import zlib

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from training.recipe import Recipe

INITIAL_STD = 0.02
"""Standard deviation of every matrix and table at step 0, except those that end a residual branch."""


def widen(x: Tensor) -> Tensor:
    """In float32 what a product gave in less; float64 as it is."""
    return x if x.dtype == torch.float64 else x.float()


def gelu(x: Tensor) -> Tensor:
    """GELU in its tanh form, x (1 + tanh u) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3).

    Written as x sigmoid(2 u), which is the same function: exp has a vector unit where tanh has not.
    Source: Hendrycks and Gimpel 2016, arXiv 1606.08415, section 2.
    """
    wide = widen(x)
    u = math.sqrt(2 / math.pi) * (wide + 0.044715 * wide**3)
    return (wide * torch.sigmoid(2 * u)).to(x.dtype)


class Attention(nn.Module):
    """Causal self-attention without biases. Source: Vaswani et al. 2017, arXiv 1706.03762, section 3.2."""

    later: Tensor
    """Added to the scores: minus infinity where a position would read from a later one, else zero."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.n_heads = recipe.n_heads
        self.qkv = nn.Linear(recipe.d_model, 3 * recipe.d_model, bias=False)
        self.out = nn.Linear(recipe.d_model, recipe.d_model, bias=False)
        later = torch.full((recipe.context_length, recipe.context_length), -torch.inf).triu(1)  # [T, T]
        self.register_buffer("later", later, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Let each position read from itself and those before it. Args: x [B, T, D]. Returns: [B, T, D]."""
        B, T, D = x.shape
        qkv = self.qkv(x).view(B, T, 3, self.n_heads, D // self.n_heads)  # [B, T, 3, H, K]
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each [B, H, T, K]
        # Written out: the scores of 128 positions are few, and the softmax can be read here.
        scores = widen(q @ k.transpose(2, 3)) / math.sqrt(k.shape[3]) + self.later[:T, :T]  # [B, H, T, T]
        weights = scores.softmax(dim=3)  # [B, H, T, T]
        y = weights.to(v.dtype) @ v  # [B, H, T, K]
        return self.out(y.transpose(1, 2).reshape(B, T, D))  # type: ignore[no-any-return]


class MLP(nn.Module):
    """Two matrices with a GELU between them."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.up = nn.Linear(recipe.d_model, recipe.d_ff, bias=False)
        self.out = nn.Linear(recipe.d_ff, recipe.d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Transform each position by itself. Args: x [B, T, D]. Returns: [B, T, D]."""
        return self.out(gelu(self.up(x)))  # type: ignore[no-any-return]


class Block(nn.Module):
    """Attention, then MLP, each on a normalised copy of the residual stream and added back to it.

    Source: the pre-norm order of Xiong et al. 2020, arXiv 2002.04745; RMSNorm of Zhang and Sennrich 2019,
    arXiv 1910.07467.
    """

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.attention_norm = nn.RMSNorm(recipe.d_model, eps=1e-6)
        self.attention = Attention(recipe)
        self.mlp_norm = nn.RMSNorm(recipe.d_model, eps=1e-6)
        self.mlp = MLP(recipe)

    def forward(self, x: Tensor) -> Tensor:
        """Args: x [B, T, D]. Returns: [B, T, D]."""
        x = x + self.attention(self.attention_norm(x))
        return x + self.mlp(self.mlp_norm(x))  # type: ignore[no-any-return]


class Micro(nn.Module):
    """The model of Plate 7, up to the final vectors.

    A tied model owns one table. It is not two parameters kept equal, nor one registered under two names:
    `output_table` is a property that returns the embedding, so that counting, saving, decaying and
    updating can each meet it only once.
    """

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.embedding = nn.Parameter(torch.empty(recipe.vocab_size, recipe.d_model))  # [V, D]
        self.positions = nn.Parameter(torch.empty(recipe.context_length, recipe.d_model))  # [T, D]
        self.blocks = nn.ModuleList(Block(recipe) for _ in range(recipe.n_layers))
        self.final_norm = nn.RMSNorm(recipe.d_model, eps=1e-6)
        if recipe.head == "untied":
            self.head = nn.Parameter(torch.empty(recipe.vocab_size, recipe.d_model))  # [V, D]
        self.tied = recipe.head == "tied"
        initialise(self, recipe.seed)

    @property
    def output_table(self) -> nn.Parameter:
        """The table [V, D] whose rows score the tokens: the embedding itself where the head is tied."""
        return self.embedding if self.tied else self.head

    def forward(self, tokens: Tensor) -> Tensor:
        """Read tokens into final vectors.

        Args:
            tokens: token ids, int64 [B, T], T at most the context length.

        Returns:
            The normalised vector of each position, [B, T, D]; its logits are `h @ output_table.T`.
        """
        x = F.embedding(tokens, self.embedding) + self.positions[: tokens.shape[1]]  # [B, T, D]
        for block in self.blocks:
            x = block(x)
        return self.final_norm(x)  # type: ignore[no-any-return]


def initialise(model: nn.Module, seed: int) -> None:
    """Fill every parameter from a random stream of its own, named by the seed and the parameter's name.

    So two models that share a parameter's name and shape share its initial value bit for bit, whatever
    else they own: the tied and the untied model differ at step 0 in the extra table alone.

    Source: the standard deviations are those of GPT-2 (Radford et al. 2019, section 2.3): 0.02, and
    0.02 / sqrt(2 L) for the matrix that ends each residual branch, L blocks having two branches each.
    """
    layers = len({name.split(".")[1] for name, _ in model.named_parameters() if name.startswith("blocks.")})
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.fill_(1.0)
                continue
            # crc32 and not hash(): Python salts the hash of a string anew in every process. Seed and name go
            # into one number of 32 bits, for torch's generator silently drops any bits beyond them.
            stream = torch.Generator().manual_seed(zlib.crc32(f"{seed} {name}".encode()))
            std = INITIAL_STD / math.sqrt(2 * layers) if name.endswith("out.weight") else INITIAL_STD
            parameter.copy_(torch.randn(parameter.shape, generator=stream) * std)


def count_parameters(model: nn.Module) -> int:
    """Count the trained numbers of a model, each once."""
    return sum(parameter.numel() for parameter in model.parameters())
