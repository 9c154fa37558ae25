"""The author's vocabulary: every macro, filter and variable that a page may use.

Filters are the formatters of `plates.numbers`, with `code` for a word in code. Macros are the methods of
`Vocabulary`, under their own names. `facts` holds what is derived from recordings.

What braces are macros is decided in `plates.author_syntax`; how a page is rendered, and its faults told, in
`plates.pages`.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from markupsafe import Markup

from plates import (
    bibliography,
    bundle,
    citation,
    dataset,
    edition,
    html,
    numbers,
    open_models,
    output_head_figures,
    recipes,
    terms,
    tying_figures,
)
from plates.book import Book, Facts, public
from plates.calculator import examples
from plates.calculator_form import calculator
from plates.evidence import planned
from plates.figures.render import render
from plates.intervals import LEVEL, Interval
from plates.names import Namespace, UnknownNameError, hint
from plates.open_models import open_models as released_models
from plates.volume import Term

PAIR = "output-head"
MACROS = (
    *("run", "manifest", "model", "figure", "readings", "ref", "term", "definitions", "glossary"),
    *("cite", "bibliography", "sidenote", "recorded_files", "recipes", "candidates", "particulars"),
    *("open_models", "calculator", "worked_examples", "citation", "interval", "planned_recordings"),
)


class Vocabulary:
    """The macros; what each returns is plain text, numbers by name, or one line of HTML."""

    def __init__(self, book: Book) -> None:
        """Remember the book.

        Args:
            book: the book being built.
        """
        self.book = book

    def run(self, name: str, recording: str = PAIR) -> Namespace:
        """A recorded run's row of `runs.csv`.

        Example: `{{ run("tied").parameters | count }}`.
        """
        return self.book.recording(recording).run(name)

    def manifest(self, recording: str = PAIR) -> Any:
        """A recording's manifest.

        Example: `{{ manifest().machine.cpu }}`.
        """
        return self.book.recording(recording).manifest

    def model(self, name: str) -> Namespace:
        """A released model's shape and exact counts.

        Example: `{{ model("Llama 3 8B").one_table | count }}`.
        """
        released = open_models.model(name)
        shape, parts = released.shape, released.parameters
        return Namespace(
            f"model({name!r})",
            {
                **public("shape", shape),
                **{key: value for key, value in public("parts", parts).items() if key != "total"},
                **public("model", released),
                "parameters": parts.total,
            },
        )

    def figure(self, name: str) -> Markup:
        """A figure with its table and caption, numbered by its plate.

        Example: `{{ figure("output-head-loss") }}`.
        """
        figure = self.book.figure(name)
        sheet, number = self.book.volume.figure_number(name)
        if sheet.source != self.book.page:
            raise ValueError(f"figure {name!r} is shown in {sheet.source}; refer to it: ref({figure.id!r})")
        return Markup(render(figure, number, book=self.book.title, address=self.book.address))

    def readings(self, recording: str = PAIR) -> Markup:
        """The table of a pair's parameters and final losses.

        Example: `{{ readings() }}`.
        """
        luck = self.book.evidence.luck if recording == PAIR else None
        return output_head_figures.readings(self.book.recording(recording), luck)

    def interval(self, found: Interval, form: str = "nats", digits: int | None = None) -> str:
        """A mean of the evidence with its interval, in the form of any filter.

        Example: `{{ interval(facts.evidence.luck.heldout) }}`.
        """
        if not isinstance(found, Interval):
            raise ValueError(f"interval() wants an interval of facts.evidence, got {found!r}")
        return numbers.interval(found.mean, found.low, found.high, LEVEL, form, digits)

    def planned_recordings(self) -> Markup:
        """The recordings that the volume plans, and whether each is made.

        Example: `{{ planned_recordings() }}`.
        """
        return recipes.plan(planned.planned(), self.book.evidence.made)

    def ref(self, id: str) -> Markup:  # noqa: A002 - the author's word for it
        """A link to a figure, plate or appendix by its id.

        Example: `{{ ref("fig-output-head-loss") }}`, `{{ ref("plate-7") }}`.
        """
        if id.startswith("fig-"):
            sheet, number = self.book.volume.figure_number(id.removeprefix("fig-"))
            return html.tag(
                "a", f"Figure {number}", class_="ref", href=f"{self.book.link(sheet.source)}#{id}"
            )
        sheets = {sheet.label.replace(" ", "-"): sheet for sheet in self.book.volume.sheets}
        if id not in sheets:
            figures = [f"fig-{name}" for sheet in sheets.values() for name in sheet.figures]
            raise UnknownNameError(f"nothing to refer to as {id!r}{hint(id, [*sheets, *figures])}")
        label = sheets[id].label
        return html.tag(
            "a", label[:1].upper() + label[1:], class_="ref", href=self.book.link(sheets[id].source) or "#"
        )

    def term(self, name: str, words: str = "") -> Markup:
        """A term: at its first use on a page a link to its definition, with a tip; later on its words alone.

        Example: `{{ term("logit") }}`, `{{ term("logit", "logits") }}`.
        """
        term, used = self.book.volume.term(name), self.book.notes.used
        if term.anchor in used:
            return html.safe(words or name)
        used.add(term.anchor)
        return terms.use(term, words or name, self.book.link(term.source))

    def definitions(self) -> Markup:
        """The plate's own terms, from its front matter.

        Example: `{{ definitions() }}`.
        """
        self.book.notes.defined = True
        return terms.definitions(self.book.plate.terms)

    def glossary(self) -> Markup:
        """All terms of the volume, by alphabet.

        Example: `{{ glossary() }}`.
        """
        numbers_of = {plate.source: plate.number for plate in self.book.volume.plates}

        def origin(term: Term) -> Markup:
            there = f"{self.book.link(term.source)}#{term.anchor}"
            return html.tag("a", f"Plate {numbers_of[term.source]}", class_="ref", href=there)

        return terms.glossary(self.book.volume.terms, origin)

    def cite(self, key: str, parenthetical: bool = False) -> Markup:
        """A work cited, "Press and Wolf (2016)", or "Press and Wolf, 2016" for brackets of your own.

        Example: `{{ cite("press2016") }}`, `({{ cite("press2016", parenthetical=true) }})`
        """
        work = bibliography.entry(self.book.works, key)
        if self.book.notes.listed:
            raise ValueError(
                f"work {key!r} is cited after the list of works; move bibliography() to the page's end"
            )
        self.book.notes.cited[work.key] += 1
        return bibliography.citation(work, self.book.notes.cited[work.key], parenthetical)

    def bibliography(self) -> Markup:
        """The works that the page cites above, with links back.

        Example: `{{ bibliography() }}`.
        """
        self.book.notes.listed = True
        cited = self.book.notes.cited
        if not cited:
            raise ValueError(
                "bibliography() lists what the page cites above it, which is nothing; cite(…) first"
            )
        return bibliography.listing([self.book.works.entries[key] for key in cited], cited)

    def citation(self) -> Markup:
        """A BibTeX entry for the plate.

        Example: `{{ citation() }}`.
        """
        book, plate = self.book, self.book.plate
        entry = citation.entry(plate, book.name, book.numeral, book.authors, book.address, book.edition)
        return citation.block(entry, f"Plate {plate.number}")

    def sidenote(self, text: str = "", caller: Any = None) -> Markup:
        """A note in the margin.

        Example: `{{ sidenote("Words.") }}`, or `{% call sidenote() %}Words.{% endcall %}`.
        """
        words = " ".join(str(caller() if caller else text).split())
        if not words:
            raise ValueError("sidenote() wants words")
        note = html.tag("span", Markup(words), class_="sidenote", role="note")
        return html.join([html.tag("span", class_="sidenote-ref"), note])

    def open_models(self) -> Markup:
        """The table of all released models.

        Example: `{{ open_models() }}`.
        """
        return tying_figures.models_table(released_models())

    def calculator(self) -> Markup:
        """The reader's own model: controls, and what follows from the shape they give.

        Example: `{{ calculator() }}`.
        """
        scripts = [self.book.link(f"assets/js/{name}.js") for name in ("tying", "calculator")]
        return calculator(released_models(), scripts, self.book.link("assets/css/calculator.css"))

    def worked_examples(self) -> Markup:
        """What the calculator says of micro and two released models, as a table.

        Example: `{{ worked_examples() }}`.
        """
        return examples(released_models())

    def recorded_files(self, recording: str = PAIR) -> Markup:
        """A recording's files with their hashes.

        Example: `{{ recorded_files() }}`.
        """
        recorded = self.book.recording(recording)
        table = recipes.files(recorded, lambda name: self.book.data(recording, name))
        about = dataset.described(
            recorded, self.book.name, self.book.authors, lambda name: self.book.data_address(recording, name)
        )
        return Markup("").join([table, dataset.block(about)])

    def recipes(self, recording: str = PAIR) -> Markup:
        """The recipes of a recording's runs side by side, the difference marked.

        Example: `{{ recipes() }}`.
        """
        return recipes.recipes(self.book.recording(recording))

    def candidates(self, recording: str = PAIR) -> Markup:
        """What a recording's recipe was chosen from.

        Example: `{{ candidates("learning-rate") }}`.
        """
        return recipes.candidates(self.book.recording(recording))

    def particulars(self, section: str, recording: str = PAIR) -> Markup:
        """All values of a section of the manifest.

        Example: `{{ particulars("versions") }}`.
        """
        return recipes.particulars(self.book.recording(recording), section)


def code(text: object) -> Markup:
    """Print text as code, several texts joined as a sentence does.

    Example: `{{ manifest().command | code }}`, `{{ facts.evidence.missing | code }}`.
    """
    if not isinstance(text, list | tuple):
        return html.tag("code", text if isinstance(text, Markup) else _with_whole_options(str(text)))
    *most, last = [code(each) for each in text] or [Markup("")]
    return Markup(f"{Markup(', ').join(most)} and {last}") if most else last


def _with_whole_options(command: str) -> Markup:
    """A command whose options stay whole at a line's end: a browser would part them after their hyphens."""
    words = (
        html.tag("span", word, class_="option") if word.startswith("--") else word
        for word in command.split(" ")
    )
    return html.join(words, between=" ")


def _now() -> str:
    """Refuse the plugin's own macro of this name: the same files give the same pages on any day."""
    raise ValueError("no page tells when it was printed; write the day, or take it from a manifest")


def define_env(env: Any) -> None:
    """Register the vocabulary.

    Args:
        env: the macros plugin, or what stands in for it.
    """
    book = Book(env)
    edition.set_clock(book.edition, os.environ)
    book.publish()
    logging.getLogger("mkdocs.plates").info(bundle.ensure(book.root))
    vocabulary = Vocabulary(book)
    for name in MACROS:
        env.macro(getattr(vocabulary, name), name)
    for name, form in {**numbers.FILTERS, "code": code}.items():
        env.filter(form, name)
    env.variables["facts"] = Facts(book)
    env.macro(_now, "now")
    # For the theme: the foot of each page says what was printed.
    env.conf["extra"]["edition"] = book.edition
