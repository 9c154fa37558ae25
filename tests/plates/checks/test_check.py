"""The author's checks, rule by rule; `tests/site/test_faults.py` plants faults of every kind in a book."""

from __future__ import annotations

import logging
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import mkdocs_macros.context
import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from plates import bundle, contents
from plates.__main__ import main
from plates.checks.html import read
from plates.checks.notes import Finding, unexcused
from plates.checks.sections import SECTIONS, section_findings
from plates.checks.site import Site
from plates.checks.sources import page_faults, source_faults
from plates.checks.typed import typed
from plates.figures.render import FigureError
from tests.fixtures import books
from tests.samples import loss_figure

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small book without a fault, and its folder the current one."""
    monkeypatch.setattr(bundle, "ensure", lambda root: "no chart library")
    monkeypatch.setattr(mkdocs_macros.context, "get_git_info", dict)
    monkeypatch.chdir(tmp_path)
    books.write_whole(tmp_path)
    return tmp_path


TYPED = {
    "a loss of 4.26.": "4.26",
    "−0.060 apart": "0.060",
    "4.1–4.2": "4.1 4.2",
    "57 % more": "57 %",
    "(99.9%)": "99.9%",
    "ten percent": "ten percent",
    "1 million": "1 million",
    "two million words": "two million",
    "1,852,544": "1,852,544",
    "1 852 544": "1 852 544",
    "1852544": "1852544",
    "2000 steps": "2000",
    "2048 is": "2048",
    "128 tokens": "128",
    "50k steps": "50k",
    "8B parameters": "8B",
    "2e-3": "2e-3",
    "p < .05": ".05",
    "4,26 war es": "4,26",
    "16 GB": "16 GB",
    "5 nats": "5 nats",
    "[4.26](x.md)": "4.26",
    "![4.26](x.png)": "4.26",
    "**4.26**": "4.26",
    "- 4.26": "4.26",
    "> 4.26": "4.26",
    "| 4.26 | 57% |": "4.26 57%",
    "# 4.26": "4.26",
    "by 4.0": "4.0",
    "Figures 7.1": "7.1",
    "{{ 4.26 | nats }}": "4.26",
    "{{ 12_000 | count }}": "12_000",
    "{% call sidenote() %}4.26{% endcall %}": "4.26",
    "{{ sidenote('4.26') }}": "4.26",
    "`a` 4.26 `b`": "4.26",
    "[^1]: It is 4.26.": "4.26",
    "one table 0.57 of it": "0.57",
    "{{ x }} 4.26 {{ y }}": "4.26",
}
NOT_TYPED = [
    *("in 2016", "2024 or 2025", "the 1990s", "1790–2026", "in 2019, 300 people", "2026-01-31", "at 12:30"),
    *(
        "Llama 3 8B",
        "Llama 3.1\n70B",
        "Mistral 7B v0.3",
        "Phi-3-mini",
        "GPT-3.5",
        "Qwen2.5",
        "an 8B model",
        "bf16",
    ),
    *("12*d*²", "*V* / 12*d*", "3 × 4", "16 × 128", "1/3", "(10,20)", "19th century", "1. One", "e.g. 5"),
    *(
        "arXiv:1608.05859",
        "https://x.example/4.26",
        "doi:10.1234/4.26",
        "§3.2",
        "Sections 3.2 and 3.4",
        "Table 2.1",
    ),
    *("version 0.1.2", "0.1.2", "CC BY 4.0", "CC BY-SA 4.0", "31.12.2026", "Figure 2 of", "Plate 7"),
    *("`4.26`", "$4.26$", "```\n4.26\n```", "<!-- 4.26 -->", "{## 4.26 ##}", '<b title="4.26">', "&#1234;"),
    *(
        "[x](a4.26.png)",
        "[x]: y/4.26",
        "{: width=4.26 }",
        "<math><mn>4.26</mn></math>",
        "---\nlede: 4.26\n---\n",
    ),
    *("{{ x | decimal(2) }}", "{{ x / 1000 }}", "{{ x / 1024**2 }}", '{{ run("4.26") }}', "{{ x[3] }}"),
]


@pytest.mark.parametrize("text", TYPED)
def test_a_typed_result_is_found(text: str) -> None:
    assert " ".join(one.text for one in typed(text)) == TYPED[text]


@pytest.mark.parametrize("text", NOT_TYPED)
def test_what_is_no_result_is_left_alone(text: str) -> None:
    assert list(typed(text, ["Llama 3 8B", "Llama 3.1 70B", "Mistral 7B v0.3"])) == []


def test_the_place_is_that_of_the_file(tmp_path: Path) -> None:
    """The head is counted, and neither a mark at the beginning nor Windows' line ends shift anything."""
    (tmp_path / "a.md").write_bytes("\ufeff---\r\ntitle: A\r\n---\r\n\r\nIt is „é“ 4.26.\r\n".encode())
    (fault,) = source_faults(tmp_path, {})
    assert str(fault).startswith("docs/a.md:5:11: typed decimal, '4.26'")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It is 4.2.{## allow 4.2: theirs ##}", []),
        ("It is 4.2\nand more.\n{## allow 4.2: theirs,\nnot ours ##}", []),
        ("{## allow 4.2: theirs ##}\n\nIt is 4.2.", []),
        ("{##- allow 4.2: theirs -##}\n\nIt is 4.2.", []),
        ("It is 4.2.\n\n{## allow 4.2: theirs ##}", ["at fault", "excuses nothing"]),
        ("Words.{## allow 4.2: theirs ##}\n\nIt is 4.2.", ["excuses nothing", "at fault"]),
        (
            "It is 4.2.{## allow 4.2 ##}",
            ["at fault", "without a reason; write {## allow 4.2: the reason ##}"],
        ),
        ("It is 4.2.{## allow 4.2: ##}", ["at fault", "without a reason"]),
        ("It is 4.2.{## allow: theirs ##}", ["at fault", "without a subject"]),
        ("It is 4.2.{## allow 4.3: theirs ##}", ["at fault", "excuses nothing: '4.3'"]),
        ("It is 4.2. `{## allow 4.2: theirs ##}`", ["at fault"]),
        ("It is 4.2.{## allowing for it: a note to oneself ##}", ["at fault"]),
    ],
)
def test_an_exception_has_a_place_a_subject_and_a_reason(text: str, left: list[str]) -> None:
    told = unexcused(text, [Finding(text.index("is 4.2") + 3, "4.2", "at fault")])
    assert len(told) == len(left)
    assert [words for words, one in zip(left, told, strict=True) if words not in one.message] == []


