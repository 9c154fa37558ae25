"""The miniature of `tests.training.miniature`, made once for all tests."""

import pytest

from tests.training import miniature
from training.engine import Engine
from training.recipe import Recipe
from training.record import Material


@pytest.fixture(scope="session")
def small() -> Recipe:
    return miniature.SMALL


@pytest.fixture(scope="session")
def engine() -> Engine:
    return miniature.PLAIN


@pytest.fixture(scope="session")
def material() -> Material:
    return miniature.small_material()
