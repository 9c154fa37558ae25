"""The author's vocabulary, in real builds: what each macro prints, and how each fault is told."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from plates import bundle
from plates.macros import MACROS, Vocabulary
from tests.fixtures import books, recordings

# The plugin uses what its own libraries have deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
FIRST = books.HEAD.count("\n") + 1


@pytest.fixture
def plate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # The chart library is large, and none of these tests is about it.
    monkeypatch.setattr(bundle, "ensure", lambda root: "no chart library")
    return books.write(tmp_path)


@pytest.fixture
def page(plate: Path) -> Callable[..., str]:
    """Builds the plate with a body and returns its HTML."""

    def built(text: str, foot: str = books.FOOT) -> str:
        books.say(plate, text, foot)
        build(load_config(str(plate.parents[2] / "mkdocs.yml")))
        return (plate.parents[2] / "site/plates/output-head/index.html").read_text(encoding="utf-8")

    return built


@pytest.fixture
def fault(plate: Path, page: Callable[..., str]) -> Callable[..., str]:
    """Builds a plate that must fail, and returns what was said."""

    def told(text: str, foot: str = books.FOOT) -> str:
        with pytest.raises(Abort) as caught:
            page(text, foot)
        assert not list((plate.parents[2] / "site").rglob("*.html")), "a page was published"
        return str(caught.value)

    return told


def test_the_list_of_macros_is_the_vocabulary() -> None:
    public = [name for name in vars(Vocabulary) if not name.startswith("_")]
    assert sorted(MACROS) == sorted(public)
    assert all("Example: `{" in str(getattr(Vocabulary, name).__doc__) for name in MACROS)


PRINTED = [
    ('{{ run("tied").parameters | count }}', "1,852,544"),
    ('{{ run("untied").final_heldout_loss | nats }}', "4.188"),
    ("{{ facts.output_head.extra_share | percent }}", "57%"),
    ("{{ facts.output_head.saved | count }}", "1,048,576"),
    ("{{ facts.output_head.heldout_difference | nats(signed=true) }}", "−0.063"),
    ("{{ facts.open_models.large | count }}", r"\d+"),
    ("{{ facts.tying.all.worst }}", "Gemma 3 1B"),
    ("{{ facts.tying.phi_vocabulary_ratio | times }}", "6.2\u00a0×"),
    ('{{ (2 * model("Llama 3 8B").one_table) | memory }}', "1.05 GB"),
    ('{{ model("Llama 3 8B").one_table | count }}', "525,336,576"),
    ('{{ model("Llama 3 8B").table_share | percent(1) }}', "6.5%"),
    ('{{ model("Llama 3 8B").parameters | compact }}', "8.03 billion"),
    ("{{ manifest().corpus.first_year }}", "1790"),
    ("{{ manifest().command | code }}", "<code>python -m training record</code>"),
    ('{{ "record --all" | code }}', '<code>record <span class="option">&#45;&#45;all</span></code>'),
    (
        '{{ ["a --b", "c"] | code }}',
        '<code>a <span class="option">&#45;&#45;b</span></code> and <code>c</code>',
    ),
    ("{{ manifest().machine.cpu }}", "Test(R) &lt;CPU&gt; &#42;2&#42;"),
    ("{{ manifest().machine.cpu | code }}", "<code>Test(R) &lt;CPU&gt; &#42;2&#42;</code>"),
    ('{{ ref("plate-7") }}', '<a class="ref" href="#">Plate 7</a>'),
    ('{{ sidenote("A *note*.") }}', '<span class="sidenote" role="note">A <em>note</em>.</span>'),
    (
        "a{% call sidenote() %}\n  Two\n  lines.\n{% endcall %}",
        '<span class="sidenote" role="note">Two lines.</span>',
    ),
]


def test_macros_print(page: Callable[..., str]) -> None:
    """One build for all; each stands in a sentence, in a list and in a table."""
    lines = [f"(a{index}) {text} (b{index})\n" for index, (text, _) in enumerate(PRINTED)]
    lines += [
        f"- (c{index}) {text} (d{index})\n" for index, (text, _) in enumerate(PRINTED) if "\n" not in text
    ]
    built = page("\n".join(lines))
    for index, (text, printed) in enumerate(PRINTED):
        pattern = printed if "\\" in printed else re.escape(printed)
        assert re.search(rf"\(a{index}\) .*{pattern}.*\(b{index}\)", built), (text, built)
        assert "\n" in text or re.search(rf"\(c{index}\) .*{pattern}.*\(d{index}\)", built), text


def test_a_term_is_a_link_where_it_is_first_used(page: Callable[..., str], plate: Path) -> None:
    (plate.parents[1] / "index.md").write_text('# Home\n\n{{ term("logit") }} and {{ term("logit") }}.\n')
    built = page(
        '(a) {{ term("Logit", "logits") }} (b) {{ term("logit") }} (c) {{ term("unembedding") }} '
        '(d) {{ term("output head", "<heads>") }} (e)'
    )
    parts = re.split(r" ?\([a-e]\) ?", built)
    assert parts[1] == '<a class="term" href="#term-logit" data-definition="A dot product.">logits</a>'
    assert parts[2] == "logit"
    assert parts[3].startswith('<a class="term" href="#term-output-head" data-definition="The d × V matrix')
    assert parts[4] == "&lt;heads&gt;"
    home = (plate.parents[2] / "site/index.html").read_text()
    assert home.count('<a class="term" href="plates/output-head/#term-logit"') == 1
    assert "</a> and logit." in home


def test_a_formula_in_a_definition(page: Callable[..., str], plate: Path) -> None:
    head = books.HEAD.replace("A dot product.", "The *score* $h E^\\top$, a `dot` product.")
    plate.write_text(f'{head}A {{{{ term("logit") }}}}.{books.FOOT}', encoding="utf-8")
    build(load_config(str(plate.parents[2] / "mkdocs.yml")))
    built = (plate.parents[2] / "site/plates/output-head/index.html").read_text(encoding="utf-8")
    assert 'data-definition="The score h E transposed, a dot product."' in built
    assert '<dd>The <em>score</em> <span class="math"><math aria-label="h E transposed">' in built


def test_a_figure_is_numbered_and_referred_to(page: Callable[..., str], plate: Path) -> None:
    index = plate.parents[1] / "index.md"
    index.write_text(
        '# Home\n\n{{ ref("fig-output-head-loss") }}, {{ ref("plate-7") }}, {{ term("logit") }}\n'
    )
    built = page('See {{ ref("fig-output-head-loss") }}.\n\n{{ figure("output-head-loss") }}\n')
    assert '<a class="ref" href="#fig-output-head-loss">Figure 7.1</a>' in built
    assert built.count('id="fig-output-head-loss"') == 1
    assert 'href="../../assets/data/output-head/curves.csv"' in built
    home = (plate.parents[2] / "site/index.html").read_text()
    assert 'href="plates/output-head/#fig-output-head-loss">Figure 7.1</a>' in home
    assert 'href="plates/output-head/">Plate 7</a>' in home
    assert 'href="plates/output-head/#term-logit"' in home
    assert (plate.parents[2] / "site/assets/data/output-head/curves.csv").is_file()


def test_a_figure_of_an_appendix(page: Callable[..., str], plate: Path) -> None:
    more = plate.parents[1] / "more.md"
    more.write_text('---\ntitle: More\nappendix: A\n---\n\n{{ figure("output-head-loss") }}\n')
    config = plate.parents[2] / "mkdocs.yml"
    config.write_text(config.read_text().replace("glossary.md]", "glossary.md, more.md]"))
    built = page('{{ ref("fig-output-head-loss") }}, {{ ref("appendix-A") }}')
    assert 'href="../../more/#fig-output-head-loss">Figure A.1</a>' in built
    assert 'href="../../more/">Appendix A</a>' in built
    shown = (plate.parents[2] / "site/more/index.html").read_text()
    assert ">Figure A.1</a>" in shown
    assert "The Transformer, appendix A: More" in shown


def test_addresses_without_folders(page: Callable[..., str], plate: Path) -> None:
    config = plate.parents[2] / "mkdocs.yml"
    config.write_text(f"{config.read_text()}use_directory_urls: false\n")
    with pytest.raises(FileNotFoundError):
        page('{{ figure("output-head-loss") }}')
    built = (plate.parents[2] / "site/plates/output-head.html").read_text()
    assert 'href="../assets/data/output-head/curves.csv"' in built
    assert (
        'href="plates/output-head.html#term-logit"' in (plate.parents[2] / "site/glossary.html").read_text()
    )


def test_blocks_are_whole(page: Callable[..., str]) -> None:
    blocks = ['figure("output-head-loss")', "readings()", "recorded_files()", "recipes()", "candidates()"]
    built = page("\n\n".join(f"{{{{ {block} }}}}" for block in [*blocks, 'particulars("machine")']))
    assert not re.search(r"<p>\s*<(table|figure|dl|ul|div)", built)
    assert built.count('<table class="readings"') == 5
    assert '<tr class="differs"><th scope="row"><strong><code>head</code></strong></th>' in built
    assert "0.002 (chosen)" in built
    assert '<th scope="row">cpu</th><td>Test(R) &lt;CPU&gt; &#42;2&#42;</td>' in built
    assert '<dt id="term-logit">Logit</dt><dd>A dot product.</dd>' in built


def test_what_the_page_on_tying_shows(page: Callable[..., str]) -> None:
    blocks = ['figure("tying-share")', "open_models()", "calculator()", "worked_examples()"]
    built = page("\n\n".join(f"{{{{ {block} }}}}" for block in blocks))
    assert not re.search(r"<p>\s*<(table|figure|div|form|link|script)", built)
    assert 'href="../../assets/data/open-models.csv"' in built
    for address in ("css/calculator.css", "js/tying.js", "js/calculator.js"):
        assert f'="../../assets/{address}"' in built
    assert built.count('<div class="wide-table"') == 2


def test_works_are_cited_and_listed(page: Callable[..., str]) -> None:
    text = '{{ cite("press2016") }}, {{ cite("inan2016") }}, ({{ cite("press2016", parenthetical=true) }}), '
    built = page(text + '{{ cite("many") }}\n\n{{ bibliography() }}')
    assert '<a class="cite" id="cite-press2016-1" href="#ref-press2016">Press and Wolf (2016)</a>' in built
    assert '(<a class="cite" id="cite-press2016-2" href="#ref-press2016">Press and Wolf, 2016</a>)' in built
    assert ">Inan, Khosravi and Socher (2016)</a>" in built
    assert ">Erdős et al. (2001)</a>" in built
    listed = re.findall(r'<li id="ref-(\w+)">', built)
    assert listed == ["many", "inan2016", "press2016"]
    assert 'href="#cite-press2016-2" aria-label="Back to the citation, 2 of 2">↩2</a>' in built
    assert "<cite>Tying Word &amp; &lt;b&gt;more&lt;/b&gt;</cite>" in built
    assert 'href="https://arxiv.org/abs/1608.05859">arXiv:1608.05859</a>' in built


LITERAL = [
    ("`{{ code }}` and ``{% if %}``", "<code>{{ code }}</code> and <code>{% if %}</code>"),
    ("```\n{{ fenced }} {% raw %} {## c ##}\n```", "{{ fenced }} {% raw %} {## c ##}"),
    ("~~~~ text\n{{ x }}\n~~~\n~~~~", "{{ x }}"),
    (r"$x^{{2}}$ and \({{x}}\)", "<msup><mi>x</mi><mn>2</mn></msup>"),
    ("$$\n\\frac{{a}}{{b}}\n$$", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
    ("## Heading {#own-id}", '<h2 id="own-id">Heading</h2>'),
    ("Words.\n{: #para .class }", '<p class="class" id="para">Words.</p>'),
    ('{{ "{{" }} and {{ "{%" }}', "&#123;&#123; and &#123;%"),
    ("<!-- {{ figure }} -->\n\nafter", "<!-- {{ figure }} -->"),
    ("{## a note {{ to oneself }} ##}gone", "<p>gone</p>"),
    ("costs \\$5 {{ 1 }} or 6$", "costs &#36;5 1 or 6$"),
    ("{% raw %}{{ kept }}{% endraw %}", "{{ kept }}"),
]


def test_the_authors_own_braces_are_printed_as_written(page: Callable[..., str]) -> None:
    built = page("\n\n".join(text for text, _ in LITERAL))
    for text, printed in LITERAL:
        assert printed in built, (text, built)


def test_a_page_may_go_without_macros(page: Callable[..., str], plate: Path) -> None:
    (plate.parents[1] / "index.md").write_text("---\nrender_macros: false\n---\n# Home\n\n{{ as it is }}\n")
    page("Words.")
    assert "{{ as it is }}" in (plate.parents[2] / "site/index.html").read_text()


FAULTS = [
    # A plate's first line of text, and what is said of it.
    ("{{ fugure('x') }}", ":4: no macro or variable 'fugure'; did you mean 'figure'?"),
    ("{{ facts }} ", ": wanted a number or text to print"),
    ("{{ facts.outptu_head.saved }}", ": facts: no 'outptu_head'; did you mean 'output_head'?"),
    ("{{ facts.output_head.savd }}", ":22: facts.output_head: no 'savd'; did you mean 'saved'?"),
    (
        "{{ run('tide').parameters }}",
        ":9: generated/output-head/runs.csv: no run 'tide'; did you mean 'tied'?",
    ),
    ("{{ run('tied').parametres }}", "run 'tied': no 'parametres'; did you mean 'parameters'?"),
    ("{{ run('tied', 'output-haed') }}", "no recording 'output-haed'; did you mean 'output-head'?"),
    (
        "{{ run('tied') }}",
        ": wanted a number or text to print, came <generated/output-head/runs.csv, run 'tied'",
    ),
    ("{{ run }}", ": a macro is printed, not called; write run(…)"),
    ("{{ run('tied').final_heldout_loss }}", ": 4.25 has no form; choose one, such as | nats"),
    ("{{ run('tied').parameters | cuont }}", ":29: no filter 'cuont'; did you mean 'count'?"),
    ("{{ run('tied').head | count }}", ": count: wanted a"),
    ("{{ run() }}", "missing 1 required positional argument: 'name'"),
    ("{{ manifest().machine.cpuu }}", "manifest.json, machine: no 'cpuu'; did you mean 'cpu'?"),
    ("{{ manifest().nothing }}", "manifest.json: no 'nothing'"),
    ("{{ particulars('machines') }}", "manifest.json: no 'machines'; did you mean 'machine'?"),
    ("{{ particulars('command') }}", "manifest: wanted a section with parts, came 'command'"),
    ("{{ model('Llama 3 8b').d_model }}", "no open model 'Llama 3 8b'; did you mean 'Llama 3 8B'?"),
    ("{{ model('Llama 3 8B').d_modle }}", "model('Llama 3 8B'): no 'd_modle'; did you mean 'd_model'?"),
    ("{{ figure('output-head-los') }}", ":12: no figure 'output-head-los'; did you mean 'output-head-loss'?"),
    ("{{ ref('fig-output-haed') }}", ": no plate shows a figure 'output-haed'"),
    ("{{ ref('plate-8') }}", ": nothing to refer to as 'plate-8'; did you mean 'plate-7'?"),
    ("{{ term('logits') }}", ":10: no term 'logits'; did you mean 'logit'?"),
    ("{{ cite('press2017') }}\n\n{{ bibliography() }}", "no work 'press2017'; did you mean 'press2016'?"),
    ("{{ cite('press2016') }}", ": the page cites works and does not list them"),
    ("{{ bibliography() }}", ": bibliography() lists what the page cites above it, which is nothing"),
    (
        "{{ cite('many') }}\n\n{{ bibliography() }}\n\n{{ cite('many') }}",
        "work 'many' is cited after the list",
    ),
    ("{{ sidenote() }}", ": sidenote() wants words"),
    (
        "{{ figure('output-head-loss') }}\n\n{{ figure('output-head-loss') }}",
        "figure 'output-head-loss' is taken by",
    ),
    ("- {{ readings() }}", ": readings(…) prints a block; give it a line of its own"),
    ("    {{ readings() }}", ": readings(…) prints a block"),
    ("Words {{ readings() }}", ": readings(…) prints a block"),
    ("- {{ open_models() }}", ": open_models(…) prints a block"),
    ("{{ run('tied) }} and {{ run('tied').steps }}", ':1: "{{ run(\'tied) }}" has no end; close its quotes'),
    ("{{ run('tied').steps } and {{ run('tied').steps }}", " has no end; close its quotes and brackets"),
    ("A {{ run('tied').steps\n\nB }}", ":3: \"{{ run('tied').steps\" has no end"),
    ("{{ run('tied' }}", ": not well-formed: unexpected '}'"),
    (
        "{% if true %}{% call sidenote() %}a{% endif %}",
        ":14: {% call sidenote() %} has no end; write {% endcall",
    ),
    ("{% if true %}", ":1: {% if true %} has no end; write {% endif %} where it ends"),
    ("{% call sidenot() %}x{% endcall %}", ":9: no macro or variable 'sidenot'; did you mean 'sidenote'?"),
    ("{{ run('tied').steps | cuont }}", ":24: no filter 'cuont'; did you mean 'count'?"),
    ("{{ 1 / 0 }}", ": ZeroDivisionError: division by zero"),
    (
        r"Words $a + \fraq{b}$.",
        r':12: formula: Unknown command "\fraq"; correct it, or write \$ for a dollar',
    ),
]


@pytest.mark.parametrize(("text", "words"), FAULTS, ids=[each[0] for each in FAULTS])
def test_a_fault_ends_the_build_and_is_told_with_its_place(
    fault: Callable[..., str], text: str, words: str
) -> None:
    said = fault(text)
    assert words in said, said
    assert re.match(r"docs/plates/output-head\.md(:\d+)?(:\d+)?: ", said), said
    assert str(Path.home()) not in said
    if not any(part in words for part in ("is taken by", "is cited after")):
        assert said.startswith(f"docs/plates/output-head.md:{FIRST}:"), said


def test_the_line_is_that_of_the_file(fault: Callable[..., str]) -> None:
    said = fault("One.\n\nTwo {{ run('tied').steps }}.\n\n```\n{{ x }}\n```\n\nThree\n{{ nothing }}\n")
    assert said.startswith(f"docs/plates/output-head.md:{FIRST + 9}:4: no macro or variable 'nothing'")


def test_the_line_after_a_formula_and_in_one(fault: Callable[..., str]) -> None:
    said = fault("One.\n\n$$\nh\nE\n$$\n\nTwo {{ nothing }}\n")
    assert said.startswith(f"docs/plates/output-head.md:{FIRST + 7}:8: no macro or variable 'nothing'")
    said = fault("One.\n\n$$\nh +\n  \\nope\n$$\n")
    assert said.startswith(f'docs/plates/output-head.md:{FIRST + 4}:3: formula: Unknown command "\\nope"')


def test_terms_must_be_shown(fault: Callable[..., str]) -> None:
    assert "the plate has terms and does not show them" in fault("Words.", foot="\n")


def test_front_matter_may_not_hide_a_macro(
    fault: Callable[..., str], plate: Path, page: Callable[..., str]
) -> None:
    (plate.parents[1] / "index.md").write_text("---\nfigure: 1\n---\n# Home\n")
    assert "docs/index.md:2: figure: hides the macro 'figure'; give it another name" in fault("Words.")


HEADS = [
    ("index.md", b"---\nkeywords: 5\n---\n", ":2: keywords: wanted a list of texts, came 5"),
    ("index.md", b"---\nsearch: 5\n---\n", ":2: search: wanted keys with values, came 5"),
    ("glossary.md", b"---\ntemplate: nope.html\n---\n", ":2: template: wanted a template of plates/theme"),
    ("index.md", b"---\nlede: '{{ nope }}'\n---\n", ":2: lede: wanted text without macros"),
    ("two.md", b"---\ntitle: T\nplate: 8\n---\n", ":3: plate: wanted plates in docs/plates/*.md alone"),
    ("plates/two.md", b"---\ntitle: T\nplate: 11\n---\n", ":3: plate: wanted a number from 1 to 10, came 11"),
    ("plates/two.md", b"---\ntitle: T\nplate: 7\n---\n", ":3: plate: wanted each number once in the volume"),
    ("plates/two.md", b"---\ntitle: T\nplate: 8\nrender_macros: no\n---\n", ":4: render_macros: wanted"),
    ("index.md", b"# Home\n\n\xe9\n", ":3: encoding: wanted UTF-8, came byte 0xe9 at offset 8"),
]


@pytest.mark.parametrize(("name", "text", "words"), HEADS, ids=[each[2] for each in HEADS])
def test_a_head_that_says_what_it_may_not_ends_the_build(
    fault: Callable[..., str], plate: Path, name: str, text: bytes, words: str
) -> None:
    (plate.parents[1] / name).write_bytes(text)
    assert fault("Words.").startswith(f"docs/{name}{words}")
    assert not (plate.parents[1] / "assets").exists(), "files were laid for a book that cannot be built"


def test_a_template_of_the_volume_may_be_named(page: Callable[..., str], plate: Path) -> None:
    (plate.parents[1] / "index.md").write_text("---\ntemplate: main.html\n---\nWords.\n")
    assert "Words" in page("Words.")


def test_only_a_plate_has_figures_and_terms(fault: Callable[..., str], plate: Path) -> None:
    (plate.parents[1] / "index.md").write_text("# Home\n\n{{ definitions() }}\n")
    assert "docs/index.md:3:1: only a plate may say this" in fault("Words.")
    (plate.parents[1] / "index.md").write_text('# Home\n\n{{ figure("output-head-loss") }}\n')
    assert "docs/index.md:3:12: figure 'output-head-loss' is shown in plates/output-head.md" in fault(
        '{{ figure("output-head-loss") }}'
    )


def test_a_broken_recording_is_told_by_both_files(fault: Callable[..., str], plate: Path) -> None:
    curves = plate.parents[2] / "generated/output-head/curves.csv"
    curves.write_text(curves.read_text().replace("tied,10,", "tied,11,", 1))
    said = fault("{{ readings() }}")
    assert said.startswith(
        f"docs/plates/output-head.md:{FIRST}:1: generated/output-head/curves.csv:3: column tokens_seen"
    )
    shutil.rmtree(curves.parent)
    assert "generated: no recording 'output-head'" in fault("{{ readings() }}")


def test_a_book_without_recordings_builds(page: Callable[..., str], plate: Path) -> None:
    shutil.rmtree(plate.parents[2] / "generated/output-head")
    assert "Words" in page("Words.")
    assert [path.name for path in (plate.parents[1] / "assets/data").iterdir()] == ["open-models.csv"]


def test_a_new_recording_is_read_at_the_next_build(page: Callable[..., str], plate: Path) -> None:
    text = '{{ run("tied").final_heldout_loss | nats }}'
    assert "4.250" in page(text)
    generated = plate.parents[2] / "generated"
    shutil.rmtree(generated)
    recordings.write(generated, final={"tied": (3.9, 4.5), "untied": (3.8, 4.6)})
    assert "4.500" in page(text)


HOSTILE = (
    "<script>alert(1)</script> & \"quotes\" 'more' *stars* _lines_ [link](x) `code` | pipe # $x$ {{ 7 }}"
)


def test_data_cannot_inject_markup(page: Callable[..., str], plate: Path) -> None:
    folder = plate.parents[2] / "generated/output-head"
    recordings.write_manifest(
        folder, command=HOSTILE, machine={"cpu": HOSTILE, "threads": 2, "precision": f"{HOSTILE}\n\n    code"}
    )
    text = '{{ manifest().machine.cpu }}\n\n{{ manifest().command | code }}\n\n{{ particulars("machine") }}\n'
    built = page(text + '\n{{ figure("output-head-loss") }}\n')
    assert "<script>alert" not in built
    assert "<em>stars</em>" not in built
    assert 'href="x"' not in built
    assert "{{ 7 }}" in built.replace("&#123;", "{").replace("&#125;", "}")


def test_the_command_line_fails_closed_without_strict(plate: Path) -> None:
    """The whole way once: another process, the plugin as an author runs it, with a copy of the package."""
    root = plate.parents[2]
    (root / "plates").unlink()
    shutil.copytree(books.PACKAGE, root / "plates", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    assert subprocess.run(command, cwd=root, capture_output=True, text=True).returncode == 0
    assert (root / "site/index.html").is_file()
    books.say(plate, "{{ fugure('x') }}")
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"docs/plates/output-head.md:{FIRST}:4: no macro or variable 'fugure'" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert not list((root / "site").rglob("*.html"))
    (root / "docs/index.md").write_bytes(b"---\nhide: 5\n---\n")
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode != 0
    assert "docs/index.md:2: hide: wanted a list of texts, came 5" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


MANY_FAULTS = """\
{% set row = run("tide") %}
It has {{ row.parameters | count }} and {{ run("tied").parametres | count }}.

