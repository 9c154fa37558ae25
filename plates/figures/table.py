"""The second layer: every recorded point in a captioned table, its file, and a reference to cite."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape

from plates.figures.parts import Axis, Figure

TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\n": " ",
    }
)


def table(figure: Figure, number: str) -> str:
    """Print all recorded points.

    Args:
        figure: what holds the points.
        number: the figure's number in the volume, "7.1".

    Returns:
        One table element: a row a point of x, or for points a row each, in the series' order.
    """
    what = f"Figure {number}: {figure.title}. {_measured(figure)}"
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header(figure))
    body = "".join(map(_row, rows(figure)))
    return (
        f'<table class="fig-table"><caption>{escape(what)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def header(figure: Figure) -> list[str]:
    """Name the table's columns."""
    if figure.kind == "points":
        first = ["Name"] if any(one.names for one in figure.series) else []
        last = ["Head"] if any(one.roles for one in figure.series) else []
        return [*first, figure.x.title, figure.y.title, "Series", *last]
    other = [figure.other_x.axis.title] if figure.other_x else []
    names = [one.name for one in figure.series] if figure.shared_x else ["Series", figure.y.title]
    difference = [figure.difference.label] if figure.difference else []
    return [figure.x.title, *other, *names, *difference, *(one.name for one in figure.others)]


def rows(figure: Figure) -> list[list[str]]:
    """Print the table's cells, in the order in which the figure is read step by step."""
    if figure.kind == "points":
        return _points(figure)
    if not figure.shared_x:
        return [
            [figure.x.read(x), one.name, figure.y.read(y)]
            for one in figure.series
            for x, y in zip(one.x, one.y, strict=True)
        ]
    columns = [list(map(figure.x.read, figure.series[0].x))]
    if figure.other_x:
        columns.append(list(map(figure.other_x.axis.read, figure.other_x.values)))
    columns += [list(map(figure.y.read, one.y)) for one in figure.series]
    if figure.difference:
        columns.append(signed(figure.y, figure.difference_values()))
        columns += [signed(figure.y, one.y) for one in figure.others]
    return [list(row) for row in zip(*columns, strict=True)]


def as_csv(figure: Figure) -> str:
    """Print all points as a file: the table's columns, and every digit of its numbers.

    Args:
        figure: what holds the points; counted along one x alone.

    Returns:
        CSV.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header(figure))
    writer.writerows(
        [repr(cell) if isinstance(cell, float) else cell for cell in row] for row in _raw(figure)
    )
    return file.getvalue()


def _raw(figure: Figure) -> Iterator[Sequence[object]]:
    if figure.kind == "points":
        named = any(one.names for one in figure.series)
        mixed = any(one.roles for one in figure.series)
        for one in figure.series:
            for index, (x, y) in enumerate(zip(one.x, one.y, strict=True)):
                first = [one.names[index] if one.names else ""] if named else []
                yield [*first, x, y, one.name, *([one.role_of(index)] if mixed else [])]
    elif not figure.shared_x:
        yield from ([x, one.name, y] for one in figure.series for x, y in zip(one.x, one.y, strict=True))
    else:
        more = [figure.difference_values()] if figure.difference else []
        columns = [*(one.y for one in figure.series), *more, *(one.y for one in figure.others)]
        yield from zip(figure.series[0].x, *columns, strict=True)


def signed(axis: Axis, values: Sequence[float]) -> list[str]:
    """Print differences in an axis's own form, a plus sign before those above zero."""
    printed = [axis.read(value) for value in values]
    return [
        f"+{text}" if value > 0 and text.strip("0.,%") else text
        for text, value in zip(printed, values, strict=True)
    ]


def bibtex(figure: Figure, number: str, book: str, address: str) -> str:
    """Write a BibTeX entry for a figure.

    Args:
        figure: what is cited.
        number: its number in the volume.
        book: where it stands: "The Transformer, plate 7".
        address: the page's address, or nothing where the book has none.

    Returns:
        The entry, in lines.
    """
    fields = {"title": f"Figure {number}. {figure.title}", "howpublished": book}
    if figure.digest:
        fields["note"] = f"Recording sha256 {figure.digest[:12]}"
    elif figure.recordings:
        fields["note"] = f"Recordings {', '.join(f'{name} {sha[:12]}' for name, sha in figure.recordings)}"
    lines = [f"  {name} = {{{text.translate(TEX)}}}," for name, text in fields.items() if text]
    if address:
        lines.append(f"  url = {{{address.translate({ord('{'): '%7B', ord('}'): '%7D'})}#{figure.id}}},")
    return "\n".join([f"@misc{{{figure.id},", *lines, "}"])


def _points(figure: Figure) -> list[list[str]]:
    named = any(one.names for one in figure.series)
    mixed = any(one.roles for one in figure.series)
    cells = []
    for one in figure.series:
        names = one.names or ("",) * len(one.x)
        for index, (name, x, y) in enumerate(zip(names, one.x, one.y, strict=True)):
            last = [one.role_of(index)] if mixed else []
            cells.append([*([name] if named else []), figure.x.read(x), figure.y.read(y), one.name, *last])
    return cells


def _row(cells: list[str]) -> str:
    first, *rest = map(escape, cells)
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'


def _measured(figure: Figure) -> str:
    if figure.kind == "points":
        return "The points."
    unit = figure.y.title[:1].upper() + figure.y.title[1:]
    return f"{unit}, at each recorded {figure.x.label.lower()}." if figure.kind == "lines" else f"{unit}."
