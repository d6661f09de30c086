"""What to try on a panel, in a real browser: lines that set it and tick, and what was seen, which opens after them."""

import pytest
from browser import IN_BROWSER, SHOTS, lab

pytestmark = [*IN_BROWSER, pytest.mark.story]
FOLDED = "document.querySelectorAll('.acc-folded-first').length"


@pytest.fixture(scope="module")
def chapter(browser, tmp_path_factory):
    """Chapter 6 in JupyterLab as a learner finds it after *Run All*."""
    with lab(browser, "06_systolic.ipynb", tmp_path_factory.mktemp("lab"), covered=True) as page:
        page.run_all()
        page.wait_until(lambda: page.page.locator(".acc-tasks").count() >= 6, 120, "the lines of all panels")
        page.wait_until_idle()
        yield page
        assert page.errors == []


def lines(chapter, id):
    return chapter.page.locator(f".acc-at-{id} .acc-tasks li button")


def ticked(chapter, id):
    return [one.get_attribute("class") == "acc-ticked" for one in lines(chapter, id).all()]


def takeaway(chapter, words):
    """The cell of “What you saw” that holds these words."""
    return chapter.page.locator(".jp-Cell").filter(has_text=words).last


def test_a_line_sets_the_panel_and_is_ticked_and_the_takeaway_waits_for_all(chapter):
    seen = takeaway(chapter, "You loaded each fold's weights ahead")
    assert "acc-folded-first" in seen.get_attribute("class") and ticked(chapter, "folds") == [False] * 3
    lines(chapter, "folds").nth(0).click()
    chapter.wait_until(lambda: ticked(chapter, "folds") == [True, False, False], what="a tick")
    panel = chapter.page.locator(".acc-at-folds")
    chapter.wait_until(lambda: "Cycle 34 of 34" in panel.locator("figcaption").inner_text(), what="the picture")
    assert "acc-folded-first" in seen.get_attribute("class")
    assert panel.get_by_text("1 of 3 done").is_visible()
    lines(chapter, "folds").nth(1).click()
    chapter.wait_until(lambda: ticked(chapter, "folds") == [True, True, False], what="another tick")
    chapter.page.screenshot(path=SHOTS / "tasks-two.png")


def test_the_last_line_by_keyboard_opens_what_was_seen(chapter):
    where = chapter.page.locator(".acc-at-folds .acc-left").bounding_box()["y"]
    line = lines(chapter, "folds").nth(2)
    line.focus()
    chapter.page.keyboard.press("Enter")
    seen = takeaway(chapter, "You loaded each fold's weights ahead")
    chapter.wait_until(lambda: "acc-folded" not in seen.get_attribute("class"), what="what was seen")
    assert line.inner_text().endswith(": done") and seen.locator("strong", has_text="What you saw").is_visible()
    foot = chapter.page.locator(".acc-at-folds .acc-left")
    assert foot.inner_text() == "3 of 3 done. What you saw: open below ↓"
    assert foot.bounding_box()["y"] == pytest.approx(where, abs=2), "what is below the picture has moved"
    foot.get_by_role("button").click()  # what was seen may be in sight already: it is framed
    assert seen.evaluate("cell => cell.matches('.acc-told')")
    assert "tasks 3 of" in chapter.page.locator(".acc-bar-where").inner_text()
    assert chapter.page.locator(".acc-bar-marks .acc-done").count() == 1


def test_a_mark_of_the_bar_leads_to_its_panel(chapter):
    mark = chapter.page.locator(".acc-bar-marks button").nth(5)
    assert ": " in mark.get_attribute("aria-label")
    mark.click()
    chapter.wait_until(lambda: "acc-here" in mark.get_attribute("class"), what="the panel")


def test_the_same_state_by_hand_ticks_as_well(chapter):
    panel = chapter.page.locator(".acc-at-flows")
    panel.get_by_role("button", name="Reset").click()
    panel.get_by_role("button", name="Forward").click()
    chapter.wait_until(lambda: ticked(chapter, "flows") == [True, False, False], what="a tick")


def test_a_run_goes_to_the_state_that_a_line_names(chapter):
    lines(chapter, "flows").nth(1).click()
    panel = chapter.page.locator(".acc-at-flows")
    chapter.wait_until(lambda: panel.locator(".acc-place").inner_text().startswith("cycle 8 of"), what="cycle 8")
    chapter.wait_until(lambda: ticked(chapter, "flows") == [True, True, False], what="a tick")


def test_what_is_seen_is_told_on_request(chapter):
    panel = chapter.page.locator(".acc-at-flows")
    seen = takeaway(chapter, "You gave two arrays the same matrices")
    assert "acc-folded-first" in seen.get_attribute("class")
    panel.get_by_role("button", name="Tell me what is seen").click()
    chapter.wait_until(lambda: "acc-folded" not in seen.get_attribute("class"), what="what was seen")
    assert ticked(chapter, "flows") == [True, True, False]


def test_under_a_cover_nothing_can_be_tried(chapter):
    veiled = chapter.page.locator(".acc-veiled .acc-tasks")
    assert veiled.count() and not any(one.is_visible() for one in veiled.all())


def test_a_key_opens_all_that_is_folded(chapter):
    assert chapter.page.evaluate(FOLDED)
    chapter.page.keyboard.press("Alt+KeyO")
    chapter.wait_until(lambda: chapter.page.evaluate(FOLDED) == 0, what="all that is folded")