- {{ readings() }}

See {{ cite("press2017") }}, {{ term("logit") }}, {{ term("logits") }} and {{ run("tied" }},
{{ run("tied").steps | cuont }}{% call sidenote() %}and {{ nothing }}.{% endcall %}
{% for each in (1, 2) %}{% call sidenot() %}Or {{ this }}.{% endcall %}

{{ bibliography() }}"""
TOLD = """\
0:19: generated/output-head/runs.csv: no run 'tide'
1:56: generated/output-head/runs.csv, run 'tied': no 'parametres'
3:3: readings(…) prints a block
5:14: references.bib: no work 'press2017'
5:60: no term 'logits'
5:76: not well-formed
6:24: no filter 'cuont'
6:60: no macro or variable 'nothing'
7:1: {% for each in (1, 2) %} has no end; write {% endfor %} where it ends
7:33: no macro or variable 'sidenot'
7:51: no macro or variable 'this'""".splitlines()


def test_all_faults_of_a_page_are_told_at_once(fault: Callable[..., str]) -> None:
    told = fault(MANY_FAULTS).splitlines()
    for said, wanted in zip(told, TOLD, strict=True):
        line, words = wanted.split(":", 1)
        assert said.startswith(f"docs/plates/output-head.md:{FIRST + int(line)}:{words}")


def test_the_end_of_a_block_needs_its_beginning(fault: Callable[..., str]) -> None:
    said = fault("Words.{% endcall %}\n")
    assert said.startswith(f"docs/plates/output-head.md:{FIRST}:7: nothing opens what {{% endcall %}} ends")


SLIPS = [
    # What someone who does not program may write, and what helps.
    ("{{ term(logit) }}", """:9: no macro or variable 'logit'; text stands in quotes: "logit\""""),
    ("{{ run(row).steps }}", ":1: unhashable type: 'Namespace'; a name is wanted here, in quotes"),
    ("{{ run['tied'].steps }}", ":9: a macro is called with round brackets: ('tied')"),
    (
        "{{ run('tied').steps | count + 1 }}",
        "; a filter gives text; put the sum in brackets, then the filter",
    ),
    ("{{ run('tied').seed | decimal('1') }}", "; a number is wanted here, without quotes"),
    ("{{ run(“tied”).steps }}", "unexpected char '“' at 7; a macro takes straight quotes, \" or '"),
    ("{{ run 'tied' }}", ":1: not well-formed: text in quotes where the macro could end; a bar, a comma"),
    ("{{ run('tied').steps count }}", ": not well-formed: 'count' where the macro could end"),
    (
        "{% call sidenote %}x{% endcall %}",
        ":1: not well-formed: a call without brackets; write such as {% call",
    ),
    ("{{ run('tied').heldout }}", ":16: .*; did you mean 'final_heldout_loss' or 'heldout_bits_per_byte'?"),
    (
        "{{ ref('output-head-loss') }}",
        ":9: nothing to refer to as 'output-head-loss'; there are 'plate-7'",
    ),
    ("{{ glossary }}", ":1: a macro is printed, not called; write glossary(…)"),
    ("{{ rwo.steps }}", ":4: no macro or variable 'rwo'; did you mean 'row'?"),
    ("{{ steps }}", ":4: no macro or variable 'steps'\n"),
]


def test_what_helps_an_author_is_said(fault: Callable[..., str], plate: Path) -> None:
    """One build for all, each on a line of its own."""
    lines = ["{% set row = run('tied') %}", *(text for text, _ in SLIPS)]
    told = fault("\n\n".join(lines)).splitlines()
    assert len(told) == len(SLIPS)
    for index, ((_, words), said) in enumerate(zip(SLIPS, told, strict=True)):
        assert said.startswith(f"docs/plates/output-head.md:{FIRST + 2 + 2 * index}:")
        assert all(part in f"{said}\n" for part in words.split(".*")), said
