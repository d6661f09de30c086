"""The course in JupyterLab: no press is lost, saved work opens with stills, and a process that died is said."""

import nbformat
import pytest
from browser import BUTTON, CLOSE, IN_BROWSER, OPEN, SHOTS, desk
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from accelerator_course.start import copies as copies
from accelerator_course.widgets import catalog

pytestmark = IN_BROWSER
SMALL, WIDE = "small.ipynb", {"width": 1366, "height": 768}
CELLS = (
    "from accelerator_course import views, widgets\nfrom accelerator_lib import hardware, roofline\n"
    "from accelerator_lib.workload import Gemm\n"
    "def dot(m=1, chip='h100-sxm5'):\n    return roofline.place(Gemm(m, 8192, 8192), hardware.chip(chip))",
    "widgets.explore(dot, views.roofline.Roofline(), id='one', m=widgets.log(1, 16384), chip=hardware.chips('bf16'))",
    "widgets.quick_check('critical-batch-cause')",
    "widgets.explain('roofline')",
    "widgets.kernel('map')",
)
PARAGRAPH = "A line of text.\n\n" * 12  # so that it is more than a screen long
DIES = """() => { window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute(
  { code: 'import os; os._exit(9)', store_history: false }); }"""
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"
AT = "node => node.getBoundingClientRect().top"


@pytest.fixture(scope="module")
def opens(browser, tmp_path_factory):
    """A lab with a small notebook of the course beside the chapters."""
    home = tmp_path_factory.mktemp("shell")
    (home / "notebooks").mkdir()
    button = '<button data-commandlinker-command="notebook:run-all-cells">Run this chapter</button>'
    run = new_markdown_cell(button, metadata={"tags": ["run"]})
    cells = [cell for code in CELLS for cell in (new_markdown_cell(PARAGRAPH), new_code_cell(code))]
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    kernel = {"kernelspec": python, copies.MARK: "a test"}
    path = home / "notebooks" / SMALL
    nbformat.write(new_notebook(cells=[run, *cells], metadata=kernel), path)
    copies.trust(path)
    with desk(browser, home, viewport=WIDE) as opens:
        yield opens


def again(page):
    """Close the notebook and its Python, and open it anew, as on the next morning."""
    page.page.evaluate(SAVE)
    page.wait_until(lambda: page.page.locator(".lm-mod-current.jp-mod-dirty").count() == 0, what="the save")
    page.page.evaluate(CLOSE)
    page.page.evaluate(OPEN, SMALL)
    page.page.locator(BUTTON).wait_for(timeout=90_000)
    page.wait_until_idle()


def line(page):
    """What the line at the foot of the notebook says."""
    return page.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .acc-shell")


def test_two_chapters_that_are_pressed_at_once_both_run_and_keep_their_places(opens):
    with opens("08_energy.ipynb", idle=False) as one, opens("01_workload.ipynb", idle=False) as other:
        one.click_run()
        other.click_run()
        for page in (other, one):
            page.wait_until_run()
            assert page.page.locator(".acc-panel").count() > 5 and page.top < 200
            assert page.errors == []


def test_a_press_while_it_runs_is_no_second_run_and_a_ready_chapter_leads_to_its_first_picture(opens):
    with opens(SMALL) as page:
        assert "come to life when the chapter runs" in line(page).inner_text(), "a copy that has not run offers itself"
        page.click_run()
        page.page.locator(BUTTON).click()
        page.wait_until_run()
        assert not line(page).is_visible()
        page.wait_until(lambda: page.page.locator(".acc-panel").count() == 1, what="the panel")
        page.page.locator(BUTTON).click()
        page.wait_until(lambda: page.top > 100, what="the first picture")
        assert page.page.locator(".acc-panel").bounding_box()["y"] < WIDE["height"] / 2
        first = page.page.locator(".jp-InputPrompt").filter(has_text="[1]")
        assert first.count() == 1, "it ran once"


def test_saved_work_opens_with_stills_that_can_be_woken_where_they_stand(opens):
    with opens(SMALL) as page:
        page.press()
        page.wait_until(lambda: page.page.locator(".acc-kernel").count() == 1, what="the last widget")
        again(page)
        stills = page.page.locator(".acc-still")
        page.wait_until(lambda: stills.count() >= 3, what="the stills")
        page.page.screenshot(path=SHOTS / "reopened.png")
        text = page.page.locator(".jp-Notebook").inner_text()
        assert "model not found" not in text and "Loading widget" not in text
        assert "the memory sets the pace" in stills.first.inner_text() and stills.first.locator("svg").count() == 1
        wake = stills.first.get_by_role("button", name="Wake this picture")
        wake.scroll_into_view_if_needed()
        cell = page.page.locator(".jp-CodeCell").filter(has=page.page.locator(".acc-still, .acc-panel")).first
        before = cell.evaluate(AT)
        wake.click()
        page.wait_until_run()
        page.wait_until(lambda: page.page.locator(".acc-panel").count() == 1, what="the live panel")
        assert cell.evaluate(AT) == pytest.approx(before, abs=2), "the picture was moved from under the eye"
        assert stills.count() == 0


