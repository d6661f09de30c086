"""The book in a real browser, without a kernel: runs play, controls answer, in both themes, on a phone, by keyboard."""

import contextlib
import re

import booked
import pytest
from browser import IN_BROWSER, SHOTS, served

pytestmark = [*IN_BROWSER, booked.NEEDED]
PHONE = {"width": 390, "height": 844}
MOVED = "figure => figure.accMoved()"
PINNED = ".acc-frame", ".acc-reset", "label input[type=range]"
WIDE = {"width": 1280, "height": 900}
LIGHTNESS = """svg => {  // of the paper, as a screen shows it, and of the words on it
  const grey = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).reduce((sum, one) => sum + Number(one), 0) / 765;
  let behind = svg;
  while (/, 0\\)|transparent/.test(getComputedStyle(behind).backgroundColor) && behind.parentElement) behind = behind.parentElement;
  return [grey(getComputedStyle(behind).backgroundColor), grey(getComputedStyle(svg.querySelector("text")).fill)]; }"""


FITS = "stage => stage.querySelector('svg').getBoundingClientRect().width <= stage.clientWidth"
CROWDED = """screen => { // two words that meet unless the picture is wide
  const words = screen.querySelector("text"), group = words.closest("g"), other = group.cloneNode(true);
  other.setAttribute("transform", group.getAttribute("transform").replace(/-?[\\d.]+/, (x) => Number(x) + 0.75 * words.getBBox().width));
  group.after(other); }"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with served(booked.build(tmp_path_factory.mktemp("book"))) as address:
        yield address


@pytest.fixture
def opened(browser, address):
    """opened("03_roofline.html", **looks) is a page; what went wrong on it fails the test."""
    with contextlib.ExitStack() as closing:
        wrong = []

        def open_(name, viewport=WIDE, scheme="light", scripts=True):
            page = browser.new_page(viewport=viewport, color_scheme=scheme, java_script_enabled=scripts)
            closing.callback(page.close)
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("response", lambda reply: reply.status >= 400 and wrong.append(f"{reply.status} {reply.url}"))
            page.on("request", lambda asked: asked.url.startswith((address, "data:")) or wrong.append(asked.url))
            page.goto(f"{address}/{name}")
            return page

        yield open_
        assert wrong == []


def said(figure):
    return figure.locator("figcaption:visible").inner_text()


def until(page, condition, what):
    for _ in range(400):
        if condition():
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"{what} did not come")


def test_a_run_plays_steps_and_is_scrubbed_without_a_kernel(opened):
    page = opened("00_start_here.html")
    run = page.locator("#panel-array")
    run.get_by_role("button", name="Play", exact=True).click()
    until(page, lambda: re.match("Cycle [3-9] of 14", said(run)), "the third cycle")
    page.screenshot(path=SHOTS / "book-run.png")
    run.get_by_role("button", name="Pause", exact=True).click()
    run.locator(".acc-screen").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert said(run).startswith("Cycle 2 of 14: 3 of 16 PEs") and run.get_by_role("img").get_attribute(
        "aria-label"
    ) == said(run)
    run.get_by_role("slider", name="step").focus()
    page.keyboard.press("End")
    assert said(run).startswith("Cycle 14 of 14") and run.get_by_role("button", name="Forward").is_disabled()


def test_a_guess_uncovers_the_picture_its_lines_what_was_seen_and_a_link_the_picture(opened):
    page = opened("03_roofline.html")
    film, seen = page.locator("#panel-dot"), page.get_by_text("A quokkaword")
    assert film.is_hidden() and seen.is_hidden() and page.locator("#panel-alone").is_visible()
    page.screenshot(path=SHOTS / "book-covered.png", full_page=True)
    page.locator(".acc-ask").filter(has_text="140 µs").locator(".acc-option summary").first.click()
    until(page, film.is_visible, "the picture")
    assert seen.is_hidden()
    first, *others = film.locator(".acc-lines button").all()
    for line in others:
        line.evaluate("line => line.classList.add('acc-ticked')")  # two of them need Python
    first.click()
    until(page, seen.is_visible, "what was seen")
    page.screenshot(path=SHOTS / "book-uncovered.png", full_page=True)
    page = opened("03_roofline.html#panel-dot")
    until(page, lambda: page.locator("#panel-dot").is_visible(), "the picture that a link leads to")


def test_every_control_answers_by_keyboard_and_reset_brings_all_back(opened):
    page = opened("03_roofline.html#panel-dot")
    panel = page.locator("#panel-dot")
    slider, picture = panel.get_by_role("slider", name="rows"), panel.locator(".acc-screen")
    seen = [said(panel)]
    slider.focus()
    for key in ("ArrowRight", "PageUp", "End"):
        page.keyboard.press(key)
        until(page, lambda: said(panel) not in seen and picture.get_attribute("aria-label") == said(panel), key)
        assert picture.locator("svg .mark").count() > 10
        assert slider.get_attribute("aria-valuetext") == panel.locator("[data-control=m] output").inner_text()
        seen.append(said(panel))
    assert slider.get_attribute("aria-valuetext") == "16,384"
    assert panel.evaluate(MOVED) == {"m": int(slider.get_attribute("max"))}
    panel.get_by_role("button", name="Reset").click()
    until(page, lambda: said(panel) == seen[0] and panel.evaluate(MOVED) == {}, "the start")
    panel.get_by_role("combobox", name="chip").select_option(index=1)
    until(page, lambda: said(panel) not in seen and panel.evaluate(MOVED) == {"chip": 1}, "another chip")


def test_two_controls_at_once_wait_for_python_and_wake_it(opened):
    page = opened("03_roofline.html#panel-dot")
    panel, wait = page.locator("#panel-dot"), page.locator("#panel-dot .acc-wait")
    panel.get_by_role("button", name="Go on to 16,384 rows").click()
    panel.locator(".acc-ticked").get_by_text("Go on to 16,384 rows").wait_for()
    before = said(panel)
    panel.get_by_role("combobox", name="chip").select_option(index=1)
    wait.get_by_text("Two controls at once are computed where the course runs").wait_for()
    page.evaluate("window.accLive = {}; 0")
    panel.get_by_role("button", name="Then take an A100 of 40 GB").click()
    wait.get_by_text("Python is on its way; then this picture follows.").wait_for()
    assert said(panel) == before and len(panel.evaluate(MOVED)) == 2 and panel.locator(".acc-ticked").count() == 1
    run = opened("00_start_here.html").locator("#panel-array")
    run.get_by_role("slider", name="length").press("End")
    run.get_by_text("Another run is computed where the course runs").wait_for()
    assert run.locator("[data-control=k] output").inner_text() == "12" and run.evaluate(MOVED) == {"k": 11}


def test_without_scripts_a_still_and_its_sentence_stand_and_no_control_promises_anything(opened):
    panel = opened("03_roofline.html", scripts=False).locator("#panel-halted")
    assert said(panel).startswith("Cycle 3 of 14") and panel.locator("img").get_attribute("alt") == said(panel)
    assert panel.locator(".acc-controls :disabled").count() == 3


def test_a_switch_moves_a_panel_and_a_slider_says_where_there_is_nothing_to_show(opened):
    page = opened("03_roofline.html")
    panel = page.locator("#panel-halted")
    slider, late = panel.get_by_role("slider", name="cycle"), panel.get_by_role("checkbox", name="five cycles later")
    slider.focus()
    page.keyboard.press("ArrowRight")
    until(page, lambda: said(panel).startswith("Cycle 4 of 14"), "the fourth cycle")
    page.keyboard.press("End")
    until(page, lambda: said(panel) == "nobody watched that long.", "the reason")
    assert not panel.locator("svg, canvas").locator("visible=true").count()
    page.keyboard.press("Home")
    until(page, lambda: said(panel).startswith("Cycle 1 of 14"), "the first cycle")
    panel.get_by_role("button", name="Reset").click()
    late.press("Space")
    there = lambda: said(panel).startswith("Cycle 8 of 14") and panel.evaluate(MOVED) == {"late": 1}  # noqa: E731
    until(page, there, "five cycles later")


def test_on_a_phone_the_picture_stays_in_sight_while_its_controls_are_used_and_covers_nothing_at_its_end(opened):
    page = opened("03_roofline.html#panel-halted", viewport=PHONE)
    page.locator("#panel-halted .acc-screen").wait_for()
    page.locator(".table-wrapper.acc-wide[tabindex='0'][role=group]").first.wait_for()
    page.locator("#panel-halted").evaluate("panel => panel.insertAdjacentHTML('beforeend', '<p style=height:500px>')")
    page.evaluate("scrollBy(0, document.querySelector('#panel-halted').getBoundingClientRect().top + 20)")
    frame, reset, slider = (page.locator(f"#panel-halted {one}").bounding_box() for one in PINNED)
    page.screenshot(path=SHOTS / "book-pinned.png")
    assert 40 <= frame["y"] < 80 and frame["y"] + frame["height"] < reset["y"] < PHONE["height"]
    assert slider["height"] >= 44
    page.evaluate("scrollBy(0, document.querySelector('#panel-halted').getBoundingClientRect().bottom - 360)")
    panel, frame = (page.locator(f"#panel-halted{one}").bounding_box() for one in ("", " .acc-frame"))
    assert frame["y"] + frame["height"] <= panel["y"] + panel["height"] - 0.45 * PHONE["height"]


def test_nothing_is_fetched_for_a_panel_that_nobody_comes_near(opened):
    page = opened("03_roofline.html")
    fetched = page.evaluate("() => performance.getEntriesByType('resource').map(one => one.name)")
    last = page.locator("figure[data-film]").last.get_attribute("data-film")
    assert last.endswith(".js") and not [name for name in fetched if name.endswith(last)]


def test_an_option_answers_by_keyboard_and_one_is_open_at_a_time(opened):
    page = opened("03_roofline.html")
    card = page.locator(".acc-ask").filter(has_text="140 µs")
    first, second = card.locator(".acc-option").nth(0), card.locator(".acc-option").nth(1)
    first.locator("summary").focus()
    page.keyboard.press("Enter")
    assert "No." in first.inner_text()
    second.locator("summary").focus()
    page.keyboard.press("Space")
    assert second.get_attribute("open") is not None and first.get_attribute("open") is None


def test_both_themes_show_pictures_on_the_paper_of_the_page(opened):
    dark, light = (opened("03_roofline.html#panel-dot", scheme=scheme) for scheme in ("dark", "light"))
    for page, paper in ((dark, (0, 0.2)), (light, (0.9, 1))):
        picture = page.locator("#panel-dot .acc-screen svg")
        picture.scroll_into_view_if_needed()
        behind, words = picture.evaluate(LIGHTNESS)
        assert paper[0] <= behind <= paper[1] and abs(words - behind) > 0.4
        assert page.locator("body").get_attribute("data-jp-theme-light") == ("false" if page is dark else "true")
    dark.screenshot(path=SHOTS / "book-dark.png")


@pytest.mark.parametrize("name", ["index.html", "00_start_here.html", "03_roofline.html"])
def test_on_a_phone_a_page_does_not_move_sideways(opened, name):
    page = opened(name, viewport=PHONE)
    for height in range(0, page.evaluate("document.documentElement.scrollHeight"), 600):
        page.evaluate(f"scrollTo(0, {height})")
        page.wait_for_timeout(20)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.name = ''; fold.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.screenshot(path=SHOTS / f"book-phone-{name.removesuffix('.html')}.png")


def test_a_picture_fits_a_phone_and_one_whose_words_would_meet_is_wider_and_says_where_the_rest_is(opened):
    page = opened("03_roofline.html#panel-halted", viewport={**PHONE, "width": 400})
    stage, screen, beyond = (page.locator(f"#panel-halted .acc-{part}") for part in ("stage", "screen", "beyond"))
    screen.locator("svg").wait_for()
    assert stage.evaluate(FITS) and beyond.is_hidden()
    screen.evaluate(CROWDED)
    page.set_viewport_size(PHONE)
    beyond.get_by_text("it goes on →").wait_for()
    page.screenshot(path=SHOTS / "book-beyond.png")
    screen.evaluate("screen => screen.scrollTo(9999, 0)")
    beyond.get_by_text("← Push it back").wait_for()
    assert screen.locator("svg").evaluate("svg => svg.getBoundingClientRect().right") <= PHONE["width"]
    page.set_viewport_size(WIDE)
    beyond.wait_for(state="hidden")


def test_a_picture_that_is_wider_than_a_phone_follows_what_moves(opened):
    page = opened("03_roofline.html#panel-dot", viewport=PHONE)
    panel, screen = page.locator("#panel-dot"), page.locator("#panel-dot .acc-screen")
    screen.locator("svg").wait_for()
    panel.locator(".acc-stage").evaluate("stage => stage.style.setProperty('--narrow', '740px')")
    before = said(panel)
    panel.get_by_role("slider", name="rows").press("End")
    until(page, lambda: said(panel) != before, "the end")
    assert screen.evaluate("screen => screen.scrollLeft") > 100


def test_the_search_finds_a_chapter_by_a_word_that_a_cell_computed(opened):
    page = opened("search.html?q=quokkaword")
    page.get_by_role("link", name="3 · Roofline: which limit binds?").last.wait_for()
