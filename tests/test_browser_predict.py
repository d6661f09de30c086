"""Predictions in a real browser: what is seen before the guess, what opens the rest, and where the guess is marked."""

import pytest
import toy_chapter
from browser import IN_BROWSER, SHOTS, lab

from accelerator_course import views
from accelerator_lib import roofline
from accelerator_lib.workload import Gemm

pytestmark = [*IN_BROWSER, pytest.mark.story]


@pytest.fixture(scope="module")
def chapter(browser, tmp_path_factory):
    """A chapter in JupyterLab as a learner finds it after its run: its pictures wait."""
    with lab(browser, toy_chapter.NAME, tmp_path_factory.mktemp("lab"), covered=True) as page:
        page.press(2)
        assert page.top < 200
        page.wait_until(lambda: page.page.get_by_text("New questions").count() == 2, 120, "quiz and checkpoint")
        yield page
        assert page.errors == []


def waiting(box):
    return "acc-veiled" in box.get_attribute("class")


def folded(page, id="What you saw"):
    """The takeaways that wait for a picture now; others wait for what is to be tried."""
    return page.page.locator(".acc-folded-first[data-acc-folded*='with the picture']").count()


def spoken(page, box):
    """What the accessibility tree holds below a box: names of all that is not hidden."""
    client = page.page.context.new_cdp_session(page.page)
    document = client.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    box.evaluate("box => box.setAttribute('data-asked', '')")
    node = client.send("DOM.querySelector", {"nodeId": document, "selector": "[data-asked]"})["nodeId"]
    box.evaluate("box => box.removeAttribute('data-asked')")
    tree = client.send("Accessibility.queryAXTree", {"nodeId": node})["nodes"]
    return " ".join(one.get("name", {}).get("value", "") for one in tree if not one["ignored"])


def test_before_the_guess_the_first_frame_is_seen_but_neither_sentence_nor_takeaway_is_seen_or_heard(chapter):
    box = chapter.page.locator(".acc-predict").first
    assert waiting(box) and folded(chapter) == 2
    assert not box.locator("figcaption").is_visible() and box.locator(".acc-screen").is_visible()
    assert box.get_by_text("Your guess first: then the picture answers.").is_visible()
    heard = spoken(chapter, box)
    assert "How long for 128 tokens?" in heard and "Your guess first" in heard and "M, rows of inputs: 1 · " in heard
    assert "sets the pace" not in heard and box.locator(".acc-controls").evaluate("side => side.inert")
    chapter.page.emulate_media(media="print")
    assert box.locator("figcaption").is_visible() and box.locator(".acc-screen").is_visible()
    assert not box.get_by_text("Your guess first: then the picture answers.").is_visible()
    chapter.page.emulate_media(media="screen")


def middle(mark, image):
    """The middle of a mark, as shares of the picture."""
    a, b = mark.bounding_box(), image.bounding_box()
    return (a["x"] + a["width"] / 2 - b["x"]) / b["width"], (a["y"] + a["height"] / 2 - b["y"]) / b["height"]


def tops(box):
    """Where the parts of a box begin, in the page."""
    parts = ("legend", ".acc-buttons", ".acc-beside", ".acc-picture")
    return [box.locator(part).first.bounding_box()["y"] for part in parts]


def test_a_guess_that_is_only_looked_at_lies_on_the_picture_as_a_ghost(chapter):
    box = chapter.page.locator(".acc-predict").first
    image, ghost, line = box.locator(".acc-screen"), box.locator(".acc-mark-guess.acc-mark"), box.locator(".acc-beside")
    box.evaluate("box => box.scrollIntoView()")
    assert ghost.count() == 0 and line.inner_text() == "Alt+O opens all pictures of this page."
    box.get_by_text("18 ms", exact=True).hover()
    chapter.wait_until(lambda: line.inner_text() == "would be your guess: 18 ms", what="the guess in words")
    lowest = middle(ghost, image)
    image.scroll_into_view_if_needed()
    around = image.bounding_box()
    at = [around["x"] + lowest[0] * around["width"], around["y"] + (lowest[1] - 0.17) * around["height"]]
    chapter.page.mouse.click(*at)  # near the spot of 1.1 ms
    chapter.wait_until(lambda: box.get_by_role("radio").nth(1).is_checked(), what="the option that is nearest")
    assert line.inner_text() == "your guess: 1.1 ms" and middle(ghost, image)[1] < lowest[1]
    assert middle(ghost, image)[0] == pytest.approx(lowest[0], abs=0.003)
    assert box.locator(".acc-mark-truth").count() == 0 and waiting(box)


