"""Terms as a page shows them: a link where one is used, and the lists that define them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

import markdown
from markupsafe import Markup

from plates import html
from plates.author_syntax import with_formulas
from plates.volume import Term


def use(term: Term, words: str, page: str) -> Markup:
    """Build the link from a term's use to its definition.

    Args:
        term: the term.
        words: what the sentence says for it.
        page: address of the page that defines it, empty for the same page.

    Returns:
        A link; its `data-definition` is for the tip that docs/assets/js/terms.js shows.
    """
    address = f"{page}#{term.anchor}"
    return html.tag("a", words, class_="term", href=address, data_definition=_plain(term.definition))


def _plain(definition: str) -> str:
    """A definition as text alone: a tip has no room for MathML, so formulas stand in it in words."""
    named = re.sub(r'<math[^>]* aria-label="([^"]*)".*?</math>', r"\1", _inline(definition))
    return Markup(re.sub(r"<[^>]+>", "", named)).unescape()


def definitions(terms: Iterable[Term]) -> Markup:
    """Build the list that defines a plate's terms.

    Args:
        terms: in the plate's order.

    Returns:
        A definition list.
    """
    pairs = [(html.tag("dt", name(term), id=term.anchor), _described(term)) for term in terms]
    return html.tag("dl", html.join(piece for pair in pairs for piece in pair), class_="terms")


def glossary(terms: Iterable[Term], origin: Callable[[Term], Markup]) -> Markup:
    """Build the volume's list of terms, each with the plate that defines it.

    Args:
        terms: by alphabet.
        origin: gives the link to a term's plate.

    Returns:
        A definition list.
    """
    pairs = [(html.tag("dt", name(term), id=term.anchor), _described(term, origin(term))) for term in terms]
    return html.tag("dl", html.join(piece for pair in pairs for piece in pair), class_="terms glossary")


def name(term: Term) -> str:
    """Name a term with its other names: "Output head (unembedding)"."""
    return f"{term.name} ({', '.join(term.also)})" if term.also else term.name


def _described(term: Term, origin: Markup | None = None) -> Markup:
    words = [Markup(_inline(term.definition))]
    return html.tag("dd", html.join([*words, " ", origin] if origin else words))


@lru_cache(maxsize=4096)
def _inline(text: str) -> str:
    """Markdown to HTML, on one line and without the paragraph around it."""
    return " ".join(markdown.markdown(with_formulas(text)).removeprefix("<p>").removesuffix("</p>").split())
