"""Panels in a real window: each is seen whole, nothing moves under the pointer, and a run opens with a motion of its own."""

import pytest
from browser import IN_BROWSER, SHOTS, desk, lab

from accelerator_course.widgets import catalog

pytestmark = IN_BROWSER
WINDOWS = {"small": (1024, 768), "laptop": (1366, 768), "large": (1920, 1080)}
PANELS = {name: len(catalog.panels(name)) for name in ("06_systolic", "13_design")}
AROUND = 120  # pixels of the window that a panel leaves free
HIGH = """() => [...document.querySelectorAll('.acc-panel')].map((panel) => [
  Math.ceil(panel.getBoundingClientRect().height), panel.querySelector('figcaption')?.innerText ?? ''])"""
BUTTONS = """panel => [...panel.querySelectorAll('.acc-bar-transport > :is(button, input, select), .acc-more > button, .acc-control')]
  .map((part) => part.getBoundingClientRect()).map(({ x, y, width, height }) => [x, y, width, height])"""


@pytest.fixture(scope="module")
def opens(browser, tmp_path_factory):
    with desk(browser, tmp_path_factory.mktemp("fit")) as opens:
        yield opens


@pytest.mark.parametrize("name", PANELS)
def test_every_panel_is_seen_whole_and_following_moves_no_button(opens, name):
    with opens(f"{name}.ipynb") as page:
        page.run_all()
        page.wait_until(lambda: page.page.locator(".acc-panel").count() >= PANELS[name], 120, "the last panel")
        page.wait_until_idle()
        for window, (wide, high) in WINDOWS.items():
            page.page.set_viewport_size({"width": wide, "height": high})
            fits = lambda high=high: all(tall <= high - AROUND for tall, _ in page.page.evaluate(HIGH))  # noqa: E731
            page.wait_until(
                fits, 20, f"room for every panel in a {window} window, which have {page.page.evaluate(HIGH)}"
            )
            follow(page, f"{name[:2]}-{window}")
        assert page.errors == []


def follow(page, shot):
    """Open the menu of a run, and follow a thing by a click on the picture: what is pressed stays where it is."""
    played = page.page.locator(".acc-panel").filter(has=page.page.locator("output:visible"))
    panel = played.filter(has=page.page.locator(".mark.box[data-who]")).first
    panel.evaluate("panel => panel.scrollIntoView({ block: 'center' })")
    before = at_rest(page, panel)
    assert len(before) >= 7, "a bar and controls"
    panel.get_by_role("button", name="More").click()
    assert panel.locator(".acc-menu").is_visible() and panel.evaluate(BUTTONS) == before
    page.page.keyboard.press("Escape")
    panel.locator(".mark.box[data-who] >> visible=true").last.click()
    page.wait_until(lambda: panel.locator(".acc-story").is_visible(), what="the story")
    page.page.screenshot(path=SHOTS / f"follow-{shot}.png")
    assert panel.evaluate(BUTTONS) == before
    panel.get_by_role("button", name="Let go").click()
    assert panel.locator(".acc-story").is_hidden() and panel.evaluate(BUTTONS) == before


def at_rest(page, panel):
    """Where the buttons are when the page, whose panels above may yet change their height, has been still for a second."""
    seen = []

    def still():
        seen.append(panel.evaluate(BUTTONS))
        page.page.wait_for_timeout(250)
        return len(seen) > 4 and all(places == seen[-1] for places in seen[-5:])

    page.wait_until(still, 20, "a page at rest")
    return seen[-1]


def test_a_run_moves_by_itself_when_first_seen_and_only_once(browser, tmp_path):
    with lab(browser, "06_systolic.ipynb", tmp_path, covered=True) as page:
        page.run_all()
        page.wait_until(lambda: page.page.locator(".acc-panel").count() >= PANELS["06_systolic"], 120, "the last panel")
        page.wait_until_idle()
        covered, first = (page.page.locator(f".acc-at-{name}") for name in ("march", "folds"))
        place = lambda panel: panel.locator("output").text_content()  # noqa: E731
        first.evaluate("panel => panel.scrollIntoView({ block: 'center' })")
        page.wait_until(lambda: place(first) == "cycle 42 of 64", 15, "the middle of the run")
        page.page.wait_for_timeout(900)
        assert place(first) == "cycle 42 of 64", "there it rests"
        record = lambda: "".join(file.read_text() for file in (tmp_path / "progress").rglob("*") if file.is_file())  # noqa: E731
        assert "folds" not in record(), "nobody has tried it"
        first.get_by_role("button", name="Play", exact=True).click()
        assert int(place(first).split()[1]) < 20, "Play shows it from the start"
        first.get_by_role("button", name="Pause").click()
        page.wait_until(lambda: "folds" in record(), 20, "the record of the panel")
        first.get_by_role("button", name="Reset").click()
        page.wait_until(lambda: place(first) == "cycle 1 of 64", what="the start")
        covered.evaluate("panel => panel.scrollIntoView({ block: 'center' })")
        page.page.wait_for_timeout(1500)
        assert place(covered) == "cycle 1 of 22", "what waits for a guess does not move"
        first.evaluate("panel => panel.scrollIntoView({ block: 'center' })")
        page.page.wait_for_timeout(1500)
        assert place(first) == "cycle 1 of 64", "it moves by itself once"
        assert page.errors == []
