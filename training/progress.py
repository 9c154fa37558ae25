"""Show how recordings go: a bar for each run on a terminal, a line now and then elsewhere."""

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from training.record import Progress as RunProgress

LINE_EVERY_SECONDS = 30.0
"""Where the output is a file or a pipe, at most one line for each run in this time."""


class Display:
    """A live display of several runs; a context manager, called with each run's progress."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._bars: dict[str, TaskID] = {}
        self._last_line: dict[str, float] = {}
        self._progress = Progress(
            TextColumn("{task.description:<14}"),
            BarColumn(),
            TextColumn("step {task.completed:>5.0f} of {task.total:.0f}"),
            TextColumn("{task.fields[note]}"),
            console=self._console,
        )

    def __enter__(self) -> "Display":
        if self._console.is_terminal:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, progress: RunProgress) -> None:
        """Show one run's state."""
        if self._console.is_terminal:
            self._move_bar(progress)
        elif (
            progress.step == progress.steps
            or time.monotonic() - self._last_line.get(progress.run, 0.0) > LINE_EVERY_SECONDS
        ):
            self._last_line[progress.run] = time.monotonic()
            print(
                f"{progress.run}: step {progress.step} of {progress.steps}, {note(progress)}",
                file=sys.stderr,
                flush=True,
            )

    def _move_bar(self, progress: RunProgress) -> None:
        if progress.run not in self._bars:
            self._bars[progress.run] = self._progress.add_task(progress.run, total=progress.steps, note="")
        self._progress.update(self._bars[progress.run], completed=progress.step, note=note(progress))


def note(progress: RunProgress) -> str:
    """Loss, speed and time left, as far as they are known."""
    parts = [] if progress.loss is None else [f"loss {progress.loss:.3f}"]
    if progress.steps_per_second:
        seconds = round((progress.steps - progress.step) / progress.steps_per_second)
        parts += [f"{progress.steps_per_second:.1f} steps/s", f"{seconds // 60}:{seconds % 60:02d} left"]
    return ", ".join(parts) or "preparing the first step"
