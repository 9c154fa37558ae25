"""One rank of a run on the miniature, as torchrun starts it.

    torchrun --nproc-per-node=2 -m tests.training.rank FILE

Rank 0 writes the batch losses of the run, its evaluations and a digest of the final weights as JSON.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from tests.training.miniature import PLAIN, SMALL, small_material
from training import ranks
from training.train import Trainer, train


def trained(rank: int, size: int) -> dict[str, Any]:
    """Train, and find how far apart the ranks' weights are."""
    trainer = Trainer(replace(SMALL, steps=20), small_material().data, replace(PLAIN, ranks=size, rank=rank))
    records = list(train(trainer))
    weights = torch.cat([parameter.detach().flatten() for parameter in trainer.model.parameters()])
    spread = 0.0
    if size > 1:
        low, high = weights.clone(), weights.clone()
        torch.distributed.all_reduce(low, torch.distributed.ReduceOp.MIN)
        torch.distributed.all_reduce(high, torch.distributed.ReduceOp.MAX)
        spread = float((high - low).max())
    return {
        "ranks": size,
        "losses": [record.batch_loss for record in records[1:]],
        "heldout": [record.heldout.loss for record in records if record.heldout],
        "spread": spread,
    }


def main(target: str) -> None:
    """Train; rank 0 writes what was found, and the others have measured nothing."""
    rank, size = ranks.count()
    found = trained(rank, size)
    if rank == 0:
        Path(target).write_text(json.dumps(found), encoding="utf-8")
    else:
        assert not found["heldout"]
    ranks.leave()


if __name__ == "__main__":
    main(sys.argv[1])
