"""Chapter 3 in JupyterLab, in a real browser: what a student does, by mouse and by keyboard alone.

Screenshots go to build/screenshots; `make images` copies those that the README shows.
"""

import re

import pytest
import toy_chapter
from browser import IN_BROWSER, SHOTS, drag, every_panel_answers, lab, solve

pytestmark = [*IN_BROWSER, pytest.mark.story]

M = "M, rows of inputs"


@pytest.fixture(scope="module")
def chapter(browser, tmp_path_factory):
    """A small chapter in JupyterLab, run from top to bottom."""
    with lab(browser, toy_chapter.NAME, tmp_path_factory.mktemp("lab")) as page:
        page.press(0.5)
        assert page.top < 200
        page.wait_until(lambda: page.page.locator(".acc-panel").count() >= 3, 90, "the last panel")
        page.wait_until(lambda: page.page.get_by_text("New questions").count() == 2, 60, "quiz and checkpoint")
        page.wait_until(lambda: page.page.locator("[data-mime-type*=stderr]").count() == 0, 5, "silence on stderr")
        yield page
        assert page.errors == []


def first_panel(page):
    """The roofline panel, brought back to its starting state."""
    panel = page.panel(M).first
    panel.get_by_role("button", name="Reset").click()
    page.wait_until(
        lambda: page.sentence(panel).startswith("1 FLOP per byte on NVIDIA H100"), what="the starting state"
    )
    return panel


def question(page, words):
    """The question card with these words."""
    return page.page.locator(".acc-question").filter(has_text=words).first


def test_dragging_a_slider_changes_picture_and_sentence(chapter):
    panel = first_panel(chapter)
    picture, sentence = chapter.picture(panel), chapter.sentence(panel)
    assert "memory sets the pace" in sentence
    drag(chapter, panel, M, 0.9)
    chapter.wait_until(lambda: "arithmetic sets the pace" in chapter.sentence(panel), what="the new sentence")
    chapter.wait_until(lambda: chapter.picture(panel) != picture, what="the new picture")
    screen = "e.querySelector('.acc-screen').getAttribute('aria-label')"
    said = f"e => [{screen}, e.querySelector('figcaption').textContent]"  # both in one instant
    alternative, heading = panel.evaluate(said)
    assert alternative == heading
    panel.get_by_role("button", name="Reset").click()
    chapter.wait_until(lambda: chapter.sentence(panel) == sentence, what="the starting state")


def test_arrow_keys_move_sliders_and_menus_and_stay_there(chapter):
    panel = first_panel(chapter)
    handle = panel.get_by_role("slider", name=M, exact=True)
    sentence = chapter.sentence(panel)
    handle.focus()
    chapter.page.keyboard.press("End")
    chapter.wait_until(lambda: "3,277 FLOP per byte" in chapter.sentence(panel), what="the far end")
    assert handle.get_attribute("aria-valuetext") == "16,384"
    chapter.page.keyboard.press("Home")
    chapter.wait_until(lambda: chapter.sentence(panel) == sentence, what="the near end")
    menu = panel.get_by_role("combobox", name="chip")
    menu.focus()
    chapter.page.keyboard.press("ArrowDown")
    chapter.wait_until(lambda: chapter.sentence(panel) != sentence, what="another chip")
    assert menu.evaluate("element => element === document.activeElement")


def test_every_control_has_a_name_and_the_sentence_a_voice(chapter):
    for role in ("slider", "combobox", "button", "textbox", "radio"):
        for element in chapter.page.locator(".acc-panel, .acc-question").get_by_role(role).all():
            said = element.get_attribute("aria-label") or element.get_attribute("aria-labelledby")
            name = said or element.inner_text()
            assert name.strip() or role == "radio", element.evaluate("e => e.outerHTML")
    panel = first_panel(chapter)
    voice = panel.locator(".acc-hush[role=status]")
    panel.get_by_role("slider").first.focus()
    chapter.page.keyboard.press("ArrowRight")
    chapter.wait_until(lambda: "FLOP per byte" in voice.text_content(), what="the announcement")