def test_a_section_is_excused_anywhere() -> None:
    text = "Words.\n\n## Terms\n\nMore.\n\n{## allow Terms: none yet ##} Most."
    assert unexcused(text, [Finding(12, "Terms", "at fault", anywhere=True)]) == []


WHOLE = "Words.\n\n" + "".join(f"## {name}\n\nWords.\n\n" for name in SECTIONS)
HEAD = {"keywords": ["a"], "lede": "b", "description": "c", "terms": [{}]}


def sections(text: str) -> list[str]:
    """What is said of a plate's sections; that it shows no figure is another matter."""
    return [one.message for one in section_findings(text, HEAD) if "no figure under" not in one.message]


def test_sections_of_ones_own_may_stand_between() -> None:
    own = "## Ours\n\nWords.\n\n### Part\n\nWords.\n\n"
    assert sections(WHOLE) == []
    assert (
        sections(own.join(WHOLE.partition("## Terms")[::2]).replace("Words.\n\n\n", "Words.\n\n## Terms\n"))
        == []
    )
    assert sections(WHOLE.replace("## Workshop\n", "Workshop\n---------\n")) == []
    assert sections(WHOLE.replace("## Workshop", "## Workshop {#the-figure}")) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("## Summary", "### Summary", "no section 'Summary'; write ## Summary before 'Reproduce this plate'"),
        ("## Summary", "```\n## Summary\n```", "no section 'Summary'"),
        ("## Summary", "## summary", "no section 'Summary', but 'summary'; write ## Summary"),
        (
            "## Reproduce this plate\n\nWords.\n\n",
            "",
            "write ## Reproduce this plate at the end, with the command",
        ),
        ("## Terms\n\nWords.", "## Terms", "section 'Terms' is empty; write {{ definitions() }}, or take"),
        ("Words.\n\n## What", "## What", "the plate has no opening; begin with a few paragraphs"),
        ("Words.\n\n## What", "{{ x }}\n\n## What", "the plate has no opening"),
        ("Words.\n\n## What", "Words.\n\nTitle\n=====\n\n## What", "heading 'Title' of the first level"),
        ("## Summary", "## Summary\n\nWords.\n\n## Summary", "section 'Summary' stands twice"),
        (
            "## Workshop",
            "## Terms\n\nWords.\n\n## Workshop",
            "section 'Workshop' stands too late; move it before 'Terms'",
        ),
    ],
)
def test_sections_are_held_to_their_order(old: str, new: str, said: str) -> None:
    assert old in WHOLE
    assert [each for each in sections(WHOLE.replace(old, new, 1)) if said in each]


