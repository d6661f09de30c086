"""Room: what one page has open: its cells, its widgets, and what it is to be told. Several pages share one Python.

room = Room(post)                     post(text, buffers) reaches the page; text is JSON
room.load(cells, needs)               the code of a chapter
room.show_cell(cell)                  run what it needs, each once, then it; what it shows becomes widgets of the page
room.run(cell, text)                  an exercise as its reader has written it
room.turn(text)                       what the reader did: {"set": {id: {trait: value}}} or {"msg": [id, content]},
                                      and "again" where that was recorded before
"""

import ast
import asyncio
import contextlib
import io
import json
import linecache
import traceback
from html import escape
from itertools import count

from accelerator_course.quiz import progress


class Room:
    open = None  # the one whose turn it is

    def __init__(self, post):
        self.post, self.known = post, {}
        self.fresh, self.changed, self.said, self.given, self.shown = [], {}, [], {}, []
        self.names, self.ran, self.sources, self.needs = {"__name__": "chapter"}, set(), {}, {}
        self.inside, self.due = False, None

    def load(self, cells, needs):
        """The code of a chapter: {cell: source}, {cell: the cells it needs}."""
        from accelerator_course.widgets.veil import ASKED

        ASKED.clear()  # by another page
        self.sources, self.needs = dict(cells), {cell: tuple(others) for cell, others in needs.items()}

    def enter(self, widget):
        """A new widget of this page; returns its name."""
        name = f"w{len(self.known)}"
        self.known[name] = widget
        self.fresh.append(widget)
        return name

    def note(self, widget, name):
        """A trait has changed: the page hears of it after those that changed before, as a run before its position."""
        changed = self.changed.setdefault(widget.model_id, {})
        changed.pop(name, None)
        changed[name] = None
        self._soon()

    def say(self, widget, content, buffers):
        """A message of a widget to its script."""
        self.said.append([widget.model_id, content, list(buffers)])
        self._soon()

    def show(self, *values):
        """What a cell displays, in order."""
        self.shown.extend(values)

    def show_cell(self, cell):
        """Run a cell and show it."""
        self._turned({"cell": cell}, lambda: (self._needed(cell), self._cell(cell, self.sources[cell])))

    def run(self, cell, text):
        """Run an exercise as it stands on the page; what stops it is said like any result."""
        self._turned({"cell": cell}, lambda: (self._needed(cell), self._tried(cell, text)))

    def turn(self, text):
        """One act of the reader's."""
        given = json.loads(text)
        progress.again = given.get("again", False)
        self._turned({"done": given.get("turn")}, lambda: self._act(given))
        progress.again = False

    def _act(self, given):
        for id, state in given.get("set", {}).items():
            self.given[id] = state
            self.known[id]._taken(state)
        if "msg" in given:
            id, content = given["msg"]
            self.known[id]._called(content)

    def _needed(self, cell):
        for other in self.needs.get(cell, ()):
            if other not in self.ran:
                self._cell(other, self.sources[other])
        self.shown.clear()  # they are shown where they stand, when that is asked for

    def _cell(self, cell, text):
        linecache.cache[cell] = len(text), None, text.splitlines(keepends=True), cell  # who asks finds its source
        tree = ast.parse(text, cell)
        last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, cell, "exec"), self.names)
        self.ran.add(cell)
        if last is not None:
            value = eval(compile(last, cell, "eval"), self.names)
            if value is not None:
                self.show(value)

    def _tried(self, cell, text):
        from accelerator_course import time_limit

        try:
            with time_limit.limited(), time_limit.brief():
                self._cell(cell, text)
        except time_limit.TooLong:
            self.show(_Line(f"It was stopped: it ran for more than {time_limit.SECONDS} seconds."))
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)
            line = [one.lineno for one in at if one.filename == cell][-1:]
            said, line = (error.msg, [error.lineno]) if isinstance(error, SyntaxError) else (error, line)
            self.show(_Line(f"{type(error).__name__}: {said}{''.join(f' (line {one})' for one in line)}"))

    def _turned(self, more, act):
        """One turn: act, then hand over what is new and what changed."""
        before, printed = Room.open, io.StringIO()
        Room.open, self.inside, self.shown = self, True, []
        try:
            with contextlib.redirect_stdout(printed):
                act()
            if "cell" in more:
                lines = [_Line(printed.getvalue().rstrip())] if printed.getvalue().strip() else []
                more = more | {"shows": [part for value in (*lines, *self.shown) for part in parts(value)]}
        except Exception as error:
            traceback.print_exc()
            more = more | {"failed": f"{type(error).__name__}: {error}"}
        finally:
            self.hand_over(more)
            Room.open, self.inside = before, False

    def _soon(self):
        """What changes between two turns, as a run that is computed in slices, is handed over when Python rests."""
        if not self.inside and self.due is None:
            with contextlib.suppress(RuntimeError):  # no loop: the next turn has it
                self.due = asyncio.get_running_loop().call_later(0, self.hand_over)

    def hand_over(self, more=None):
        """Tell the page what is new, what changed and what was said; what it told us itself it knows."""
        self.due, buffers, new = None, [], []
        for widget in self.fresh:
            self.changed.pop(widget.model_id, None)
            new.append({"id": widget.model_id, "kind": widget._kind, "type": type(widget).__name__})
            new[-1]["state"] = widget._told()
        moved = {id: self.known[id]._told(list(names)) for id, names in self.changed.items()}
        for id, state in self.given.items():
            moved[id] = {name: value for name, value in moved.get(id, {}).items() if state.get(name, self) != value}
        changed = {id: state for id, state in moved.items() if state}
        told = {"new": new, "set": changed, "msg": self.said, **(more or {})}
        self.fresh, self.changed, self.said, self.given = [], {}, [], {}
        self.post(json.dumps(packed(told, buffers), ensure_ascii=False, default=str), buffers)


class _Line:
    """Words that a cell prints."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def parts(value):
    """What a page shows of a value: [{"widget": id, "controls": {name: id}}] or [{"html": text}]."""
    from accelerator_course.quiz.markdown import html

    if hasattr(value, "deal"):
        value.fresh = map("book {}".format, count(2)).__next__  # so that a page that is read anew comes to the same
        value.deal("book")  # what the page has asked before Python came (ask.py)
    shown = value._shown() if hasattr(value, "_shown") else getattr(value, "box", value)
    if hasattr(value, "finish"):
        value.finish()  # the whole of a run
    if hasattr(shown, "model_id"):
        controls = getattr(getattr(value, "panel", value), "controls", {})
        return [{"widget": shown.model_id, "controls": {name: one.model_id for name, one in controls.items()}}]
    if hasattr(value, "_repr_html_"):
        return [{"html": value._repr_html_()}]
    if hasattr(value, "_repr_markdown_"):
        return [{"html": html(value._repr_markdown_())}]
    return [{"html": f"<pre>{escape(repr(value))}</pre>"}] if repr(value) else []


def packed(value, buffers):
    """JSON with places for bytes ({"#": n}) and widgets ({"@": id})."""
    if hasattr(value, "model_id"):
        return {"@": value.model_id}
    if isinstance(value, bytes | bytearray | memoryview):
        buffers.append(bytes(value))
        return {"#": len(buffers) - 1}
    if isinstance(value, dict):
        return {str(key): packed(one, buffers) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [packed(one, buffers) for one in value]
    return value.item() if hasattr(value, "item") else value
