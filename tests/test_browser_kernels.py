"""A rung of the kernel ladder in JupyterLab: a kernel is typed, run, replayed, and is there again the next time."""

from math import log

import nbformat
import pytest
from browser import IN_BROWSER, SHOTS, desk

from accelerator_course import ladder
from accelerator_course.ladder import shown as known

pytestmark = [*IN_BROWSER, pytest.mark.story]
COPY = ladder.rung("copy")
NAME = "bench.ipynb"
SIZE = {"width": 1366, "height": 768}
CELL = 'from accelerator_course import widgets\n\nwidgets.kernel("copy")'


@pytest.fixture(scope="module")
def opens(browser, tmp_path_factory):
    """A function that opens a notebook with one rung in it."""
    home = tmp_path_factory.mktemp("lab")
    (home / "notebooks").mkdir()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL, id="rung")])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, home / "notebooks" / NAME)
    with desk(browser, home, viewport=SIZE) as opened:
        yield opened


@pytest.fixture(scope="module")
def bench(opens):
    with opens(NAME) as page:
        page.run_all()
        page.wait_until(lambda: page.page.locator(".acc-kernel").count() == 1, 90, "the bench")
        yield page
        assert page.errors == []


def editor(bench):
    return bench.page.get_by_label("kernel: Strided against contiguous copy")


def written(bench, text):
    """Type a kernel by keyboard; the editor indents by itself."""
    editor(bench).focus()
    bench.page.keyboard.press("Control+a")
    bench.page.keyboard.press("Delete")
    for number, line in enumerate(text.rstrip().split("\n")):
        bench.page.keyboard.press("Enter") if number else None
        bench.page.keyboard.type(line.strip())
    assert editor(bench).input_value() == text.rstrip()


def judged(bench, word):
    """Run by keyboard; what is said then."""
    bench.page.keyboard.press("Control+Enter")
    said = bench.page.locator(".acc-verdict")
    bench.wait_until(lambda: word in said.inner_text(), 40, f"the verdict {word!r}")
    return said.inner_text()


def shot(bench, name):
    bench.page.locator(".acc-kernel").screenshot(path=SHOTS / f"bench-{name}.png")


CUT = """card => [...card.querySelectorAll('textarea, .acc-code')].filter(one => one.offsetParent &&
  one.scrollWidth > one.clientWidth + 1).length"""


def seen(bench, *parts):
    """Whether these parts of the card lie within the window and within all that scrolls around them."""
    inside = """one => { const own = one.getBoundingClientRect(); if (!own.height) return false;
      for (let at = one.parentElement; at; at = at.parentElement) {
        const box = at.getBoundingClientRect(), clips = getComputedStyle(at).overflowY !== 'visible';
        if (clips && box.height && (own.top < box.top - 2 || own.bottom > box.bottom + 2)) return false;
      } return own.top >= 0 && own.bottom <= innerHeight; }"""
    return [part for part in parts if not bench.page.locator(f".acc-kernel {part}").first.evaluate(inside)] == []


def test_at_first_the_task_is_a_line_the_specification_is_folded_and_nothing_was_judged(bench):
    card = bench.page.locator(".acc-kernel")
    above, below = card.locator(".acc-spec").bounding_box(), card.locator(".acc-editor").bounding_box()
    assert above["y"] + above["height"] <= below["y"] and above["height"] < 40 and card.evaluate(CUT) == 0
    card.get_by_text("the same in NumPy").click()
    assert 'return {"out": a.copy()}' in card.locator(".acc-spec").inner_text() and card.evaluate(CUT) == 0
    card.get_by_text("the same in NumPy").click()
    assert editor(bench).input_value() == COPY.blank
    assert "Not run yet" in card.locator(".acc-verdict").inner_text()
    assert "Nothing is read or written yet" in card.locator(".acc-live").inner_text()
    assert card.locator(".acc-gauge [data-of]").count() == 2
    assert card.locator(".acc-numbers span").count() == len(COPY.blank.split("\n"))
    assert not card.get_by_role("button", name="Copy the token").is_visible()
    for name in ("Hint", "Replay"):
        assert card.get_by_role("button", name=name).is_disabled()  # its place is kept
    shot(bench, "start")


