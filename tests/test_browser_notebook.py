"""A chapter in Notebook 7: panels and predictions answer, keys stay with controls, links open."""

import importlib.util
import os

import pytest
import toy_chapter
from browser import BUTTON, IN_BROWSER, SHOTS, classic

HERE = importlib.util.find_spec("notebook") is not None
HOW = "Notebook 7 is not here: install tests/requirements.txt"
MISSING = pytest.mark.skipif(not HERE and os.environ.get("CI") != "true", reason=HOW)
pytestmark = [*IN_BROWSER, pytest.mark.story, MISSING]
OWN = "Cannot read properties of undefined (reading 'schema')"  # the shortcuts of Notebook 7 itself, at its start
ACTIVE = "() => window.jupyterapp.shell.currentWidget.content.activeCellIndex"


@pytest.fixture(scope="module")
def chapter(browser, tmp_path_factory):
    """A small one, run from top to bottom."""
    with classic(browser, toy_chapter.NAME, tmp_path_factory.mktemp("notebook")) as page:
        page.page.screenshot(path=SHOTS / "notebook-head.png")
        page.press(0)
        assert page.top < 200
        page.wait_until(lambda: page.page.locator(".acc-panel").count() >= 3, 150, "the last panel")
        page.wait_until(lambda: page.page.get_by_text("New questions").count() == 2, 60, "quiz and checkpoint")
        yield page
        assert [error for error in page.errors if OWN not in error] == []


LEFT = """cell => cell.getBoundingClientRect().x + parseFloat(getComputedStyle(cell).paddingLeft)
  + parseFloat(getComputedStyle(cell, '::after').paddingLeft)"""


def test_the_line_of_what_waits_begins_where_the_text_does(chapter):
    waiting = chapter.page.locator(".acc-folded-first").first
    waiting.scroll_into_view_if_needed()
    chapter.page.screenshot(path=SHOTS / "notebook-waiting.png")
    text = chapter.page.locator(".jp-MarkdownCell .jp-MarkdownOutput > p").first
    assert waiting.evaluate(LEFT) == pytest.approx(text.bounding_box()["x"], abs=1)


def test_a_prediction_by_keyboard_opens_its_picture(chapter):
    page, box = chapter.page, chapter.page.locator(".acc-predict").first
    chapter.wait_until(lambda: "acc-veiled" in box.get_attribute("class"), what="the cover")
    card = box.locator(".acc-question").first
    card.get_by_role("radio").first.focus()
    active = page.evaluate(ACTIVE)
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    assert card.get_by_role("radio").nth(1).is_checked() and page.evaluate(ACTIVE) == active
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    chapter.wait_until(lambda: "acc-veiled" not in box.get_attribute("class"), what="the picture")
    assert "It is 143 µs, not 1.1 ms." in card.inner_text()
    box.screenshot(path=SHOTS / "notebook-prediction.png")


def test_sliders_and_menus_keep_their_keys(chapter):
    panel, name = chapter.panel("M, rows of inputs").first, "M, rows of inputs"
    panel.get_by_role("button", name="Reset").click()
    chapter.wait_until(lambda: "memory sets the pace" in chapter.sentence(panel), what="the starting state")
    cells = chapter.page.locator(".jp-Cell").count()
    panel.get_by_role("slider", name=name, exact=True).focus()
    active = chapter.page.evaluate(ACTIVE)
    chapter.page.keyboard.press("End")
    chapter.wait_until(lambda: "arithmetic sets the pace" in chapter.sentence(panel), what="the far end")
    menu = panel.get_by_role("combobox", name="chip")
    before = chapter.sentence(panel)
    menu.focus()
    chapter.page.keyboard.press("ArrowDown")
    chapter.wait_until(lambda: chapter.sentence(panel) != before, what="another chip")
    assert menu.evaluate("menu => menu === document.activeElement")
    chapter.page.keyboard.press("b")  # in the notebook's own words: a new cell below
    assert chapter.page.locator(".jp-Cell").count() == cells and chapter.page.evaluate(ACTIVE) == active


def test_the_bar_stays_on_top_and_leads_to_the_next_chapter(chapter):
    bar = chapter.page.locator(".acc-bar")
    box = chapter.page.locator(".jp-WindowedPanel-outer").bounding_box()
    assert bar.count() == 1 and bar.bounding_box()["y"] == pytest.approx(box["y"], abs=2)
    assert "panel" in bar.locator(".acc-bar-where").inner_text()
    with chapter.page.context.expect_page() as opened:
        bar.locator("a[rel=next]").click()
    chapter.wait_until(lambda: "04_tiling.ipynb" in opened.value.url, what="the next chapter")
    opened.value.locator(BUTTON).first.wait_for()
    opened.value.close()
    with chapter.page.context.expect_page() as opened:
        chapter.page.locator(".jp-MarkdownOutput").get_by_role("link", name="chapter 4, Tiling").last.click()
    chapter.wait_until(lambda: "04_tiling.ipynb" in opened.value.url, what="the next chapter, from the last line")
    opened.value.close()
