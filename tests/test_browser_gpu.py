"""The steppers of chapter 5 as pages that play without Python: in a real browser, by keyboard and by pointer."""

import pytest
from browser import IN_BROWSER

from accelerator_course import views
from accelerator_course.frames.gpu import by_cycle, by_instruction, by_sector, by_turn
from accelerator_course.views.stage import film
from accelerator_lib import gpu

pytestmark = IN_BROWSER
PATTERNS = gpu.access.PATTERNS
RUNS = {
    "warp": (views.gpu.WarpSteps(), by_instruction(gpu.simt.kernels()["one lane has a long way"]), "lane 5"),
    "schedule": (views.gpu.Schedule(), by_cycle(4, 20, 1, 60), "warp 3"),
    "sectors": (views.gpu.Sectors(), by_sector(gpu.access.touched(*PATTERNS["a[2 * lane]"])), "lane 9"),
    "banks": (views.gpu.Banks(), by_turn(gpu.access.touched(*PATTERNS["a[2 * lane]"])), "lane 17"),
}
STORIES = {  # what is read about the thing that is followed
    "warp": ("instruction 1: x = a → 16", "instruction 2: if lane == 5 → yes"),
    "schedule": ("cycle 4: issues load 1, which is back in cycle 24", "cycle 5: waits until cycle 24"),
    "sectors": ("step 1: waits for bytes from 72 on", "step 4: has its 4 bytes"),
    "banks": ("step 1: waits for bank 2", "step 3: gets its word from bank 2"),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_walked_by_keyboard_to_its_end_and_one_thing_tells_its_story(name, browser, tmp_path):
    view, states, thing = RUNS[name][0], list(RUNS[name][1]), RUNS[name][2]
    (tmp_path / "run.html").write_text(film.page(view, states, name), encoding="utf-8")
    page, errors = browser.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"file://{tmp_path}/run.html")
    said = page.locator("figcaption")
    assert said.inner_text() == view.say(states[0])
    page.locator(".acc-screen").focus()
    page.keyboard.press("ArrowRight")
    assert said.inner_text() == view.say(states[1])
    page.keyboard.press("End")
    assert said.inner_text() == view.say(states[-1])
    page.get_by_role("button", name="More").click()
    page.get_by_label("follow one thing").fill(thing)
    page.keyboard.press("Enter")
    story = page.locator(".acc-story").inner_text()
    assert all(line in story for line in STORIES[name]), story
    page.close()
    assert not errors


def test_a_lane_that_is_clicked_is_followed_and_let_go_by_escape(browser, tmp_path):
    view, states, _ = RUNS["warp"]
    states = list(by_instruction(gpu.simt.kernels()["if and else"]))
    (tmp_path / "run.html").write_text(film.page(view, states), encoding="utf-8")
    page = browser.new_page()
    page.goto(f"file://{tmp_path}/run.html")
    page.locator("g.box[data-who='lane 3']").last.click()
    assert "lane 3" in page.locator(".acc-story h4").inner_text()
    page.locator(".acc-screen").focus()
    page.keyboard.press("Escape")
    assert page.locator(".acc-story").is_hidden()
    page.close()
