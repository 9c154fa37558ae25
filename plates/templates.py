"""Pages as Jinja has read them; that takes longer than printing one, and a live server reads few anew."""

from __future__ import annotations

from types import CodeType

from jinja2 import Environment, Template

MOST = 1000
"""Pages that are kept."""
# By the extensions as well, for they have a hand in how a page is read.
_read: dict[tuple[str, tuple[type, ...]], CodeType] = {}


def template(environment: Environment, text: str) -> Template:
    """Read a page, once for as long as it does not change.

    Args:
        environment: that of the pages; one build's is as good as another's.
        text: the page, without front matter.

    Returns:
        What can be printed.

    Raises:
        TemplateSyntaxError: it is not well-formed.
    """
    key = (text, tuple(type(each) for each in environment.extensions.values()))
    if key not in _read:
        if len(_read) >= MOST:
            _read.clear()
        _read[key] = environment.compile(text)
    return environment.template_class.from_code(environment, _read[key], environment.make_globals(None))