@pytest.mark.parametrize("width", [1366, 1024])
def test_the_bench_fits_the_window_and_run_verdict_and_gauge_are_in_view(bench, width):
    bench.page.set_viewport_size({"width": width, "height": 768})
    card = bench.page.locator(".acc-kernel")
    bench.wait_until(lambda: card.bounding_box()["height"] <= 768 - 120, 10, "a card that fits")
    card.evaluate("card => card.scrollIntoView({ block: 'center' })")
    assert seen(bench, ".acc-main", ".acc-verdict", ".acc-gauge", ".acc-editor", ".acc-live", ".acc-ask")
    two = card.locator(".acc-live").bounding_box()["x"] > card.locator(".acc-editor").bounding_box()["x"] + 100
    assert two == (card.bounding_box()["width"] > 800)
    bench.page.screenshot(path=SHOTS / f"bench-fits-{width}.png")
    bench.page.set_viewport_size(SIZE)


@pytest.mark.parametrize("width", [1366, 1024])
def test_run_stays_where_it_is_and_letters_typed_beside_the_editor_cut_no_cell(bench, width):
    bench.page.set_viewport_size({"width": width, "height": 768})
    card, run, mouse = bench.page.locator(".acc-kernel"), bench.page.locator(".acc-kernel .acc-main"), bench.page.mouse
    card.evaluate("card => card.scrollIntoView({ block: 'center' })")
    written(bench, "x = a[thread]\nout[0] = x")
    bench.wait_until(lambda: card.locator(".acc-live svg").count() == 1, 10, "lanes")
    place = run.bounding_box()
    mouse.click(place["x"] + 10, place["y"] + 10)
    bench.wait_until(lambda: "a race" in card.locator(".acc-verdict").inner_text(), 40, "a verdict")
    assert run.bounding_box() == place
    track = card.locator(".acc-gauge .acc-track").first.bounding_box()
    mouse.click(track["x"] + 30, track["y"] + 5)
    bench.page.keyboard.press("x")
    bench.page.wait_for_timeout(200)
    assert card.count() == 1 and editor(bench).input_value().startswith("x = a")
    assert not card.locator(".acc-of").is_visible()
    editor(bench).focus()
    bench.page.keyboard.type("#")
    assert card.locator(".acc-of").is_visible(), "the verdict is of another text"
    bench.page.screenshot(path=SHOTS / f"bench-ran-{width}.png")
    card.get_by_role("button", name="Replay to the fault").click()
    bar = bench.page.locator(".acc-stage .acc-bar-transport")
    bench.wait_until(
        lambda: bar.count() == 1 and bar.bounding_box()["y"] + bar.bounding_box()["height"] <= 768, 15, "its bar"
    )
    bench.page.wait_for_timeout(1500)
    bench.page.screenshot(path=SHOTS / f"bench-replay-{width}.png")
    assert bar.bounding_box()["y"] + bar.bounding_box()["height"] <= 768
    written(bench, COPY.blank)
    judged(bench, "Not begun.")
    bench.page.set_viewport_size(SIZE)


def test_the_lanes_follow_typing_and_say_no_verdict(bench):
    live = bench.page.locator(".acc-live")
    written(bench, COPY.slow.text)
    bench.wait_until(lambda: "32 sectors for 128 bytes" in live.locator("svg").get_attribute("aria-label"), 10, "lanes")
    shot(bench, "typed")
    editor(bench).press("Control+End")
    bench.page.keyboard.press("Enter")
    bench.page.keyboard.type("out[n] = 1.0")
    bench.wait_until(lambda: "out ends at out[" in live.inner_text(), 10, "what stops it")
    bench.page.keyboard.press("Enter")
    bench.page.keyboard.type("while (")
    bench.wait_until(lambda: live.locator(".acc-old svg").count() == 1, 10, "an older picture")
    assert "Not begun" in bench.page.locator(".acc-verdict").inner_text(), "typing is no verdict"
    bench.page.get_by_role("button", name="Start again").click()
    bench.wait_until(lambda: live.locator("svg").count() == 0, 10, "nothing to draw")


