"""A chapter in the hall, in a real browser: one slide at a time, large type, one key forward, the keys of a slider.

HALL=all walks through every chapter, three otherwise.
"""

import contextlib
import hashlib
import os
import re
import time

import pytest
from browser import IN_BROWSER, ROOT, Page, free_port, server, session

from accelerator_course import syllabus

SIZE = {"width": 1600, "height": 900}
EVERY = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb") if path.stem > "01")
CHAPTERS = (
    EVERY if os.environ.get("HALL") == "all" else ["03_roofline", "06_systolic", "13_design"]
)  # half a minute each
pytestmark = IN_BROWSER

SMALLEST = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), sizes = [99];
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const seen = element.checkVisibility({ visibilityProperty: true }) && !element.closest("svg, math, .acc-voice, .acc-hush");
    if (walk.currentNode.textContent.trim() && seen) sizes.push(parseFloat(getComputedStyle(element).fontSize));
    if (sizes.at(-1) < 23.9) return `${sizes.at(-1)}: ${element.className} ${walk.currentNode.textContent}`;
  }
  return "";
}"""
OUTSIDE = """() => [...document.querySelectorAll(".acc-now .acc-prose > *, .acc-now img, .acc-now .acc-control, .acc-now li")]
  .map((element) => element.getBoundingClientRect())
  .filter((box) => box.width && (box.right > innerWidth + 1 || box.bottom > innerHeight - 30)).length"""

# Slides with nothing to look at but words; then what hangs over, on any slide at any step; then type in pictures, in
# pixels, and the least that it may be.
BARE = """() => [...document.querySelectorAll(".acc-slide:not(.acc-title, .acc-answer)")].filter((slide) => !slide.querySelector(
  ":scope > .acc-cell :is(.jupyter-widgets, .acc-question), :scope > .acc-prose:not(.acc-words, .acc-notes) :is(table, math[display=block], pre, img, .jp-OutputArea-output)"))
  .map((slide) => slide.textContent.slice(0, 200))"""
OVER = """() => [document.querySelector(".acc-now"), document.querySelector(".acc-now > .acc-words.acc-open")]
  .filter((box) => box && (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1))
  .map((box) => `${box.className}: ${box.innerText.slice(0, 80)}`)"""
DRAWN = """() => [...document.querySelectorAll(".acc-slide .acc-screen svg")].flatMap((svg) => {
  const [box, wide] = [svg.getBoundingClientRect(), svg.viewBox.baseVal.width];
  const words = [...svg.querySelectorAll("text")].filter((text) => box.width && text.textContent.trim());
  return words.map((text) => [parseFloat(getComputedStyle(text).fontSize) * box.width / wide, Math.min(24, 15 * box.width / wide)]);
})"""
LAST = """() => location.hash === `#${document.querySelectorAll(".acc-slide").length}`
  && !document.querySelector(".acc-now").matches("[data-more]") && ![...document.querySelectorAll(".acc-now [data-forward]")].some((button) => button.checkVisibility())"""
BOUNCE = 220  # ms after which a second press is meant: hall.js
MARK = ".acc-now :is(.acc-mark-label, .acc-pill).acc-mark-truth"


@contextlib.contextmanager
def hall(chapter, home, *options, covered=False, early=None):
    """The hall's page, all panels live; while it prepares, it counts. early: a key that is pressed all that time."""
    port = free_port()
    arguments = ["accelerator_course.pages", "present", chapter, "--no-browser", f"--port={port}"]
    arguments += ["--Voila.ip=127.0.0.1", *options]
    with session() as browser, server(arguments, port, home, covered=covered):
        page = Page(browser.new_page(viewport=SIZE))
        away = []
        page.page.on("request", lambda request: away.append(request.url) if "127.0.0.1" not in request.url else None)
        page.page.goto(f"http://127.0.0.1:{port}", wait_until="commit", timeout=150_000)
        page.page.locator("#acc-wait p").get_by_text(re.compile(r"Preparing \d+ of \d+")).wait_for(timeout=150_000)
        while early and page.page.locator("#acc-wait").count():
            page.page.keyboard.press(early)
        page.page.wait_for_selector("body[data-deck=ready]", timeout=150_000)
        assert not [url for url in away if not url.startswith(("data:", "blob:"))], "the hall needs no network"
        yield page


