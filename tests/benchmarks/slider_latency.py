"""How long from a key press on a control to the changed picture, in JupyterLab in headless Chromium.

    python tests/benchmarks/slider_latency.py [notebook panel control presses]
    python tests/benchmarks/slider_latency.py 06_systolic march rows 40
    python tests/benchmarks/slider_latency.py 06_systolic march,afar,flows all

A panel is named by its id, a control by its label; `step` is the scrubber of a stepper, `all` are all controls. Keys
go to one end and back. Prints the median and the 95th percentile in ms.
"""

import json
import re
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from browser import ROOT, lab, session

WATCH = """
panel => { window.__panel = panel; window.__old = panel.querySelector("figcaption").textContent;
           document.addEventListener("keydown", () => { window.__start = performance.now(); }, { capture: true, once: true }); }
"""
CHANGED = """
() => new Promise((done) => {
  const look = () => {
    if (window.__panel.querySelector("figcaption").textContent !== window.__old) done(performance.now() - window.__start);
    else if (performance.now() - window.__start > 3000) done(null);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})
"""
PLACE = """
control => control.tagName === "SELECT" ? [control.selectedIndex, 0, control.options.length - 1]
         : ["now", "min", "max"].map((end) => Number(control.getAttribute("aria-value" + end)))
"""
NAMES = """
panel => [...panel.querySelectorAll("[role=slider], select, input[type=checkbox]")]
         .map((control) => control.getAttribute("aria-label")).filter((name) => name && name !== "speed")
"""


def main(notebook="03_roofline", panel="dot", control="M, rows of inputs", presses=40):
    ids = panels(notebook)
    with session() as browser, tempfile.TemporaryDirectory() as home, lab(browser, f"{notebook}.ipynb", home) as page:
        page.run_all()
        page.wait_until(lambda: page.page.locator(".acc-panel").count() >= len(ids), 120, "the panels")
        page.page.wait_for_timeout(6000)
        for name in panel.split(","):
            place = page.page.locator(".acc-panel").nth(ids.index(name))
            place.scroll_into_view_if_needed()
            for each in place.evaluate(NAMES) if control == "all" else [control]:
                print(f"{name:<10} {each:<34} {told(measured(page, place, each, int(presses)))}", flush=True)


def panels(notebook):
    """The ids of a notebook's panels, in order."""
    cells = json.loads((ROOT / "notebooks" / f"{notebook}.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    built = [source for source in code if re.search(r"\b(explore|step)\(", source)]
    return [id for source in built for id in re.findall(r"\bid=\"([^\"]+)\"", source)]


def measured(page, place, name, presses):
    """Milliseconds of each press that changed the picture."""
    control = place.locator(
        f'[role=slider][aria-label="{name}"], select[aria-label="{name}"], input[aria-label="{name}"]'
    )
    control.first.focus()
    switch, forward, times = control.first.get_attribute("type") == "checkbox", True, []
    for _ in range(presses):
        now, low, high = (0, 0, 0) if switch else control.first.evaluate(PLACE)
        forward = now < high if forward else now <= low
        key = "Space" if switch else "ArrowDown" if forward else "ArrowUp"
        if not switch and control.first.get_attribute("role") == "slider":
            key = "ArrowRight" if forward else "ArrowLeft"
        place.evaluate(WATCH)
        page.page.keyboard.press(key)
        times.append(page.page.evaluate(CHANGED))
        page.page.wait_for_timeout(120)
    return times


def told(times):
    shown = sorted(time for time in times if time is not None)
    if not shown:
        return "no press changed the picture"
    p95 = shown[round(0.95 * (len(shown) - 1))]
    return f"{len(shown)} of {len(times)} presses: median {statistics.median(shown):.0f} ms, p95 {p95:.0f} ms"


if __name__ == "__main__":
    main(*sys.argv[1:])