def test_every_widget_says_that_python_died_and_keeps_what_was_typed(opens):
    with opens(SMALL) as page:
        page.press()
        bench, words = page.page.locator(".acc-kernel textarea").first, page.page.locator(".acc-explain textarea")
        page.wait_until(lambda: bench.count() == 1, what="the bench")
        words.fill("My own words")
        bench.fill("mine = 1")
        page.page.evaluate(DIES)
        page.page.locator(".acc-kernel").get_by_role("button", name="Run", exact=True).click()
        page.wait_until(lambda: "Python restarted. Your answers are kept." in line(page).inner_text(), what="the line")
        asleep = page.page.locator(".acc-asleep:not([hidden])")
        cell = lambda part: page.page.locator(".jp-CodeCell").filter(has=page.page.locator(part))  # noqa: E731
        for part in (".acc-panel", ".acc-question:not(.acc-kernel)", ".acc-explain", ".acc-kernel"):
            told = cell(part).locator(".acc-asleep:not([hidden])")
            page.wait_until(lambda told=told: told.count() >= 1, what=f"{part} knowing so")
        assert not asleep.first.is_visible(), "it is said once, by the line"
        assert page.page.locator(".jp-Dialog").count() == 0
        assert (bench.input_value(), words.input_value()) == ("mine = 1", "My own words")
        page.page.screenshot(path=SHOTS / "restarted.png")
        line(page).get_by_role("button", name="Run again").click()
        page.wait_until_run()
        page.wait_until(lambda: asleep.count() == 0, what="waking")
        assert (bench.input_value(), words.input_value()) == ("mine = 1", "My own words"), "what was typed is lost"


def test_a_python_that_does_not_answer_is_said_until_it_does(opens):
    with opens(SMALL) as page:
        page.press()
        check = page.page.locator(".acc-question").first
        page.wait_until(lambda: check.count() == 1, what="the question")
        page.page.evaluate("""() => { window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute(
          { code: 'import os, signal, threading, subprocess; subprocess.Popen(["sh", "-c", f"sleep 8; kill -CONT {os.getpid()}"]);'
          + 'threading.Timer(1, os.kill, (os.getpid(), signal.SIGSTOP)).start()', store_history: false }); }""")
        page.page.wait_for_timeout(1500)
        check.get_by_role("radio").first.click()
        told = page.page.locator(".acc-asleep:not([hidden])")
        page.wait_until(lambda: "Python does not answer" in told.first.inner_text(), what="the line")
        page.page.wait_for_timeout(6500)
        check.get_by_role("radio").nth(1).click()
        page.wait_until(lambda: told.count() == 0, what="its end")


def test_an_error_stops_the_run_and_is_led_to(opens, tmp_path):
    with opens(SMALL) as page:
        page.page.evaluate(
            """() => window.jupyterapp.shell.currentWidget.content.model.cells.get(6).sharedModel.setSource("1 / 0")"""
        )
        page.click_run()
        button = page.page.locator(BUTTON)
        page.wait_until(lambda: button.inner_text() == "Stopped at an error: show it", 120, "the stop")
        button.click()
        page.wait_until(
            lambda: page.page.get_by_text("ZeroDivisionError").first.is_visible(), what="the error in sight"
        )
        page.errors.clear()


def test_what_is_deeper_waits_folded_and_a_mark_of_the_bar_opens_it(opens):
    with opens("03_roofline.ipynb") as page:
        page.click_run()
        page.wait_until_run()
        folded = page.page.locator(".jp-showHiddenCellsButton").first
        assert folded.is_visible()
        page.page.locator(".acc-bar a, .acc-bar button").last.click()
        page.wait_until(lambda: not folded.is_visible(), what="the section that the last mark stands in")
        assert page.errors == []
        page.page.evaluate(CLOSE)


def test_a_way_into_another_notebook_leads_to_its_section_and_once_it_runs_to_the_panel(opens):
    with opens(SMALL) as page:
        page.click_run()
        page.wait_until_run()
        card = page.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .acc-question").first
        for radio in range(2):  # one of them is wrong
            card.locator("input[type=radio]").nth(radio).check()
            card.locator(".acc-main").click()
            page.page.wait_for_timeout(300)
            if card.locator("a").count():
                break
        card.locator("a").first.click()
        there = page.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        page.page.locator(".lm-mod-current", has_text="03_roofline").first.wait_for(timeout=60_000)
        section = there.locator("h1, h2").filter(has_text=catalog.panels("03_roofline")["dot"][1]).first
        at = "node => node.getBoundingClientRect().top"
        page.wait_until(lambda: 0 < section.evaluate(at) < 300, what="the section at the top")
        page.page.locator(BUTTON).dispatch_event("click")
        there.locator(".acc-at-dot").wait_for(timeout=120_000)
        page.wait_until_run()
        led = there.locator(".acc-predict", has=page.page.locator(".acc-at-dot"))
        page.wait_until(lambda: -50 < led.evaluate(at) < 300, what="the panel")
        page.page.evaluate(CLOSE)