def place(page):
    """The slide, its step, and of its question, the one that is in sight, the step, its heading and which of them it is; what is next on it."""
    return page.page.evaluate("""() => {
      const steps = [...document.querySelectorAll(".acc-now [data-forward]")].filter((one) => one.checkVisibility());
      const cards = [...document.querySelectorAll(".acc-now .acc-lecture")];
      const at = cards.findLastIndex((card) => card.querySelector(".acc-stem").checkVisibility());
      return [location.hash, document.querySelector(".acc-now").dataset.step, cards[at]?.dataset.step, cards[at]?.querySelector(".acc-kicker").textContent, at, steps.map((one) => one.dataset.forward).join()];
    }""")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_chapter_is_walked_through_with_one_key_and_nothing_is_small(tmp_path):
    notebook = ROOT / "notebooks" / "03_roofline.ipynb"
    before = digest(notebook)
    with hall("03_roofline", tmp_path) as page:
        keyboard, seen, panels, marks = page.page.keyboard, [], 0, 0
        assert page.page.get_by_role("heading", name="3 · Roofline: which limit binds?").first.is_visible()
        while (here := place(page)) not in seen:
            seen.append(here)
            if here[2] == "shown":  # what is said of the guess comes from the kernel, after the picture
                page.wait_until(page.page.locator(MARK).first.is_visible, what="the mark of the answer")
                marks += 1
            assert page.page.evaluate(SMALLEST) == "", here
            assert page.page.evaluate(OUTSIDE) == 0, here
            panel = page.page.locator(".acc-now .acc-panel")
            panels += panel.count() and panel.is_visible()
            if panel.count() and not page.page.locator(".acc-now.acc-after").count():
                assert "What you saw" not in page.page.locator(".acc-now").inner_text(), "the panel gives nothing away"
            if page.page.evaluate(LAST):
                break
            page.page.wait_for_timeout(BOUNCE * bool(seen[-2:][0][5] or here[2] or here[5]))
            keyboard.press("PageDown")
            page.wait_until(lambda here=here: place(page) != here, what=f"what follows {here}")
        slides = page.page.locator(".acc-slide").count()
        assert panels >= 12 and marks >= 2 and len({slide for slide, *_ in seen}) == slides, here
        assert page.page.locator(".acc-now .jp-InputArea-editor").count() == 0, "no code"
        keyboard.press("Home")
        handle = page.page.get_by_role(
            "slider", name="rows, one token each", exact=True
        )  # found on the open slide only
        for _ in range(6 * slides):
            if handle.count() and handle.is_visible():
                break
            keyboard.press("PageDown")
            page.page.wait_for_timeout(60)
        number = int(page.page.evaluate("location.hash")[1:])
        handle.focus()
        value = handle.get_attribute("aria-valuenow")
        keyboard.press("ArrowRight")
        page.wait_until(lambda: handle.get_attribute("aria-valuenow") != value, what="the slider's own step")
        assert page.page.evaluate("location.hash") == f"#{number}", "the key was the slider's"
        keyboard.press("Escape")
        step = place(page)
        keyboard.press("ArrowRight")
        assert place(page) != step, "the key is the deck's again"
        keyboard.press("PageUp")
        assert place(page) == step
        assert page.errors == []
    assert digest(notebook) == before


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_slide_is_text_only_and_nothing_hangs_over(chapter, tmp_path):
    with hall(chapter, tmp_path) as page:
        assert page.page.evaluate(BARE) == []
        assert [drawn for drawn, least in page.page.evaluate(DRAWN) if drawn < least - 0.1] == []
        assert page.page.locator(".acc-slide .acc-picture img").count() == 0, "type in an image that nothing measures"
        seen, slides = set(), page.page.locator(".acc-slide").count()
        while (here := tuple(place(page))) not in seen:
            seen.add(here)
            assert page.page.evaluate(OVER) == [], here
            page.page.keyboard.press("PageDown")
            page.page.wait_for_timeout(BOUNCE if page.page.locator(".acc-now .acc-question:visible").count() else 50)
            if place(page) == list(here):  # a question answers from the kernel
                page.page.wait_for_timeout(700)
        assert len({slide for slide, *_ in seen}) == slides
        assert page.errors == []


