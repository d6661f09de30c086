"""Every chapter in one JupyterLab: it runs, its panels answer, its steppers play, are pinned and end right."""

import pytest
from browser import IN_BROWSER, SHOTS, SIZE, desk, every_panel_answers

from accelerator_course import syllabus
from accelerator_course.widgets import catalog

pytestmark = IN_BROWSER

DELAYS = (0, 0.5, 1, 2, 3)  # seconds after the button is there, when Python may not be
START = "00_start_here"
ELSEWHERE = {"roofline", "systolic"}  # opened by test_browser.py and test_browser_stage.py
PANELS = {START: len(catalog.contents(None)[0])} | {  # how many each has that is there
    chapter["name"]: len(catalog.contents(topic)[0])
    for topic, chapter in syllabus.chapters().items()
    if catalog.contents(topic)[0] and topic not in ELSEWHERE
}


@pytest.fixture(scope="module")
def opens(browser, tmp_path_factory):
    with desk(browser, tmp_path_factory.mktemp("lab")) as opens:
        yield opens


@pytest.fixture(scope="module")
def chapter(opens, request):
    """A notebook, run by its button, early or late; its tests come one after the other (conftest.py)."""
    pressed = DELAYS[list(PANELS).index(request.param) % len(DELAYS)]
    with opens(f"{request.param}.ipynb", pressed) as page:
        assert page.top < 200, "the press has thrown the reader off"
        last = page.page.locator(".acc-standing") if request.param == START else page.page.get_by_text("New questions")
        page.wait_until(lambda: last.count() >= 1, 150, "the last widget")  # a checkpoint asks new questions, too
        page.wait_until_idle()
        yield page
        assert page.errors == []


def of(*names):
    return pytest.mark.parametrize("chapter", names, indirect=True)


@of(*PANELS)
def test_a_chapter_runs_and_every_panel_answers(chapter, request):
    name = request.node.callspec.params["chapter"]
    chapter.wait_until(lambda: chapter.page.locator(".acc-panel").count() >= PANELS[name], what="the last panel")
    every_panel_answers(chapter)
    chapter.page.locator(".acc-panel").first.screenshot(path=SHOTS / f"{name[:2]}.png")


@of(START)
def test_progress_is_saved_and_restored(chapter):
    page, standing = chapter, chapter.page.locator(".acc-standing")
    with page.page.expect_download() as saved:
        standing.get_by_role("button", name="Download my progress").click()
    assert saved.value.suggested_filename == "accelerator-course-progress.jsonl"
    with page.page.expect_file_chooser() as chooser:
        standing.get_by_role("button", name="Restore from a file").click()
    result = '{"kind": "format", "version": 1}\n{"kind": "quiz", "chapter": "roofline", "points": 4, "of": 5, "passed": true}'
    chooser.value.set_files({"name": "mine.jsonl", "mimeType": "text/plain", "buffer": result.encode()})
    page.wait_until(
        lambda: "80 %" in standing.inner_text() and "1 new entries" in standing.inner_text(), what="the restored result"
    )
    with page.page.expect_download() as printed:
        standing.get_by_role("button", name="PDF").click()
    assert printed.value.path().read_bytes().startswith(b"%PDF")
    standing.screenshot(path=SHOTS / "progress.png")


def tanks(chapter):
    return chapter.page.locator(".acc-panel").filter(has=chapter.page.get_by_role("slider", name="data to read"))


@of(START)
def test_six_tanks_are_emptied_and_the_last_one_takes_its_time(chapter):
    page, panel, keyboard = chapter, tanks(chapter), chapter.page.keyboard
    panel.get_by_role("button", name="Reset").click()
    page.wait_until(lambda: page.sentence(panel).startswith("6 tanks of 8 GB"), what="the full tanks")
    page.wait_until(lambda: panel.get_by_role("button", name="Forward").is_enabled(), what="the rest of the race")
    panel.get_by_role("button", name="Forward").focus()
    keyboard.press("Enter")
    page.wait_until(lambda: page.sentence(panel).startswith("After 500 µs, 0 of 6"), what="the first moment")
    panel.locator(".acc-screen").focus()
    keyboard.press("End")
    page.wait_until(lambda: "could have read 8 GB 235 times" in page.sentence(panel), what="the end of the race")
    page.wait_until(lambda: panel.locator(".acc-screen").inner_text().count("235 ×") == 1, what="the marks at rest")


@of(START)
def test_another_amount_of_data_begins_another_race(chapter):
    page, panel = chapter, tanks(chapter)
    panel.get_by_role("button", name="Reset").click()
    page.wait_until(lambda: page.sentence(panel).startswith("6 tanks of 8 GB"), what="the full tanks")
    panel.get_by_role("slider", name="data to read").focus()
    page.page.keyboard.press("ArrowLeft")
    page.wait_until(lambda: page.sentence(panel).startswith("6 tanks of") and "of 8 GB" not in page.sentence(panel))
    page.wait_until(lambda: panel.locator(".acc-place").inner_text() == "moment 1 of 472", what="the rest of the race")