def test_a_workshop_shows_a_figure() -> None:
    (one,) = section_findings(WHOLE, HEAD, ["b", "a"])
    assert one.message == (
        "no figure under 'Workshop'; write {{ figure(\"…\") }} on a line of its own; figures are a, b"
    )
    assert not list(section_findings(WHOLE.replace("Workshop\n", "Workshop\n\n{{ figure('a') }}\n"), HEAD))


def test_only_plates_are_held_to_sections() -> None:
    assert page_faults("---\nplate: 1\n---\nWords.\n", "plates/a.md", ())
    assert page_faults("Words.\n", "plates/a.md", ()) == page_faults("Words.\n", "index.md", ()) == ()


def test_a_plate_whose_head_cannot_be_read_is_checked_all_the_same() -> None:
    told = [
        fault.message
        for fault in page_faults(f"---\nplate: 1\ntitle: [\n---\n57% {WHOLE}", "plates/a.md", ())
    ]
    assert [each.partition(",")[0].partition(";")[0] for each in told] == [
        "typed percentage",
        "no figure under 'Workshop'",
    ]


def test_a_quote_that_was_forgotten_swallows_no_more_than_its_macro() -> None:
    text = f'Words {{{{ term("x) }}}}, 57%, "so" {{{{ term("y") }}}}.\n\n{WHOLE}'
    assert sections(text) == []
    assert [one.text for one in typed(text)] == ["57%"]


def test_an_unused_figure_is_told_where_it_is_drawn(book: Path) -> None:
    (book / books.PLATE).write_text(
        books.WHOLE.replace('{{ figure("tying-share") }}', "Words."), encoding="utf-8"
    )
    (fault,) = source_faults(book / "docs", contents.FIGURES)
    line = (books.PACKAGE / "contents.py").read_text(encoding="utf-8").splitlines()[fault.line - 1]
    assert '"tying-share": lambda book:' in line
    assert fault.file == "plates/contents.py"
    assert (
        "no page shows the figure 'tying-share'; write {{ figure(\"tying-share\") }} on a plate"
        in fault.message
    )