def test_a_cut_shows_the_title_and_what_fits_into_its_minutes(tmp_path):
    with hall("06_systolic", tmp_path, "--cut=15", covered=True) as page:
        said = page.page.get_by_role("button", name="all slides")
        whole, short = page.page.locator(".acc-cut button").all()
        pressed = [button.get_attribute("aria-pressed") for button in (whole, short)]
        assert pressed == ["false", "true"]
        many = [int(re.search(r": (\d+) slides", button.inner_text())[1]) for button in (whole, short)]
        assert many[1] >= 4 and many[0] > 3 * many[1] and said.inner_text() == f"1 / {many[1]}"
        page.page.keyboard.press("End")
        assert page.page.locator(".acc-now .acc-panel").count() == 1
        page.page.keyboard.press("Home")
        assert page.page.locator(".acc-now p").first.inner_text().startswith("15 minutes · assumes"), "no other minutes"
        whole.click()
        assert said.inner_text() == f"1 / {many[0]}" and whole.get_attribute("aria-pressed") == "true"
        minutes = syllabus.load("minutes")["systolic"]["core"]
        assert page.page.locator(".acc-now p").first.inner_text().startswith(f"{minutes} minutes")
        by_mouse(page, said)
        assert page.errors == []


NOTES = """() => { const box = document.querySelector(".acc-now > .acc-notes").getBoundingClientRect();
  return [[0, box.top + 20], [box.right - 1, 20], [box.width / 2, box.bottom - 5]].every(([x, y]) => document.elementFromPoint(x, y)?.closest(".acc-notes")); }"""


def test_notes_cover_a_slide_the_answer_is_one_and_a_film_ends_where_it_is_asked_for(tmp_path):
    with hall("06_systolic", tmp_path, covered=True) as page:
        find, press = page.page.locator, page.page.keyboard.press
        back, arrows = page.page.get_by_role("button", name="back", exact=True), set()
        for place in range(1, find(".acc-slide").count() + 1):
            page.page.evaluate(f"location.hash = '{place}'")
            page.wait_until(find(f".acc-slide:nth-child({place}).acc-now").count, what=f"slide {place}")
            arrows.add(round(back.bounding_box()["x"]))
            if find(".acc-now .acc-lecture:not(.acc-ballot)").count():
                assert not find(".acc-now > .acc-words").count(), (
                    "words beside a check that they have nothing to do with"
                )
            while find(".acc-now > .acc-notes").count():
                press("n")
                assert page.page.evaluate(NOTES), f"notes on slide {place}"
                press("n")
                if not find(".acc-now[data-more]").count():
                    break
                press("PageDown")
        assert len(arrows) == 1, "the arrow moves under the pointer"
        press("l")
        find(".acc-places").get_by_text("The answer", exact=True).click()
        assert find(".acc-now.acc-answer p").is_visible()
        page.page.evaluate("location.hash = '6'")
        while find(".acc-now.acc-before").count():
            press("PageDown")
        find(".acc-now select[aria-label=speed]").evaluate("speed => (speed.value = 33)")
        find(".acc-now [data-ask=show]").click()
        page.wait_until(lambda: find(".acc-now .acc-place").inner_text() == "cycle 127 of 286", what="the film")
        page.page.wait_for_timeout(500)
        assert find(".acc-now .acc-place").inner_text() == "cycle 127 of 286"
        assert page.errors == []


