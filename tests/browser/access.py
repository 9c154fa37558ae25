"""What axe finds against a page's access."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def violations(shown: Page) -> list[str]:
    """Each violation with its rule, its element and what to do; none on a sound page."""
    found = Axe().run(shown, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"]
    ]
