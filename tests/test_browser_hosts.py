"""Widgets where the page is another's: in shadow roots and in a sandboxed frame they work, and rest when nothing happens."""

import re

import pytest
from browser import IN_BROWSER
from host import PLACES, Count, count, idle, of, shown

from accelerator_course import widgets
from accelerator_course.widgets import fold, lecture, panel, veil
from accelerator_course.widgets.quiz import BOX, CARD, Deck
from accelerator_course.widgets.workshop import Takeaway

pytestmark = IN_BROWSER
REST = {"frames": 0, "timers": 0, "observed": 0}
SEVEN = '<span class="ui-slider-handle" tabindex="0"></span><div class="widget-readout">4 k</div>'  # of ipywidgets 7
CONTROL = f'<div class="acc-control"><label class="widget-label">m</label>{SEVEN}</div>'
CONTROL += '<div class="acc-control"><label class="widget-label">n</label><select><option>1</option></select></div>'


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A chapter's widgets, as a chapter nests them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACCELERATOR_COURSE_HOME", str(tmp_path_factory.mktemp("home")))
        run, quiz = widgets.step(count, Count()).finish(), widgets.quiz("roofline", seed="host")
        panel = {"class": "acc-panel", "children": [
            {"class": "acc-controls", "html": CONTROL}, of("player", run.picture.widget), of("companion", run.companion)]}  # fmt: skip
        card = of("prediction", widgets.predict("roofline", "batch-128"))
        covered = {"class": "acc-predict", "children": [card, of("veil", veil.Veil()), panel]}
        cards = [of(f"card {n}", item.widget, **{"class": CARD}) for n, item in enumerate(quiz.items)]
        cards += [of("result", quiz.result, **{"class": CARD}), of("deck", quiz.deck)]
        folded = {"class": "acc-fold", "children": [of("line", fold.Line(words="more")), {"html": "folded"}]}
        alone = {
            "bar": widgets.chapter_bar("roofline"),
            "decision": widgets.decision("roofline"),
            "explain": widgets.explain("roofline"),
            "progress": widgets.progress(),
            "takeaway": Takeaway(token="a-token"),
            "lecture": lecture.Lecture("roofline", "host"),
        }
        parts = [of(name, widget) for name, widget in alone.items()]
        return {"children": [covered, {"class": BOX, "children": cards}, folded, *parts]}


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1100, "height": 1000})
    page.set_default_timeout(8_000)
    yield page
    page.close()


@pytest.mark.parametrize("place", PLACES)
def test_widgets_work_wherever_they_stand_and_rest_when_nothing_happens(page, tree, place):
    frame = shown(page, tree, place)
    assert idle(frame) == REST
    assert frame.evaluate("window.wrong") == []
    covered = frame.locator(".acc-predict.acc-veiled .acc-lead").count() == 1
    assert covered != (place == "roots")  # where the picture is out of reach, it does not wait
    for part in (".acc-controls", "figure"):
        assert frame.locator(f".acc-panel {part}").evaluate("part => part.inert") == covered
    frame.evaluate("models.veil.set('state', 'shown')")
    assert frame.locator(".acc-control select").get_attribute("aria-label") == "n", "its controls have names"
    assert frame.locator(".acc-deck > .acc-card.acc-now").count() == 1, "one card at a time"
    handle = frame.locator(".ui-slider-handle")
    said = [
        handle.get_attribute(name) for name in ("role", "aria-label", "aria-valuetext", "data-lm-suppress-shortcuts")
    ]
    assert said == ["slider", "m", "4 k", "true"]
    frame.locator(".acc-fold-line").click()
    assert frame.locator(".acc-fold.acc-open").count() == 1
    assert re.search(r"\b11\b", frame.locator(".acc-bar-where").inner_text())
    frame.get_by_role("button", name="Forward").click()
    assert frame.locator("output.acc-place").inner_text() == "step 2 of 3"
    assert frame.evaluate("window.wrong") == [] and idle(frame) == REST


@pytest.mark.parametrize("place", [place for place in PLACES if place != "roots"])
def test_a_run_waits_at_its_first_state_and_plays_to_the_one_that_answers(page, tree, place):
    frame = shown(page, tree, place)
    where, told = frame.locator("output.acc-place"), frame.locator(".acc-beside")
    assert where.inner_text() == "step 1 of 3" and not frame.locator("figcaption").is_visible()
    frame.evaluate("models.veil.set('offered', [{ text: 'few', spot: null }, { text: 'many', spot: null }])")
    frame.get_by_role("radio").nth(1).check()
    assert told.inner_text() == "your guess: many"
    frame.evaluate("""marks => { for (const [name, value] of Object.entries({ marks, turn: 1, state: 'committed' })) models.veil.set(name, value) }""",
                   {"guesses": [{"text": "your guess: many", "spot": None}], "truth": {"text": "few", "spot": None}, "gap": "", "to": 2})  # fmt: skip
    frame.get_by_text("step 3 of 3").wait_for()
    frame.locator(".acc-beside.acc-arrived").wait_for()
    assert (
        told.inner_text().split() == ["your", "guess:", "many", "→", "few"] and frame.locator("figcaption").is_visible()
    )


