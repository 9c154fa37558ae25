"""The chart library: locked and checked, or plotly.py's own; never half, and never by a build itself."""

import io
import json
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from plotly.offline import get_plotlyjs, get_plotlyjs_version

from plates import bundle

VERSION = get_plotlyjs_version()
SCRIPT = f"/**\n* plotly.js (basic - minified) v{VERSION}\n*/ made up".encode()


def packed(script: bytes, member: str = bundle.MEMBER) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        entry = tarfile.TarInfo(member)
        entry.size = len(script)
        archive.addfile(entry, io.BytesIO(script))
    return file.getvalue()


def locked(root: Path, data: bytes, version: str = VERSION) -> None:
    entry = {"version": version, "integrity": bundle.digest(data)}
    lock = {"packages": {f"node_modules/{bundle.PACKAGE}": entry}}
    (root / "package-lock.json").write_text(json.dumps(lock))


@pytest.fixture
def npm(monkeypatch):
    """An npm that brings what it is told to, or fails with an exit status or an exception."""

    def bring(answer: bytes | int | Exception) -> list[list[str]]:
        calls = []

        def run(command, cwd, **_):
            calls.append(command)
            if isinstance(answer, Exception):
                raise answer
            if isinstance(answer, bytes):
                (Path(cwd) / "package.tgz").write_bytes(answer)
            status = answer if isinstance(answer, int) else 0
            complaint = "npm error no way out\n" if status else ""
            return subprocess.CompletedProcess(command, status, "", complaint)

        monkeypatch.setattr(bundle.subprocess, "run", run)
        monkeypatch.setattr(bundle.shutil, "which", lambda name: f"/usr/bin/{name}")
        return calls

    return bring


def test_the_project_pins_what_plotly_draws_for(root):
    assert bundle.for_plotly(bundle.read_lock(root, bundle.PACKAGE)).version == VERSION
    pinned = json.loads((root / "package.json").read_text())["dependencies"]
    assert pinned == {bundle.PACKAGE: VERSION}


def test_the_lock_names_no_host(root):
    text = (root / "package-lock.json").read_text()
    assert "resolved" not in text
    assert not re.search(r"https?://", text)


def test_fetches_checks_and_keeps(tmp_path, npm):
    data = packed(SCRIPT)
    locked(tmp_path, data)
    calls = npm(data)
    assert "basic bundle" in bundle.fetch(tmp_path)
    assert (tmp_path / bundle.TARGET).read_bytes() == SCRIPT
    assert "as locked" in bundle.fetch(tmp_path)
    assert len(calls) == 1


def test_an_unchanged_bundle_is_not_written_again(tmp_path, npm):
    data = packed(SCRIPT)
    locked(tmp_path, data)
    npm(data)
    bundle.fetch(tmp_path)
    before = (tmp_path / bundle.TARGET).stat()
    bundle.fetch(tmp_path)
    bundle.ensure(tmp_path)
    after = (tmp_path / bundle.TARGET).stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_a_foreign_package_is_refused_and_nothing_written(tmp_path, npm):
    locked(tmp_path, packed(SCRIPT))
    npm(packed(SCRIPT + b"and more"))
    with pytest.raises(bundle.BundleError, match="nothing was written"):
        bundle.fetch(tmp_path)
    assert not (tmp_path / bundle.TARGET).exists()
    assert not (tmp_path / bundle.CACHE).exists()


def test_a_spoilt_cache_is_fetched_anew(tmp_path, npm):
    data = packed(SCRIPT)
    locked(tmp_path, data)
    calls = npm(data)
    bundle.fetch(tmp_path)
    next((tmp_path / bundle.CACHE).iterdir()).write_bytes(b"spoilt")
    bundle.fetch(tmp_path)
    assert len(calls) == 2
    assert (tmp_path / bundle.TARGET).read_bytes() == SCRIPT


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (1, "npm error no way out"),
        (0, "no reason given"),
        (subprocess.TimeoutExpired("npm", 120), "TimeoutExpired"),
        (PermissionError(), "PermissionError"),
    ],
)
def test_without_network_the_large_one_stands_in(tmp_path, npm, answer, why):
    locked(tmp_path, packed(SCRIPT))
    npm(answer)
    said = bundle.fetch(tmp_path)
    assert "full bundle" in said
    assert why in said
    assert "\n" not in said
    assert (tmp_path / bundle.TARGET).read_bytes() == bundle.whole(get_plotlyjs())