def by_mouse(page, number):
    """What the mouse has touched does not keep the keys of a clicker; and every slide is two presses away."""
    mouse, press = page.page.mouse, page.page.keyboard.press
    middle = lambda part: (lambda box: (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))(part.bounding_box())  # noqa: E731
    at = lambda: place(page)  # noqa: E731
    for part in (".acc-screen", ".acc-bar-transport input[type=range]", ".acc-bar-transport > button"):
        mouse.click(*middle(number))
        mouse.click(*middle(page.page.locator(".acc-places").get_by_text("6.3 · Three dataflows")))
        start = at()
        mouse.click(*middle(page.page.locator(f".acc-now {part}").first))
        page.page.wait_for_timeout(50)
        press("PageDown")
        assert at() != start, f"{part} keeps PageDown"
        press("PageUp")
        mouse.click(*middle(page.page.locator(f".acc-now {part}").first))
        page.page.wait_for_timeout(50)
        press("Space")
        assert at() != start, f"{part} keeps Space"
    assert page.page.locator("[aria-label=Pause]").count() == 0, "a film that nobody sees plays on"
    mouse.click(*middle(number))
    mouse.click(*middle(page.page.locator(".acc-places").get_by_text("6.5 · Which shapes fill it?")))
    fields, box = page.page.locator(".acc-now .acc-vote-options input"), page.page.locator(".acc-now .acc-veil")
    page.wait_until(lambda: fields.count() == 4, what="the third prediction")
    while page.page.locator(".acc-now.acc-before").count():
        press("PageDown")
    for field in fields.all():
        area = field.bounding_box()
        mouse.click(area["x"] + area["width"] - 5, area["y"] + 5)
        page.page.keyboard.type("5")
    assert [field.input_value() for field in fields.all()] == ["5"] * 4
    press("ArrowUp")  # to the field above; no hand is counted by an arrow or the wheel
    page.page.keyboard.type("1")
    assert [field.input_value() for field in fields.all()] == ["5", "5", "51", "5"]
    page.page.wait_for_timeout(BOUNCE)
    press("PageDown")
    page.wait_until(page.page.locator(MARK).first.is_visible, what="the votes, and the answer")
    high, task = box.bounding_box()["height"], page.page.locator(".acc-now .acc-tasks li button").last
    mouse.click(*middle(task))
    page.wait_until(lambda: page.page.locator(MARK).count() == 0, what="another picture")
    assert box.bounding_box()["height"] == high
    press("PageDown")
    assert "the speed is doubled for four times the silicon" in page.page.locator(".acc-now .acc-feedback").inner_text()
    press("End")
    for _ in range(8):
        press("PageDown")
    last = place(page)
    press("PageDown")
    assert place(page) == last
    mouse.click(*middle(number))
    mouse.click(*middle(page.page.locator(".acc-places").get_by_text("Explain it to a colleague")))
    now = page.page.locator(".acc-now")
    page.wait_until(lambda: press("PageDown") or "model answer" in now.inner_text(), what="the model answer")


# How far the ring of the answer is from the nearest small thing drawn, and its label from the ring.
OFF = """() => {
  const now = document.querySelector(".acc-now"), middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const truth = (kind) => now.querySelector(`${kind}.acc-mark-truth`).getBoundingClientRect();
  const ring = middle(truth(".acc-mark")), label = truth(".acc-mark-label");
  const dots = [...now.querySelectorAll(".mark.path")].map((dot) => dot.getBoundingClientRect()).filter((box) => box.width < 40);
  const off = dots.map((box) => Math.hypot(middle(box)[0] - ring[0], middle(box)[1] - ring[1]));
  const away = [label.left - ring[0], ring[0] - label.right, label.top - ring[1], ring[1] - label.bottom];
  return Math.max(Math.min(...off), Math.max(...away) - 16);
}"""
SHOWS = """() => [...document.querySelectorAll(".acc-deck-status button")].filter((one) => one.disabled).map((one) => one.title).join()"""


