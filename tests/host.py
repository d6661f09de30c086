"""Widgets on a page without Jupyter (host.js): plain, in shadow roots, or in a frame that may do little.

    frame = shown(page, tree, place="frame")

What `tree` holds: dicts with `class`, `html` and `children`, and widgets by `of(name, widget)`.
"""

from base64 import b64encode
from pathlib import Path

from accelerator_course.views.stage import Stage, boxes

HOST = Path(__file__).with_name("host.js").read_text(encoding="utf-8").partition("\n")[2]
FRAME = '<iframe sandbox="{allowed}" srcdoc="<body></body>" style="width: 1000px; height: 900px; border: 0"></iframe>'
ADDRESS = "http://course.test/"
PLACES = {"page": None, "one root": "one", "roots": "each", "frame": None}
STILL = """async () => {
  const pause = (ms) => new Promise((done) => real(done, ms)), real = window.real;
  const all = () => Object.values(window.counts).reduce((sum, count) => sum + count);
  for (let last = -1, tries = 0; last !== all() && tries < 20; tries++) { last = all(); await pause(500); }
  const before = { ...window.counts };
  await pause(1000);
  return Object.fromEntries(Object.entries(window.counts).map(([name, count]) => [name, count - before[name]]));
}"""


class Count(Stage):
    """A number, as a stage."""

    size, noun = (300, 100), "step"

    def marks(self, state):
        return [boxes("n", [0], 20 * state, 0, 10, 10)]

    def say(self, state):
        return f"It is {state}."


def count(upto=3):
    yield from range(upto)


def of(name, widget, **more):
    """A widget as a part of the tree; its model is `window.models[name]`."""
    state = {key: plain(value) for key, value in widget.get_state().items() if not key.startswith("_")}
    module = b64encode(str(widget._esm).encode()).decode()
    return {"name": name, "state": state, "module": module, "css": str(widget._css), **more}


def plain(value):
    """A trait as JSON, bytes as {"base64": ...}."""
    if isinstance(value, (bytes, memoryview)):
        return {"base64": b64encode(bytes(value)).decode()}
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def shown(page, tree, place="page", allowed="allow-scripts"):
    """The page or frame in which a tree is shown; `allowed` is what a frame's sandbox allows."""
    body = FRAME.format(allowed=allowed) if place == "frame" else "<body></body>"
    page.route(ADDRESS, lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(ADDRESS)
    frame = page.frames[-1]
    frame.evaluate("window.real = setTimeout.bind(window)")
    frame.evaluate(HOST, {"tree": tree, "shadow": PLACES[place]})
    return frame


def idle(frame):
    """What the page does in a second once it is at rest: frames, timers and observers that were called."""
    return frame.evaluate(STILL)
