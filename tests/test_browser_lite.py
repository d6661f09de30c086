"""The course with nothing installed: JupyterLite in a real browser, on a Pyodide of one's own; nothing is lost by a reload.

ACCELERATOR_COURSE_PYODIDE names a folder of the pinned Pyodide with the packages of binder/pyodide-lock.json. Where it is
not set, as on a machine without a content network, these tests are skipped.
"""

import importlib.util
import json
import os

import pytest
from browser import IN_BROWSER, SHOTS, SIZE, Page, drag, free_port, server

from accelerator_course.pages import lite, runtime

NAME = "ACCELERATOR_COURSE_PYODIDE"
HOW = f"set {NAME} to a folder of Pyodide {runtime.VERSION}, and run  make lite"
READY = os.environ.get(NAME) and importlib.util.find_spec("jupyterlite_pyodide_kernel")
pytestmark = [*IN_BROWSER, pytest.mark.skipif(not READY, reason=f"no Pyodide here: {HOW}")]

WAIT = 600  # seconds for a whole chapter, on a busy machine
FRONT = """name => {  // not a notebook that was open last time, which comes back first
  const panel = window.jupyterapp?.shell.currentWidget;
  return panel?.context?.path === name && panel.sessionContext.session?.kernel;
}"""
LEFT = """() => {
  const cells = window.jupyterapp.shell.currentWidget.content.widgets.filter((cell) => cell.model.type === 'code');
  return cells.filter((cell) => cell.model.executionCount === null).length;
}"""
FAILED = """() => window.jupyterapp.shell.currentWidget.content.widgets.filter((cell) => cell.model.type === 'code')
  .flatMap((cell) => cell.model.outputs.toJSON()).filter((output) => output.output_type === 'error')
  .map((output) => output.ename + ': ' + output.evalue)"""
TYPED = """async ([needle, source]) => {
  const panel = window.jupyterapp.shell.currentWidget;
  const at = panel.content.widgets.findIndex((cell) => cell.model.sharedModel.getSource().includes(needle));
  panel.content.activeCellIndex = at;
  panel.content.widgets[at].model.sharedModel.setSource(source);
  await window.jupyterapp.commands.execute('notebook:run-cell');
  return panel.content.widgets[at].model.outputs.toJSON().map((output) => JSON.stringify(output)).join();
}"""
KEPT = """async () => {
  const path = 'progress/answers.jsonl', file = await window.jupyterapp.serviceManager.contents.get(path, { content: true });
  return file.format !== 'base64' ? file.content
    : new TextDecoder().decode(Uint8Array.from(atob(file.content), (letter) => letter.charCodeAt(0)));
}"""
SOURCES = (
    """() => window.jupyterapp.shell.currentWidget.content.widgets.map((cell) => cell.model.sharedModel.getSource())"""
)
STANDING = """() => {  // where one stands, in view: JupyterLab draws no cell that is far away
  const content = window.jupyterapp.shell.currentWidget.content;
  const at = content.widgets.findIndex((cell) => cell.node.querySelector('.acc-standing'));
  content.activeCellIndex = at;
  return content.scrollToItem(at, 'start');
}"""
SAVED = "() => !window.jupyterapp.shell.currentWidget.context.model.dirty"
MINE = "def kernel_time(flops, bytes_moved, peak, bandwidth, overhead):\n    return max(flops / peak, bytes_moved / bandwidth) + overhead\n\nexercises.check('03.1', kernel_time)"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of the built site."""
    folder = tmp_path_factory.mktemp("site")
    lite.build(folder / "lite", os.environ[NAME])
    port = free_port()
    arguments = ["http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)]
    with server(arguments, port, folder / "home"):
        yield f"http://127.0.0.1:{port}/lite"


@pytest.fixture(scope="module")
def learner(browser, site):
    """One learner's browser: what it keeps, it keeps from one test to the next."""
    context = browser.new_context(viewport=SIZE, accept_downloads=True)
    yield context
    context.close()


def opened(learner, site, name, app="lab"):
    """A chapter, all its cells run: Page. app: "lab", which opens again what was open, or "notebooks", one at a time."""
    page = Page(learner.new_page())
    page.page.goto(f"{site}/{app}/index.html?path={name}.ipynb")
    page.page.wait_for_function(FRONT, arg=f"{name}.ipynb", timeout=WAIT * 1000)
    page.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }")
    page.wait_until(lambda: page.page.evaluate(LEFT) == 0, WAIT, f"the last cell of {name}")
    assert page.page.evaluate(FAILED) == [] and page.errors == []
    return page


