"""The steppers of chapter 5 as pages that play without Python: in a real browser, by keyboard and by pointer."""

import pytest
from browser import IN_BROWSER

from accelerator_course import views
from accelerator_course.frames.gpu import by_event, by_instruction, by_sector, by_tick
from accelerator_course.views.stage import film
from accelerator_lib import gpu

pytestmark = IN_BROWSER
RUNS = {
    "warp": (views.gpu.WarpSteps(), by_instruction(gpu.simt.kernels()["one lane has a long path"]), "lane 5"),
    "sm": (views.gpu.OneSm(), by_tick(4, 40, 552), "warp 3"),
    "sectors": (views.gpu.Sectors(), by_sector(gpu.access.strided(2)), "lane 9"),
    "generations": (views.gpu.Generations(), by_event(gpu.generations.play("Ampere, 2020 (A100)")), "tile 2"),
}
STORIES = {  # what is read about the thing that is followed
    "warp": ("instruction 1: x = a → 16", "instruction 2: if lane == 5 → yes"),
    "sm": ("step 8: issues", "step 10: waits for memory"),
    "sectors": ("step 1: waits for bytes from 72 on", "step 4: has its 4 bytes"),
    "generations": ("on its way", "in a buffer"),
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