def test_without_npm_the_large_one_stands_in(tmp_path, monkeypatch):
    locked(tmp_path, packed(SCRIPT))
    monkeypatch.setattr(bundle.shutil, "which", lambda name: None)
    assert "since there is no npm" in bundle.fetch(tmp_path)
    assert bundle.version_of(tmp_path / bundle.TARGET) == VERSION


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"packages": {}}', '{"packages": null}'])
def test_a_broken_lock_is_refused(tmp_path, text):
    (tmp_path / "package-lock.json").write_text(text)
    with pytest.raises(bundle.BundleError, match=r"package-lock\.json: no version and integrity"):
        bundle.fetch(tmp_path)


def test_a_missing_lock_is_refused(tmp_path):
    with pytest.raises(bundle.BundleError, match="npm install --package-lock-only"):
        bundle.fetch(tmp_path)


def test_another_version_is_refused(tmp_path):
    locked(tmp_path, b"", version="1.2.3")
    with pytest.raises(bundle.BundleError, match=rf"1\.2\.3, but plotly\.py draws for {re.escape(VERSION)}"):
        bundle.fetch(tmp_path)


@pytest.mark.parametrize(
    "data",
    [packed(SCRIPT, "package/other.js"), packed(b"no version"), b"no archive"],
    ids=["no script", "no version", "no archive"],
)
def test_a_package_without_the_script_is_refused(tmp_path, npm, data):
    locked(tmp_path, data)
    npm(data)
    with pytest.raises(bundle.BundleError):
        bundle.fetch(tmp_path)
    assert not (tmp_path / bundle.TARGET).exists()


def test_a_build_alone_takes_what_is_there_or_plotlys_own(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle.subprocess, "run", lambda *_, **__: pytest.fail("a build may not run npm"))
    assert "full bundle" in bundle.ensure(tmp_path)
    bundle.write(tmp_path / bundle.TARGET, SCRIPT)
    assert "basic bundle" in bundle.ensure(tmp_path)
    bundle.write(tmp_path / bundle.TARGET, b"plotly.js v1.0.0")
    assert "full bundle" in bundle.ensure(tmp_path)
    assert (tmp_path / bundle.TARGET).read_bytes() == bundle.whole(get_plotlyjs())


def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch):
    target = tmp_path / bundle.TARGET
    bundle.write(target, b"before")

    def no_space(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bundle.Path, "replace", no_space)
    with pytest.raises(OSError, match="No space left"):
        bundle.write(target, b"after")
    assert [path.read_bytes() for path in target.parent.iterdir()] == [b"before"]


def test_the_command_says_one_line_and_its_status(monkeypatch, capsys):
    monkeypatch.setattr(bundle, "fetch", lambda root: "all is there")
    assert bundle.main() == 0
    assert capsys.readouterr().out == "all is there\n"

    def refuse(root):
        raise bundle.BundleError("not what is locked")

    monkeypatch.setattr(bundle, "fetch", refuse)
    assert bundle.main() == 1
    assert capsys.readouterr().err == "plates.bundle: not what is locked\n"


def test_the_large_bundle_goes_without_the_style_of_its_maps():
    taken = len(get_plotlyjs().encode()) - len(bundle.whole(get_plotlyjs()))
    assert 10_000 < taken < 200_000, "the style sheet is no longer where it was"
    assert bundle.whole("e.textContent='.maplibregl-map{top:0}',f()") == b"e.textContent='',f()"
