"""What axe-core finds in the book, a chapter in JupyterLab and one in Voila: nothing serious or critical in our parts."""

import booked
import pytest
import toy_chapter
from axe_playwright_python.sync_playwright import Axe
from browser import IN_BROWSER, lab, served, voila

pytestmark = [*IN_BROWSER, booked.NEEDED]
UNFOLD = "() => document.querySelectorAll('details').forEach((one) => (one.open = true))"
OURS = {"include": [[".acc-bar"], [".jp-OutputArea-output"]]}  # the rest is JupyterLab's own


def found(page, context=None):
    """Serious and critical findings: (rule, where)."""
    told = Axe().run(page, context, {"resultTypes": ["violations"]}).response["violations"]
    grave = [one for one in told if one["impact"] in ("serious", "critical")]
    return [(one["id"], node["target"], node["html"][:200]) for one in grave for node in one["nodes"]]


def test_every_page_of_the_book_first_as_it_opens_then_unfolded(browser, tmp_path):
    folder = booked.build(tmp_path)
    with served(folder) as address:
        page = browser.new_page()
        for file in sorted(folder.glob("*.html")):
            page.goto(f"{address}/{file.name}")
            assert found(page) == [], file.name
            page.evaluate(UNFOLD)
            assert found(page) == [], f"{file.name}, unfolded"
        page.close()


@pytest.mark.parametrize("host", [lab, voila])
def test_a_chapter_where_it_runs(browser, tmp_path, host):
    toy = toy_chapter.write(tmp_path) if host is voila else toy_chapter.NAME
    with host(browser, toy, tmp_path / "home") as opened:
        if host is lab:
            opened.press(0)
        opened.wait_until(lambda: opened.page.locator(".acc-panel").count() >= 3, 150, "the last panel")
        opened.wait_until(lambda: opened.page.get_by_text("New questions").count() == 2, 60, "quiz and checkpoint")
        assert found(opened.page, OURS if host is lab else None) == []
