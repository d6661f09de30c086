"""The course in JupyterLite, chapter by chapter in headless Chromium: what a browser takes for it.

    python tests/benchmarks/lite_speed.py build/site/lite                  all chapters, one after the other
    python tests/benchmarks/lite_speed.py build/site/lite 03_roofline      one; its first slider is moved as well

The folder is what  make lite RUNTIME=...  wrote: with a Pyodide in it. Prints a line for each: cells that ran, seconds
until the first picture and until the last cell, what the tab holds, what failed (Linux; not run by CI).
"""

import functools
import http.server
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from browser import ROOT, SHOTS, SIZE, Page, session
from slider_latency import measured, told

PATIENCE = 480  # seconds of a chapter
KERNEL = "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
RUN = "() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }"
STATE = """() => {
  const panel = window.jupyterapp.shell.currentWidget;
  const cells = panel.content.widgets.filter((cell) => cell.model.type === 'code');
  const outputs = cells.flatMap((cell) => cell.model.outputs.toJSON().map((output) => ({ ...output, id: cell.model.id })));
  return { cells: cells.length, left: cells.filter((cell) => cell.model.executionCount === null).map((cell) => cell.model.id),
    failed: outputs.filter((output) => output.output_type === 'error').map(({ id, ename, evalue }) => `${id}: ${ename}: ${evalue}`),
    red: [...document.querySelectorAll('.acc-error')].map((note) => note.textContent),
    pictures: document.querySelectorAll('.acc-panel figure :is(img, svg, canvas)').length };
}"""


def held():
    """The largest tab of this process's browser [MB], what it shares counted once."""
    parents, sizes = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[folder.name] = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
            if b"--type=renderer" in (folder / "cmdline").read_bytes():
                rollup = (folder / "smaps_rollup").read_text().splitlines()
                sizes[folder.name] = next(int(line.split()[1]) * 1024 for line in rollup if line.startswith("Pss:"))
        except (OSError, StopIteration):
            continue  # it has just ended

    def mine(number):
        return number == str(Path("/proc/self").resolve().name) or (number in parents and mine(parents[number]))

    return max((size for number, size in sizes.items() if mine(number)), default=0) / 1e6


def chapter(browser, address, name):
    """Run one and print what it took."""
    context = browser.new_context(viewport=SIZE)
    page, begin, first = Page(context.new_page()), time.perf_counter(), None
    page.page.set_default_timeout(PATIENCE * 1000)
    page.page.goto(f"{address}/lab/index.html?path={name}.ipynb")
    page.page.wait_for_function(KERNEL)
    page.page.evaluate(RUN)
    while True:
        now = page.page.evaluate(STATE)
        took = time.perf_counter() - begin
        first = first or (took if now["pictures"] else None)
        if not now["left"] or took > PATIENCE:
            break
        page.page.wait_for_timeout(300)
    last = f"stuck at {now['left'][0]}" if now["left"] else "ran"
    seen = f"first picture {first:.0f} s" if first else "no picture"
    print(f"{name}: {now['cells'] - len(now['left'])} of {now['cells']} cells, {last}, {seen}, end {took:.0f} s,")
    print(f"    {held():.0f} MB, {now['pictures']} pictures", *now["failed"], *now["red"], *page.errors, sep="\n    ")
    if name == "03_roofline" and not now["left"]:
        print("    slider:", told(slid(page)))
    page.page.screenshot(path=SHOTS / f"lite-{name}.png", timeout=60_000)
    sys.stdout.flush()
    context.close()


def slid(page):
    """Milliseconds of each of twenty moves of the first slider."""
    panel = page.panel("M, rows of inputs").first
    around = page.page.locator(".acc-predict.acc-veiled").filter(has=panel)
    if around.count():  # covered, as for every learner
        around.get_by_role("radio").first.check()
        around.get_by_role("button", name="Commit").click()
        page.wait_until(lambda: not around.count(), 60, "the reply")
    page.page.wait_for_timeout(3000)
    return measured(page, panel, "M, rows of inputs", 20)


def main(folder, *names):
    SHOTS.mkdir(parents=True, exist_ok=True)
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with session() as browser:
        for name in names or sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")):
            chapter(browser, f"http://127.0.0.1:{server.server_port}", name)


if __name__ == "__main__":
    main(*sys.argv[1:])
