"""A real browser on a real server: JupyterLab or Voila in headless Chromium, with every kernel error trapped.

    with session() as browser, lab(browser, "03_roofline.ipynb", home) as page:
        page.run_all()

Every server started here is ended by its own process; settings, progress and runtime files live in a given folder.
"""

import contextlib
import functools
import http.server
import importlib.util
import json
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import toy_chapter

from accelerator_course.pages.handout import chromium
from accelerator_course.start.copies import lay_out
from accelerator_course.start.lab import WATCH

ROOT = Path(__file__).resolve().parents[1]
SHELL = str(ROOT / "accelerator_course")  # where the course's extension of JupyterLab lies
SHOTS = ROOT / "build" / "screenshots"
HOW = "install Chromium (Debian: apt install chromium) and tests/requirements.txt, or set CHROMIUM to its path"
MISSING = chromium() is None or importlib.util.find_spec("playwright") is None
IN_BROWSER = [pytest.mark.browser]  # what every module of browser tests is marked with; CI must have a browser
if MISSING and os.environ.get("CI") != "true":
    IN_BROWSER.append(pytest.mark.skip(reason=f"no browser here: {HOW}"))
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--force-color-profile=srgb"]
SIZE = {"width": 1280, "height": 1000}
IDLE = "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
SHOWN = """panel => [panel.querySelector('figcaption'), panel.querySelector('.acc-note:not([hidden])')].map(one => one?.textContent)
  .join() + panel.querySelector('svg')?.innerHTML"""  # a note: why there is no picture
SCROLLING = """() => [...document.querySelectorAll('.jp-OutputArea-output:has(.acc-panel)')].filter(one =>
  one.scrollHeight > one.clientHeight && getComputedStyle(one).overflowY !== 'hidden').map(one => one.innerText.slice(0, 60))"""
BUTTON = ".jp-NotebookPanel:not(.lm-mod-hidden) button[data-commandlinker-command='notebook:run-all-cells']"
OPEN = "async (path) => { await window.jupyterapp.commands.execute('docmanager:open', { path }) }"
CLOSE = """async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  if (panel.sessionContext.session?.kernel) await panel.sessionContext.shutdown();
  panel.dispose();  // without asking whether to save
}"""


