"""Say beforehand what a recording will cost."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from training import files
from training.arithmetic import step_flop
from training.places import Place
from training.recipe import PAIR_RECORDING, TIED, Recipe


def announce(wanted: Mapping[Place, Sequence[Recipe]], side_by_side: int, generated: Path) -> str:
    """Name the runs that are still to be made, and about how long they take.

    Args:
        wanted: the runs that are asked for, by recording.
        side_by_side: runs at once.
        generated: the folder of the volume's recordings; the speed is that of its pair.
    """
    left = [recipe for place, recipes in wanted.items() for recipe in recipes if not _finished(place, recipe)]
    if len(wanted) > 1:
        what = f"{len(left)} runs of {len(wanted)} recordings"
    else:
        what = f"{', '.join(recipe.run for recipe in left) or 'nothing new'}"
    return f"recording {what}, {side_by_side} side by side: {_duration(left, side_by_side, generated)}"


def _finished(place: Place, recipe: Recipe) -> bool:
    checkpoint = files.load_checkpoint(place.checkpoint(recipe))
    return checkpoint is not None and checkpoint["result"] is not None


def _duration(recipes: Sequence[Recipe], side_by_side: int, generated: Path) -> str:
    """The recorded pair's own time, in proportion to the arithmetic."""
    try:
        measured = files.read_manifest(generated / PAIR_RECORDING)["measurements"]
        speed = min(run["steps_per_second"] for run in measured.values())
    except (files.RecordingError, KeyError, TypeError, ValueError):
        return "how long is not known here yet"
    steps = sum(recipe.steps * flop(recipe) for recipe in recipes) / flop(TIED)
    minutes = steps / speed / side_by_side / 60
    return f"about {minutes:.0f} minutes on the machine of the recorded pair"


def flop(recipe: Recipe) -> int:
    """Floating-point operations of a step's matrix products."""
    return sum(step_flop(recipe).values())
