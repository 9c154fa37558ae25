"""What a manifest tells, as tables for the page on how a recording was made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from markupsafe import Markup

from plates import html, numbers
from plates.evidence.planned import Planned
from plates.names import UnknownNameError
from plates.recorded.recordings import Recording


def files(recording: Recording, address: Callable[[str], str]) -> Markup:
    """List the recording's files with their sizes and the first digits of their hashes.

    Args:
        recording: any.
        address: gives a file's address on the page from its name.

    Returns:
        A table.
    """
    rows = [
        (
            html.tag("a", name, href=address(name), download=""),
            numbers.count(each["rows"]) if each.get("rows") is not None else "",
            numbers.count(each["bytes"]),
            html.tag("code", numbers.sha(each["sha256"])),
        )
        for name, each in recording.files.items()
    ]
    caption = html.join(["Files of ", html.tag("code", recording.name)])
    header, classes = ("File", "Rows", "Bytes", "sha256"), (None, None, None, "words")
    return html.table(caption, header, rows, classes, searched=False)


def plan(planned: Iterable[Planned], made: Mapping[str, Recording]) -> Markup:
    """List the planned recordings: when each was made and on what, or that it is not made yet.

    Args:
        planned: the plan.
        made: those recordings of it that are there, by name.

    Returns:
        A table.
    """
    rows = [
        (
            html.tag("code", each.name),
            each.holds,
            *(_made(made[each.name]) if each.name in made else ("not yet", "")),
        )
        for each in planned
    ]
    header, classes = ("Recording", "Holds", "Made", "On"), ("whole", "words", "words", "words")
    return html.table("The planned recordings", header, rows, classes)


def _made(recording: Recording) -> tuple[str, str]:
    """The day of a recording, and its machine in a few words."""
    machine = recording.manifest["machine"]
    device = machine.get("device", "cpu")
    more = "" if device == "cpu" else f" with {device}"
    return numbers.day(recording.manifest["recorded_at"]), f"{machine['cpu']}{more}, {machine['precision']}"


def recipes(recording: Recording) -> Markup:
    """Lay the recipes of all runs side by side; what differs is marked in its row.

    Args:
        recording: any.

    Returns:
        A table.
    """
    by_run = {run: dict(_flat(recipe)) for run, recipe in recording.manifest["recipe"].items()}
    keys = list(dict.fromkeys(key for recipe in by_run.values() for key in recipe if key != "run"))
    rows, row_classes = [], []
    for key in keys:
        values = [recipe.get(key) for recipe in by_run.values()]
        differs = any(value != values[0] for value in values)
        rows.append((html.tag("code", key), *(said(key, value) for value in values)))
        row_classes.append("differs" if differs else None)
    marked = [
        (html.tag("strong", row[0]), *row[1:]) if each else row
        for row, each in zip(rows, row_classes, strict=True)
    ]
    caption = "Recipes of the runs; what differs is set in bold."
    return html.table(caption, ("Setting", *by_run), marked, (None, *by_run), row_classes)


def candidates(recording: Recording) -> Markup:
    """List what the recipe was chosen from, with the measure that decided; the chosen one is marked.

    Args:
        recording: one whose manifest tells of a selection.

    Returns:
        A table.
    """
    selection = recording.manifest["selection"]
    columns = list(dict.fromkeys(key for each in selection["candidates"] for key in each))
    chosen = [selection.get("chosen") in each.values() for each in selection["candidates"]]
    rows = []
    for each, is_chosen in zip(selection["candidates"], chosen, strict=True):
        first, *others = [said(column, each.get(column)) for column in columns]
        rows.append((html.tag("strong", f"{first} (chosen)") if is_chosen else first, *others))
    caption = f"Candidates, seed {selection['seed']}; chosen by {selection['metric']}."
    return html.table(caption, [_words(column) for column in columns], rows)


def particulars(recording: Recording, section: str) -> Markup:
    """List all that one section of the manifest says.

    Args:
        recording: any.
        section: such as "machine", "versions" or "corpus".

    Returns:
        A table.

    Raises:
        UnknownNameError: the manifest has no such section.
    """
    values = recording.manifest[section]
    if not isinstance(values, Mapping):
        raise UnknownNameError(
            f"manifest: wanted a section with parts, came {section!r}; write manifest().{section}"
        )
    rows = [(_words(key), said(key, value)) for key, value in _flat(values)]
    return html.table(_words(section).capitalize(), ("Name", "Value"), rows)


def said(key: str, value: Any) -> str:
    """Print a value of a manifest by what its key says it is.

    Args:
        key: such as "final_heldout_loss".
        value: text, a number, a truth or nothing.

    Returns:
        Text.
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if key.endswith("_loss"):
        return numbers.nats(value)
    if isinstance(value, int):
        return str(value) if key.endswith(("year", "years")) else numbers.count(value)
    return (
        numbers.learning_rate(value)
        if isinstance(value, float)
        else ", ".join(said(key, each) for each in value)
    )


def _flat(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """All values of nested sections, each by its own key."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value)
        else:
            yield key, value


def _words(key: str) -> str:
    """A key as words: "final_heldout_loss" is "final held-out loss"."""
    return key.replace("heldout", "held-out").replace("_", " ")
