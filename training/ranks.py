"""Several processes on one run: each takes a part of every batch, and all make the same update.

Started by torchrun, which names each process's rank in the environment. The work is torch's
DistributedDataParallel: gradients are averaged over the ranks while they are made, over gloo between
processors and over nccl between GPUs. Weights, schedule and batches are those of a single process;
only the order of the sums differs.
"""

import gc
import os
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from training.engine import Engine
from training.recipe import Recipe


def count() -> tuple[int, int]:
    """This process's rank, from 0, and the number of ranks; 0 and 1 where torchrun did not start it.

    Raises:
        ValueError: the variables that torchrun sets are not whole numbers.
    """
    found = [os.environ.get(name, default) for name, default in (("RANK", "0"), ("WORLD_SIZE", "1"))]
    if not all(text.isdigit() for text in found):
        raise ValueError(
            f"torchrun: wanted whole numbers in RANK and WORLD_SIZE, got {found[0]!r} and {found[1]!r}; "
            "start with torchrun --nproc-per-node=N -m training record"
        )
    return int(found[0]), int(found[1])


def join(engine: Engine) -> None:
    """Meet the other ranks of a run, if there are any."""
    if engine.ranks > 1 and not distributed.is_initialized():
        distributed.init_process_group("nccl" if engine.device == "cuda" else "gloo")
    if engine.ranks > 1 and engine.device == "cuda":
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))


def meet(engine: Engine) -> None:
    """Wait until every rank has come here, so that the others find what the writing one has written."""
    join(engine)
    if engine.ranks > 1:
        distributed.barrier()


def leave() -> None:
    """Part from the other ranks; whoever shared an objective has let go of it by now."""
    if distributed.is_initialized():
        # A shared objective that outlives the group ends it with Python's lock in hand, while the group's own
        # thread waits for that lock: for ever. Objectives hold themselves in circles, so they are looked for.
        gc.collect()
        distributed.destroy_process_group()


def check_batch(recipe: Recipe, engine: Engine) -> None:
    """Raise a ValueError where a batch can not be split evenly over the ranks."""
    if recipe.batch_size % engine.ranks:
        raise ValueError(
            f"torchrun: wanted a number of processes that divides the {recipe.batch_size} sequences of a "
            f"batch, got {engine.ranks}; choose another --nproc-per-node or batch_size"
        )


def own_part(recipe: Recipe, engine: Engine) -> slice:
    """The sequences of a batch that this rank reads."""
    size = recipe.batch_size // engine.ranks
    return slice(engine.rank * size, (engine.rank + 1) * size)


def share(objective: nn.Module, engine: Engine) -> Callable[..., Any]:
    """Have the gradients of an objective averaged over the ranks."""
    if engine.ranks == 1:
        return objective
    join(engine)
    return DistributedDataParallel(objective)


def mean(value: Tensor, engine: Engine) -> float:
    """Average a scalar over the ranks, so that all judge a step alike."""
    if engine.ranks > 1:
        value = value.clone()
        distributed.all_reduce(value)
        value /= engine.ranks
    return float(value.item())