def test_no_click_is_lost(tmp_path):
    with hall("03_roofline", tmp_path, covered=True) as page:
        find, mouse, asked = page.page.locator, page.page.mouse, []

        def press(name):
            page.page.wait_for_timeout(BOUNCE * (name == "forward"))
            click(page.page.get_by_role("button", name=name, exact=True))

        def click(part):
            box = part.bounding_box()
            mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

        def shown(text):
            page.wait_until(lambda: find(".acc-now .acc-kicker").last.inner_text().startswith(text), what=text)

        listed = lambda name: (press("all slides (L)"), click(find(".acc-places").get_by_text(name, exact=True)))  # noqa: E731
        assert page.page.evaluate(SHOWS) == "back"
        assert find("main a[href]:not([href^=http])").count() == 0, "a link that ends the deck"
        assert find("main .acc-slide [role=progressbar], main .widget-hprogress").count() == 0
        assert "as code" not in find("main").inner_text()

        # The answer is marked where it is, whatever the width of the picture.
        listed("3.5 · What starting costs")
        press("forward")
        show = page.page.get_by_role("button", name="Show", exact=True).bounding_box()
        mouse.dblclick(show["x"] + show["width"] / 2, show["y"] + show["height"] / 2)  # as some people press everything
        for name in ("Why?", "Show the answer again", "Hide the reasons"):
            page.wait_until(find(".acc-now .acc-mark-label.acc-mark-truth").is_visible, what="the mark of the answer")
            page.wait_until(lambda: page.page.evaluate(OFF) < 1.5, 5, f"a mark on its dot before {name}")
            press(name)
        page.page.set_viewport_size({"width": 1280, "height": 720})
        page.wait_until(lambda: page.page.evaluate(OFF) < 1.5, 5, "a mark on its dot in a smaller window")
        page.page.set_viewport_size(SIZE)
        high = find(".acc-now .acc-veil").bounding_box()["height"]
        assert high < 60, "no line is kept for another width"

        # Who stays has a kernel still.
        page.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
        page.page.evaluate("setTimeout(() => location.reload(), 10)")
        page.wait_until(lambda: asked == ["beforeunload"], what="whether to stay")
        caption = lambda: find(".acc-now figcaption").inner_text()  # noqa: E731
        before = caption()
        click(find(".acc-now .acc-tasks li button").nth(1))
        page.wait_until(lambda: caption() != before, what="the answer to a line that was pressed")

        # Beside "What you saw" there are no reasons to show.
        listed("3.3 · Where the corner lies")
        while find(".acc-now.acc-before").count():
            press("forward")
        press("Show")
        page.wait_until(find(".acc-now .acc-mark-label.acc-mark-truth").is_visible, what="the mark of the answer")
        press("forward")
        assert find(".acc-now .acc-feedback").is_visible()
        press("forward")
        assert find(".acc-now.acc-after").count()
        assert find(".acc-now .acc-stem:visible, .acc-now button:visible").count() == 0
        press("back")
        assert find(".acc-now .acc-feedback").is_visible()

        # The quiz goes back by questions, and nothing is lost.
        listed("Quiz")
        press("Show the options")
        shown("Question 1 of 5. Hands up")
        field = find(".acc-now .acc-vote-options input").first
        place, option = field.bounding_box(), find(".acc-now .acc-vote-text").first.bounding_box()
        assert place["x"] - option["x"] < 900
        click(field)
        page.page.keyboard.type("7")
        press("forward")
        shown("Question 1 of 5. Discuss")
        assert abs(field.bounding_box()["x"] - place["x"]) < 1, "the fields stand still"
        press("forward")
        press("Next question")
        shown("Question 2 of 5")
        press("back")
        shown("Question 1 of 5")
        assert "7 hands, 100 %" in find(".acc-now").inner_text()
        press("forward")
        shown("Question 2 of 5. Think first")
        assert page.page.evaluate(SHOWS) == ""
        page.page.keyboard.press("End")
        page.page.keyboard.press("PageDown")
        page.wait_until(lambda: page.page.evaluate(SHOWS) == "forward", what="the end")
        assert page.errors == []
        page.page.close()  # and with it its kernel
        log = tmp_path / "server.log"
        page.errors = []
        for _ in range(100):
            if "Kernel shutdown" in log.read_text():
                break
            time.sleep(0.1)
        assert "Kernel shutdown" in log.read_text() and "403 POST" not in log.read_text()


def clicked(clicker, at, pressed, times=1):
    """One press of the mouse, the first or second of a double click, made at that time, however late it is heard."""
    press = {"x": at[0], "y": at[1], "button": "left", "clickCount": times, "timestamp": pressed}
    for kind in ("mousePressed", "mouseReleased"):
        clicker.send("Input.dispatchMouseEvent", press | {"type": kind})


