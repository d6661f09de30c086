"""The book whose pages run Python: every control together with others, guesses, questions, exercises, what is kept."""

import gzip
import json
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import booked
import other_browsers
import pyodide
import pytest
from browser import IN_BROWSER, SHOTS, served

from accelerator_course import syllabus
from accelerator_course.pages.book import building
from accelerator_course.start import folders
from accelerator_lib import data
from accelerator_lib.llm import tiny

pytestmark = [*IN_BROWSER, booked.NEEDED]
CHAPTERS = ("03_roofline", "05_gpu")
LIVE = Path(__file__).with_name("live.js").read_text(encoding="utf-8")  # what is done and seen there
WITHIN = Path(__file__).with_name("in_pyodide.mjs")


def on(page, name, given=None):
    """What a function of live.js gives on a page, or of an element of it."""
    return page.evaluate(f"async (given) => {{ {LIVE} return {name}(given); }}", *(() if given is None else (given,)))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    runtime = pyodide.folder()
    if runtime is None:
        pytest.skip(f"{pyodide.CARRIER} cannot be fetched, and {pyodide.NAME} names no Pyodide")
    return building.build(tmp_path_factory.mktemp("live"), CHAPTERS, runtime=runtime)


@pytest.fixture(scope="module")
def address(site):
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def reader(browser):
    """One reader with one store, who reads several pages."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context
    context.close()


@pytest.fixture
def opened(reader, address):
    """opened("03_roofline") is a page; what went wrong on it, or was refused to it, fails the test."""
    wrong, pages, offline = [], [], "net::ERR_FAILED"  # what a page asks that is read without a network

    def open_(name):
        page = reader.new_page()
        page.set_default_timeout(120_000)
        pages.append(page)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: said.type == "error" and offline not in said.text and wrong.append(said.text))
        page.on("request", lambda asked: asked.url.startswith((address, "data:", "blob:")) or wrong.append(asked.url))
        page.goto(f"{address}/{name}.html")
        return page

    yield open_
    for page in pages:
        page.close()
    assert wrong == []


def alive(page, cell):
    on(page, "shown", cell)
    return page.locator(f'[data-cell="{cell}"][data-live="yes"]')


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not here to run a browser's Python")
def test_in_a_browser_s_python_every_cell_of_every_chapter_opens_and_every_instruction_is_carried_out(site, tmp_path):
    with zipfile.ZipFile(site / "live" / "pyodide" / "python_stdlib.zip") as library:
        assert not [name for name in library.namelist() if name.endswith(".py")]  # nothing is left to compile
    (packed,) = (site / "live").glob("course-*.zip")
    shutil.unpack_archive(packed, tmp_path / "site")
    logits, *_ = tiny.forward(tiny.weights(), tiny.tokens(tiny.START), *tiny.empty())
    (tmp_path / "asked.json").write_text(json.dumps(instructions() | {"logits": logits.tolist()}), encoding="utf-8")
    ends = os.environ.get("ACCELERATOR_COURSE_MOVED", "").split()  # or all: two minutes more
    command = [
        "node",
        WITHIN,
        site / "live" / "pyodide",
        tmp_path / "site",
        folders.NOTEBOOKS,
        tmp_path / "asked.json",
        *ends,
    ]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    lines = done.stdout.splitlines()
    told = [found for line in lines if (found := re.fullmatch(r"\w+: (\d+) cells, (\d+) moves", line))]
    wrong = [line for line in lines if line not in {found[0] for found in told}]
    assert not wrong and done.returncode == 0, "\n".join(wrong[:20]) + done.stderr[-600:]
    assert len(told) == len(list(folders.NOTEBOOKS.glob("[0-9]*.ipynb")))
    assert sum(int(found[1]) for found in told) > 400 and sum(int(found[2]) for found in told) > 500


def instructions():
    """{chapter: [[panel, {control: value}, what is then said]]} of all claims that ask for a setting."""
    found = {}
    for topic, entry in syllabus.chapters().items():
        claims = data.parse(Path(__file__).parent / topic / "claims.yaml")
        asked = [one for where, all_ in claims.items() if where != "invariants" for one in all_ if "panel" in one]
        found[entry["name"]] = [[one["panel"], one.get("set", {}), one.get("seen", "")] for one in asked]
    return found


def test_a_page_is_small_before_it_is_touched_and_so_is_its_python(site, address, browser):
    packed = lambda content: len(gzip.compress(content))  # noqa: E731
    python = [*(site / "live" / "pyodide").iterdir(), *(site / "live").glob("course-*.zip")]
    assert sum(packed(file.read_bytes()) for file in python) < 15e6
    for name in CHAPTERS:
        sizes, page = [], browser.new_page()
        page.on("requestfinished", lambda asked, sizes=sizes: sizes.append(packed(asked.response().body())))
        page.goto(f"{address}/{name}.html")
        page.wait_for_timeout(500)
        assert sum(sizes) < 400e3 and not [one for one in page.workers if "worker.js" in one.url]
        page.close()


def test_every_cell_of_a_chapter_comes_alive_on_its_page(opened):
    page = opened("05_gpu")
    cells = page.locator(".acc-live:not([data-exercise])").evaluate_all("all => all.map((one) => one.dataset.cell)")
    for cell in cells:
        assert alive(page, cell).locator(".acc-error:visible").count() == 0, cell
    assert len(cells) > 15 and page.locator('[data-live="yes"] .acc-panel').count() >= 7
    page.screenshot(path=SHOTS / "live-05_gpu.png")


def test_what_was_moved_before_python_came_stands_in_the_live_panel(opened):
    page = opened("03_roofline")
    live = page.locator('[data-cell="mbu-panel"]')
    slider = live.get_by_role("slider").first
    before, output = live.locator(".acc-control output").first.inner_text(), live.locator(".acc-control output").first
    slider.focus()
    page.keyboard.press("End")
    page.wait_for_function("([one, before]) => one.textContent !== before", arg=[output.element_handle(), before])
    shown = output.inner_text()
    page.locator('[data-cell="mbu-panel"][data-live="yes"]').wait_for()
    assert live.locator(".acc-control output").first.inner_text() == shown
    assert on(page, "focus") == live.locator("[data-control]").first.get_attribute("data-control")
    page.evaluate("document.querySelector('[data-cell=launch-panel] .acc-cover').open = true")
    page.locator("[data-cell=launch-panel] .acc-lines button").first.press("Enter")
    page.locator("[data-cell=launch-panel][data-live] .acc-tasks button:focus").wait_for()


def test_a_control_that_was_guessed_about_and_then_moved_stands_where_it_was_left(browser, address):
    context = browser.new_context()  # where nobody has guessed
    page = context.new_page()
    page.goto(f"{address}/03_roofline.html")
    on(page, "unfolded")
    slider = page.locator('[data-cell="two-times"] .acc-controls input').first
    slider.press("End")
    before = slider.bounding_box()["y"]
    page.locator('[data-cell="two-times"][data-live="yes"]').wait_for(timeout=120_000)
    page.wait_for_timeout(1000)  # what came back late would come now
    assert page.locator('[data-cell="two-times"] .acc-controls output').first.inner_text() == "512"
    assert abs(slider.bounding_box()["y"] - before) < 10
    context.close()


def test_what_was_guessed_reached_asked_and_unfolded_before_python_came_stays(opened):
    page = opened("03_roofline")
    stem = on(page, "early")
    page.locator('[data-cell="two-times"][data-live] .acc-tasks .acc-ticked').wait_for(state="attached")
    live, check = alive(page, "own-chip"), alive(page, "ridge-transfer")
    live.get_by_text("your guess").first.wait_for()
    assert live.locator(".acc-veiled").count() == 0 and live.locator(".acc-tasks .acc-ticked").count() == 1
    assert live.locator(".acc-controls output").first.inner_text() == "4 PFLOP/s"
    assert page.locator("[data-live] + .jp-Cell", has_text="What you saw").locator("visible=true").count()
    assert "Measured:" in alive(page, "running-case").inner_text()
    assert check.locator("legend").inner_text() == stem and check.get_by_text("Hint.").is_visible()
    fold = page.locator(".acc-exercise-note details").first
    fold.locator("summary").click()
    assert fold.locator("p").is_visible()  # the style sheets of the widgets are there


def test_a_guess_uncovers_a_panel_and_an_answer_is_kept_over_a_reload(opened):
    page = opened("03_roofline")
    box = alive(page, "two-times")
    assert page.locator('[data-live="yes"] > .acc-veiled').count() == 1
    page.locator('[data-live="yes"] + .acc-folded').wait_for()  # "What you saw" waits as well
    box.get_by_text("1.1 ms").click()
    box.get_by_role("button", name="Commit").click()
    box.locator(".acc-opened, .acc-predict:not(.acc-veiled)").first.wait_for()
    box.get_by_text("It is 143 µs, not 1.1 ms.").wait_for()
    check = alive(page, "roof-transfer")
    check.get_by_role("button", name="Show the answer").click()
    check.locator("[data-verdict=told]").wait_for()
    page.locator("[data-cell=x31]").get_by_role("button", name="Run").click()
    page.locator("[data-cell=x31]").get_by_text("Not started").first.wait_for()
    page.wait_for_timeout(1500)  # it is written when Python rests
    page = opened("03_roofline")
    guessed, checked, run = on(page, "kept")
    assert guessed.startswith("1.1 ms") and "787 TFLOP/s" in checked and "Not started" in run
    assert page.locator("[data-cell=two-times] .acc-cover").get_attribute("open") is not None
    alive(page, "two-times").get_by_text("It is 143 µs, not 1.1 ms.").wait_for()
    alive(page, "roof-transfer").locator("[data-verdict=told]").wait_for()


def test_a_bench_and_a_question_asked_again_stand_as_they_were_left_after_a_reload(opened):
    page = opened("05_gpu")
    bench = alive(page, "x52")
    bench.get_by_role("button", name="Run").click()
    verdict = bench.locator(".acc-verdict strong")
    verdict.wait_for()
    said = bench.locator(".acc-verdict").inner_text()
    asked = alive(page, "quick-warps")
    first = asked.locator("legend").inner_text()
    asked.get_by_role("button", name="Show the answer").click()
    page.wait_for_timeout(1000)  # the second press of a double click is spared
    asked.get_by_role("button", name="Again").click()
    asked.locator("[data-verdict=told]").wait_for(state="detached")
    again = asked.locator("legend").inner_text()
    page.wait_for_timeout(500)
    page = opened("05_gpu")
    page.locator("[data-cell=quick-warps]").get_by_text("asked for come with Python").wait_for()
    assert "Your last run said" in page.locator("[data-cell=x52]").inner_text()
    assert alive(page, "quick-warps").locator("legend").inner_text() == again != first
    assert alive(page, "x52").locator(".acc-verdict").inner_text() == said


def test_a_mark_lies_where_it_belongs_on_a_picture_that_is_wider_than_a_phone(opened):
    page = opened("03_roofline")
    page.set_viewport_size({"width": 390, "height": 844})
    box = alive(page, "dot")
    box.get_by_role("button", name="Show me without predicting").click()
    box.locator(".acc-mark-truth").first.wait_for()
    pushed, off, marks = on(box, "pushed")
    assert pushed > 100 and off < 2 and marks
    assert box.locator(".acc-controls input").first.bounding_box()["width"] > 300


def test_an_exercise_is_run_and_checked_on_the_page_and_its_text_outlives_a_reload(opened):
    live = opened("03_roofline").locator(".acc-live[data-exercise]").first
    live.get_by_role("textbox").fill("def f(:\n    pass")
    live.get_by_role("button", name="Run").click()
    live.get_by_text("SyntaxError").wait_for()
    live = opened("03_roofline").locator(".acc-live[data-exercise]").first
    assert live.get_by_role("textbox").input_value().startswith("def f(:")
    live.get_by_role("button", name="Start over").click()
    live.get_by_role("button", name="Run").click()
    live.get_by_text("Not started").first.wait_for()


def test_a_page_that_was_read_once_is_there_without_a_network(opened, reader):
    page = opened("05_gpu")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    alive(page, page.locator(".acc-live").first.get_attribute("data-cell"))
    reader.set_offline(True)
    try:
        page.reload()
        assert alive(page, page.locator(".acc-live").first.get_attribute("data-cell")).locator(".acc-panel").count()
    finally:
        reader.set_offline(False)


@pytest.mark.parametrize("name", ("firefox", "webkit"))
def test_in_another_browser_a_page_answers_keeps_a_guess_and_is_there_without_a_network(site, tmp_path, name):
    if name not in other_browsers.FOUND:
        pytest.skip(f"there is no {name}")
    with other_browsers.FOUND[name](tmp_path) as page:
        with served(site) as address:
            page.go(f"{address}/03_roofline.html")
            before, table, python = page.js(f"{LIVE} return touched()")
            assert before != table == python
            page.js(f"{LIVE} return guessed()")
            assert page.wrong() == []
            page.go(f"{address}/03_roofline.html")  # this time its service worker is asked
            assert "It is 143 µs, not 1.1 ms." in page.js(f"{LIVE} return seen()")
        page.go(f"{address}/03_roofline.html")
        assert "It is 143 µs, not 1.1 ms." in page.js(f"{LIVE} return seen()")
        assert page.wrong() == []
