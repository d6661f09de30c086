"""Panels in a real window: each is seen whole, nothing moves under the pointer, and a run opens with a motion of its own."""

import re

import pytest
from browser import IN_BROWSER, SHOTS, desk, lab

pytestmark = IN_BROWSER
WINDOWS = {"small": (1024, 768), "laptop": (1366, 768), "large": (1920, 1080)}
PANELS = {"02_memory": 15, "06_systolic": 14, "13_design": 22}
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
    page.page.wait_for_timeout(300)
    before = panel.evaluate(BUTTONS)
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


def test_a_run_moves_by_itself_when_first_seen_and_any_key_ends_it(browser, tmp_path):
    with lab(browser, "06_systolic.ipynb", tmp_path, covered=True) as page:
        page.run_all()
        page.wait_until(lambda: page.page.locator(".acc-panel").count() >= PANELS["06_systolic"], 120, "the last panel")
        page.wait_until_idle()
        runs = page.page.locator(".acc-panel").filter(has=page.page.locator(".acc-stage output"))
        place = lambda panel: panel.locator("output").inner_text()  # noqa: E731
        free = [runs.nth(i) for i in range(runs.count()) if not runs.nth(i).evaluate("p => p.closest('.acc-veiled')")]
        covered = page.page.locator(".acc-veiled .acc-panel").filter(has=page.page.locator(".acc-stage output")).first
        first = free[0]
        first.evaluate("panel => panel.scrollIntoView({ block: 'center' })")
        page.wait_until(lambda: place(first) == "cycle 9 of 16", 15, "the middle of the run")
        page.page.wait_for_timeout(900)
        assert place(first) == "cycle 9 of 16", "there it rests"
        record = tmp_path / "progress"
        tried = lambda: any("march" in file.read_text() for file in record.rglob("*") if file.is_file())  # noqa: E731
        assert not tried(), "nobody has tried it"
        first.get_by_role("button", name="Play").click()
        assert re.fullmatch(r"cycle [12] of 16", place(first)), "Play shows it from the start"
        page.wait_until(tried, 20, "the record of the panel")
        covered.evaluate("panel => panel.scrollIntoView({ block: 'center' })")
        page.page.wait_for_timeout(1500)
        assert covered.locator("output").text_content().split()[1] == "1", "what waits for a guess does not move"