def test_no_press_of_a_lecturer_is_lost(tmp_path):
    with hall("05_gpu", tmp_path, covered=True, early="PageDown") as page:
        find, mouse, press = page.page.locator, page.page.mouse, page.page.keyboard.press
        button = lambda name: page.page.get_by_role("button", name=name, exact=True)  # noqa: E731
        fields = find(".acc-now .acc-hands")
        number = int(find(".acc-number").inner_text().split()[0])
        assert number <= 2, "keys that were pressed while it prepared have moved what nobody saw"
        press("Home")

        def click(part, times=1, down=0.5):
            box = part.bounding_box()
            mouse.click(box["x"] + box["width"] / 2, box["y"] + down * box["height"], click_count=times)

        def listed(name, forward=0):
            press("l")
            click(find(".acc-places").get_by_text(name, exact=True))
            for _ in range(forward):
                press("PageDown")
                page.page.wait_for_timeout(BOUNCE)

        def answered():
            page.wait_until(find(MARK).first.is_visible, what="the answer")

        # A press on an option is one on its field; the second press of a double click moves no slider and marks no word.
        press("PageDown")
        click(find(".acc-now .acc-vote-text").nth(2))
        page.page.keyboard.type("7")
        assert [field.input_value() for field in fields.all()] == ["", "", "7", ""]
        box = button("Show").bounding_box()
        at = box["x"] + box["width"] / 2, box["y"] + 2
        clicker, first = page.page.context.new_cdp_session(page.page), time.time()
        clicked(clicker, at, first)
        under = "([x, y]) => document.elementFromPoint(x, y).closest('.noUi-target') !== null"
        page.wait_until(lambda: page.page.evaluate(under, at), what="a slider, where the button was")
        page.wait_until(button("Pause").is_visible, what="the film, playing")
        values = [handle.get_attribute("aria-valuenow") for handle in page.page.get_by_role("slider").all()]
        clicked(clicker, at, first + 0.3, 2)  # a pointer's press as well: it does not stop the film
        assert button("Pause").is_visible()
        assert values == [handle.get_attribute("aria-valuenow") for handle in page.page.get_by_role("slider").all()]
        assert page.page.evaluate("getSelection().toString()") == ""

        # However late they are heard, two presses of a clicker that bounces are one step of a question.
        answered()
        first = time.time()
        down = {"type": "rawKeyDown", "key": "PageDown", "code": "PageDown", "windowsVirtualKeyCode": 34}
        for pressed in (first, first + 0.06):
            clicker.send("Input.dispatchKeyEvent", {**down, "timestamp": pressed})
            page.page.wait_for_timeout(2 * BOUNCE)
        assert place(page)[1:3] == ["0", "why"], "the reasons were passed over"

        # What lies over a slide or a picture goes with Escape; a number beside a slider takes no keys.
        listed("5.3 · Who reads what", 1)
        click(button("More"))
        press("Escape")
        assert not find(".acc-now .acc-menu").is_visible()
        click(button("More"))
        click(find(".acc-now .acc-follow"))
        page.page.keyboard.type("31")
        press("Enter")
        assert "lane 31" in find(".acc-now .acc-story").inner_text()
        press("Escape")
        assert not find(".acc-now .acc-story").is_visible()
        click(find(".acc-now .widget-readout").first)
        before = place(page)
        press("Space")
        assert place(page) != before, "the number keeps the key"

        # The answer that is shown again is that of the question, whatever was moved meanwhile.
        listed("5.5 · Hide the latency", 2)
        click(button("Show"))
        answered()
        latency = page.page.get_by_role("slider", name="latency of memory [cycles]", exact=True)
        asked = latency.get_attribute("aria-valuenow")
        click(find(".acc-now .acc-tasks li button").last)
        page.wait_until(lambda: latency.get_attribute("aria-valuenow") != asked, what="another latency")
        click(button("Show the answer again"))
        page.wait_until(lambda: latency.get_attribute("aria-valuenow") == asked, what="the latency of the question")

        # A number that is refused is said to be so once, and holds nobody.
        listed("Decide")
        press("n")
        press("Escape")
        assert not find(".acc-now.acc-noted").count()
        click(page.page.get_by_role("textbox", name="your number"))
        page.page.keyboard.type("180")
        press("PageDown")
        page.wait_until(lambda: find(".acc-now .acc-saved").inner_text() == "The lower end is missing.", what="why not")
        page.page.wait_for_timeout(BOUNCE)
        press("PageDown")
        page.wait_until(find(".acc-now .acc-ruler svg").is_visible, what="the measurement")

        # Hands that were entered and not counted are there when one comes back to their question.
        listed("Quiz")
        kicker, hands = find(".acc-now .acc-kicker"), "Hands up. Counts may be entered."
        for said in (f"1 of 5. {hands}", "1 of 5.", "2 of 5. Think first. What would you say?", f"2 of 5. {hands}"):
            page.page.wait_for_timeout(BOUNCE)
            press("PageDown")
            page.wait_until(lambda said=said: kicker.inner_text().strip() == f"Question {said}", what=said)
        click(find(".acc-now .acc-vote-text").nth(1))
        page.page.keyboard.type("11")
        press("PageUp")
        page.wait_until(lambda: kicker.inner_text().startswith("Question 1"), what="the first")
        page.page.wait_for_timeout(BOUNCE)
        press("PageDown")
        page.wait_until(lambda: fields.count() == 4, what="the second again")
        assert [field.input_value() for field in fields.all()] == ["", "11", "", ""]
        assert page.errors == []
