"""Records the small run in a process of its own, which may be killed.

    python -m tests.training.recorder FOLDER [HOW NUMBER]

HOW is `step`, to be killed outright after that many steps of this process, or `write`, to be killed in the
middle of writing the n-th checkpoint.
"""

import os
import signal
import sys
from pathlib import Path

from tests.training.miniature import PLAIN, SMALL, small_material
from training import files, record


def killed_after(steps: int) -> record.Report:
    """A report that kills the process after so many steps."""
    seen = 0

    def report(progress: record.Progress) -> None:
        nonlocal seen
        seen += 1
        if seen > steps:
            os.kill(os.getpid(), signal.SIGKILL)

    return report


def kill_in_write(number: int) -> None:
    """Have the process killed when the n-th checkpoint is half written."""
    written, whole = 0, files.write_whole

    def half(path: Path, content: bytes) -> None:
        nonlocal written
        written += 1
        if written == number:
            with path.with_name(f"{path.name}.partial").open("wb") as file:
                file.write(content[: len(content) // 2])
                file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
        whole(path, content)

    files.write_whole = half  # type: ignore[assignment]


def main(folder: str, how: str = "", number: str = "0") -> None:
    """Record, and print nothing: what counts is the checkpoint."""
    record.CHECKPOINT_EVERY = 3
    report = killed_after(int(number)) if how == "step" else lambda progress: None
    if how == "write":
        kill_in_write(int(number))
    record.record_run(SMALL, PLAIN, small_material(), Path(folder, "checkpoint.pt"), report)


if __name__ == "__main__":
    main(*sys.argv[1:])