@contextlib.contextmanager
def session():
    """A running headless browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


@contextlib.contextmanager
def served(folder):
    """The address at which a folder's files are served, until left."""
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=folder)) as files:
        threading.Thread(target=files.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{files.server_port}"
        files.shutdown()


class Page:
    """A notebook open in the browser; `errors` collects what kernel and page reported."""

    def __init__(self, page):
        self.page, self.errors = page, []
        page.set_default_navigation_timeout(90_000)  # a chapter that Voila runs first takes its time on a busy machine
        page.on("pageerror", self._fail)
        page.on("websocket", self._listen)

    def leave(self):
        """Hear no more of the window: another notebook is to be opened in it."""
        self.page.remove_listener("pageerror", self._fail)
        self.page.remove_listener("websocket", self._listen)

    def _fail(self, error):
        self.errors.append(f"page: {error}")

    def _listen(self, socket):
        socket.on("framereceived", self._frame)

    def _frame(self, data):
        text = data if isinstance(data, str) else data.decode("utf-8", "replace")
        if '"msg_type": "error"' in text or '"msg_type":"error"' in text:
            self.errors.append("kernel: " + text[text.find('"ename"') :][:300])

    def wait_until_idle(self):
        """Until the kernel of the notebook in JupyterLab has nothing to do."""
        self.page.wait_for_function(IDLE, timeout=90_000)

    def run_all(self):
        """Run every cell of the notebook in JupyterLab."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")

    def click_run(self, after=0.0):
        """The reader's way: the mouse on the notebook's own button, so many seconds after it is there."""
        button = self.page.locator(BUTTON)
        button.wait_for(timeout=90_000)
        self.page.wait_for_timeout(1000 * after)
        box = button.bounding_box()
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def wait_until_run(self):
        """Until the button says that all of it has run."""
        said = lambda: self.page.locator(BUTTON).inner_text()  # noqa: E731
        self.wait_until(lambda: said().startswith(("Ready", "Stopped")), 240, "the end of the run")
        assert said() == "Ready: to the first picture"

    def press(self, after=0.0):
        """Run it as a reader does."""
        self.click_run(after)
        self.wait_until_run()

    @property
    def top(self):
        """How far the notebook has been scrolled, in pixels."""
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer").evaluate(
            "box => box.scrollTop"
        )

    def panel(self, name):
        """The panel that holds a control of this name."""
        return self.page.locator(".acc-panel").filter(has=self.page.get_by_role("slider", name=name, exact=True))

    def picture(self, panel):
        return panel.locator(".acc-screen svg").inner_html()

    def sentence(self, panel):
        return panel.locator("figcaption").inner_text()

    def wait_until(self, condition, seconds=40, what="the page"):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(Exception):
                if condition():
                    return
            self.page.wait_for_timeout(30)
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / "late.png")  # what came instead
        raise AssertionError(
            f"{what} did not come within {seconds} s, see {SHOTS}/late.png; errors so far: {self.errors}"
        )


def drag(page, panel, name, share):
    """Drag a slider's handle to a share of its track with the mouse."""
    control = panel.locator(".acc-control").filter(has=page.page.get_by_role("slider", name=name, exact=True))
    handle = control.get_by_role("slider")
    handle.scroll_into_view_if_needed()
    box, track = handle.bounding_box(), control.locator(".noUi-base").bounding_box()
    y = box["y"] + box["height"] / 2
    page.page.mouse.move(box["x"] + box["width"] / 2, y)
    page.page.mouse.down()
    page.page.mouse.move(track["x"] + track["width"] * share, y, steps=8)
    page.page.mouse.up()


def solve(card, keyboard):
    """Answer whatever this card asks, by keyboard, from its first control: any answer that is one."""
    if card.get_by_role("radio").count():
        card.get_by_role("radio").first.focus()
        keyboard.press("Space")
    elif card.get_by_role("textbox").count():
        for menu in card.get_by_role("combobox").all():  # its unit
            menu.focus()
            keyboard.press("ArrowDown")
        card.get_by_role("textbox").focus()
        keyboard.type("1e-30")
    elif card.get_by_role("combobox").count():
        for menu in card.get_by_role("combobox").all():
            menu.focus()
            keyboard.press("ArrowDown")
    keyboard.press("Enter") if card.get_by_role("textbox").count() else None
    if not card.get_by_role("textbox").count():
        card.get_by_role("button", name="Check").focus()
        keyboard.press("Enter")


def every_panel_answers(page):
    """Move the first control of every panel that is not a run, by keyboard: picture or sentence change; nothing failed."""
    for panel in page.page.locator(".acc-panel").all():
        handles = panel.get_by_role("slider").all()
        if not handles or panel.get_by_role("button", name="Play").count():
            continue
        before = panel.evaluate(SHOWN)
        handles[0].scroll_into_view_if_needed()
        handles[0].focus()
        where = handles[0].get_attribute("aria-valuenow")
        page.page.keyboard.press("End")
        if handles[0].get_attribute("aria-valuenow") == where:
            page.page.keyboard.press("Home")
        changed = lambda panel=panel, before=before: panel.evaluate(SHOWN) != before  # noqa: E731
        page.wait_until(changed, 20, f"another answer than {page.sentence(panel)!r}")
    assert page.page.locator("[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert page.page.locator(".acc-error").count() == 0
    assert page.page.evaluate(SCROLLING) == [], "a panel in a box that scrolls within the page"


@contextlib.contextmanager
def _served(application, browser, home, theme, viewport, covered):
    """JupyterLab or Notebook 7 over a copy of the folder: (windows of it, its address, its token)."""
    copy = Path(home) / "notebooks"
    lay_out(copy)
    toy_chapter.write(copy)
    port, token = free_port(), secrets.token_hex(8)
    arguments = [application, "--no-browser", "--ip=127.0.0.1", f"--port={port}", "--expose-app-in-browser"]
    arguments += ["--allow-root", f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={copy}"]
    settings(home, theme)
    with server(arguments, port, home, covered=covered):
        windows = browser.new_context(viewport=viewport)  # they share what has been loaded once
        yield windows, f"http://127.0.0.1:{port}", token
        windows.close()


@contextlib.contextmanager
def desk(browser, home, theme="JupyterLab Light", viewport=SIZE, covered=False):
    """JupyterLab: a function that opens a notebook in a window of it, as a context. It saves into a copy of the folder.

    covered: pictures wait for their predictions, as they do for a learner.
    """
    with _served("jupyterlab", browser, home, theme, viewport, covered) as (windows, address, token):
        yield functools.partial(_opened, windows, f"{address}/lab?token={token}&reset", [])


@contextlib.contextmanager
def _opened(windows, address, free, notebook, pressed=None, idle=True):
    """A notebook in a window, one of the free ones or another, its kernel idle: Page; kernel and notebook are closed.

    pressed: run by its button, so many seconds after that is there.
    """
    window = free.pop() if free else _new(windows, address)
    page = Page(window)
    window.evaluate(OPEN, notebook)
    if pressed is not None:
        page.press(pressed)
    if idle:
        page.wait_until_idle()
    try:
        yield page
    finally:
        window.evaluate(CLOSE)
        page.leave()
        free.append(window)


def _new(windows, address):
    """A window with JupyterLab in it, which takes some seconds to load."""
    window = windows.new_page()
    window.goto(address)
    window.wait_for_function("() => window.jupyterapp?.restored.then(() => true)", timeout=90_000)
    return window


@contextlib.contextmanager
def lab(browser, notebook, home, **looks):
    """One notebook in a JupyterLab of its own: Page."""
    with desk(browser, home, **looks) as opens, opens(notebook) as page:
        yield page


@contextlib.contextmanager
def classic(browser, notebook, home, theme="JupyterLab Light", viewport=SIZE, covered=True):
    """Notebook 7 showing one notebook, its kernel idle: Page. It saves into a copy of the folder."""
    with _served("notebook", browser, home, theme, viewport, covered) as (windows, address, token):
        page = Page(windows.new_page())
        page.page.goto(f"{address}/notebooks/{notebook}?token={token}", wait_until="domcontentloaded")
        page.wait_until_idle()
        yield page


@contextlib.contextmanager
def voila(browser, notebook, home, theme="light", viewport=SIZE, covered=False):
    """Voila showing one notebook: Page. covered: as for `lab`."""
    port = free_port()
    arguments = ["voila", str(ROOT / "notebooks" / notebook), "--no-browser", f"--port={port}"]
    arguments += ["--Voila.ip=127.0.0.1", "--show_tracebacks=True", f"--theme={theme}"]
    with server(arguments, port, home, covered=covered):
        page = Page(browser.new_page(viewport=viewport))
        page.page.goto(f"http://127.0.0.1:{port}", wait_until="domcontentloaded", timeout=90_000)
        yield page
        page.page.close()


@contextlib.contextmanager
def server(arguments, port, home, folder=ROOT, covered=False):
    """`python -m arguments` in a folder, answering on a port; ended on leaving."""
    home = Path(home)
    folders = {"IPYTHONDIR": "ipython", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_RUNTIME_DIR": "run"}
    environment = os.environ | {name: str(home / folder) for name, folder in folders.items()}
    environment |= {"ACCELERATOR_COURSE_HOME": str(home / "progress"), "ACCELERATOR_COURSE_SHORT": "1"}
    environment |= {"ACCELERATOR_COURSE_OPEN": "0" if covered else "1"}
    environment["JUPYTER_PATH"] = os.pathsep.join(filter(None, [environment.get("JUPYTER_PATH"), SHELL]))
    home.mkdir(parents=True, exist_ok=True)
    with open(home / "server.log", "wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments], stdout=log, stderr=log, env=environment, cwd=folder
        )
    try:
        for _ in range(240):
            if process.poll() is not None:
                raise RuntimeError(f"the server ended early: {(home / 'server.log').read_text()[-800:]}")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.25)
        else:
            raise RuntimeError("the server did not answer within a minute")
        yield process
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def settings(home, theme):
    """No news prompt, every cell in the page, and a theme."""
    values = {
        "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
        "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
        "@jupyterlab/apputils-extension/themes": {"theme": theme},
    }
    for plugin, content in values.items():
        path = Path(home) / "config" / "lab" / "user-settings" / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    (Path(home) / "config" / "jupyter_server_config.json").write_text(json.dumps(WATCH))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