def test_a_prediction_by_keyboard_alone_tells_why_and_sets_the_panel(chapter):
    card = question(chapter, "How long for 128 tokens?")
    card.scroll_into_view_if_needed()
    card.get_by_role("radio").first.focus()
    chapter.page.keyboard.press("Space")
    chapter.page.keyboard.press("ArrowDown")
    assert card.get_by_role("radio").nth(1).is_checked()
    chapter.page.keyboard.press("Tab")
    chapter.page.keyboard.press("Enter")
    feedback = card.locator(".acc-feedback")
    chapter.wait_until(lambda: "It is 143 µs, not 1.1 ms." in feedback.inner_text(), what="the verdict")
    assert "It fills 0.3 %." in feedback.inner_text() and "belie" not in feedback.inner_text()
    panel = chapter.panel(M).first
    chapter.wait_until(lambda: "143 µs" in chapter.sentence(panel), what="the panel at the answer")
    chapter.page.locator(".acc-predict").filter(has=card).first.screenshot(path=SHOTS / "prediction.png")


def quiz_deck(page):
    """The quiz of the chapter: its cards, one of which is seen."""
    return page.page.locator(".acc-deck").filter(has_text=re.compile(r"Question \d of 5"))


def on_the(page, name):
    """Whether the focus is on the legend of the card with this name, in view."""
    where = """() => { const e = document.activeElement, y = e.getBoundingClientRect().y;
        return [e.tagName, e.closest('form')?.querySelector('.acc-kicker').textContent, y > 0 && y < innerHeight] }"""
    return page.page.evaluate(where) == ["LEGEND", name, True]


def test_a_whole_quiz_by_keyboard_one_card_at_a_time_and_nothing_jumps(chapter):
    page, keyboard, deck = chapter.page, chapter.page.keyboard, quiz_deck(chapter)
    card = deck.locator(".acc-card:visible")
    deck.scroll_into_view_if_needed()
    wrong = 0
    for place in range(1, 6):
        assert card.count() == 1 and f"Question {place} of 5" in card.inner_text()
        next_button = deck.get_by_role("button", name="▶")
        assert next_button.is_enabled()  # whoever does not know it may go on
        box = deck.bounding_box()
        solve(card, keyboard)
        feedback = card.locator(".acc-feedback")
        chapter.wait_until(
            lambda feedback=feedback: re.search("Right|Not yet", feedback.inner_text()), what="a verdict"
        )
        assert card.evaluate("card => card.contains(document.activeElement)"), "the keyboard lost its place"
        if "Not yet" in feedback.inner_text():
            wrong += 1
            card.get_by_role("button", name="Show the answer").focus()
            keyboard.press("Enter")
        chapter.wait_until(lambda: card.get_by_role("button", name="Check").count() == 0, what="a closed card")
        assert card.get_by_role("button", name="Hint").count() == card.get_by_role("button", name="Show").count() == 0
        assert card.locator(".acc-badge[data-sign=right], .acc-rows:not(.acc-ghost) li").count() >= 1
        assert deck.bounding_box() == pytest.approx(box, abs=1), "the page jumped"
        card.screenshot(path=SHOTS / f"quiz-{place}.png")
        next_button.focus()
        keyboard.press("Enter")
        if place < 5:
            chapter.wait_until(lambda place=place: on_the(chapter, f"Question {place + 1} of 5"), what="the next card")
    assert wrong
    chapter.wait_until(lambda: "of 5 points" in card.inner_text(), what="the result")
    deck.get_by_role("button", name="Back").focus()
    keyboard.press("Enter")
    chapter.wait_until(lambda: on_the(chapter, "Question 5 of 5"), what="a closed card again")
    assert card.get_by_role("radio").count() == card.locator("input:disabled").count()
    deck.get_by_role("button", name="▶").focus()
    keyboard.press("Enter")
    deck.screenshot(path=SHOTS / "quiz-result.png")
    assert not re.search(r"\bM\d", page.locator("body").inner_text())


def test_see_it_move_lands_on_a_panel_with_the_focus_on_its_first_control(chapter):
    link = quiz_deck(chapter).locator(".acc-card:visible").get_by_role("link").first
    heading = link.inner_text().removeprefix("See it move: ").partition(", chapter")[0]
    link.focus()
    chapter.page.keyboard.press("Enter")
    where = """() => { const panel = document.activeElement.closest('.acc-panel'), y = panel?.getBoundingClientRect().y;
        return panel !== null && document.activeElement.closest('.acc-controls') !== null && y > -50 && y < innerHeight }"""
    chapter.wait_until(lambda: chapter.page.evaluate(where), what=f"the panel of {heading}")