def test_what_was_not_begun_is_not_wrong(bench):
    editor(bench).focus()
    assert COPY.task in judged(bench, "Not begun.")
    assert bench.page.locator(".acc-verdict").get_attribute("data-verdict") == ""


def test_a_race_opens_the_replay_at_its_access_with_both_threads_marked(bench):
    written(bench, "x = a[thread]\nout[0] = x")
    judged(bench, "a race")
    assert "Where it goes wrong" in bench.page.locator(".acc-live").inner_text()
    shot(bench, "race")
    bench.page.get_by_role("button", name="Replay to the fault").click()
    stage = bench.page.locator(".acc-stage:has(.acc-screen)")
    said = stage.locator("figcaption")
    bench.wait_until(lambda: "Here it goes wrong: out[0] is written by" in said.inner_text(), 15, "the fault")
    for who in ("thread 0 of block 0", "thread 1 of block 0"):
        assert stage.locator(".mark.box.bad", has_text=who).count() == 1
    assert stage.locator(".mark.box.bad[data-who^='lane ']").count() == 2
    stage.screenshot(path=SHOTS / "bench-replay-race.png")
    written(bench, COPY.blank)


def test_a_long_line_wraps_and_the_numbers_follow_it(bench):
    written(bench, "#" + " a long remark" * 20 + "\ni = 1\nj = 2")
    rows = bench.page.locator(".acc-numbers span")
    first, second = (rows.nth(i).bounding_box() for i in range(2))
    assert first["height"] >= 2 * second["height"] == 2 * 19 and bench.page.locator(".acc-kernel").evaluate(CUT) == 0
    bench.page.get_by_role("button", name="Start again").click()


def test_tab_indents_and_escape_and_tab_leave_the_editor(bench):
    editor(bench).focus()
    bench.page.keyboard.press("Control+Home")
    bench.page.keyboard.press("Tab")
    assert editor(bench).input_value() == "    " + COPY.blank
    bench.page.keyboard.press("Control+z")
    assert editor(bench).input_value() == COPY.blank
    bench.page.keyboard.press("Escape")
    bench.page.keyboard.press("Tab")
    assert bench.page.evaluate("document.activeElement.textContent") == "Run"
    bench.page.keyboard.press("Shift+Tab")
    assert editor(bench).evaluate("box => box === document.activeElement")
    assert editor(bench).input_value() == COPY.blank


def test_a_wrong_kernel_is_told_where_and_its_line_is_marked(bench):
    written(bench, "PER_BLOCK = 2048\ni = block * PER_BLOCK + thread\nout[i + n] = a[i]")
    assert "line 3" in judged(bench, "Not right yet").lower()
    assert bench.page.locator(".acc-blamed").inner_text().strip() == "3"
    shot(bench, "wrong")


def test_a_slow_kernel_is_scored_and_its_hint_names_the_sectors(bench):
    written(bench, COPY.slow.text)
    assert "times the par" in judged(bench, "Right.")
    bench.page.get_by_role("button", name="Hint", exact=True).focus()
    bench.page.keyboard.press("Enter")
    hint = bench.page.locator(".acc-hints li").first
    bench.wait_until(lambda: "32 sectors for 128 bytes" in hint.inner_text(), 10, "a hint")
    bench.wait_until(lambda: bench.page.locator(".acc-gauge [data-of]").count() == 4, 20, "the slow kernel's score")
    shot(bench, "slow")


def test_the_gauge_is_logarithmic_and_says_its_marks(bench):
    gauge, bound, worst = bench.page.locator(".acc-gauge"), COPY.bound, known.score("copy")
    places = {
        name: float(gauge.locator(f"[data-of='{name}'] i").evaluate("one => parseFloat(one.style.left)"))
        for name in ("no kernel beats", "par", "yours", "a slow one")
    }
    width = places["a slow one"] - places["no kernel beats"]
    ticks = gauge.locator(".acc-ticks .acc-track span").evaluate_all(
        "all => all.map(o => [o.textContent, o.style.left])"
    )
    assert width > 50 and [words for words, _ in ticks] == ["1 ×", "2 ×", "5 ×"][: len(ticks)] and len(ticks) > 1
    for words, left in ticks:
        far = log(float(words.split()[0])) / log(worst / bound)
        assert float(left[:-1]) == pytest.approx(places["no kernel beats"] + width * far, abs=0.05)
    told = gauge.get_attribute("aria-label")
    assert all(f"{name} " in told for name in places) and f"{worst:,.0f} bytes" in told


