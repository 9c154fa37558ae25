"""The command line of the training side: python -m training record | verify | benchmark."""

import argparse
import sys
from collections.abc import Sequence

from training.recipe import RECORDINGS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 failed, 2 wrongly asked."""
    options = build_parser().parse_args(arguments)
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


def build_parser() -> argparse.ArgumentParser:
    """Describe the commands and their options."""
    parser = argparse.ArgumentParser(
        prog="python -m training", description="Record the volume's experiments, and check the recordings."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_record(commands)
    _add_verify(commands)
    _add_benchmark(commands)
    return parser


def _add_record(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    record = commands.add_parser(
        "record",
        help="record runs and export their files to generated/",
        description="Record the named runs, all of the recording by default. A run that was cut short goes "
        "on where it was. The files in generated/ are replaced only when every run is finished.",
    )
    record.add_argument("runs", nargs="*", metavar="RUN", help="run to record, such as 'tied' (default: all)")
    record.add_argument(
        "--recording",
        choices=tuple(RECORDINGS),
        default="output-head",
        help="which recording (default: %(default)s)",
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


def _add_engine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threads", type=_positive, default=1, help="threads for one run (default: %(default)s)"
    )
    parser.add_argument(
        "--device", choices=("auto", "cpu", "cuda", "mps"), default="auto", help="where to compute"
    )
    parser.add_argument(
        "--precision",
        choices=("auto", "bf16", "fp32"),
        default="auto",
        help="of the matrix products (default: what is fast here)",
    )
    parser.add_argument(
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
