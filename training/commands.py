"""What each command does, once its options are read."""

import argparse
import json
import sys
from collections import Counter
from dataclasses import replace
from typing import Any

from training import files, plan, ranks, verify
from training.benchmark import measure, render_table
from training.engine import Engine, detect
from training.errors import reason
from training.export import recording_files
from training.files import GENERATED, WORKSHOP
from training.jobs import Job, default_jobs, record_jobs
from training.material import prepare, tokenizer_bytes
from training.own_recipe import read_changes
from training.places import Place, of_a_reader, of_the_volume
from training.progress import Display
from training.recipe import RECORDINGS, TIED, UNTIED, Recipe, choose_runs
from training.record import refuse_changes
from training.show import draw


def run(options: argparse.Namespace) -> int:
    """Dispatch a command; its expected errors become one line each."""
    commands = {"record": record, "verify": verify_recording, "benchmark": benchmark, "show": show}
    try:
        return commands[options.command](options)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(
            f"{where}{reason(error)}; see that the place is there, is yours to write to, and has room"
        )
    except (files.RecordingError, ValueError, ArithmeticError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return _fail("stopped; the same command goes on from the last checkpoint")
    finally:
        ranks.leave()


def record(options: argparse.Namespace) -> int:
    """Record runs, and publish every recording as soon as all of its runs are finished."""
    wanted = {place: choose_runs(place.name, place.recipes, options.runs) for place in _places(options)}
    fixed = {place.precision for place in wanted}
    engine = _engine(options, fixed.pop() if len(fixed) == 1 else None)
    for place in wanted:
        _make_ready(place, engine)
    home = {_job(place, recipe, engine): place for place, recipes in wanted.items() for recipe in recipes}
    side_by_side = 1 if engine.ranks > 1 else options.jobs or default_jobs(len(home))
    if engine.writes:
        _say(plan.announce(wanted, side_by_side, GENERATED))
    left = Counter(home.values())
    exports = []

    def finish(job: Job) -> None:
        left[home[job]] -= 1
        if not left[home[job]] and engine.writes:
            exports.append(_publish_or_complain(home[job]))

    with Display() as display:
        report = display if engine.writes else (lambda progress: None)
        failures = record_jobs(list(home), side_by_side, report, _fail, finish)
    if failures:
        return _fail(f"{failures} of {len(home)} runs not finished; their recordings are not exported")
    return 0 if all(exports) else 1


def _places(options: argparse.Namespace) -> list[Place]:
    """What the options ask to record."""
    if options.into is not None:
        changes = read_changes(options.recipe, options.set)
        return [of_a_reader(options.into, options.corpus, changes, options.given)]
    for name in ("corpus", "recipe", "set"):
        if getattr(options, name):
            raise ValueError(f"--{name}: the volume's own recordings stay as they are; add --into FOLDER")
    if options.all and options.runs:
        raise ValueError(f"--all records every run; got {options.runs[0]!r} beside it")
    names = tuple(RECORDINGS) if options.all else (options.recording,)
    return [of_the_volume(name, GENERATED, WORKSHOP) for name in names]


def _make_ready(place: Place, engine: Engine) -> None:
    if engine.writes:
        files.finish_publishing(place.folder)
        ensure_tokenizer(place)
    ranks.meet(engine)


def _job(place: Place, recipe: Recipe, engine: Engine) -> Job:
    own = replace(engine, precision=place.precision) if place.precision else engine
    return Job(recipe, own, place.tokenizer, place.checkpoint(recipe), place.texts)


def _publish_or_complain(place: Place) -> bool:
    """Export a recording, and return whether that went well."""
    try:
        publish(place)
    except files.RecordingError as error:
        _fail(str(error))
        return False
    return True


def publish(place: Place) -> None:
    """Export a recording's files if every run of it is finished, and say what is still missing if not.

    Runs may have been recorded one at a time: all must be of today's recipe, and alike in all else.

    Raises:
        RecordingError: a run was recorded by another recipe, or otherwise than the first; nothing is
            exported.
    """
    finished: list[tuple[Recipe, dict[str, Any]]] = []
    missing = []
    for recipe in place.recipes:
        path = place.checkpoint(recipe)
        checkpoint = files.load_checkpoint(path)
        if checkpoint is None or checkpoint["result"] is None:
            missing.append(recipe.run)
            continue
        finished.append((recipe, checkpoint))
        first = finished[0][1]["identity"]
        refuse_changes(path, checkpoint["identity"], {**first, "recipe": recipe.as_dict()})
    if missing:
        _say(f"not exported yet: {', '.join(missing)} still to be recorded")
        return
    material = prepare(finished[0][0], files.read_tokenizer(place.tokenizer), place.texts)
    engine = Engine(**finished[0][1]["identity"]["engine"])
    files.publish(place.folder, recording_files(place, finished, material, engine))
    _say(f"exported to {files.shown(place.folder)}")


def ensure_tokenizer(place: Place) -> None:
    """Learn a recording's tokenizer and keep it, where there is none."""
    if not place.tokenizer.exists():
        _say("learning the tokenizer from the training split")
        material = prepare(place.recipes[0], None, place.texts)
        files.write_whole(place.tokenizer, tokenizer_bytes(material.tokenizer))


def show(options: argparse.Namespace) -> int:
    """Draw the curves of a recording and print its final losses."""
    target = options.to or options.folder / "curves.png"
    if target.resolve().is_relative_to(GENERATED.resolve()):
        raise ValueError(f"{target}: nothing is drawn into the volume's recordings; name a file with --to")
    print(draw(options.folder, target))
    _say(f"drawn to {target}")
    return 0


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


def _engine(options: argparse.Namespace, precision: str | None = None) -> Engine:
    engine, remarks = detect(options.device, precision or options.precision, options.threads, options.compile)
    rank, size = ranks.count()
    for remark in remarks if rank == 0 else []:
        _say(remark)
    return replace(engine, ranks=size, rank=rank)


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def _fail(message: str) -> int:
    _say(f"training: {message}")
    return 1
