"""How long from a key press on a slider to the changed picture, in JupyterLab in headless Chromium.

    python tests/benchmarks/slider_latency.py [presses]

Prints the median and the 95th percentile in ms for the roofline panel, and the pictures shown during a drag.
"""

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from browser import lab, session

WATCH = """
() => { const image = window.__panel.querySelector("figure img"); window.__old = image.src;
        document.addEventListener("keydown", () => { window.__start = performance.now(); }, { capture: true, once: true }); }
"""
CHANGED = """
() => new Promise((done) => {
  const look = () => {
    const image = window.__panel.querySelector("figure img");
    if (image && image.complete && image.src !== window.__old) done(performance.now() - window.__start);
    else if (performance.now() - window.__start > 5000) done(null);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})
"""


def main(presses=40):
    with session() as browser, tempfile.TemporaryDirectory() as home, lab(browser, "03_roofline.ipynb", home) as page:
        page.run_all()
        page.wait_until(lambda: page.page.locator(".acc-panel").count() >= 14, 90, "the panels")
        page.page.wait_for_timeout(6000)
        panel = page.panel("M, rows of inputs").first
        panel.evaluate("(element) => { window.__panel = element; }")
        panel.get_by_role("slider", name="M, rows of inputs", exact=True).focus()
        times = []
        for _ in range(presses):
            page.page.evaluate(WATCH)
            page.page.keyboard.press("ArrowRight")
            times.append(page.page.evaluate(CHANGED))
            page.page.wait_for_timeout(120)
        shown = sorted(time for time in times if time is not None)
        p95 = shown[round(0.95 * (len(shown) - 1))]
        print(f"{len(shown)} of {presses} presses: median {statistics.median(shown):.0f} ms, p95 {p95:.0f} ms")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
