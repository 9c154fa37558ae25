"""What each command does, once its options are read."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from training import files, verify
from training.benchmark import measure, render_table
from training.engine import Engine, detect
from training.export import TOKENIZER_HOME, recording_files
from training.files import GENERATED, WORKSHOP
from training.jobs import Job, default_jobs, record_jobs
from training.material import prepare, tokenizer_bytes
from training.progress import Display
from training.recipe import RECORDINGS, TIED, UNTIED, Recipe, choose_runs
from training.record import refuse_changes


def run(options: argparse.Namespace) -> int:
    """Dispatch a command; its expected errors become one line each."""
    command = {"record": record, "verify": verify_recording, "benchmark": benchmark}[options.command]
    try:
        return command(options)
    except (files.RecordingError, ValueError, ArithmeticError, OSError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return _fail("stopped; the same command goes on from the last checkpoint")


def record(options: argparse.Namespace) -> int:
    """Record runs, then publish the recording if all of its runs are finished."""
    recipes = choose_runs(options.recording, options.runs)
    folder = GENERATED / options.recording
    files.finish_publishing(folder)
    engine = _engine(options)
    tokenizer = ensure_tokenizer(recipes[0])
    side_by_side = options.jobs or default_jobs(len(recipes))
    jobs = [
        Job(recipe, engine, tokenizer, files.checkpoint_path(WORKSHOP, options.recording, recipe))
        for recipe in recipes
    ]
    names = ", ".join(recipe.run for recipe in recipes)
    _say(f"recording {names}: {recipes[0].steps} steps each, {side_by_side} side by side")
    with Display() as display:
        failures = record_jobs(jobs, side_by_side, display, _fail)
    if failures:
        return _fail(f"{failures} of {len(jobs)} runs not finished; nothing exported")
    return publish(options.recording)


def publish(recording: str) -> int:
    """Export a recording's files if every run of it is finished, and say what is still missing if not.

    Runs may have been recorded one at a time: all must be of today's recipe, and alike in all else.

    Raises:
        RecordingError: a run was recorded by another recipe, or otherwise than the first; nothing is
            exported.
    """
    finished: list[tuple[Recipe, dict[str, Any]]] = []
    missing = []
    for recipe in RECORDINGS[recording]:
        path = files.checkpoint_path(WORKSHOP, recording, recipe)
        checkpoint = files.load_checkpoint(path)
        if checkpoint is None or checkpoint["result"] is None:
            missing.append(recipe.run)
            continue
        finished.append((recipe, checkpoint))
        first = finished[0][1]["identity"]
        refuse_changes(path, checkpoint["identity"], {**first, "recipe": recipe.as_dict()})
    if missing:
        _say(f"not exported yet: {', '.join(missing)} still to be recorded")
        return 0
    material = prepare(finished[0][0], files.read_tokenizer(ensure_tokenizer(finished[0][0])))
    engine = Engine(**finished[0][1]["identity"]["engine"])
    files.publish(GENERATED / recording, recording_files(recording, finished, material, engine))
    _say(f"exported to generated/{recording}/")
    return 0


def ensure_tokenizer(recipe: Recipe) -> Path:
    """Return the tokenizer's file: the committed one, or one learned now and kept.

    It is kept since learning may vary by machine.
    """
    committed, kept = GENERATED / TOKENIZER_HOME / files.TOKENIZER, WORKSHOP / files.TOKENIZER
    if committed.exists():
        return committed
    if not kept.exists():
        _say("learning the tokenizer from the training split")
        files.write_whole(kept, tokenizer_bytes(prepare(recipe, None).tokenizer))
    return kept


def verify_recording(options: argparse.Namespace) -> int:
    """Re-run the start of the plate's pair and print each comparison."""
    folder = GENERATED / "output-head"
    manifest = files.read_manifest(folder)
    for name in ("curves.csv", files.TOKENIZER):
        files.check_file(folder, manifest, name)
    curves = verify.read_curves(folder)
    for recipe in (TIED, UNTIED):
        verify.refuse_other_recipe(recipe, manifest)
    engine = _engine(options)
    material = prepare(TIED, files.read_tokenizer(folder / files.TOKENIZER))
    comparisons = []
    for recipe in (TIED, UNTIED):
        comparisons += verify.compare(recipe, options.steps, engine, material, curves, lambda step: None)
    for c in comparisons:
        mark = "agrees" if c.agrees else "DIFFERS"
        print(
            f"{c.run:<8}step {c.step:>4}  {c.column:<12} recorded {c.recorded:.6f}  here {c.rerun:.6f}  "
            f"{c.difference:+.1e}  {mark}"
        )
    return conclude(comparisons, manifest, engine)


def conclude(comparisons: list[verify.Comparison], manifest: dict[str, Any], engine: Engine) -> int:
    """Say whether the recording holds, and if not, what differs here that could explain it."""
    worst = max(abs(c.difference) for c in comparisons)
    circumstances = verify.differing_circumstances(manifest, engine)
    if all(c.agrees for c in comparisons):
        print(
            f"{len(comparisons)} losses agree within {verify.TOLERANCE} nats; largest difference {worst:.1e}"
        )
        return 0
    reasons = "; ".join(circumstances) or "nothing: same machine, engine and versions"
    return _fail(
        f"the recording does not hold: largest difference {worst:.1e}, tolerance {verify.TOLERANCE}. "
        f"Differs here: {reasons}"
    )


def benchmark(options: argparse.Namespace) -> int:
    """Time a step and print the figures."""
    figures = measure(TIED, _engine(options), options.steps)
    print(json.dumps(figures, indent=2) if options.json else render_table(figures))
    return 0


def _engine(options: argparse.Namespace) -> Engine:
    engine, remarks = detect(options.device, options.precision, options.threads, options.compile)
    for remark in remarks:
        _say(remark)
    return engine


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _fail(message: str) -> int:
    _say(f"training: {message}")
    return 1
