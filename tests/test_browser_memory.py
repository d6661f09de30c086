"""The race of the first notebook and the cache chase of chapter 2, as a reader meets them in JupyterLab."""

import pytest
from browser import IN_BROWSER, lab

pytestmark = IN_BROWSER


@pytest.fixture
def start(browser, tmp_path):
    with lab(browser, "00_start_here.ipynb", tmp_path) as page:
        page.run_all()
        page.wait_until(lambda: page.page.locator(".acc-panel").count() == 2, 60, "both panels")
        yield page
        assert page.errors == []


def test_six_tanks_are_emptied_and_the_last_one_takes_its_time(start):
    page, panel, keyboard = start, start.page.locator(".acc-panel").first, start.page.keyboard
    page.wait_until(lambda: page.sentence(panel).startswith("6 tanks of 80 GB"), what="the full tanks")
    panel.get_by_role("button", name="Forward").focus()
    keyboard.press("Enter")
    page.wait_until(lambda: page.sentence(panel).startswith("After 5 ms, 0 of 6"), what="the first moment")
    panel.locator(".acc-screen").focus()
    keyboard.press("End")
    page.wait_until(lambda: "could have read it 235 times" in page.sentence(panel), what="the end of the race")
    page.wait_until(lambda: panel.locator(".acc-screen").inner_text().count("235 ×") == 1, what="the marks at rest")


def test_another_amount_of_data_begins_another_race(start):
    page, panel = start, start.page.locator(".acc-panel").first
    page.wait_until(lambda: page.sentence(panel).startswith("6 tanks of 80 GB"), what="the full tanks")
    handle = panel.get_by_role("slider", name="data to read")
    handle.focus()
    page.page.keyboard.press("ArrowRight")
    page.wait_until(lambda: page.sentence(panel).startswith("6 tanks of 8") and "80 GB" not in page.sentence(panel))
    page.wait_until(lambda: panel.locator(".acc-place").inner_text() == "moment 1 of 472", what="the rest of the race")


def test_a_line_of_memory_is_pinned_and_tells_its_story(browser, tmp_path):
    with lab(browser, "02_memory.ipynb", tmp_path) as page:
        page.run_all()
        page.wait_until(lambda: page.page.get_by_text("New questions").count() == 1, 150, "the quiz")
        panel = page.page.locator(".acc-panel").filter(has=page.page.get_by_role("button", name="Play")).first
        page.wait_until(lambda: page.sentence(panel).startswith("Access 1, address 0: line 0"), what="the first access")
        panel.locator("[data-who='line 2']").last.click()
        story = panel.locator(".acc-story")
        page.wait_until(lambda: "found in memory, now in L1 and L2" in story.inner_text(), what="its story")
        assert story.locator("li").first.inner_text() == "access 1: in memory alone"
        page.page.keyboard.press("Escape")
        with page.page.expect_download() as film:
            panel.get_by_role("button", name="Save this run as HTML").click()
        assert film.value.suggested_filename == "chase.html"
        assert page.errors == []
