"""The book whose pages run Python: every control together with others, guesses, questions, exercises, what is kept."""

import functools
import http.server
import threading

import booked
import pyodide
import pytest
from browser import IN_BROWSER, SHOTS

from accelerator_course.pages.book import building

pytestmark = [*IN_BROWSER, booked.NEEDED]
CHAPTERS = ("03_roofline", "06_systolic")
SHOWN = "id => accLive.show(document.querySelector(`[data-cell='${id}']`))"
MOVED = """async (live) => {  // every control of a cell to its other end, one after the other: those that moved nothing
  const said = () => live.innerText + [...live.querySelectorAll('svg, canvas')].map((one) => one.outerHTML).join();
  const dead = [];
  for (const label of live.querySelectorAll('.acc-control')) {
    const field = label.querySelector('input, select'), before = said();
    if (field.type === 'checkbox') field.click();
    else if (field.options) field.selectedIndex = field.selectedIndex ? 0 : field.options.length - 1;
    else field.value = field.value === field.max ? field.min : field.max;
    for (const kind of ['input', 'change']) if (field.type !== 'checkbox') field.dispatchEvent(new Event(kind, { bubbles: true }));
    for (let i = 0; i < 300 && said() === before; i++) await new Promise((done) => setTimeout(done, 20));
    if (said() === before) dead.push(label.innerText);
  }
  return dead;
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    runtime = pyodide.folder()
    if runtime is None:
        pytest.skip(f"{pyodide.CARRIER} cannot be fetched, and {pyodide.NAME} names no Pyodide")
    site = building.build(tmp_path_factory.mktemp("live"), CHAPTERS, runtime=runtime)
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def reader(browser):
    """One reader with one store, who reads several pages."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context
    context.close()


@pytest.fixture
def opened(reader, address):
    """opened("03_roofline") is a page; what went wrong on it, or was refused to it, fails the test."""
    wrong, pages = [], []

    def open_(name):
        page = reader.new_page()
        page.set_default_timeout(120_000)
        pages.append(page)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
        page.on("request", lambda asked: asked.url.startswith((address, "data:", "blob:")) or wrong.append(asked.url))
        page.goto(f"{address}/{name}.html")
        return page

    yield open_
    for page in pages:
        page.close()
    assert wrong == []


def alive(page, cell):
    page.evaluate(SHOWN, cell)
    return page.locator(f'[data-cell="{cell}"][data-live="yes"]')


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_cell_comes_alive_and_every_control_answers(opened, name):
    page = opened(name)
    page.evaluate(
        "document.querySelectorAll('details').forEach((one) => (one.open = true))"
    )  # nothing waits for a guess
    cells = page.locator(".acc-live:not([data-exercise])").evaluate_all("all => all.map((one) => one.dataset.cell)")
    panels, dead = 0, []
    for cell in cells:
        live = alive(page, cell)
        assert live.locator(".acc-error:visible").count() == 0, cell
        panels += live.locator(".acc-panel").count()
        dead += live.evaluate(MOVED)
    assert panels >= 8 and len(cells) > 15
    assert len(dead) <= 1, dead  # a control of a panel that draws only its axes yet moves nothing
    page.screenshot(path=SHOTS / f"live-{name}.png")


def test_what_was_moved_before_python_came_stands_in_the_live_panel(opened):
    page = opened("03_roofline")
    live = page.locator('[data-cell="mbu-panel"]')
    slider = live.get_by_role("slider").first
    slider.focus()
    for key in ("Home", "ArrowRight"):
        page.keyboard.press(key)
    shown = live.locator("output").first.inner_text()
    page.locator('[data-cell="mbu-panel"][data-live="yes"]').wait_for()
    assert live.locator("output").first.inner_text() == shown
    assert page.evaluate("document.activeElement.closest('[data-control]')?.dataset.control") == live.locator(
        "[data-control]"
    ).first.get_attribute("data-control")


def test_a_guess_uncovers_a_panel_and_an_answer_is_kept_over_a_reload(opened):
    page = opened("03_roofline")
    box = alive(page, "two-times")
    folded = page.locator("[data-acc-folded*='opens with the picture']").first  # words of its style sheet
    assert box.locator(".acc-veiled").count() == 1 and folded.is_visible()
    box.get_by_text("1.1 ms").click()
    box.get_by_role("button", name="Commit").click()
    box.locator(".acc-opened, .acc-predict:not(.acc-veiled)").first.wait_for()
    box.get_by_text("It is 143 µs, not 1.1 ms.").wait_for()
    page.wait_for_timeout(1500)  # it is written when Python rests
    again = opened("03_roofline")
    box = alive(again, "two-times")
    box.get_by_text("It is 143 µs, not 1.1 ms.").wait_for()


def test_an_exercise_is_run_and_checked_on_the_page_and_its_text_outlives_a_reload(opened):
    page = opened("03_roofline")
    live = page.locator(".acc-live[data-exercise]").first
    box = live.get_by_role("textbox")
    box.fill("def f(:\n    pass")
    live.get_by_role("button", name="Run").click()
    live.get_by_text("SyntaxError").wait_for()
    again = opened("03_roofline")
    live = again.locator(".acc-live[data-exercise]").first
    assert live.get_by_role("textbox").input_value().startswith("def f(:")
    live.get_by_role("button", name="Start over").click()
    live.get_by_role("button", name="Run").click()
    live.get_by_text("Not started").first.wait_for()


def test_a_page_that_was_read_once_is_there_without_a_network(opened, reader):
    page = opened("06_systolic")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    alive(page, page.locator(".acc-live").first.get_attribute("data-cell"))
    reader.set_offline(True)
    try:
        page.reload()
        assert alive(page, page.locator(".acc-live").first.get_attribute("data-cell")).locator(".acc-panel").count()
    finally:
        reader.set_offline(False)
