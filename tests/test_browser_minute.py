"""The first minute of a new learner in a real browser: a fresh copy of the course, and what make lab starts."""

import re
import shutil
import time

import pytest
from browser import BUTTON, IN_BROWSER, ROOT, Page, free_port, server

pytestmark = [*IN_BROWSER, pytest.mark.smoke]

NEEDED = ("accelerator_lib", "accelerator_course", "notebooks", "quizzes")
SMALL = {"width": 1366, "height": 640}  # what a laptop leaves of its screen
OPEN = ".jp-NotebookPanel:not(.lm-mod-hidden)"
READY = ".jp-Notebook-ExecutionIndicator[data-status=idle]"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address that the lab prints, for a fresh copy of the course that nothing else has touched."""
    home, copy = tmp_path_factory.mktemp("minute"), tmp_path_factory.mktemp("course")
    for folder in NEEDED:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    port = free_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(copy))
        patch.setenv("JUPYTER_DATA_DIR", str(home / "data"))
        patch.chdir(copy)
        with server(["accelerator_course.start.lab", "--no-browser", f"--port={port}"], port, home, folder=copy):
            printed = ""
            for _ in range(100):
                printed = (home / "server.log").read_text()
                if "token=" in printed:
                    break
                time.sleep(0.2)
            yield re.search(r"http://127\S+token=\w+", printed)[0]
    originals = [path.relative_to(copy) for path in (copy / "notebooks").rglob("*") if path.is_file()]
    changed = [path for path in originals if (copy / path).read_bytes() != (ROOT / path).read_bytes()]
    assert not changed, "opening, running and saving touched the course itself"


@pytest.fixture
def opened(browser, address):
    """A function that opens a notebook in a window of its own, its kernel idle."""
    pages = []

    def go(notebook, viewport=SMALL):
        made = Page(browser.new_page(viewport=viewport))
        pages.append(made)
        made.page.goto(address.replace("00_start_here.ipynb", notebook) + "&reset")
        made.page.wait_for_selector(f"{OPEN} button[data-commandlinker-command]", timeout=90_000)
        made.page.get_by_text("| Idle").wait_for(timeout=90_000)
        return made

    yield go
    for made in pages:
        assert made.errors == []
        made.page.close()


def run(made, cell):
    """Run a cell by keyboard. While the notebook is still laying itself out, another one may become the active one."""

    def ran():
        if cell.locator(".jp-InputPrompt").inner_text() not in ("[ ]:", ""):
            return True
        cell.scroll_into_view_if_needed()
        cell.locator(".jp-InputPrompt").click()
        if cell.locator("xpath=self::*[contains(@class, 'jp-mod-active')]").count():
            made.page.keyboard.press("Control+Enter")
            made.page.wait_for_timeout(1000)
        return False

    made.wait_until(ran, what="the cell's turn")


def follow(made, link, address):
    """Click a link until it is followed: a first press may move the notebook away from under the mouse."""

    def there():
        if address in made.page.url:
            return True
        link.click(timeout=5000)
        made.page.wait_for_timeout(1500)
        return False

    made.wait_until(there, what=f"{address} in this window")


def dirty(page):
    return page.locator(".lm-DockPanel-tabBar .lm-mod-current.jp-mod-dirty").count()


def test_the_address_printed_leads_to_the_first_notebook(address):
    assert "/lab/tree/mine/00_start_here.ipynb?token=" in address


def test_one_press_runs_the_first_notebook_and_stays_at_its_beginning(opened):
    made = opened("00_start_here.ipynb")
    page = made.page
    page.wait_for_timeout(1000)
    assert not dirty(page), "the tab is dirty before anything was done"
    button = page.locator(BUTTON)
    assert button.bounding_box()["y"] + 30 < SMALL["height"], "the button is out of sight"
    button.click()
    made.wait_until(lambda: page.locator(".acc-standing").count() == 1, 60, "the last widget")
    assert page.locator(".jp-Dialog").count() == 0, "JupyterLab asks whether the course may run"
    made.wait_until(lambda: "1 panel, 10 minutes" in page.locator(".acc-bar").inner_text(), what="the bar")
    assert page.get_by_role("heading", name="Start here").is_visible()
    assert page.locator(f"{OPEN} .jp-WindowedPanel-outer").evaluate("box => box.scrollTop") == 0
    page.keyboard.press("Control+s")
    made.wait_until(lambda: not dirty(page), what="the save")


def test_progress_opens_a_chapter_in_the_same_lab_and_a_panel_run_too_early_is_answered_calmly(opened):
    made = opened("00_start_here.ipynb")
    page = made.page
    page.locator(BUTTON).click()
    link = page.locator(".acc-standing a").filter(has_text="Roofline")
    made.wait_until(lambda: link.count() == 1, 60, "the table of progress")
    follow(made, link, "/lab/tree/mine/03_roofline.ipynb")
    cell = page.locator(f"{OPEN} .jp-CodeCell").filter(has_text="batch-128").first
    page.wait_for_selector(f"{OPEN} {READY}", timeout=90_000)  # the status bar may still speak of the first notebook
    run(made, cell)
    made.wait_until(lambda: "Run the cells above first" in cell.inner_text(), what="the calm line")
    assert page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    cell.get_by_role("button", name="Run them and this one").click()
    made.wait_until(lambda: cell.locator(".acc-panel").count() == 1, 90, "the panel")
    bar = page.locator(f"{OPEN} .acc-bar")
    cell.evaluate("cell => cell.scrollIntoView()")
    made.wait_until(lambda: "panel 1 of " in bar.inner_text(), what="the bar")
    cell.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    made.wait_until(lambda: bar.locator(".acc-tried").count() == 1, what="the mark of a panel tried")
    bar.get_by_role("link", name="chapter 2").focus()
    page.keyboard.press("Enter")
    made.wait_until(lambda: "02_memory.ipynb" in page.url, what="the chapter before")


def test_shift_enter_keeps_the_first_slider_of_a_new_panel_in_sight(opened):
    made = opened("03_roofline.ipynb")
    page = made.page
    page.get_by_role("heading", name="Roofline").first.click()
    while page.locator(f"{OPEN} .jp-mod-active").filter(has_text="batch-128").count() == 0:
        page.keyboard.press("Shift+Enter")
        page.wait_for_timeout(150)
    page.keyboard.press("Shift+Enter")
    slider = page.get_by_role("slider", name="tokens, a row each")
    made.wait_until(lambda: slider.count() == 1, 60, "the panel")
    page.wait_for_timeout(1800)
    top = page.locator(f"{OPEN} .acc-bar").bounding_box()
    assert slider.bounding_box()["y"] > top["y"] + top["height"], "the first slider is out of sight"
    assert page.locator(f"{OPEN} .jp-mod-active").filter(has_text="What you saw").count() == 1


def test_the_warm_up_is_folded_and_opens_by_keyboard(opened):
    made = opened("02_memory.ipynb")
    page = made.page
    page.locator(BUTTON).click()
    line = page.get_by_role("button", name="Warm-up")
    made.wait_until(lambda: line.count() == 1, 90, "the warm-up")
    card = page.locator(".acc-fold .acc-question").first
    assert not card.is_visible() and line.get_attribute("aria-expanded") == "false"
    line.focus()
    page.keyboard.press("Enter")
    made.wait_until(card.is_visible, what="the questions")
    assert line.get_attribute("aria-expanded") == "true"
