"""The command line of the book: python -m plates check."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

# Each command: the module with its `add_arguments(parser)` and `main(options) -> int`, and what it is for.
# A module is imported when its command is given: the others' libraries take their time.
COMMANDS = {
    "benchmark": ("plates.book_benchmark", "time volumes of many plates beside the same text without macros"),
    "new": ("plates.new", "begin a plate: a page with every section, a figure on an example, a green build"),
    "check": ("plates.checks.command", "tell each fault: file, line, column, what it is and what to do"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: those of the command line; this process's own by default.

    Returns:
        The exit status: 0 done, 1 failed; wrong usage exits with 2.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        chosen = next((import_module(COMMANDS[word][0]) for word in words[:1] if word in COMMANDS), None)
    except ModuleNotFoundError as error:
        say = "run `make check`, or use .venv/bin/python after `make site`"
        print(f"plates: wanted {error.name}, which is not installed for this Python; {say}", file=sys.stderr)
        return 1
    parser = argparse.ArgumentParser(
        prog="python -m plates", description="What an author asks of the book, from the folder of mkdocs.yml."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, purpose) in COMMANDS.items():
        command = commands.add_parser(name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.")
        if chosen and name == words[0]:
            chosen.add_arguments(command)
    options = parser.parse_args(words)
    return int(chosen.main(options)) if chosen else 2


if __name__ == "__main__":
    sys.exit(main())
