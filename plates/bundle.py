"""Put the chart library where the pages' script finds it, before the pages are collected.

`python -m plates.bundle` takes Plotly's small bundle by npm, once, and checks it against package-lock.json;
without npm or network it takes the large one that plotly.py carries, and says so. It lays the data's files,
too. A build by itself calls `ensure`, which never runs npm.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from plotly.offline import get_plotlyjs, get_plotlyjs_version

PACKAGE = "plotly.js-basic-dist-min"
MEMBER = "package/plotly-basic.min.js"
TARGET = Path("docs/assets/vendor/plotly.min.js")
CACHE = Path(".cache")
PATIENCE_SECONDS = 120
QUIETLY = ("--ignore-scripts", "--loglevel=error", "--no-update-notifier", "--fetch-retries=1")
_MAP_STYLE = re.compile(r"(\.textContent=)'\.maplibregl[^'\n]*'")
RELOCK = "npm install --package-lock-only --omit-lockfile-registry-resolved"


class BundleError(Exception):
    """The small bundle is not what the project pins; says what to do."""


class Unavailable(Exception):  # noqa: N818 - no error: the large bundle stands in
    """The small bundle cannot be had here and now; says why."""


@dataclass(frozen=True)
class Lock:
    """What package-lock.json says of a package."""

    name: str
    version: str
    integrity: str
    """"sha512-" and the digest of the package in base64."""


def ensure(root: Path) -> str:
    """See to it that a bundle of plotly.py's version is there, without npm and network.

    Args:
        root: the folder of mkdocs.yml.

    Returns:
        One line that says what is there.
    """
    target, wanted = root / TARGET, get_plotlyjs_version()
    if version_of(target) == wanted:
        return f"{TARGET}: {kind_of(target)} bundle of plotly.js {wanted}, {_kilobytes(target)}"
    write(target, whole(get_plotlyjs()))
    return (
        f"{TARGET}: plotly.py's own full bundle of plotly.js {wanted}, {_kilobytes(target)}; "
        "`python -m plates.bundle` takes the small one where npm is at hand"
    )


def fetch(root: Path) -> str:
    """Put the small bundle in place, from the cache or by npm; where that fails, the large one.

    Args:
        root: the folder of package-lock.json.

    Returns:
        One line that says which it is, and why.

    Raises:
        BundleError: the pinned version is not plotly.py's, or the package is not the locked one.
    """
    lock = for_plotly(read_lock(root, PACKAGE))
    target = root / TARGET
    try:
        write(target, script(lock, package(root, lock)))
    except Unavailable as why:
        write(target, whole(get_plotlyjs()))
        return f"{TARGET}: plotly.py's own full bundle, {_kilobytes(target)}, since {why}"
    return f"{TARGET}: basic bundle of plotly.js {lock.version}, {_kilobytes(target)}, as locked"


def read_lock(root: Path, name: str) -> Lock:
    """Read a package's version and digest.

    Args:
        root: the folder of package-lock.json.
        name: the package's name.

    Raises:
        BundleError: the lock does not name it.
    """
    path = root / "package-lock.json"
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))["packages"][f"node_modules/{name}"]
        return Lock(name, entry["version"], entry["integrity"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BundleError(f"{path.name}: no version and integrity of {name}; run `{RELOCK}`") from error


def for_plotly(lock: Lock) -> Lock:
    """Hold the small bundle's version against that which plotly.py draws for.

    Raises:
        BundleError: they differ.
    """
    ours = get_plotlyjs_version()
    if lock.version != ours:
        raise BundleError(
            f"package-lock.json: {lock.name} {lock.version}, but plotly.py draws for {ours}; "
            f"set it to {ours} in package.json and run `{RELOCK}`"
        )
    return lock


def package(root: Path, lock: Lock) -> bytes:
    """Give a locked package's bytes: kept from an earlier time, else by npm.

    Raises:
        Unavailable: there is no npm, or it could not fetch the package.
        BundleError: what npm brought is not the locked package.
    """
    kept = root / CACHE / f"{lock.name}-{lock.version}.tgz"
    if kept.is_file() and digest(kept.read_bytes()) == lock.integrity:
        return kept.read_bytes()
    brought = _by_npm(lock)
    if digest(brought) != lock.integrity:
        raise BundleError(
            f"{lock.name} {lock.version}: wanted {lock.integrity}, npm brought {digest(brought)}; "
            "nothing was written; find out where the difference comes from"
        )
    write(kept, brought)
    return brought


def extract(lock: Lock, brought: bytes, member: str) -> bytes:
    """Take one file out of a package.

    Raises:
        BundleError: the package does not hold it.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(brought), mode="r:gz") as archive:
            file = archive.extractfile(member)
            return file.read() if file else b""
    except (tarfile.TarError, KeyError) as error:
        raise BundleError(f"{lock.name} {lock.version}: no {member} in the package; {error}") from error


def script(lock: Lock, brought: bytes) -> bytes:
    """Take the chart library out of its package.

    Raises:
        BundleError: the package holds no script of the locked version.
    """
    found = extract(lock, brought, MEMBER)
    if _version(found) != lock.version:
        raise BundleError(f"{lock.name} {lock.version}: {MEMBER} is of version {_version(found) or '?'}")
    return found


def whole(text: str) -> bytes:
    """Give plotly.py's own bundle without the style sheet of its maps.

    The bundle writes that sheet into every page that loads it, which the pages' policy refuses; no figure of
    the book is a map.

    Args:
        text: the bundle as plotly.py has it.

    Returns:
        The bundle as the pages may use it.
    """
    return _MAP_STYLE.sub(r"\1''", text).encode()


def digest(data: bytes) -> str:
    """Give a package's digest in the form of a lock file."""
    return "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()


def version_of(path: Path) -> str:
    """Give the version that a bundle's first lines state; nothing where there is no bundle."""
    return _version(path.read_bytes()) if path.is_file() else ""


def kind_of(path: Path) -> str:
    """Say which bundle it is: "basic" or "full"."""
    return "basic" if b"(basic" in path.read_bytes()[:300] else "full"


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; one that is so already is left alone, so that nothing rebuilds."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _by_npm(lock: Lock) -> bytes:
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable(f"there is no npm to fetch {lock.name} with")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", f"{lock.name}@{lock.version}", *QUIETLY, f"--cache={folder}/cache"]
        try:
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unavailable(f"npm could not fetch {lock.name} ({type(error).__name__})") from error
        found = list(Path(folder).glob("*.tgz"))
        if done.returncode or len(found) != 1:
            reason = next((line for line in done.stderr.splitlines() if line.strip()), "no reason given")
            raise Unavailable(f"npm could not fetch {lock.name} ({reason.strip()})")
        return found[0].read_bytes()


def _version(text: bytes) -> str:
    found = re.search(rb"plotly\.js (?:\([^)]*\) )?v(\d+\.\d+\.\d+)", text[:300])
    return found[1].decode() if found else ""


def _kilobytes(path: Path) -> str:
    return f"{path.stat().st_size / 1000:,.0f} kB"


def main() -> int:
    """Fetch the bundle for the tree that this package stands in, and say what came of it."""
    # MkDocs lays the data by itself; Zensical looks for files before it asks anything of us.
    from plates.book import lay_all

    root = Path(__file__).parents[1]
    lay_all(root)
    try:
        print(fetch(root))
    except BundleError as error:
        print(f"plates.bundle: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
