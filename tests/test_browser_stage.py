"""The stage in a real browser: played, stepped, pinned, taken along, with and without a kernel."""

import re

import pytest
from browser import IN_BROWSER, every_panel_answers, lab

from accelerator_course.widgets import catalog

pytestmark = IN_BROWSER
FRAMES = """async (ms) => {
  let count = 0; const start = performance.now();
  return await new Promise((done) => requestAnimationFrame(function next(now) {
    count++; now - start > ms ? done(count) : requestAnimationFrame(next); }));
}"""


@pytest.fixture(scope="module")
def chapter(browser, tmp_path_factory):
    with lab(browser, "06_systolic.ipynb", tmp_path_factory.mktemp("stage")) as page:
        page.press(1)
        assert page.top < 200
        page.wait_until(lambda: page.page.locator(".acc-stage output").count() >= 4, 120, "the stages")
        page.wait_until(lambda: page.page.get_by_text("New questions").count() == 1, 120, "the quiz")
        yield page


@pytest.fixture
def march(chapter):
    """The first panel, at its first cycle, nothing pinned."""
    panel = chapter.page.locator(".acc-panel").filter(has=chapter.page.locator(".acc-stage")).first
    panel.get_by_role("button", name="Reset").click()
    chapter.wait_until(lambda: place(panel) == "cycle 1 of 22", what="the start")
    panel.locator("[data-who='A into row 1, cycle 1']").first.wait_for()  # the marks have come back to rest
    panel.scroll_into_view_if_needed()
    return panel


def place(panel):
    return panel.locator("output").inner_text()


def box(panel, who):
    """Where a mark lies on the page."""
    return panel.locator(f"[data-who='{who}']").first.bounding_box()


def test_a_run_is_stepped_scrubbed_and_played_by_keyboard(chapter, march):
    keyboard = chapter.page.keyboard
    march.get_by_role("button", name="Forward").focus()
    keyboard.press("Enter")
    chapter.wait_until(
        lambda: chapter.sentence(march).startswith("Cycle 2 of 22: 3 of 64 PEs"), what="the second cycle"
    )
    march.get_by_role("slider", name="step", exact=True).focus()
    keyboard.press("End")
    assert place(march) == "cycle 22 of 22" and march.get_by_role("button", name="Forward").is_disabled()
    screen = march.locator(".acc-screen")
    screen.focus()
    keyboard.press("Home")
    keyboard.press("ArrowRight")
    assert place(march) == "cycle 2 of 22" and screen.get_attribute("aria-label") == chapter.sentence(march)
    keyboard.press("Space")
    chapter.wait_until(lambda: place(march) == "cycle 5 of 22", what="the play")
    keyboard.press("Space")
    halted = place(march)
    chapter.page.wait_for_timeout(900)
    assert place(march) == halted, "it halts where it was told to"
    voice = march.locator(".acc-stage > [role=status]")
    chapter.wait_until(lambda: voice.text_content() == chapter.sentence(march), what="the announcement")


GLIDE = """async (stage) => {
  const mark = () => stage.querySelector("[data-who='A into row 1, cycle 1']").getBoundingClientRect();
  const canvas = stage.querySelector("canvas"), start = mark(), pictures = new Set();
  stage.querySelector("button[aria-label=Forward]").click();
  for (let frames = 0; frames < 200 && !(frames && canvas.hidden); frames++) {
    if (!canvas.hidden) pictures.add(canvas.toDataURL());
    await new Promise(requestAnimationFrame);
  }
  const cell = ["PE 1, 2", "PE 1, 1"].map((who) => stage.querySelector(`[data-who='${who}']`).getBoundingClientRect().x);
  return { pictures: pictures.size, moved: mark().x - start.x, sank: mark().y - start.y, cell: cell[0] - cell[1] };
}"""


def test_marks_glide_from_place_to_place_and_come_to_rest(march):
    found = march.locator(".acc-stage").evaluate(GLIDE)
    assert found["pictures"] > 2, "it was seen between the two"
    assert found["moved"] == pytest.approx(found["cell"], abs=1) and abs(found["sank"]) < 1


