"""An open page follows its author: what is edited shows in the browser by itself, faults among it."""

from __future__ import annotations

from tests.live import live

FILE = "docs/plates/output-head.md"


def test_an_open_page_follows_its_author(tree, browser, tmp_path):
    with live(tree, tmp_path / "log") as server:
        page = browser.new_page()
        complaints: list[str] = []
        page.on("console", lambda said: complaints.append(said.text) if said.type != "log" else None)
        page.goto(f"{server.url}plates/output-head/")
        server.edit(FILE, "When the last block", "Anew, when the last block")
        page.get_by_text("Anew, when the last block").wait_for(timeout=60_000)
        server.edit(FILE, "Anew, when", "{{ fugure() }} when")
        page.get_by_role("alert").get_by_text("no macro or variable 'fugure'").wait_for(timeout=60_000)
        server.edit(FILE, "{{ fugure() }} when", "When")
        page.get_by_text("When the last block").wait_for(timeout=60_000)
        assert page.locator("figure").count() == 2
        page.close()
    assert complaints == []