def test_a_guess_by_keyboard_opens_the_picture_and_glides_to_the_truth(chapter):
    page = chapter.page
    box = page.locator(".acc-predict").first
    card = box.locator(".acc-question").first
    box.evaluate("box => box.scrollIntoView()")
    page.mouse.move(5, 500)
    box.screenshot(path=SHOTS / "covered.png")
    box.evaluate("box => box.addEventListener('acc-opened', () => (box.dataset.heard = 'once'))")
    card.get_by_role("radio").nth(0).focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    before = tops(box)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    chapter.wait_until(lambda: not waiting(box), what="the picture")
    apart = lambda found: found[1] - found[0]  # noqa: E731
    assert apart(tops(box)) == pytest.approx(apart(before), abs=1) and box.get_attribute("data-heard") == "once"
    assert card.locator(".acc-feedback").bounding_box()["y"] < tops(box)[2], "the reason stands above the picture"
    assert "143 µs" in box.locator("figcaption").inner_text() and folded(chapter) == 1
    assert card.get_by_role("button", name="Show me without predicting").count() == 0
    assert card.evaluate("card => card.contains(document.activeElement)"), "the keyboard lost its place"
    image, truth = box.locator(".acc-screen"), box.locator(".acc-mark.acc-mark-truth")
    image.scroll_into_view_if_needed()
    start, (guess,) = middle(truth, image), [middle(box.locator(".acc-mark.acc-mark-guess"), image)]
    assert start[0] == pytest.approx(guess[0], abs=0.04) and start[1] <= guess[1] + 0.04  # the glide may have begun
    label = box.locator(".acc-mark-label.acc-mark-truth")
    chapter.wait_until(lambda: label.count() == 1, what="the truth")
    assert (
        label.inner_text() == "143 µs" and box.locator(".acc-mark-label").get_by_text("your guess: 1.1 ms").is_visible()
    )
    assert "your guess is 7.7 times too much" in box.locator(".acc-beside").inner_text()
    assert apart(tops(box)) == pytest.approx(apart(before), abs=1)
    view = views.roofline.Roofline(intensity=(0.3, 3e4), flops_per_s=(1e11, 1e16))
    placed = roofline.place(Gemm(128, 28672, 8192), "h100-sxm5")
    view.marks(placed)
    left, _, top, _ = view.place("y", placed.flops_per_s)
    assert middle(truth, image) == pytest.approx((left, top), abs=0.004)
    box.screenshot(path=SHOTS / "guessed.png")
    box.evaluate("box => box.scrollIntoView()")
    page.mouse.move(5, 500)
    page.wait_for_timeout(400)
    page.screenshot(path=SHOTS / "browser.png")


def test_the_marks_go_with_the_first_move_and_come_back_on_request(chapter):
    box = chapter.page.locator(".acc-predict").first
    marks = box.locator(".acc-mark")
    box.get_by_role("slider", name="M, rows of inputs").focus()
    chapter.page.keyboard.press("ArrowRight")
    chapter.wait_until(lambda: marks.count() == 0, what="a picture without marks")
    box.get_by_role("button", name="Show my guess again").click()
    chapter.wait_until(lambda: box.locator(".acc-mark-label").count() == 2, what="the marks")
    assert "143 µs" in box.locator("figcaption").inner_text()