def test_a_figure_without_caption_is_told_where_it_is_shown(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(FigureError):
        replace(loss_figure(), caption=" ")
    monkeypatch.setitem(contents.FIGURES, "tying-share", lambda book: replace(loss_figure(), caption=" "))
    assert main(["check"]) == 1
    line = books.WHOLE.splitlines().index('{{ figure("tying-share") }}') + 1
    assert (
        f"{books.PLATE}:{line}:1: figure 'fig-loss': wanted some text as caption" in capsys.readouterr().out
    )


# The command.


def test_the_book_itself_is_without_fault(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    assert main(["check"]) == 0, capsys.readouterr().out
    assert capsys.readouterr().out == ""


def test_all_faults_are_told_at_once_in_their_order(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "docs/index.md").write_text("# Home\n\nIt is 57% {{ nothing }}.\n\n{{ run('tide') }}\n")
    (book / books.PLATE).write_text(books.WHOLE.replace("## Summary", "## Sum"), encoding="utf-8")
    assert main(["check"]) == 1
    said = capsys.readouterr()
    places = [line.partition(": ")[0] for line in said.out.splitlines()]
    line = books.WHOLE[: books.WHOLE.index("## Summary")].count("\n") + 1
    assert places == [
        "docs/index.md:3:7",
        "docs/index.md:3:14",
        "docs/index.md:5:9",
        f"{books.PLATE}:{line + 4}:4",
    ]
    assert said.err == "plates check: 4 faults\n"


def test_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 2
    assert "wanted mkdocs.yml in this folder; go to the book's own folder first" in capsys.readouterr().err
    for arguments in ([], ["chekc"], ["check", "--stie", "x"], ["check", "more"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2


def test_a_missing_library_is_named(root: Path) -> None:
    """As for someone who runs the command with the system's own Python."""
    nothing = "import sys; sys.modules['jinja2'] = None; sys.argv = ['plates', 'check']; import runpy; "
    command = [sys.executable, "-c", f"{nothing}runpy.run_module('plates', run_name='__main__')"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "plates: wanted jinja2, which is not installed for this Python; run `make check`"
    )


def test_a_built_book_is_checked_where_it_lies(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--site", "site"]) == 2
    assert "wanted a built book in site, came none" in capsys.readouterr().err
    build(load_config("mkdocs.yml"))
    assert main(["check", "--site", "site"]) == 0
    page = book / "site/index.html"
    page.write_text(page.read_text() + '<a href="gone/">gone</a>')
    assert main(["check", "--site", "site"]) == 1
    assert "docs/index.md: link 'gone/' leads nowhere" in capsys.readouterr().out


# Inside a build.


def test_a_build_warns(book: Path, caplog: pytest.LogCaptureFixture) -> None:
    (book / "docs/index.md").write_text("# Home\n\nIt is 57%.\n")
    build(load_config("mkdocs.yml"))
    (record,) = [each for each in caplog.records if each.name == "mkdocs.plates.check"]
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith(
        "docs/index.md:3:7: typed percentage, '57%'; compute it, such as {{ "
    )
    assert "57%" in (book / "site/index.html").read_text()


def test_a_strict_build_fails_before_it_touches_the_old_book(book: Path) -> None:
    build(load_config("mkdocs.yml", strict=True))
    before = {path: path.read_bytes() for path in (book / "site").rglob("*") if path.is_file()}
    (book / "docs/index.md").write_text("# Home\n\nIt is 57%.\n")
    with pytest.raises(Abort, match="1 of the author's checks failed; nothing was built"):
        build(load_config("mkdocs.yml", strict=True))
    assert {path: path.read_bytes() for path in (book / "site").rglob("*") if path.is_file()} == before


# The built book.


def site(
    folder: Path, pages: dict[str, str], sources: dict[str, str], *, directories: bool = True
) -> list[str]:
    """What is said of a site of these pages, made from these sources."""
    for name, text in {**{f"site/{key}": each for key, each in pages.items()}, **sources}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "docs").mkdir(exist_ok=True)
    return [str(fault) for fault in Site(folder / "site", folder / "docs", directories).faults()]


def test_each_of_several_like_faults_has_its_own_place(tmp_path: Path) -> None:
    sources = {"docs/index.md": "[a](gone.md)\n\n`[x](gone.md)` and [b](gone.md)\n"}
    told = site(tmp_path, {"index.html": '<a href="gone.md">a</a> <a href="gone.md">b</a>'}, sources)
    assert [each.partition(": ")[0] for each in told] == ["docs/index.md:1:5", "docs/index.md:3:24"]


def test_what_the_theme_makes_is_told_once(tmp_path: Path) -> None:
    pages = dict.fromkeys(("index.html", "a/index.html", "b/index.html"), '<img src="/x.png">')
    told = site(tmp_path, pages, {"docs/index.md": "", "docs/a.md": "", "docs/b.md": ""})
    assert [each.partition(";")[0] for each in told] == [
        "docs/a.md: link '/x.png' leaves the book's folder",
        "docs/a.md: picture '/x.png' has no text",
    ]
    assert all(each.endswith(" (and on 2 other pages); a macro or the theme made it") for each in told)


def test_a_page_that_no_author_wrote_is_told_by_its_built_file(tmp_path: Path) -> None:
    (told,) = site(tmp_path, {"404.html": '\n<p>{{ x }} <a href="/anywhere">a</a></p>'}, {})
    assert told.startswith("site/404.html:2:3: '{{ x }}' is printed as it stands")


def test_pages_without_folders_are_found_too(tmp_path: Path) -> None:
    pages = {"index.html": '<a href="a.html#x">a</a>', "a.html": '<p id="x"><a href="a.htm">b</a></p>'}
    (told,) = site(tmp_path, pages, {"docs/a.md": "[b](a.htm)", "docs/index.md": ""}, directories=False)
    assert told.startswith("docs/a.md:1:5: link 'a.htm' leads nowhere; did you mean 'a.md'?")


def test_the_nearest_way_is_offered_as_an_author_writes_it(tmp_path: Path) -> None:
    pages = {"a/b/index.html": '<a href="../tyng.md">x</a>', "tying/index.html": "", "index.html": ""}
    (told,) = site(
        tmp_path, pages, {"docs/a/b.md": "[x](../tyng.md)", "docs/tying.md": "", "docs/index.md": ""}
    )
    assert "leads nowhere; did you mean '../tying.md'?" in told


@pytest.mark.parametrize(
    ("html", "fetched"),
    [
        ('<link rel="preconnect" href="https://a.example">', ["https://a.example"]),
        ('<link rel="canonical" href="https://a.example/"><a href="https://a.example/">a</a>', []),
        (
            "<style>@import '//a.example/x.css'; b { background: url(y.png) }</style>",
            ["//a.example/x.css", "y.png"],
        ),
        ('<img alt="a" srcset="x.png 1x, //a.example/y.png 2x">', ["x.png", "//a.example/y.png"]),
        ('<video poster="//a.example/p.png"><source src="v.webm"></video>', ["//a.example/p.png", "v.webm"]),
        ('<svg><use href="//a.example/s.svg#i"/></svg>', ["//a.example/s.svg#i"]),
        ("<p style=\"background: url('//a.example/x')\">", ["//a.example/x"]),
    ],
)
def test_what_a_page_fetches(html: str, fetched: list[str]) -> None:
    assert [address for address, _ in read(html).fetched] == fetched


@pytest.mark.parametrize(
    ("html", "silent"),
    [
        ('<img src="x.png">', ["x.png"]),
        ('<img src="x.png" alt=" ">', ["x.png"]),
        ('<img src="x.png" alt="words">', []),
        ('<img src="x.png" alt="" role="presentation"><img src="y.png" alt aria-hidden="true">', []),
        ('<svg role="img"></svg>', [""]),
        ('<svg role="img" aria-label="words"></svg><svg></svg>', []),
        ('<svg role="img"><title>Words</title><g><path/></g></svg>', []),
    ],
)
def test_pictures_that_say_nothing(html: str, silent: list[str]) -> None:
    assert [picture for picture, _ in read(html).silent] == silent


def test_words_are_those_outside_code_and_math() -> None:
    html = "<p>a<code>b</code><script>c</script><math><mi>d</mi></math><pre>e</pre>f</p><p>g <i>h</i></p>"
    assert [words for words, _ in read(html).words] == ["a", "f", "g ", "h"]


def test_a_malformed_address_is_told(tmp_path: Path) -> None:
    (told,) = site(tmp_path, {"index.html": '<a href="http://[x">a</a>'}, {"docs/index.md": "[a](http://[x)"})
    assert told.startswith("docs/index.md:1:5: link 'http://[x' is no address; correct it")
