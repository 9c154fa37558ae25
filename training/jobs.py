"""Record several runs side by side, a process each.

On an idle machine this is about as fast as one run after the other with a thread for each core. On a busy one
it is faster: the products of a run are small, and its threads would wait for each other at every one of them.
And a run on one thread gives the same bytes whatever the number of cores.
"""

import multiprocessing
import os
import queue
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.context import SpawnProcess
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

import torch

from training import files
from training.engine import Engine
from training.errors import reason
from training.material import prepare
from training.recipe import Recipe
from training.record import Progress, Report, record_run
from training.train import NonFiniteLossError


@dataclass(frozen=True)
class Job:
    """One run to be recorded, and where."""

    recipe: Recipe
    engine: Engine
    tokenizer: Path
    checkpoint: Path
    texts: Path | None = None
    """A folder of texts in the place of the volume's corpus."""


@dataclass(frozen=True)
class Failure:
    """What went wrong with a job."""

    message: str


def default_jobs(runs: int) -> int:
    """A process for each core, and no more than there are runs."""
    return max(1, min(runs, os.cpu_count() or 1))


class _OrphanedError(Exception):
    """The process that asked for the run is gone."""


def record_jobs(
    jobs: Sequence[Job],
    side_by_side: int,
    report: Report,
    complain: Callable[[str], object],
    finish: Callable[[Job], object] = lambda job: None,
) -> int:
    """Record all jobs, at most so many at a time.

    Args:
        jobs: the runs.
        side_by_side: processes at once.
        report: called in this process with every progress.
        complain: called with what went wrong with a run, as soon as it is known.
        finish: called with every job that is done, as soon as it is.

    Returns:
        How many runs failed; the others are finished.
    """
    failures = []

    def take(message: "Progress | Failure | Job") -> None:
        if isinstance(message, Failure):
            failures.append(message)
            complain(message.message)
        elif isinstance(message, Job):
            finish(message)
        else:
            report(message)

    if side_by_side == 1 or len(jobs) == 1:
        for job in jobs:
            take(_record(job, report))
            # The other ranks may still be in the middle of this run, and could not follow into the next.
            if failures and job.engine.ranks > 1:
                break
        return len(failures)
    # A fresh interpreter for each: a forked one would inherit the threads of torch in an unknown state.
    context = multiprocessing.get_context("spawn")
    messages: Queue[Any] = context.Queue()
    waiting = list(jobs)
    running: list[SpawnProcess] = []
    try:
        while waiting or running:
            while waiting and len(running) < side_by_side:
                process = context.Process(target=_work, args=(waiting.pop(0), messages))
                process.start()
                running.append(process)
            for message in _drain(messages):
                take(message)
            for process in running:
                if process.exitcode:
                    take(Failure(f"a recording process ended with status {process.exitcode}"))
            running = [process for process in running if process.exitcode is None]
        for message in _drain(messages):
            take(message)
    finally:
        for process in running:
            process.terminate()
    return len(failures)


def _drain(messages: "Queue[Any]") -> Iterable[Any]:
    """Yield what has come in, waiting a little for the first."""
    try:
        yield messages.get(timeout=0.2)
        while True:
            yield messages.get_nowait()
    except queue.Empty:
        return


def _work(job: Job, messages: "Queue[Any]") -> None:
    parent = os.getppid()

    def report(progress: Progress) -> None:
        # Killed outright, the parent can not stop its children: each looks whether it is still there.
        if os.getppid() != parent:
            raise _OrphanedError
        messages.put(progress)

    try:
        messages.put(_record(job, report))
    except (_OrphanedError, KeyboardInterrupt):
        messages.cancel_join_thread()


def _record(job: Job, report: Report) -> Job | Failure:
    """Record one run and return its job, or what went wrong."""
    try:
        material = prepare(job.recipe, files.read_tokenizer(job.tokenizer), job.texts)
        record_run(job.recipe, job.engine, material, job.checkpoint, report)
    except (files.RecordingError, NonFiniteLossError, ValueError) as error:
        return Failure(str(error))
    except OSError as error:
        return Failure(
            f"run {job.recipe.run!r}: {reason(error)}; what is written in {job.checkpoint.parent} is whole: "
            "make room or make the folder writable, and repeat the command"
        )
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        return Failure(
            f"run {job.recipe.run!r}: more memory wanted than this machine has; lower batch_size, d_model, "
            "d_ff, context_length or vocab_size"
        )
    return job


def _is_out_of_memory(error: Exception) -> bool:
    # On processors torch has no class of its own for it.
    return isinstance(error, (MemoryError, torch.OutOfMemoryError)) or "can't allocate memory" in str(error)
