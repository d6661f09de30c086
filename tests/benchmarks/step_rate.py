"""Pictures a second while the steppers of a chapter play at their fastest, ten steps a second, in JupyterLab.

.venv/bin/python tests/benchmarks/step_rate.py [06_systolic]
"""

import statistics
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from browser import lab, session

SECONDS = 5
WATCH = """panel => {
  window.seen = [];
  let last = null;
  new MutationObserver(() => {
    const said = panel.querySelector("figcaption")?.textContent;
    if (said !== last) { last = said; window.seen.push(performance.now()); }
  }).observe(panel, { childList: true, subtree: true, characterData: true });
}"""
FULLEST = {"rows": 4, "cols": 4, "length of the stream": 40}  # arrow keys: an array of 8 x 8 with all its numbers


def main(name="06_systolic"):
    with session() as browser, tempfile.TemporaryDirectory() as home, lab(browser, f"{name}.ipynb", home) as page:
        page.run_all()
        page.wait_until(lambda: page.page.get_by_text("New questions").count() >= 1, 120, "the end of the chapter")
        for panel in page.page.locator(".acc-panel").all():
            if not panel.get_by_role("button", name="Play").count():
                continue
            panel.scroll_into_view_if_needed()
            for control, presses in FULLEST.items():
                for handle in panel.get_by_role("slider", name=control, exact=True).all():
                    handle.focus()
                    for _ in range(presses):
                        page.page.keyboard.press("ArrowRight")
            panel.get_by_role("combobox", name="speed").select_option(label="fast (10 a second)")
            page.page.wait_for_timeout(2000)
            panel.evaluate(WATCH)
            panel.get_by_role("button", name="Play").click()
            page.page.wait_for_timeout(1000 * SECONDS)
            seen = page.page.evaluate("window.seen")
            gaps = [after - before for before, after in pairwise(seen)]
            told = f"median {statistics.median(gaps):4.0f} ms, longest {max(gaps):4.0f} ms" if gaps else "not one"
            print(f"{len(seen):3} pictures, between two {told}: {page.sentence(panel)[:60]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
