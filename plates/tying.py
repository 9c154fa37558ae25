"""When tying is worth it: one table's part of a model, a rule of thumb for it, and what released models do.

A tied model has one table of V · d parameters. A block of micro's kind has 4 · d² in its attention and 8 · d²
in an MLP four times as wide as the model. So the table's part of the whole is about

    V · d / (V · d + L · 12 · d²) = V / (V + 12 · L · d).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median

from plates.open_models import COLUMNS, OpenModel
from plates.parameters import MICRO_TIED, ModelShape, count

LARGE_PART = 0.1
"""One table's part of a model from which the plate calls it large."""
EARLIER, LATER = "Phi-3-mini", "Phi-4-mini"
"""Two models of one maker and size, the first untied and the second tied."""


def one_table_share(shape: ModelShape) -> float:
    """Compute the token table's part of the model if it has one table, tied.

    Args:
        shape: the model's shape; whether it is tied makes no difference.

    Returns:
        The part, between 0 and 1.
    """
    parts = count(replace(shape, tied=True))
    return parts.table / parts.total


def rule_of_thumb(shape: ModelShape) -> float:
    """Estimate `one_table_share` from vocabulary, depth and width alone: V / (V + 12 · L · d).

    Args:
        shape: the model's shape.

    Returns:
        The part, between 0 and 1.
    """
    return shape.vocab_size / (shape.vocab_size + 12 * shape.n_layers * shape.d_model)


def head_share(model: OpenModel) -> float:
    """Compute the part of a model, as released, that is its output head: its one table, or its second."""
    return model.one_table / model.parameters.total


def families(models: Sequence[OpenModel]) -> dict[str, tuple[OpenModel, ...]]:
    """Sort models into families, each in order of size.

    Args:
        models: any models.

    Returns:
        The models by family, families in the order of their first model.
    """
    order = list(dict.fromkeys(model.family for model in models))
    of = {family: [model for model in models if model.family == family] for family in order}
    return {
        family: tuple(sorted(its, key=lambda model: model.parameters.total)) for family, its in of.items()
    }


@dataclass(frozen=True)
class Errors:
    """How far the rule of thumb is from the exact part, over some models; all without sign."""

    models: int
    median: float
    largest: float
    worst: str
    """The model with the largest error."""
    above: int
    """Models for which the rule gives too much."""


def errors(models: Sequence[OpenModel]) -> Errors:
    """Hold the rule of thumb against exact counts.

    Args:
        models: at least one model.

    Returns:
        The errors, as parts of the whole model.
    """
    of = {model.name: rule_of_thumb(model.shape) - one_table_share(model.shape) for model in models}
    worst = max(of, key=lambda name: abs(of[name]))
    above = sum(error > 0 for error in of.values())
    return Errors(len(of), median(map(abs, of.values())), abs(of[worst]), worst, above)


