"""A chapter as a page of Voila, dark: covered as in JupyterLab, its panels and questions live; a Voila that serves all."""

import re
from urllib.parse import urljoin

import nbformat
import pytest
import toy_chapter
from browser import IN_BROWSER, SHOTS, drag, solve, voila
from nbformat import v4

from accelerator_course.start.folders import NOTEBOOKS

pytestmark = IN_BROWSER


@pytest.fixture(scope="module")
def chapter(browser, tmp_path_factory):
    toy = toy_chapter.write(tmp_path_factory.mktemp("toy"))
    with voila(browser, toy, tmp_path_factory.mktemp("voila"), theme="dark", covered=True) as page:
        page.wait_until(lambda: page.page.get_by_text("New questions").count() == 2, 240, "quiz and checkpoint")
        page.wait_until(lambda: page.page.locator(".acc-panel").count() >= 3, 120, "the last panel")
        yield page
        assert page.errors == []


def test_a_picture_waits_for_the_guess(chapter):
    boxes = chapter.page.locator(".acc-predict")
    folded = chapter.page.locator(
        ".acc-folded-first[data-acc-folded*='with the picture']"
    )  # others wait for what is to be tried
    waiting = chapter.page.locator(".acc-predict.acc-veiled")
    chapter.wait_until(lambda: boxes.count() == waiting.count() == folded.count() == 2, 60, "both")
    box = boxes.first
    box.screenshot(path=SHOTS / "covered-voila.png")
    box.get_by_role("radio").first.check()
    box.get_by_role("button", name="Commit").click()
    chapter.wait_until(lambda: waiting.count() == 1, what="the picture")
    box.locator(".acc-screen").scroll_into_view_if_needed()
    truth = box.locator(".acc-mark-label.acc-mark-truth")
    chapter.wait_until(lambda: truth.count() == 1 and truth.inner_text() == "143 µs", what="the truth")
    assert "It is 143 µs, not 18 ms." in box.inner_text() and folded.count() == 1
    box.screenshot(path=SHOTS / "guessed-voila.png")


def test_a_panel_and_a_question_answer(chapter):
    panel = chapter.panel("launch of one kernel").first
    panel.get_by_role("button", name="Reset").click()
    chapter.wait_until(lambda: "takes 9.5 ms" in chapter.sentence(panel), what="the starting state")
    drag(chapter, panel, "launch of one kernel", 0.9)
    chapter.wait_until(lambda: "takes 9.5 ms" not in chapter.sentence(panel), what="the new sentence")
    panel.screenshot(path=SHOTS / "voila.png")
    card = chapter.page.locator(".acc-question").filter(has_text=re.compile("Question 1 of 5")).first
    solve(card, chapter.page.keyboard)
    chapter.wait_until(lambda: re.search("Right|Not yet", card.inner_text()), what="the verdict of a quiz item")


def test_a_page_that_serves_one_chapter_leads_to_no_other(chapter):
    last = chapter.page.locator("p", has_text="Next: chapter 4")
    assert last.inner_text().startswith("Previous: chapter 2") and last.locator("a").count() == 0
    assert chapter.page.locator("a[href*='.ipynb']").count() == 0


BAR = "from accelerator_course import widgets\nwidgets.chapter_bar()"


def test_links_to_sections_and_links_of_tables_become_words_where_one_notebook_is_served(browser, tmp_path):
    cells = [v4.new_markdown_cell("[chapter 5](05_gpu.ipynb#Strides) shows it."), v4.new_code_cell(BAR)]
    cells += [v4.new_code_cell("widgets.chapters()"), v4.new_code_cell("widgets.progress()")]
    nbformat.write(v4.new_notebook(cells=cells), tmp_path / "lone.ipynb")
    with voila(browser, tmp_path / "lone.ipynb", tmp_path / "home") as page:
        page.wait_until(lambda: page.page.locator(".acc-progress tbody tr").count() >= 15, 90, "the table of progress")
        page.wait_until(lambda: page.page.locator("a[href*='.ipynb']").count() == 0, 20, "words instead of links")
        assert page.page.get_by_text("chapter 5 shows it.").count() == 1
        assert page.page.locator(".jp-RenderedMarkdown").get_by_role("row").count() > 15, "the table of the chapters"


def test_where_all_notebooks_are_served_links_lead_to_pages_and_to_their_sections(browser, tmp_path):
    with voila(browser, "", tmp_path) as page:
        start = page.page.url + "voila/render/"
        page.page.goto(start + "00_start_here.ipynb", wait_until="domcontentloaded")
        page.wait_until(lambda: page.page.locator(".acc-progress tbody a").count() >= 15, 120, "the table of progress")
        found = page.page.locator("a[href*='.ipynb']").evaluate_all("links => links.map((link) => link.href)")
        names = {f"{start}{path.name}" for path in NOTEBOOKS.glob("*.ipynb")}
        assert {address.partition("#")[0] for address in found} <= names and len(found) > 30
        with page.page.context.expect_page() as opened:
            page.page.locator(".acc-bar a[rel=next]").click()
        page.wait_until(lambda: opened.value.url == start + "01_workload.ipynb", what="the next chapter")
        opened.value.close()
        section = re.search(r"15b_blocks\.ipynb#Rung-13[^)]*", (NOTEBOOKS / "06_systolic.ipynb").read_text("utf-8"))[0]
        page.page.goto(urljoin(start, section), wait_until="domcontentloaded")
        heading = page.page.locator("h2[id^='Rung-13'], h3[id^='Rung-13']")
        page.wait_until(lambda: page.page.locator(".acc-kernel").count() >= 5, 240, "the benches")
        seen = (
            "heading => { const { top } = heading.getBoundingClientRect(); return top > -1 && top < innerHeight / 2; }"
        )
        page.wait_until(lambda: heading.evaluate(seen), 30, "the section")
        page.page.screenshot(path=SHOTS / "voila-section.png")


def test_a_busy_page_has_a_minute_to_begin(chapter):
    """anywidget's own two seconds put errors in the place of widgets where two cores were busy."""
    seconds = (
        "Promise.race([2000, 3].map((ms) => new Promise((done) => AbortSignal.timeout(ms).onabort = () => done(ms))))"
    )
    assert chapter.page.evaluate(seconds) == 3, "other waits are as they were"
    late = "Promise.race([new Promise((done) => AbortSignal.timeout(2000).onabort = done), new Promise((done) => setTimeout(() => done('later'), 2500))])"
    assert chapter.page.evaluate(late) == "later"


def test_an_explanation_is_saved(chapter):
    box = chapter.page.locator(".acc-explain")
    box.get_by_role("textbox").fill("Ask for the batch.")
    box.get_by_role("textbox").blur()
    chapter.wait_until(lambda: re.search(r"Saved at \d+:\d+", box.inner_text()), 10, "the confirmation")
