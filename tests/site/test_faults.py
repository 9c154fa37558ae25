"""Faults of every kind, planted in a small book: each is told with its place, and nothing is published."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import mkdocs_macros.context
import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from plates import bundle, contents
from plates.__main__ import main
from tests.fixtures import books, recordings

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
PLATE, HOME, CONFIG = "docs/plates/output-head.md", "docs/index.md", "mkdocs.yml"
CURVES, RUNS = "generated/output-head/curves.csv", "generated/output-head/runs.csv"
MANIFEST = "generated/output-head/manifest.json"
OLD = "the old book"

Plant = Callable[[Path], None]


@dataclass(frozen=True)
class Fault:
    """A fault and how it is told."""

    name: str
    plant: Plant
    file: str
    mark: str
    """What stands at its place once it is planted, the first time in the file; or a line: "line 3"."""
    words: str
    """What is said after the place, as a regular expression."""
    column: bool = True


def edit(file: str, old: str, new: str) -> Plant:
    def plant(root: Path) -> None:
        text = (root / file).read_text(encoding="utf-8")
        assert old in text
        (root / file).write_text(text.replace(old, new, 1), encoding="utf-8", newline="")

    return plant


def signed(file: str, old: str, new: str) -> Plant:
    """Edit a recorded table, and let the manifest vouch for what it now is."""

    def plant(root: Path) -> None:
        edit(file, old, new)(root)
        recordings.write_manifest((root / file).parent)

    return plant


def both(*plants: Plant) -> Plant:
    def plant(root: Path) -> None:
        for each in plants:
            each(root)

    return plant


def write(file: str, content: bytes) -> Plant:
    def plant(root: Path) -> None:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_bytes(content)

    return plant


def remove(file: str) -> Plant:
    return lambda root: (root / file).unlink()


def says(name: str, words: str, told: str, mark: str = "", *, column: bool = True) -> Fault:
    """A fault in a sentence of the plate."""
    return Fault(
        name, edit(PLATE, "A vector becomes", f"{words} A vector becomes"), PLATE, mark or words, told, column
    )


def block(name: str, words: str, told: str, mark: str = "") -> Fault:
    """A fault in a paragraph of its own, after the plate's first."""
    plant = edit(PLATE, "\n## What you", f"\n{words}\n\n## What you")
    return Fault(name, plant, PLATE, mark or words, told)


def head(name: str, old: str, new: str, told: str, mark: str) -> Fault:
    """A fault in the plate's front matter; those have a line and no column."""
    return Fault(name, edit(PLATE, old, new), PLATE, mark, told, column=False)


def data(name: str, plant: Plant, told: str) -> Fault:
    """A fault in a recording, told where the plate first reads it."""
    return Fault(name, plant, PLATE, "{% set tied", rf"generated/output-head/{told}")