@dataclass(frozen=True)
class Tying:
    """What the list of released models says of tying."""

    models: tuple[OpenModel, ...]

    @property
    def number(self) -> int:
        """All models of the list."""
        return len(self.models)

    @property
    def tied(self) -> int:
        """Models without a head of their own."""
        return sum(model.shape.tied for model in self.models)

    @property
    def untied(self) -> int:
        """Models with a head of their own."""
        return self.number - self.tied

    @property
    def families(self) -> int:
        """Families of models."""
        return len(families(self.models))

    @property
    def all(self) -> Errors:
        """The rule's errors over all models."""
        return errors(self.models)

    @property
    def ungated(self) -> Errors:
        """The rule's errors over the models whose MLP has two matrices, as micro's has."""
        return errors([model for model in self.models if not model.shape.gated_mlp])

    @property
    def micro_share(self) -> float:
        """One table's part of micro, tied, counted."""
        return one_table_share(MICRO_TIED)

    @property
    def micro_rule(self) -> float:
        """The same by the rule of thumb."""
        return rule_of_thumb(MICRO_TIED)

    @property
    def large_part(self) -> float:
        """One table's part of a model from which it counts as large."""
        return LARGE_PART

    @property
    def heavy(self) -> int:
        """Models of which one table would be a large part."""
        return len(self._heavy(True))

    @property
    def heavy_tied(self) -> int:
        """Those of them that tie."""
        return sum(model.shape.tied for model in self._heavy(True))

    @property
    def heavy_untied(self) -> int:
        """Those of them that do not."""
        return self.heavy - self.heavy_tied

    @property
    def heavy_untied_families(self) -> str:
        """The families of these."""
        return in_words(dict.fromkeys(model.family for model in self._heavy(True) if not model.shape.tied))

    @property
    def light(self) -> int:
        """Models of which one table would be a small part."""
        return len(self._heavy(False))

    @property
    def light_untied(self) -> int:
        """Those of them that have a head of their own."""
        return sum(not model.shape.tied for model in self._heavy(False))

    @property
    def mixed(self) -> int:
        """Families that have both kinds."""
        return len(self._mixed())

    @property
    def crossing(self) -> int:
        """Those of them that tie up to some size and have a head of their own from there on."""
        return sum(map(_crosses_once, self._mixed().values()))

    @property
    def not_crossing(self) -> str:
        """The others, by name."""
        return in_words(name for name, its in self._mixed().items() if not _crosses_once(its))

    @property
    def gemma(self) -> int:
        """Models of the Gemma families."""
        return len(self._named("Gemma"))

    @property
    def gemma_tied(self) -> int:
        """Those of them that tie."""
        return sum(model.shape.tied for model in self._named("Gemma"))

    @property
    def gemma_smallest(self) -> int:
        """Parameters of the smallest of them."""
        return min(model.parameters.total for model in self._named("Gemma"))

    @property
    def gemma_largest(self) -> int:
        """Parameters of the largest of them."""
        return max(model.parameters.total for model in self._named("Gemma"))

    @property
    def phi_vocabulary_ratio(self) -> float:
        """How many times as many tokens the later of two Phi minis knows."""
        by_name = {model.name: model.shape for model in self.models}
        return by_name[LATER].vocab_size / by_name[EARLIER].vocab_size

    @property
    def phi_size_ratio(self) -> float:
        """How much larger the later one is, as a part of the earlier."""
        by_name = {model.name: model.parameters.total for model in self.models}
        return by_name[LATER] / by_name[EARLIER] - 1

    def _heavy(self, heavy: bool) -> list[OpenModel]:
        return [model for model in self.models if (one_table_share(model.shape) >= LARGE_PART) == heavy]

    def _mixed(self) -> dict[str, tuple[OpenModel, ...]]:
        of = families(self.models)
        return {name: its for name, its in of.items() if len({model.shape.tied for model in its}) == 2}

    def _named(self, begin: str) -> list[OpenModel]:
        return [model for model in self.models if model.family.startswith(begin)]


def _crosses_once(its: Sequence[OpenModel]) -> bool:
    """Whether models in order of size are tied first and untied afterwards."""
    return [tied for tied, _ in groupby(model.shape.tied for model in its)] == [True, False]


def in_words(names: Iterable[str]) -> str:
    """Join names as a sentence does: "A, B and C"."""
    *most, last = list(names) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def as_csv(models: Sequence[OpenModel]) -> str:
    """Print models with what their shapes give.

    Args:
        models: any models.

    Returns:
        CSV: the columns of the list, then parameters, one table's and two shares.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*COLUMNS, "parameters", "one_table", "head_share", "one_table_share"])
    for model in models:
        known = {**vars(model.shape), **vars(model)}
        cells = [int(known[name]) if isinstance(known[name], bool) else known[name] for name in COLUMNS]
        derived = (model.parameters.total, model.one_table, head_share(model), one_table_share(model.shape))
        writer.writerow([*cells, *derived])
    return file.getvalue()


def facts(models: Sequence[OpenModel]) -> Tying:
    """Gather what the list says.

    Args:
        models: all released models of the list.

    Returns:
        The facts.
    """
    return Tying(tuple(models))
