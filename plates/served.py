"""A page's faults in the browser while its author writes: on the live server alone, never in a build."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from plates import html
from plates.places import Fault


def is_served(settings: Mapping[str, Any]) -> bool:
    """Whether the pages go to a live server's own folder, at its own address, and so to nobody else.

    Args:
        settings: those of the build.

    Returns:
        True for `mkdocs serve`; a build fails on what would be shown here.
    """
    folder, address = Path(settings["site_dir"]), settings.get("dev_addr")
    is_temporary = (
        folder.name.startswith("mkdocs_") and folder.parent == Path(tempfile.gettempdir()).absolute()
    )
    return is_temporary and str(settings.get("site_url") or "").startswith(f"http://{address}/")


def notice(faults: Iterable[Fault]) -> Markup:
    """Say on a page what keeps it from being printed.

    Args:
        faults: what is wrong with it.

    Returns:
        A block that stands for the page; it goes when the page is mended.
    """
    items = html.join(html.tag("li", html.tag("code", str(fault))) for fault in faults)
    said = html.tag("p", "This page cannot be printed. Mend what is named here, and it comes back by itself.")
    return html.tag("div", html.join([said, html.tag("ul", items)]), class_="book-fault", role="alert")
