"""A stage on the page: sends the states of a run to the player, which needs no kernel from then on.

The first state goes out at once; then the whole run, or of a long one the window around the state that is asked for.
"""

import asyncio
import html
from itertools import count

import traitlets

from accelerator_course import settings
from accelerator_course.views.stage import film, palette, still
from accelerator_course.views.stage.reel import Reel
from accelerator_course.widgets.page import STYLE, Live, files, script

STATES, BYTES, BEFORE = 2000, 6_000_000, 200  # of a window; states in it before the one that is asked for
SAVED = {"gif": "image/gif", "html": "text/html", "svg": "image/svg+xml"}
_runs = count()


def later(act, seconds=0.001):
    """Call `act` when the kernel has dealt with what waits: returns what can be cancelled, None where no loop runs."""
    try:
        return asyncio.get_running_loop().call_later(seconds, act)
    except RuntimeError:
        return None


class Player(Live):
    """The player: `part` of a run, `position`; it `opens` by itself, and came to rest then at `opened`."""

    _esm = film.script() + script("phrases.js", "screen.js")
    _css = palette.css() + STYLE.read_text(encoding="utf-8")
    part = traitlets.Dict({}).tag(sync=True)
    note = traitlets.Dict({}).tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    opens = traitlets.Bool(False).tag(sync=True)
    opened = traitlets.Int(-1).tag(sync=True)
    saves = traitlets.List(files(gif="PIL", html=None, svg=None)).tag(sync=True)


class Screen:
    """Shows states through a Stage: `show` one, `play` a run."""

    def __init__(self, view, name, plays, caption):
        self.view, self.name, self.plays, self.caption = view, name, plays, caption
        opens = plays and not settings.uncovered() and not settings.hall()
        self.widget, self.states, self._said = Player(opens=opens), [], ""
        self.widget.add_class("acc-picture")
        self.widget.on_msg(lambda _, content, __: self.asked(content))
        self._run = 0

    # what the state says that the player stands at, or why there is none
    sentence = property(lambda self: self._said or self.view.say(self.states[min(self.position, len(self.states) - 1)]))
    position = property(lambda self: self.widget.position)
    # whether it stands where it came to rest by itself
    untouched = property(lambda self: self.position == self.widget.opened)

    def show(self, state):
        """A new run, of which this is the first state; how many follow is not known yet."""
        self._run, self.states, self._said, self._reel = next(_runs), [], "", Reel(self.view)
        self.add(state)
        with self.widget.hold_sync():
            self.widget.note, self.widget.position, self.widget.opened = {}, 0, -1
            self._send(self._reel, 0 if self.plays else 1)

    def add(self, state):
        """Keep a further state of the run; it is sent with the others by `end`."""
        self.states.append(state)
        if self._room(self._reel):
            self._reel.add(state)

    def end(self):
        """All of the run is now known."""
        self._send(self._reel, len(self.states))

    @staticmethod
    def _room(reel):
        return len(reel.head["states"]) < STATES and reel.bytes < BYTES

    def _send(self, reel, total):
        run = {"number": self._run, "total": total, "size": list(self.view.size), "noun": self.view.noun}
        run |= {"follows": self.view.follows, "position": 0}
        self.widget.part = run | {"head": reel.head, "data": reel.data()}

    def asked(self, content):
        """What the player wants: further states, or a film to save."""
        if "need" in content:
            wanted = int(content["need"])
            if 0 <= wanted < len(self.states):
                self._send(self._window(max(0, wanted - BEFORE)), len(self.states))
        elif content.get("save") in SAVED:
            kind = content["save"]
            made = self.saved(kind, content.get("position", 0))
            self.widget.send({"file": f"{self.name}.{kind}", "type": SAVED[kind]}, [made])

    def _window(self, start):
        reel = Reel(self.view, start)
        for state in self.states[start:]:
            if not self._room(reel):
                break
            reel.add(state)
        return reel

    def saved(self, kind, position=0):
        """Bytes of the run as GIF or HTML page, or of one state as SVG."""
        if kind == "gif":
            return film.gif(self.view, self.states)
        if kind == "html":
            return film.page(self.view, self.states, self.caption()).encode()
        return still.svg(self.view, self.states[min(position, len(self.states) - 1)]).encode()

    def explain(self, reason):
        """Say why there is nothing to show for this setting."""
        self._said = str(reason)
        self.widget.note = {"text": f"{reason}."}

    def fail(self, error):
        """Tell the reader what went wrong; the next good run repairs it."""
        self._said = f"{type(error).__name__}: {error}"
        self.widget.note = {"text": self._said, "wrong": True}

    def markup(self):
        """HTML for pages without widgets: the state in the middle of the run, which shows most, as a still."""
        if self._said:
            return f'<p class="acc-note">{html.escape(self._said)}</p>'
        return still.figure(self.view, self.states[len(self.states) // 2])