def test_new_questions_lead_to_their_first_card_and_a_reload_remembers_the_best(chapter):
    page, deck = chapter.page, quiz_deck(chapter)
    best = re.search(r"Your best so far: [\d.]+ of 5", deck.locator(".acc-card:visible").inner_text())[0]
    deck.get_by_role("button", name="New questions").focus()
    page.keyboard.press("Enter")
    chapter.wait_until(lambda: on_the(chapter, "Question 1 of 5"), what="the first of the new questions")
    assert deck.locator(".acc-card:visible").count() == 1 and "1 of 5" in deck.locator(".acc-place").inner_text()
    page.reload()
    chapter.wait_until_idle()
    chapter.run_all()
    remembered = lambda: best in quiz_deck(chapter).text_content()  # noqa: E731  on the last card, not seen yet
    chapter.wait_until(remembered, 90, "the best result, after a reload")
    chapter.wait_until(lambda: page.locator(".acc-panel").count() >= 3, 90, "the last panel")


def test_an_explanation_is_saved_in_a_pause_and_can_then_be_compared(chapter):
    box = chapter.page.locator(".acc-explain")
    box.scroll_into_view_if_needed()
    assert "share each fetch" not in chapter.page.content() and not box.locator("details").is_visible()
    box.get_by_role("textbox").focus()
    chapter.page.keyboard.type("Ask for the batch; a key such as b must reach the box.")
    assert "Not saved yet" in box.locator("[role=status]").inner_text()
    chapter.wait_until(lambda: re.search(r"Saved at \d+:\d+", box.inner_text()), 10, "the confirmation")
    chapter.page.keyboard.type(" And")
    chapter.page.keyboard.press("Tab")  # leaving the box saves at once
    chapter.wait_until(lambda: "Saved at" in box.locator("[role=status]").inner_text(), 10, "the confirmation")
    box.locator("summary").focus()
    chapter.page.keyboard.press("Enter")
    assert "How many users share each fetch of the weights" in box.locator("details").inner_text()
    box.screenshot(path=SHOTS / "explain.png")


def test_an_exercise_says_what_is_asked_then_shows_cases_a_slip_and_code(chapter):
    page = chapter.page
    answers = page.locator(".acc-exercise")
    assert answers.count() == 1 and "Not started: X3.1 asks for" in answers.first.inner_text()
    assert answers.first.locator("table, details").count() == 0
    page.evaluate("""async () => {
        const notebook = window.jupyterapp.shell.currentWidget.content;
        const at = notebook.widgets.findIndex((cell) => cell.model.id === 'x31');
        const source = notebook.widgets[at].model.sharedModel;
        source.setSource(source.getSource().replace('...', 'return flops / peak + bytes_moved / bandwidth + overhead'));
        notebook.activeCellIndex = at;
        await window.jupyterapp.commands.execute('notebook:run-cell');
    }""")
    chapter.wait_until(
        lambda: "Perhaps this: You added the times of arithmetic and memory" in answers.first.inner_text(),
        what="a slip",
    )
    assert answers.first.get_by_role("columnheader").all_inner_texts()[:3] == ["given", "wanted", "yours"]
    answers.first.get_by_text("Show a worked solution").click()
    assert "def kernel_time" in answers.first.locator("pre").inner_text()
    answers.first.get_by_role("button", name="Copy").click()
    chapter.wait_until(lambda: re.search("Copied|Select it", answers.first.inner_text()), what="the copy")
    answers.first.screenshot(path=SHOTS / "exercise.png")


def test_every_panel_of_the_chapter_answers_and_nothing_failed(chapter):
    every_panel_answers(chapter)
    panel = first_panel(chapter)
    drag(chapter, panel, M, 0.45)
    chapter.page.wait_for_timeout(500)
    panel.scroll_into_view_if_needed()
    panel.screenshot(path=SHOTS / "roofline.png")