@pytest.mark.parametrize("place", PLACES)
def test_the_keyboard_goes_on_from_the_reply_of_a_closed_question(page, tree, place):
    frame = shown(page, tree, place)
    card = frame.locator(".acc-predict .acc-question")
    card.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert frame.evaluate("models.prediction.sent") == [{"option": 0}]
    frame.evaluate("models.prediction.set('feedback', [{ html: 'So it is.' }]); models.prediction.set('closed', true)")
    where = card.evaluate("card => card.getRootNode().activeElement.className")
    assert where == "acc-feedback"


LONE = {
    "companion": panel.Companion,
    "veil": veil.Veil,
    "deck": lambda: Deck(states=["", ""]),
    "card": lambda: widgets.predict("roofline", "batch-128"),
}


@pytest.mark.parametrize("name", LONE)
def test_a_widget_without_what_it_belongs_to_gives_up_in_peace(page, home, name):
    """A host that gives every widget a closed root of its own: no panel is found around the invisible half of one."""
    lone = of(name, LONE[name]())
    lone["state"]["arrive"] = True  # a card that is to be gone to, and is never seen
    frame = shown(page, {"html": "<style>main { display: none }</style>", "children": [lone]}, "roots")
    assert idle(frame) == REST and frame.evaluate("window.wrong") == []


def test_a_widget_that_is_not_on_the_page_yet_waits_without_asking(page, tree):
    frame = shown(page, tree)
    frame.evaluate("window.whole = document.querySelector('main > *'); window.whole.remove()")
    assert idle(frame) == REST


TEXT = '{"kind": "format", "version": 1}\n'


@pytest.mark.parametrize("place", ["page", "roots"])
def test_a_page_that_may_save_files_saves_them(page, tree, place):
    frame = shown(page, tree, place)
    with page.expect_download() as saved:
        frame.evaluate(
            "text => models.progress.receive({ file: 'mine.jsonl', type: 'application/x-ndjson' }, text)", TEXT
        )
    assert saved.value.suggested_filename == "mine.jsonl" and saved.value.path().read_text() == TEXT
    assert frame.locator(".acc-file").count() == 0


@pytest.mark.parametrize("name", ["progress", "takeaway", "player"])
@pytest.mark.parametrize("allowed", ["allow-scripts", "allow-scripts allow-same-origin"])
def test_where_files_are_refused_their_text_is_shown_and_can_be_copied(page, tree, name, allowed):
    frame = shown(page, tree, "frame", allowed)
    give = "([name, file, type, text]) => models[name].receive({ file, type }, text)"
    frame.evaluate("models.veil.set('state', 'shown')")
    frame.evaluate(give, [name, "mine.jsonl", "text/plain", TEXT])
    box = frame.locator(".acc-file")
    assert "may not save files. Here is the text of mine.jsonl" in box.inner_text()
    assert box.get_by_role("textbox", name="mine.jsonl").input_value() == TEXT
    box.get_by_role("button", name="Copy").click()
    box.get_by_role("button", name="Copied").or_(box.get_by_role("button", name="It is selected")).wait_for()
    assert box.get_by_role("textbox").evaluate("box => box.selectionEnd - box.selectionStart") == len(TEXT)
    frame.evaluate(give, [name, "page.png", "image/png", "not a picture"])
    assert "copy or save the picture" in box.inner_text() and box.locator("img").count() == 1
    frame.evaluate(give, [name, "page.pdf", "application/pdf", "%PDF"])
    assert box.count() == 1 and "ask for page.pdf in another form" in box.inner_text()
    assert frame.evaluate("window.wrong") == []


def test_a_frame_that_allows_downloads_saves(page, tree):
    frame = shown(page, tree, "frame", "allow-scripts allow-same-origin allow-downloads")
    with page.expect_download() as saved:
        frame.evaluate("text => models.takeaway.receive({ file: 'design.html', type: 'text/html' }, text)", TEXT)
    assert saved.value.suggested_filename == "design.html"


def test_a_copy_that_the_page_refuses_is_not_called_one(page, tree):
    frame = shown(page, tree, "frame")
    frame.get_by_role("button", name="Copy the token").last.click()
    frame.get_by_text("The token is selected: copy it.").wait_for()