def kept(page):
    """What the browser keeps of the learner's progress."""
    return [json.loads(line) for line in page.page.evaluate(KEPT).splitlines() if line.strip()]


def test_a_chapter_runs_to_its_quiz_and_a_reload_loses_nothing(learner, site):
    page = opened(learner, site, "03_roofline")
    for box in page.page.locator(".acc-predict.acc-veiled").all():  # covered, as for every learner
        box.get_by_role("radio").first.check()
        box.get_by_role("button", name="Commit").click()
    panel = page.panel("launch of one kernel").first
    panel.get_by_role("button", name="Reset").click()
    page.wait_until(lambda: "launches hide behind the work" in page.sentence(panel), what="the starting state")
    drag(page, panel, "launch of one kernel", 0.9)
    page.wait_until(lambda: "launches set the pace" in page.sentence(panel), what="the new sentence")
    panel.screenshot(path=SHOTS / "lite.png")

    assert "right" in page.page.evaluate(TYPED, ["kernel_time)", MINE]).lower()
    box = page.page.locator(".acc-explain")
    box.get_by_role("textbox").fill("Ask for the batch.")
    box.get_by_role("textbox").blur()
    page.wait_until(lambda: "Saved at" in box.inner_text(), 30, "the confirmation")
    cards = page.page.locator(".acc-question:visible").filter(has=page.page.get_by_role("radio"))
    card = cards.filter(has=page.page.get_by_role("button", name="Check")).first
    card.get_by_role("radio").first.check()
    card.get_by_role("button", name="Check").click()
    page.wait_until(lambda: any(event["kind"] == "answer" for event in kept(page)), 30, "the answer, on the drive")
    page.page.wait_for_function(SAVED, timeout=60_000)
    before = kept(page)
    assert {"answer", "exercise", "explain"} <= {event["kind"] for event in before}

    page.page.reload()
    page.page.wait_for_function(
        "() => window.jupyterapp?.shell.currentWidget?.content?.widgets?.length > 9", timeout=90_000
    )
    assert any(source == MINE for source in page.page.evaluate(SOURCES)), "what was typed"
    assert kept(page) == before
    page.page.close()


def test_another_notebook_counts_it_and_gives_it_as_a_file(learner, site, tmp_path):
    page = opened(learner, site, "00_start_here", "notebooks")
    table = page.page.locator(".acc-standing")
    page.page.keyboard.press("Shift")  # a reader who acts: until then a chapter that has run stays at its beginning
    page.page.evaluate(STANDING)
    page.wait_until(lambda: "1 of 3" in table.inner_text(), 60, "the exercise that was solved")
    assert "Ready: Python 3.14" in page.page.locator(".jp-Notebook").text_content()
    with page.page.expect_download(timeout=60_000) as waiting:
        table.get_by_role("button", name="Download my progress").click()
    waiting.value.save_as(tmp_path / "mine.jsonl")
    events = [json.loads(line) for line in (tmp_path / "mine.jsonl").read_text(encoding="utf-8").splitlines()]
    assert any(event["kind"] == "exercise" and event["right"] and "max(flops" in event["source"] for event in events)
    page.page.close()


def test_a_download_restores_in_a_fresh_browser(browser, learner, site, tmp_path):
    saved = tmp_path / "mine.jsonl"
    other = learner.new_page()
    other.goto(f"{site}/notebooks/index.html?path=00_start_here.ipynb")
    other.wait_for_function("() => window.jupyterapp?.serviceManager?.contents", timeout=WAIT * 1000)
    saved.write_text(other.evaluate(KEPT), encoding="utf-8")
    other.close()
    fresh = browser.new_context(viewport=SIZE)
    page = opened(fresh, site, "00_start_here", "notebooks")
    table = page.page.locator(".acc-standing")
    page.page.keyboard.press("Shift")  # a reader who acts: until then a chapter that has run stays at its beginning
    page.page.evaluate(STANDING)
    table.locator("input[type=file]").set_input_files(saved)
    page.wait_until(lambda: "Restored:" in table.inner_text(), 60, "the note")
    assert "1 of 3" in table.inner_text()
    fresh.close()