def test_the_second_prediction_waits_again_and_reduced_motion_is_respected(chapter):
    page = chapter.page
    box = page.locator(".acc-predict").first
    page.emulate_media(reduced_motion="reduce")
    box.get_by_role("button", name="Next prediction").focus()
    page.keyboard.press("Enter")
    card = box.locator(".acc-question").nth(1)
    chapter.wait_until(lambda: waiting(box) and card.count() == 1, what="the second question")
    chapter.wait_until(lambda: card.evaluate("card => card.contains(document.activeElement)"), what="the keyboard")
    assert not box.locator("figcaption").is_visible() and box.locator(".acc-mark, .acc-pill").count() == 0
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    truth = box.locator(".acc-pill.acc-mark-truth")
    chapter.wait_until(
        lambda: truth.is_visible() and truth.inner_text() == "x1.64", what="the truth beside the picture"
    )
    assert "it is 48 % less" in box.locator(".acc-beside").inner_text()
    assert truth.evaluate("pill => getComputedStyle(pill).opacity") == "1"  # at once, without a glide
    assert box.get_by_text("your guess: x3.17").is_visible()
    page.emulate_media(reduced_motion="no-preference")


def test_one_key_opens_everything_but_not_while_one_types(chapter):
    page = chapter.page
    box = page.locator(".acc-predict").nth(1)
    page.locator(".acc-explain textarea").first.focus()
    page.keyboard.press("Alt+o")
    assert waiting(box)
    box.get_by_role("radio").first.focus()
    page.keyboard.press("Alt+o")
    chapter.wait_until(lambda: not waiting(box), 2, "the picture")
    assert box.locator("figcaption").is_visible() and folded(chapter) == 0
    box.get_by_role("radio").first.check()
    box.get_by_role("button", name="Commit").click()  # the question stands all the same
    chapter.wait_until(lambda: "not “higher, near 410”" in box.inner_text(), what="the verdict")


def test_the_second_press_of_a_double_click_does_not_hit_what_has_come_into_the_place(chapter):
    page = chapter.page
    box = page.locator(".acc-predict").first
    box.evaluate("""box => {
        const one = Object.assign(document.createElement("button"), { textContent: "one" });
        one.onclick = () => (one.replaceWith(two), (two.dataset.hits = 0));
        const two = Object.assign(document.createElement("button"), { textContent: "two", className: "tried" });
        two.onclick = () => two.dataset.hits++;
        box.prepend(one);
        box.scrollIntoView();
    }""")
    at = box.locator("button").first.bounding_box()
    page.mouse.dblclick(at["x"] + 5, at["y"] + 5)
    two = box.locator(".tried")
    assert two.get_attribute("data-hits") == "0"
    two.click()
    assert two.get_attribute("data-hits") == "1"
    two.evaluate("two => two.remove()")


def test_a_picture_can_be_seen_when_the_kernel_is_gone(chapter):
    page, box = chapter.page, chapter.page.locator(".acc-predict").nth(1)
    assert chapter.errors == []
    box.evaluate("box => box.remove()")
    page.evaluate("""async () => {
        const notebook = window.jupyterapp.shell.currentWidget.content;
        notebook.activeCellIndex = notebook.widgets.findIndex((cell) => cell.model.id === 'wall-panel');
        await window.jupyterapp.commands.execute('notebook:run-cell');
        await window.jupyterapp.shell.currentWidget.sessionContext.shutdown();
    }""")
    chapter.wait_until(lambda: waiting(box), what="the panel made anew")
    page.wait_for_timeout(1500)
    box.get_by_role("button", name="Show me without predicting").click()
    chapter.wait_until(lambda: not waiting(box), 2, "the picture")
    assert box.locator("figcaption").is_visible() and box.locator("figure").first.is_visible()
    assert all("Cannot send" in error for error in chapter.errors)
    chapter.errors.clear()  # widgets still write to a kernel that has gone