def test_a_pinned_thing_tells_its_story_and_leads_to_its_steps(chapter, march):
    page, story = chapter.page, march.locator(".acc-story")
    march.locator("[data-who='PE 2, 3']").first.click()
    chapter.wait_until(lambda: "PE 2, 3" in story.inner_text(), what="the story")
    lines = story.get_by_role("button", name=re.compile(r"cycle \d+: \d+ × \d+, the sum becomes"))
    assert lines.count() == 8, "eight products"
    lines.first.click()
    assert place(march) == "cycle 4 of 22", "row 2, column 3 begins three cycles late"
    assert march.locator(".pinned[data-who='PE 2, 3']").count() == 1
    page.keyboard.press("Escape")
    march.get_by_role("button", name="Let go").click()
    assert story.is_hidden() and march.locator(".pinned").count() == 0
    more, follow = march.get_by_role("button", name="More"), march.get_by_role("combobox", name="follow one thing")
    more.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("PE 9, 9")
    page.keyboard.press("Enter")
    assert march.get_by_text("There is no “PE 9, 9” here. There is PE 1, 1, for example.").is_visible()
    follow.fill("pe 4,4")
    page.keyboard.press("Enter")
    chapter.wait_until(lambda: "PE 4, 4" in story.inner_text(), what="the other story")
    assert follow.is_hidden() and more.evaluate("more => more === document.activeElement")
    more.click()
    follow.fill("")
    page.keyboard.press("Enter")
    assert story.is_hidden()


@pytest.mark.parametrize("wait", [0, 380, 420])
def test_back_to_the_start_is_heard_while_the_player_still_has_to_tell_where_it_stands(chapter, march, wait):
    march.locator(".acc-screen").focus()
    chapter.page.keyboard.press("End")
    chapter.page.wait_for_timeout(wait)  # it tells the kernel after 400 ms
    march.get_by_role("button", name="Reset").click()
    chapter.wait_until(lambda: place(march) == "cycle 1 of 22", what="the start")
    chapter.page.wait_for_timeout(900)
    assert place(march) == "cycle 1 of 22"


def test_the_pointer_names_what_is_under_it(chapter, march):
    march.get_by_role("button", name="Forward").click()
    march.locator("[data-who='PE 1, 2']").first.hover()
    tip = march.locator(".acc-tip")
    chapter.wait_until(
        lambda: re.fullmatch(r"PE 1, 2: \d × \d, the sum becomes \d+", tip.inner_text()), what="the name"
    )


@pytest.mark.parametrize(("kind", "start"), [("GIF", b"GIF89a"), ("SVG", b"<svg"), ("HTML", b"<!doctype html>")])
def test_a_run_is_taken_along_and_plays_without_python(chapter, march, browser, tmp_path, kind, start):
    march.get_by_role("button", name="More").click()
    with chapter.page.expect_download() as download:
        march.get_by_role("button", name=f"Save this run as {kind}").click()
    assert download.value.suggested_filename == f"march.{kind.lower()}"
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.read_bytes().startswith(start)
    if kind == "HTML":
        page = browser.new_page(viewport={"width": 420, "height": 800})
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        page.locator(".acc-screen").focus()
        page.keyboard.press("ArrowRight")
        assert page.locator("output").inner_text() == "cycle 2 of 22"
        assert page.locator("figcaption").inner_text().startswith("Cycle 2 of 22: 3 of 64 PEs")
        assert page.evaluate("document.documentElement.scrollWidth") <= 420 and asked == [file.as_uri()]
        page.locator("svg").first.wait_for()
        sizes = "texts => Math.min(...texts.map((t) => t.getBoundingClientRect().height))"
        assert page.locator("svg text").evaluate_all(sizes) >= 9
        page.close()


def test_a_large_array_is_painted_and_pinned_on_a_canvas(chapter):
    panel = chapter.page.locator(".acc-panel").filter(has=chapter.page.locator(".acc-stage")).nth(1)
    panel.scroll_into_view_if_needed()
    assert panel.locator("canvas").count() == 1
    panel.locator(".acc-screen").click(position={"x": 60, "y": 60})
    chapter.wait_until(lambda: panel.locator(".acc-story h4").inner_text().startswith("PE "), what="the story")
    panel.get_by_role("button", name="Let go").click()
    painted = "canvas => canvas.toDataURL().length"
    before = panel.locator("canvas").evaluate(painted)
    panel.get_by_role("button", name="Play", exact=True).click()
    assert chapter.page.evaluate(FRAMES, 500) > 3
    panel.get_by_role("button", name="Pause").click()
    assert panel.locator("canvas").evaluate(painted) != before


def test_every_panel_that_is_no_run_answers(chapter):
    assert chapter.page.locator(".acc-panel").count() >= len(catalog.contents("systolic")[0])
    every_panel_answers(chapter)


@pytest.mark.story
def test_without_a_kernel_a_run_still_plays(chapter, march):
    chapter.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    chapter.page.wait_for_timeout(500)
    march.locator(".acc-screen").focus()
    chapter.page.keyboard.press("End")
    assert place(march) == "cycle 22 of 22"
    assert chapter.errors == []