def test_its_replay_plays_and_is_walked_by_keyboard(bench):
    bench.page.get_by_role("button", name="Replay").click()
    stage = bench.page.locator(".acc-stage:has(.acc-screen)")
    said = stage.locator("figcaption")
    bench.wait_until(lambda: "Access 1 of" in said.inner_text(), 10, "the replay")
    stage.screenshot(path=SHOTS / "bench-replay-start.png")
    bench.wait_until(lambda: stage.locator(".acc-place").inner_text().endswith("of 128"), 10, "the whole run")
    stage.get_by_role("button", name="Play", exact=True).click()
    bench.wait_until(lambda: "Access 4 of" in said.inner_text(), 20, "the fourth access")
    stage.locator(".acc-screen").focus()
    bench.page.keyboard.press("ArrowRight")
    for _ in range(8):
        bench.page.keyboard.press("ArrowRight")
    stage.screenshot(path=SHOTS / "bench-replay-middle.png")
    bench.page.keyboard.press("End")
    bench.wait_until(lambda: "32 sectors for 128 bytes" in said.inner_text(), 10, "the last access")
    stage.screenshot(path=SHOTS / "bench-replay-end.png")


def test_at_par_there_is_a_star_a_token_and_cuda_and_the_old_replay_is_gone(bench):
    written(bench, COPY.worked.text)
    assert "You reach the par" in judged(bench, "★ Right.")
    bench.wait_until(lambda: bench.page.locator(".acc-screen").count() == 0, 10, "an empty place")
    bench.page.get_by_text("The same kernel as CUDA C").click()
    assert "__global__" in bench.page.get_by_label("CUDA C").inner_text()
    bench.page.get_by_text("Why is it slow? Time by cause, counters by array and by line").click()
    assert "out[i] = a[i]" in bench.page.locator(".acc-by-line").inner_text()
    bench.wait_until(lambda: bench.page.locator(".acc-causes p").count() > 1, 20, "the time by cause")
    assert "Time by cause: memory bandwidth" in bench.page.locator(".acc-causes").get_attribute("aria-label")
    assert "Try next: ask for 4 numbers" in bench.page.locator(".acc-busiest").inner_text()
    assert bench.page.get_by_label("token of your kernels").input_value().startswith("KRN1-")
    shot(bench, "par")


def test_start_again_brings_the_blank_kernel_and_the_same_button_brings_back_what_was_there(bench):
    bench.page.get_by_role("button", name="Start again").click()
    assert editor(bench).input_value() == COPY.blank
    bench.page.get_by_role("button", name="Bring my kernel back").click()
    assert editor(bench).input_value() == COPY.worked.text.rstrip()


def test_on_a_narrow_screen_nothing_is_cut_off(bench):
    card = bench.page.locator(".acc-kernel")
    bench.page.set_viewport_size({"width": 420, "height": 2000})
    bench.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    bench.page.wait_for_timeout(500)
    inside = "card => [...card.querySelectorAll('button, .acc-verdict, .acc-editor')].every(one => "
    inside += "one.getBoundingClientRect().right <= card.getBoundingClientRect().right + 1)"
    assert card.evaluate(inside) and card.evaluate("card => card.scrollWidth <= card.clientWidth + 1")
    shot(bench, "narrow")
    bench.page.set_viewport_size(SIZE)


def test_what_was_typed_is_there_when_the_notebook_is_opened_anew(bench, opens):
    text = "# half a thought\ni = block * PER_BLOCK"
    written(bench, text)
    bench.wait_until(lambda: "✔ Saved" in bench.page.locator(".acc-kernel .acc-saved").inner_text(), 10, "saved")
    with opens(NAME) as other:
        other.run_all()
        other.wait_until(lambda: other.page.locator(".acc-kernel").count() == 1, 90, "the bench again")
        assert editor(other).input_value() == text
        assert "Kept from before" in other.page.locator(".acc-kernel .acc-saved").inner_text()
        assert other.errors == []
