"""What the list of released models says as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plates.open_models import OpenModel

YEARS = (2024, 2025)
THRESHOLD = 7_000_000_000
"""Parameters from which a model counts as large here: the smallest size that most families call middling."""


@dataclass(frozen=True)
class OpenModels:
    """How many released models tie, by size, among those of the years the plate speaks of."""

    models: tuple[OpenModel, ...]
    """The models of those years."""

    @property
    def threshold(self) -> int:
        """Parameters from which a model counts as large."""
        return THRESHOLD

    @property
    def large(self) -> int:
        """Large models."""
        return len(self._of(large=True))

    @property
    def large_untied(self) -> int:
        """Large models with a head of their own."""
        return sum(not model.shape.tied for model in self._of(large=True))

    @property
    def small(self) -> int:
        """All others."""
        return len(self._of(large=False))

    @property
    def small_tied(self) -> int:
        """Those of the others that tie."""
        return sum(model.shape.tied for model in self._of(large=False))

    def _of(self, large: bool) -> list[OpenModel]:
        return [model for model in self.models if (model.parameters.total >= THRESHOLD) == large]


def facts(models: Sequence[OpenModel]) -> OpenModels:
    """Keep the models of the plate's years.

    Args:
        models: all released models of the list.

    Returns:
        The facts.
    """
    return OpenModels(tuple(model for model in models if model.year in YEARS))
