"""A live server of a tree, as `make serve` starts it: for tests that edit and look."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 60
"""Seconds; how fast it is on a quiet machine is measured elsewhere."""


@dataclass
class Live:
    """A running server."""

    tree: Path
    url: str
    log: Path
    process: subprocess.Popen[bytes]

    def page(self, path: str, seconds: float = 2) -> str:
        """What the server answers; nothing while it is building."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=seconds) as answer:
                return str(answer.read().decode())
        except (OSError, urllib.error.URLError):
            return ""

    def shows(self, path: str, is_there: Callable[[str], bool]) -> bool:
        """Whether a page comes to be as wanted."""
        return self._comes(lambda: is_there(self.page(path)))

    def says(self, words: str, since: int = 0) -> bool:
        """Whether the terminal comes to say something, after so many characters."""
        return self._comes(lambda: words in self.told()[since:])

    def told(self) -> str:
        """All that the terminal has said."""
        return self.log.read_text(encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        """Change a file as an editor does."""
        path = self.tree / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} does not say {old!r}"
        path.write_text(text.replace(old, new), encoding="utf-8", newline="")

    def lives(self) -> bool:
        """Whether the process is still there."""
        return self.process.poll() is None

    def _comes(self, is_so: Callable[[], bool]) -> bool:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.lives():
            if is_so():
                return True
            time.sleep(0.05)
        return False


@contextmanager
def live(tree: Path, log: Path) -> Iterator[Live]:
    """Serve a tree while the block runs.

    Args:
        tree: the folder that holds mkdocs.yml.
        log: where what the terminal says is kept.

    Yields:
        The server, once it answers.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [str(Path(sys.executable).with_name("mkdocs")), "serve", "--dev-addr", address]
    surroundings = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONUNBUFFERED": "1", "BOOK_URL": ""}
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=tree, env=surroundings, stdout=file, stderr=subprocess.STDOUT)
        server = Live(tree, f"http://{address}/", log, process)
        try:
            assert server.says("Serving on"), server.told()
            yield server
        finally:
            process.terminate()
            process.wait(timeout=30)
