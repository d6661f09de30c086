"""Firefox by WebDriver BiDi, WebKit by WebDriver, as far as the live page is asked: FOUND has those that are here.

with FOUND["firefox"](folder) as page:    folder: where it may keep what it keeps
    page.go(address)                      wrong() then has what the page complains of
    page.js("return document.title")      may await; what it returns comes as JSON
"""

import contextlib
import itertools
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

TIMEOUT = 120  # seconds of any one thing
MINI = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"  # WebKitGTK's own, as Debian has it
HEARD = """if (!window.heard) {
  window.heard = [];
  const say = console.error;
  console.error = (...all) => (heard.push(all.map(String).join(" ")), say(...all));
  for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"])
    addEventListener(kind, (event) => heard.push([kind, event.message, event.reason, event.blockedURI].join(" ")));
}"""


class Browser:
    """One window of a browser of its own."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        home = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
        self.process = subprocess.Popen(
            self.command(folder),
            env=os.environ | home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def __enter__(self):
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                self.begin()
                return self
            except OSError:  # it does not listen yet
                if time.monotonic() > end or self.process.poll() is not None:
                    self.__exit__()
                    raise
                time.sleep(0.2)

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.end()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, 15)
        self.process.wait()

    def go(self, address):
        self.open(address)
        self.js(HEARD)

    def js(self, code):
        """Raises RuntimeError for what is thrown."""
        said = json.loads(self.run(f"async () => {{ {code}\n}}"))
        if "thrown" in said:
            raise RuntimeError(said["thrown"])
        return said.get("value")

    def wrong(self):
        return self.js("return heard")


CALL = "({code})().then((value) => JSON.stringify({{ value }}), (error) => JSON.stringify({{ thrown: String(error) }}))"


class Firefox(Browser):
    def command(self, folder):
        flags = ["--headless", "--no-remote", "--profile", str(folder), f"--remote-debugging-port={self.port}"]
        return [shutil.which("firefox") or shutil.which("firefox-esr"), *flags]

    def begin(self):
        import websocket

        self.socket = websocket.create_connection(f"ws://127.0.0.1:{self.port}/session", TIMEOUT, suppress_origin=True)
        self.count = itertools.count()
        self.asks("session.new", capabilities={})
        self.window = self.asks("browsingContext.create", type="tab")["context"]

    def asks(self, method, **params):
        self.socket.send(json.dumps({"id": (number := next(self.count)), "method": method, "params": params}))
        while (said := json.loads(self.socket.recv())).get("id") != number:
            pass
        if said["type"] == "error":
            raise RuntimeError(said["message"])
        return said["result"]

    def open(self, address):
        self.asks("browsingContext.navigate", context=self.window, url=address, wait="complete")

    def run(self, code):
        there = {"target": {"context": self.window}, "awaitPromise": True}
        return self.asks("script.evaluate", expression=CALL.format(code=code), **there)["result"]["value"]

    def end(self):
        self.asks("browser.close")


class WebKit(Browser):
    def command(self, folder):
        return ["xvfb-run", "--auto-servernum", "WebKitWebDriver", f"--port={self.port}"]

    def begin(self):
        self.at = f"http://127.0.0.1:{self.port}/session"
        options = {"webkitgtk:browserOptions": {"binary": MINI, "args": ["--automation"]}}
        self.at += "/" + self.asks("", capabilities={"alwaysMatch": options})["sessionId"]
        self.asks("/timeouts", script=1000 * TIMEOUT, pageLoad=1000 * TIMEOUT)

    def asks(self, path, **body):
        asked = urllib.request.Request(self.at + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=TIMEOUT) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, address):
        self.asks("/url", url=address)

    def run(self, code):
        return self.asks("/execute/async", script=f"{CALL.format(code=code)}.then(arguments[0])", args=[])

    def end(self):
        urllib.request.urlopen(urllib.request.Request(self.at, method="DELETE"), timeout=TIMEOUT).close()


FOUND = {}
if shutil.which("firefox") or shutil.which("firefox-esr"):
    FOUND["firefox"] = Firefox
if shutil.which("WebKitWebDriver") and shutil.which("xvfb-run") and os.path.exists(MINI):
    FOUND["webkit"] = WebKit