TYPED = [
    says(
        "a decimal",
        "It ends at 4.26 nats.",
        r"typed measurement, '4\.26 nats'; compute it, such as \{\{",
        "4.26",
    ),
    says("a share", "It is 57% more.", r"typed percentage, '57%'; .* \{## allow 57%: why ##\}", "57%"),
    says(
        "a share in words", "It is fifty-seven per cent.", "typed percentage, 'fifty-seven per cent'", "fifty"
    ),
    says("a large number", "It has 1,852,544 parameters.", "typed large number, '1,852,544'", "1,8"),
    says("a round number", "It has 1.9 million.", r"typed large number, '1\.9 million'", "1.9"),
    says("steps", "After 6000 steps.", "typed large number, '6000'", "6000"),
    says("a decimal comma", "Nur 4,26 war es.", "typed decimal, '4,26'", "4,26"),
    says("a time", "It took 20 minutes.", "typed measurement, '20 minutes'", "20"),
    says(
        "a figure's number",
        "See Figure 7.1 for it.",
        r"typed number of a figure, '7\.1'; write \{\{ ref",
        "7.1",
    ),
    says("a number in a macro", "It is {{ 4.26 | nats }}.", r"typed decimal, '4\.26'", "4.26"),
    says("a count in a macro", "{% set many = 1852544 %}", "typed large number, '1852544'", "1852544"),
    says("a number in a note", '{{ sidenote("It was 4.3.") }}', r"typed decimal, '4\.3'", "4.3"),
    says(
        "a number in a called note", "{% call sidenote() %}It was 4.3.{% endcall %}", "typed decimal", "4.3"
    ),
    block("a number in a table", "| run | loss |\n|---|---|\n| tied | 4.26 |", "typed decimal", "4.26"),
    says(
        "an exception without a reason", "It is 0.5.{## allow 0.5 ##}", "an exception without a reason", "{##"
    ),
    says(
        "an exception for nothing",
        "{## allow 0.5: why ##}",
        "an exception that excuses nothing: '0.5'",
        "{##",
    ),
    block("an exception elsewhere", "{## allow 0.5: theirs ##}Words.\n\nIt is 0.5.", "typed decimal", "0.5."),
]
MACROS = [
    says(
        "an unknown macro",
        '{{ fugure("x") }}',
        "no macro or variable 'fugure'; did you mean 'figure'",
        "fugure",
    ),
    says("an unknown run", '{{ run("tide").steps }}', ".*no run 'tide'; did you mean 'tied'", "tide"),
    says(
        "an unknown recording",
        '{{ run("tied", "head").steps }}',
        ".*no recording 'head'; .*'output-head'",
        'head")',
    ),
    says("an unknown column", '{{ run("tied").step }}', ".*no 'step'; did you mean 'steps'", "step }"),
    says(
        "an unknown model", '{{ model("Llama 3").d_model }}', "no open model 'Llama 3'; did you mean", "Llama"
    ),
    says("an unknown fact", "{{ facts.head.saved }}", "facts: no 'head'", "head.saved"),
    says("an unknown value", "{{ facts.output_head.save }}", ".*no 'save'; did you mean 'saved'", "save }"),
    says("an unknown key", "{{ manifest().comand }}", ".*no 'comand'; did you mean 'command'", "comand"),
    says(
        "an unknown filter",
        '{{ run("tied").steps | cuont }}',
        "no filter 'cuont'; did you mean 'count'",
        "cuont",
    ),
    says("an unknown reference", '{{ ref("fig-los") }}', "no plate shows a figure 'los'", "los"),
    says(
        "an unknown plate",
        '{{ ref("plate-8") }}',
        "nothing to refer to as 'plate-8'; did you mean",
        "plate-8",
    ),
    says("an unknown term", '{{ term("logits") }}', "no term 'logits'; did you mean 'logit'", "logits"),
    says("an unknown work", '{{ cite("press2017") }}', ".*no work 'press2017'; did you mean", "press2017"),
    block("an unknown figure", '{{ figure("los") }}', "no figure 'los'", "los"),
    block("an unknown section", '{{ particulars("machines") }}', ".*no 'machines'; did you mean", "machines"),
    says("a missing argument", "{{ run().steps }}", r".*run\(\) missing 1 required .* 'name'"),
    says(
        "a strange argument",
        '{{ cite("many", brackets=1) }}',
        ".*unexpected keyword argument 'brackets'",
        "brackets",
    ),
    says("a macro without brackets", "{{ run }}", "a macro is printed, not called; write run"),
    says("a number without a form", '{{ run("tied").learning_rate }}', "0.002 has no form; choose one"),
    says(
        "a brace too few",
        '{{ run("tied").steps }',
        "'.*' has no end; close its quotes and brackets, and write }} or %}",
    ),
    says(
        "a note without end", "{% call sidenote() %}Words.", r"\{% call .* has no end; write \{% endcall %\}"
    ),
    says("an end without beginning", "{% endcall %}", "nothing opens what"),
    says("an empty note", "{{ sidenote() }}", r"sidenote\(\) wants words"),
    says("a fault of the press", "{{ 1 / 0 }}", "ZeroDivisionError"),
    says("a formula", r"So $\frac{a$ is.", "formula: ", "$ is"),
    block("a block in a list", "- {{ readings() }}", r"readings\(…\) prints a block", "{{ read"),
    Fault(
        "a figure elsewhere",
        edit(HOME, "Words.", '{{ figure("output-head-loss") }}'),
        HOME,
        "output-head",
        "figure 'output-head-loss' is shown in plates/output-head.md; refer to it",
    ),
    Fault(
        "a work not listed",
        edit(PLATE, "{{ bibliography() }}", "None."),
        PLATE,
        "cite(",
        "the page cites works and",
    ),
    Fault(
        "a work after the list",
        edit(PLATE, "{{ bibliography() }}", '{{ bibliography() }}\n\n{{ cite("many") }}'),
        PLATE,
        "many",
        "work 'many' is cited after the list of works",
    ),
    Fault(
        "terms not shown",
        edit(PLATE, "{{ definitions() }}", "None."),
        PLATE,
        "terms:",
        "terms: the plate",
        False,
    ),
    Fault(
        "a figure twice",
        edit(PLATE, "## One", '{{ figure("output-head-loss") }}\n\n## One'),
        PLATE,
        "line 28",
        "figure: wanted each figure once in the volume",
        False,
    ),
]
HEADS = [
    head(
        "a head that is no YAML",
        "title: The Output Head",
        "title: Heads: a plate",
        "front matter: .*in quotes",
        "title",
    ),
    head(
        "a head that is a list",
        "---\ntitle",
        "---\n- a\n---\ntitle",
        "front matter: wanted keys with values",
        "- a",
    ),
    head(
        "a number in words",
        "plate: 7",
        "plate: seven",
        "plate: wanted a number from 1 to 10, came 'seven'",
        "plate:",
    ),
    head(
        "a number too large",
        "plate: 7",
        "plate: 11",
        "plate: wanted a number from 1 to 10, came 11",
        "plate:",
    ),
    head("a title that is none", "title: The Output Head", "title: 7", "title: wanted text", "title"),
    head(
        "a word for a list",
        "keywords: [logit, output head]",
        "keywords: logit",
        "keywords: wanted a list",
        "keywords",
    ),
    head(
        "a lede with a macro",
        "Scores for every token.",
        "'{{ x }}'",
        "lede: wanted text without macros",
        "lede",
    ),
    head(
        "macros turned off",
        "plate: 7",
        "plate: 7\nrender_macros: false",
        "render_macros: wanted",
        "render_macros",
    ),
    head(
        "a template that is none",
        "plate: 7",
        "plate: 7\ntemplate: plate.html",
        "template: wanted",
        "template",
    ),
    head("a hidden macro", "plate: 7", "plate: 7\nrun: 1", "run: hides the macro 'run'", "run:"),
    head(
        "a term without its meaning",
        "    definition: A dot product.\n",
        "",
        "terms: wanted text for term",
        "terms",
    ),
    head(
        "a term twice",
        "terms:\n",
        "terms:\n  - {term: logit, definition: x}\n",
        "terms: wanted each term once",
        "terms",
    ),
    Fault(
        "no lede",
        edit(PLATE, "lede: Scores for every token.\n", ""),
        PLATE,
        "---",
        "the plate has no `lede:`",
    ),
    Fault(
        "a lede misspelt",
        edit(PLATE, "lede:", "leed:"),
        PLATE,
        "leed:",
        "the plate has no .*, but `leed:`; write",
    ),
    Fault(
        "a page in another encoding",
        write(HOME, b"# Home\n\n\xe9\n"),
        HOME,
        "line 3",
        "encoding: wanted UTF-8",
        False,
    ),
    Fault(
        "a head without lines",
        write(HOME, b"Title: Home\n"),
        HOME,
        "Title",
        "front matter: wanted it between",
        False,
    ),
    Fault(
        "a plate elsewhere",
        write(HOME, b"---\nplate: 8\n---\n"),
        HOME,
        "plate",
        "plate: wanted plates in docs/plates",
        False,
    ),
    Fault(
        "a number taken",
        write("docs/plates/two.md", b"---\ntitle: Two\nplate: 7\n---\n"),
        "docs/plates/two.md",
        "plate",
        "plate: wanted each number once",
        False,
    ),
]
SECTIONS = [
    Fault(
        "a section missing",
        edit(PLATE, "## Summary\n", ""),
        PLATE,
        "Reproduce",
        "no section 'Summary'; write ##",
    ),
    Fault(
        "a section misspelt",
        edit(PLATE, "## Summary", "## Sumary"),
        PLATE,
        "Sumary",
        "no section 'Summary', but",
    ),
    Fault(
        "sections misordered",
        edit(PLATE, "## What you will learn", "## Terms\n\nx\n\n## What you will learn"),
        PLATE,
        "What you will",
        "section 'What you will learn' stands too late; move it before 'Terms'",
    ),
    Fault(
        "a section twice",
        edit(PLATE, "## One table or two", "## Workshop"),
        PLATE,
        'Workshop\n\n{{ figure("tying',
        "section 'Workshop' stands",
    ),
    Fault(
        "an empty section",
        edit(PLATE, "One table is enough for some.", ""),
        PLATE,
        "Summary",
        "section 'Summary' is",
    ),
    Fault(
        "a title in the text",
        edit(PLATE, "A vector", "# Heads\n\nA vector"),
        PLATE,
        "Heads",
        "heading 'Heads' of",
    ),
    Fault(
        "no opening",
        edit(PLATE, "A vector", "## A section\n\nA vector"),
        PLATE,
        "## A section",
        "the plate has no open",
    ),
    Fault(
        "a workshop without a figure",
        both(
            edit(PLATE, '{{ figure("output-head-loss") }}\n', ""),
            edit(PLATE, "## Terms", '{{ figure("output-head-loss") }}\n\n## Terms'),
        ),
        PLATE,
        "Workshop",
        "no figure under 'Workshop'; write {{ figure",
    ),
]
RECORDINGS = [
    data("a missing table", remove(CURVES), "curves.csv: "),
    data("an empty table", signed(CURVES, "run,", ""), "curves.csv:1: column 'run' is missing"),
    data(
        "a column too many", signed(CURVES, "heldout_loss\n", "heldout_loss,x\n"), "curves.csv:1: column 'x'"
    ),
    data("a cell too many", signed(CURVES, "tied,10,", "tied,10,1,"), "curves.csv:3: wanted 5 cells"),
    data("a cell too few", signed(CURVES, "tied,10,", "tied,"), "curves.csv:3: wanted 5 cells"),
    data(
        "a comma in a number",
        signed(CURVES, "tied,10,20480", 'tied,10,"20,480"'),
        "curves.csv:3: column tokens_seen",
    ),
    data(
        "words for a number",
        signed(CURVES, "tied,10,20480", "tied,10,many"),
        "curves.csv:3: column tokens_seen",
    ),
    data(
        "no number",
        signed(RUNS, "3.9,", "nan,"),
        "runs.csv:2: column final_train_loss: wanted a finite number",
    ),
    data("a run that is none", signed(CURVES, "tied,10,", "tide,10,"), "curves.csv:3: "),
    data("a step missing", signed(CURVES, "tied,10,20480", "tied,15,30720"), "curves.csv:"),
    data(
        "a table from elsewhere",
        lambda root: (root / CURVES).write_bytes((root / RUNS).read_bytes()),
        "curves.csv:1",
    ),
    data(
        "Windows line ends",
        signed(CURVES, "heldout_loss\n", "heldout_loss\r\n"),
        "curves.csv:1: holds a carriage",
    ),
    data(
        "a byte-order mark",
        signed(CURVES, "run,", "\ufeffrun,"),
        "curves.csv:1: begins with a byte-order mark",
    ),
    data(
        "a table cut short",
        lambda root: (root / CURVES).write_text((root / CURVES).read_text()[:-9]),
        "curves.csv:7",
    ),
    data("a table edited by hand", edit(RUNS, "600.5", "601.5"), "runs.csv: "),
    data("a file of no recording", write("generated/output-head/notes.csv", b"a\n1\n"), "notes.csv: "),
    data("a manifest that is no JSON", edit(MANIFEST, "{", "("), "manifest.json:1"),
    data("a manifest without recipe", edit(MANIFEST, '"recipe"', '"receipt"'), "manifest.json: "),
]
PRESS = [
    Fault(
        "a bibliography that is none",
        edit("docs/references.bib", "= {Press", "= Press"),
        PLATE,
        "{{ cite",
        "ref",
    ),
    Fault(
        "a work without a year",
        edit("docs/references.bib", ", year = 2016", ""),
        PLATE,
        "press2016",
        "references",
    ),
    Fault(
        "a bibliography missing",
        remove("docs/references.bib"),
        PLATE,
        "{{ cite",
        "references.bib: the file is m",
    ),
    Fault(
        "settings that are no YAML",
        edit(CONFIG, "site_name: Test", "site_name: 'Test"),
        CONFIG,
        "",
        "",
        False,
    ),
    Fault(
        "a setting of the wrong type",
        edit(CONFIG, "site_name: Test", "site_name: 5"),
        CONFIG,
        "site_name",
        "Conf",
    ),
    Fault(
        "a page that is not there",
        edit(CONFIG, "[index.md", "[start.md"),
        CONFIG,
        "start.md",
        "'start.md' under `nav",
    ),
    Fault(
        "a page left out",
        write("docs/more.md", b"# More\n\nWords.\n"),
        "docs/more.md",
        "# More",
        "the page is not in",
        False,
    ),
]
# Only the built book can be told of these.
BUILT = [
    says(
        "a dead link",
        "See [more](../indx.md).",
        r"link '\.\./indx\.md' leads nowhere; did you mean '\.\./index\.md'",
        "../indx",
    ),
    says(
        "a dead anchor",
        "See [more](../index.md#more).",
        "link '../../#more': no place 'more' on that page",
        "#more",
    ),
    says(
        "a dead anchor here",
        "See [more](#summry).",
        "link '#summry': no place 'summry' .* did you mean 'summary'",
        "#summry",
    ),
    says(
        "a dead link in HTML",
        'See <a href="../../mor/">more</a>.',
        r"link '\.\./\.\./mor/' leads nowhere",
        "../../mor/",
    ),
    says(
        "a dead anchor in HTML",
        'See <a href="../../#mor">more</a>.',
        "no place 'mor' on that page",
        "../../#mor",
    ),
    says(
        "a link to the host's root",
        'See <a href="/more/">more</a>.',
        "link '/more/' leaves the book's folder",
        "/more/",
    ),
    says(
        "a link out of the book",
        "See [more](../../../../x.md).",
        "link '.*x.md' leaves the book's folder",
        "../../../..",
    ),
    block(
        "a picture that is not there", "![A curve](curve.png)", "link 'curve.png' leads nowhere", "curve.png"
    ),
    Fault(
        "a picture without text",
        both(
            write("docs/plates/curve.png", b"\x89PNG"),
            edit(PLATE, "\n## What", "\n![](curve.png)\n\n## What"),
        ),
        PLATE,
        "curve.png",
        r"picture '\.\./curve\.png' has no text; say in words",
    ),
    Fault(
        "a picture that no page shows",
        write("docs/plates/curve.png", b"\x89PNG"),
        "docs/plates/curve.png",
        "",
        "no page shows",
        False,
    ),
    block(
        "a drawing without text",
        '<svg role="img" viewBox="0 0 1 1"></svg>',
        "a drawing has no text",
        "<svg",
    ),
    block(
        "a figure without caption", "<figure><p>Words.</p></figure>", "a figure without a caption", "<figure"
    ),
    block(
        "a script from elsewhere",
        '<script src="https://cdn.example/x.js"></script>',
        "the page fetches 'https",
        "https://c",
    ),
    block(
        "a picture from elsewhere",
        "![A curve](https://cdn.example/x.png)",
        "the page fetches 'https",
        "https://c",
    ),
    says(
        "a style from elsewhere",
        '<b style="background: url(//cdn.example/x)">b</b>',
        "the page fetches '//cdn",
        "//cdn",
    ),
    Fault(
        "a sheet that fetches",
        write("docs/x.css", b"a {}\n@import 'https://cdn.example/x.css';\n"),
        "docs/x.css",
        "https",
        "the page fetches 'https://cdn.example/x.css' from another host",
    ),
    Fault(
        "a macro that is not rendered",
        write(HOME, b"---\nrender_macros: false\n---\n# Home\n\nIt is {{ x }}.\n"),
        HOME,
        "{{ x",
        r"'\{\{ x \}\}' is printed as it stands",
    ),
    says(
        "a footnote without words",
        "Words.[^1]",
        r"'\[\^1\]' is printed as it stands; .*, \[\^1\]: and then",
        "[^1]",
    ),
    says(
        "a link by a name that is none",
        "[words][name]",
        r".* is printed as it stands; .*, \[name\]: and",
        "[words]",
    ),
    says("attributes that are printed", "Words {: .x } here.", r"'\{: \.x \}' is printed as it", "{: .x"),
    block(
        "an id twice",
        "Words.\n{: #here }\n\nMore.\n{: #there }\n\nMost.\n{: #here .x }",
        "id 'here' stands twice",
        "#here .x",
    ),
    block(
        "an id twice in HTML",
        '<p id="here">a</p>\n\n<b id="here" class="x">b</b>',
        "id 'here' stands twice",
        'id="here" class',
    ),
]
FAULTS = [*TYPED, *MACROS, *HEADS, *SECTIONS, *RECORDINGS, *PRESS, *BUILT]


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small book without a fault, and an older print of it."""
    # The chart library is large, and git, charts and points take time; none of these tests is about them.
    monkeypatch.setattr(bundle, "ensure", lambda root: "no chart library")
    monkeypatch.setattr(mkdocs_macros.context, "get_git_info", dict)
    monkeypatch.setattr("plates.figures.render.payload", lambda figure, layout: "{}")
    monkeypatch.setitem(contents.FIGURES, "tying-share", quick_figure)
    monkeypatch.chdir(tmp_path)
    books.write_whole(tmp_path)
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text(OLD)
    return tmp_path


def quick_figure(book: object) -> object:
    return replace(contents.FIGURES["output-head-loss"](book), id="fig-tying-share")


def make_site(root: Path) -> int:
    """What `make site` does, in this process; a test below holds that it does."""
    staged = root / ".cache/site"
    try:
        build(load_config("mkdocs.yml", strict=True, site_dir=str(staged)))
    except (Exception, SystemExit):
        return 1
    if main(["check", "--site", str(staged)]):
        return 1
    shutil.rmtree(root / "site")
    staged.rename(root / "site")
    return 0


def place(root: Path, fault: Fault) -> str:
    """Where a planted fault is to be told: file, line and column."""
    if not fault.mark or fault.mark.startswith("line "):
        return ":".join(filter(None, [fault.file, fault.mark.removeprefix("line ")]))
    text = (root / fault.file).read_text(encoding="utf-8")
    start = text.index(fault.mark)
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    return f"{fault.file}:{line}:{column}" if fault.column else f"{fault.file}:{line}"


def test_a_book_without_fault_is_published(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0, capsys.readouterr().out
    assert make_site(book) == 0
    assert "A vector becomes scores" in (book / "site/plates/output-head/index.html").read_text()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_told_and_nothing_is_published(
    book: Path, capsys: pytest.CaptureFixture[str], fault: Fault
) -> None:
    fault.plant(book)
    assert main(["check"]) == 1
    told = capsys.readouterr().out
    where = re.escape(place(book, fault))
    more = "" if fault.column or fault.mark else r"(?::\d+)*"
    assert re.search(rf"^{where}{more}: .*{fault.words}", told, re.MULTILINE), told
    assert make_site(book) == 1
    assert [path.read_text() for path in (book / "site").rglob("*")] == [OLD]


def test_there_are_enough_faults() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 40


def test_make_site_takes_these_steps(root: Path) -> None:
    recipe = re.search(
        r"^site:.*\n((?:\t.*\n)+)", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    steps = [line.strip("\t@") for line in recipe[1].splitlines() if not line.startswith("\t@#")]
    assert [re.split(" && echo| [|][|] ", step)[0] for step in steps] == [
        "$(BIN)/mkdocs build --strict --site-dir .cache/site",
        "$(BIN)/python -m plates check --site .cache/site",
        "rm -rf site && mv .cache/site site",
    ]


@pytest.mark.parametrize("words", ["It is 57% more.", 'See <a href="nowhere/">this</a>.'])
def test_make_site_publishes_nothing_with_a_fault(tree: Path, words: str) -> None:
    """The whole way, with make itself, for a fault of the sources and for one of the built book alone."""
    (tree / "site").mkdir()
    (tree / "site/index.html").write_text(OLD)
    edit("docs/index.md", "In an engraved book", f"{words} In an engraved book")(tree)
    # What is installed is taken as it is.
    old = [f"--assume-old={sys.prefix}/{name}.done" for name in ("made", "site")]
    command = ["make", f"VENV={sys.prefix}", *old, "site"]
    said = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=300)
    assert said.returncode != 0
    assert re.search(
        r"docs/index\.md:\d+:\d+: (typed percentage, '57%'|link 'nowhere/' leads)",
        said.stdout + said.stderr,
    )
    assert [path.read_text() for path in (tree / "site").rglob("*")] == [OLD]
