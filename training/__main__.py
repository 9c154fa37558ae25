"""The command line of the training side: python -m training record | verify | benchmark | show."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from training.recipe import PAIR_RECORDING, RECORDINGS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 failed, 2 wrongly asked."""
    options = build_parser().parse_args(arguments)
    options.given = list(sys.argv[1:] if arguments is None else arguments)
    # Imported late: torch takes seconds to load, and `--help` should not.
    try:
        from training import commands
    except ModuleNotFoundError as error:
        print(
            f"training: wanted {error.name}, which is not installed for this Python; "
            "run `make record`, or use .venv/bin/python after `make lint` or `make test`",
            file=sys.stderr,
        )
        return 1
    return commands.run(options)


class _Parser(argparse.ArgumentParser):
    """Answers a wrong option with one line, and not with the whole list of right ones."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def build_parser() -> argparse.ArgumentParser:
    """Describe the commands and their options."""
    parser: argparse.ArgumentParser = _Parser(
        prog="python -m training", description="Record the volume's experiments, and check the recordings."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_record(commands)
    _add_verify(commands)
    _add_benchmark(commands)
    _add_show(commands)
    return parser


def _add_record(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    record = commands.add_parser(
        "record",
        help="record runs and export their files to generated/",
        description="Record the named runs, all of the recording by default. A run that was cut short goes "
        "on where it was. The files in generated/ are replaced only when every run is finished. Started by "
        "torchrun --nproc-per-node=N -m training record, N processes share every batch of each run.",
    )
    record.add_argument("runs", nargs="*", metavar="RUN", help="run to record, such as 'tied' (default: all)")
    which = record.add_mutually_exclusive_group()
    which.add_argument(
        "--recording",
        choices=tuple(RECORDINGS),
        default=PAIR_RECORDING,
        metavar="NAME",
        help=f"which of the volume's recordings: {', '.join(RECORDINGS)} (default: %(default)s)",
    )
    which.add_argument("--all", action="store_true", help="every recording of the volume")
    which.add_argument(
        "--into", type=Path, metavar="FOLDER", help="a pair of your own, in a folder of your own"
    )
    record.add_argument(
        "--corpus", type=Path, metavar="FOLDER", help="with --into: a folder of .txt files to train on"
    )
    record.add_argument(
        "--recipe", type=Path, metavar="FILE", help="with --into: a TOML file of recipe fields"
    )
    record.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="with --into: one recipe field, such as d_model=64; may be repeated",
    )
    record.add_argument(
        "--jobs", type=_positive, help="runs side by side (default: one for each core, at most the runs)"
    )
    _add_engine(record)


def _add_verify(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    verify = commands.add_parser(
        "verify",
        help="re-run the start of the recorded pair and compare",
        description="Re-run the first steps of the plate's two runs and hold every loss against "
        "the committed curves.",
    )
    verify.add_argument(
        "--steps", type=_positive, default=30, help="how many steps to re-run (default: %(default)s)"
    )
    _add_engine(verify)


def _add_benchmark(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    benchmark = commands.add_parser(
        "benchmark",
        help="time a step against this machine's own matrix products",
        description="Time the training step beside the matrix products that it can not do without.",
    )
    benchmark.add_argument("--steps", type=_positive, default=40, help="steps to time (default: %(default)s)")
    benchmark.add_argument("--json", action="store_true", help="print the figures as JSON")
    _add_engine(benchmark)


def _add_show(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    show = commands.add_parser(
        "show",
        help="draw the curves of a recording",
        description="Print the final losses of a recording and draw its curves, the held-out loss solid and "
        "the training loss dashed.",
    )
    show.add_argument("folder", type=Path, metavar="FOLDER", help="a recording's folder")
    show.add_argument(
        "--to",
        type=Path,
        metavar="FILE",
        help="a .png, .svg or .pdf file (default: curves.png in the folder)",
    )


def _add_engine(parser: argparse.ArgumentParser) -> None:
    engine = parser.add_argument_group("engine", "how it is computed; two engines agree to within rounding")
    engine.add_argument(
        "--threads", type=_positive, default=1, help="threads for one run (default: %(default)s)"
    )
    engine.add_argument(
        "--device", choices=("auto", "cpu", "cuda", "mps"), default="auto", help="where to compute"
    )
    engine.add_argument(
        "--precision",
        choices=("auto", "bf16", "fp32"),
        default="auto",
        help="of the matrix products (default: what is fast here)",
    )
    engine.add_argument(
        "--compile",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="fuse the step's loops (default: where it works)",
    )


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"wanted a whole number of at least 1, got {text!r}")
    return value


if __name__ == "__main__":
    sys.exit(main())
