"""The steppers of chapters 1 and 4 in JupyterLab: they play, are pinned and stepped without the mouse, and end right."""

from browser import IN_BROWSER, SHOTS, lab

pytestmark = IN_BROWSER


def stepper(page, words):
    """The panel whose picture begins with these words."""
    found = page.page.locator(".acc-panel").filter(has=page.page.locator("figcaption", has_text=words))
    page.wait_until(lambda: found.count() == 1, 120, f"the panel that says {words!r}")
    panel = page.page.locator(".acc-panel").nth(
        found.evaluate("p => [...document.querySelectorAll('.acc-panel')].indexOf(p)")
    )
    panel.scroll_into_view_if_needed()
    return panel


def test_a_window_slides_and_a_pixel_tells_how_often_it_was_copied(browser, tmp_path):
    with lab(browser, "01_workload.ipynb", tmp_path) as page:
        page.run_all()
        panel = stepper(page, "The window lies on patch 1 of 16")
        screen = panel.locator(".acc-screen")
        screen.focus()
        page.page.keyboard.press("ArrowRight")
        page.wait_until(lambda: "patch 2 of 16" in page.sentence(panel), what="the second patch")
        page.page.keyboard.press("End")
        page.wait_until(lambda: "144 numbers, 4 times the image" in page.sentence(panel), what="the whole matrix")
        panel.locator(".mark[data-who='pixel 3, 3']").first.click()
        page.wait_until(
            lambda: "copied 9 times" in panel.locator(".acc-story").inner_text(), what="the story of a pixel"
        )
        panel.screenshot(path=SHOTS / "im2col.png")
        page.page.keyboard.press("Escape")
        panel.get_by_role("slider", name="padding").focus()
        page.page.keyboard.press("ArrowRight")
        page.wait_until(lambda: "patch 1 of 36" in page.sentence(panel), what="the padded image")
        assert page.errors == []


def test_tiles_and_blocks_move_and_their_counters_end_at_the_formulas(browser, tmp_path):
    with lab(browser, "04_tiling.ipynb", tmp_path) as page:
        page.run_all()
        panel = stepper(page, "Nothing has moved yet; the formula says 35.7 MB")
        panel.get_by_role("button", name="Play").click()
        page.wait_until(lambda: "Tile 1 of 64" in page.sentence(panel), what="the first strip")
        panel.locator(".acc-screen").focus()
        page.page.keyboard.press("End")
        page.wait_until(lambda: "All 64 tiles are written: 35.7 MB" in page.sentence(panel), what="the end of the walk")
        panel.screenshot(path=SHOTS / "odometer.png")
        panel.get_by_role("slider", name="tile").or_(panel.get_by_role("combobox", name="tile")).first.focus()
        page.page.keyboard.press("ArrowRight")
        page.wait_until(lambda: "sums take every register" in page.sentence(panel), what="tiles of 256")
        softmax = stepper(page, "nothing is summed yet")
        softmax.locator(".acc-screen").focus()
        page.page.keyboard.press("End")
        page.wait_until(lambda: "Block 8, added" in page.sentence(softmax), what="the last block")
        softmax.screenshot(path=SHOTS / "stream.png")
        flash = stepper(page, "Nothing has moved yet: flash")
        flash.locator(".acc-screen").focus()
        page.page.keyboard.press("End")
        page.wait_until(lambda: "none was written: 2.36 MB" in page.sentence(flash), what="the last block of scores")
        page.page.keyboard.press("ArrowLeft")
        page.wait_until(lambda: "Block 64 of 64" in page.sentence(flash), what="the one before")
        flash.screenshot(path=SHOTS / "flash.png")
        assert page.errors == []