@of(START)
def test_on_a_phone_folded_code_does_not_widen_the_page(chapter):
    page = chapter.page
    page.set_viewport_size({"width": 400, "height": 900})
    page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    notebook = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer")
    chapter.wait_until(lambda: notebook.evaluate("outer => outer.clientWidth") < 400, what="the narrow page")
    assert notebook.locator(".jp-PlaceholderText").count() > 3
    assert notebook.evaluate("outer => outer.scrollWidth - outer.clientWidth") <= 1
    page.screenshot(path=SHOTS / "phone.png")
    page.evaluate("() => window.jupyterapp.shell.expandLeft()")
    page.set_viewport_size(SIZE)


@of("02_memory")
def test_a_line_of_memory_is_pinned_and_tells_its_story(chapter):
    page = chapter
    page.page.locator(".jp-showHiddenCellsButton:visible").last.click()  # it stands in what goes deeper
    panel = page.page.locator(".acc-at-chase")
    page.wait_until(lambda: page.sentence(panel).startswith("Access 1, address 0: line 0"), what="the first access")
    panel.locator("[data-who='line 2']").last.click()
    story = panel.locator(".acc-story")
    page.wait_until(lambda: "found in memory, now in L1 and L2" in story.inner_text(), what="its story")
    assert story.locator("li").first.inner_text() == "access 1: in memory alone"
    page.page.keyboard.press("Escape")
    panel.get_by_role("button", name="More").click()
    with page.page.expect_download() as film:
        panel.get_by_role("button", name="Save this run as HTML").click()
    assert film.value.suggested_filename == "chase.html"


def stepper(page, words):
    """The panel whose picture begins with these words, whatever it says later."""
    panels = page.page.locator(".acc-panel")
    found = panels.filter(has=page.page.locator("figcaption", has_text=words))
    page.wait_until(lambda: found.count() == 1, what=f"the panel that says {words!r}")
    panel = panels.nth(found.evaluate("p => [...document.querySelectorAll('.acc-panel')].indexOf(p)"))
    panel.scroll_into_view_if_needed()
    return panel


@of("01_workload")
def test_a_window_slides_and_a_pixel_tells_how_often_it_was_copied(chapter):
    page = chapter
    panel = stepper(page, "The window lies on patch 1 of 16")
    panel.locator(".acc-screen").focus()
    page.page.keyboard.press("ArrowRight")
    page.wait_until(lambda: "patch 2 of 16" in page.sentence(panel), what="the second patch")
    page.page.keyboard.press("End")
    page.wait_until(lambda: "144 numbers, 4 times as many" in page.sentence(panel), what="the whole matrix")
    panel.locator(".mark[data-who='pixel 3, 3']").first.click()
    page.wait_until(lambda: "copied 9 times" in panel.locator(".acc-story").inner_text(), what="the story of a pixel")
    panel.screenshot(path=SHOTS / "im2col.png")
    page.page.keyboard.press("Escape")
    panel.get_by_role("slider", name="padding").focus()
    page.page.keyboard.press("ArrowRight")
    page.wait_until(lambda: "patch 1 of 36" in page.sentence(panel), what="the padded image")


@of("04_tiling")
def test_tiles_and_blocks_move_and_their_counters_end_at_the_formulas(chapter):
    page = chapter
    panel = stepper(page, "In the end 35.7 MB will have moved")
    panel.get_by_role("button", name="Play", exact=True).click()
    page.wait_until(lambda: "Tile 1 of 64" in page.sentence(panel), what="the first strip")
    panel.locator(".acc-screen").focus()
    page.page.keyboard.press("End")
    page.wait_until(lambda: "All 64 tiles are written: 35.7 MB" in page.sentence(panel), what="the end of the walk")
    panel.screenshot(path=SHOTS / "odometer.png")
    panel.get_by_role("slider", name="tile").or_(panel.get_by_role("combobox", name="tile")).first.focus()
    page.page.keyboard.press("ArrowRight")
    page.wait_until(lambda: "sums take every register" in page.sentence(panel), what="tiles of 256")
    softmax = stepper(page, "nothing is summed yet")
    softmax.locator(".acc-screen").focus()
    page.page.keyboard.press("End")
    page.wait_until(lambda: "Block 8, added" in page.sentence(softmax), what="the last block")
    softmax.screenshot(path=SHOTS / "stream.png")
    flash = stepper(page, "Nothing has moved yet: flash")
    flash.locator(".acc-screen").focus()
    page.page.keyboard.press("End")
    page.wait_until(lambda: "not written: 2.36 MB" in page.sentence(flash), what="the last block of scores")
    page.page.keyboard.press("ArrowLeft")
    page.wait_until(lambda: "Block 64 of 64" in page.sentence(flash), what="the one before")
    flash.screenshot(path=SHOTS / "flash.png")
