"""Pages of a built site, chapter by chapter: what a first touch costs, and what every later one does, in Chromium.

    make site; PYTHONPATH=tests .venv/bin/python tests/benchmarks/pages.py build/site [03_roofline ...]

For each chapter a fresh browser: kB of the page before anything is touched (compressed), ms until the first slider that is
touched answers, s until Python answers, the same s on a second page, and ms of an answer, 95 % of 40 moves. Not run by CI.
"""

import gzip
import sys
from pathlib import Path

from browser import FLAGS, served
from playwright.sync_api import sync_playwright

from accelerator_course.pages.handout import chromium

MOVES = 40
TOUCH = """async () => {
  const later = () => new Promise((done) => setTimeout(done, 2)), now = () => performance.now();
  const boxes = [...document.querySelectorAll("[data-cell]")], slider = "figure.acc-film .acc-controls input[type=range]";
  const box = boxes.find((one) => one.querySelector(slider)?.offsetHeight && !one.querySelector(".acc-cover"));
  if (!box) return null;
  box.scrollIntoView();
  const field = box.querySelector(slider), said = box.querySelector(".acc-finding"), before = said.textContent;
  const begin = now();
  field.value = field.value === field.max ? field.min : field.max;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  while (said.textContent === before && now() - begin < 5000) await later();
  const first = now() - begin;
  while (!box.dataset.live && now() - begin < 120000) await later();
  return { cell: box.dataset.cell, first, python: (now() - begin) / 1000 };
}"""
MOVE = """async ([cell, moves]) => {
  const later = () => new Promise((done) => setTimeout(done, 1)), times = [];
  const box = document.querySelector(`[data-cell="${cell}"]`), field = box.querySelector(".acc-controls input[type=range]");
  const said = () => box.querySelector(".acc-screen")?.innerHTML + box.querySelector(".acc-finding").textContent;
  for (let move = 0; move < moves; move++) {
    const before = said(), begin = performance.now(), [low, high] = [Number(field.min), Number(field.max)];
    field.value = low + ((Number(field.value) - low + 1 + Math.floor((high - low) / 3)) % (high - low + 1));
    field.dispatchEvent(new Event("input", { bubbles: true }));
    while (said() === before && performance.now() - begin < 2000) await later();
    times.push(performance.now() - begin);
    await new Promise((done) => setTimeout(done, 60));
  }
  return times.sort((a, b) => a - b)[Math.floor(0.95 * moves)];
}"""


def measured(browser, address, name, second):
    context, sizes = browser.new_context(viewport={"width": 1280, "height": 900}), []
    page = context.new_page()
    page.on("requestfinished", lambda asked: sizes.append(len(gzip.compress(asked.response().body()))))
    page.goto(f"{address}/{name}.html", wait_until="load")
    page.wait_for_timeout(500)
    heavy, found = sum(sizes) / 1e3, page.evaluate(TOUCH)
    if found is None:
        return f"| {name} | {heavy:.0f} | – | – | – | – |"
    later = page.evaluate(MOVE, [found["cell"], MOVES])
    page.goto(f"{address}/{second}.html", wait_until="load")
    again = page.evaluate(TOUCH)
    context.close()
    return (
        f"| {name} | {heavy:.0f} | {found['first']:.0f} | {found['python']:.1f} | {again['python']:.1f} | {later:.0f} |"
    )


def main(site, *names):
    names = names or sorted(path.stem for path in Path(site).glob("[01]*.html"))
    print("| page | kB before a touch | first answer, ms | Python, s | on a second page, s | later answers, ms |")
    print("|---|---:|---:|---:|---:|---:|")
    with served(site) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for name in names:
            second = "03_roofline" if name != "03_roofline" else "06_systolic"
            print(measured(browser, address, name, second), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
