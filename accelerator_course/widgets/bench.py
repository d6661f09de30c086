"""kernel: a rung of the ladder on the page: an editor, what the text does, a verdict, a gauge, a replay.

What is typed is kept in every pause; each run is judged and recorded; hints and steps come one at a time.
"""

import re
from contextlib import suppress
from functools import partial
from html import escape
from threading import RLock

import ipywidgets
import traitlets

from accelerator_course import ladder, syllabus
from accelerator_course.exercises import rungs
from accelerator_course.ladder import shown, sketch, traced
from accelerator_course.quiz.markdown import html, words
from accelerator_course.quiz.sheet import LINES as ROOM
from accelerator_course.views.kernels import Blocks, Replay, Sketched
from accelerator_course.views.stage import palette, still
from accelerator_course.widgets import counters, page, screen
from accelerator_course.widgets.page import Leading, script, style
from accelerator_course.widgets.stepper import Stepper
from accelerator_lib.kernels.language import LONGEST, Pasted
from accelerator_lib.units import number

YOURS = {"warp": "Your kernel, run by every thread", "pallas": "Your text, in Pallas"}
YOURS |= {"array": "Your commands, in order"}
UNHURRIED = 1  # seconds for the picture of a text that was run


class Card(Leading):
    """The page's side of a Bench."""

    _esm = script("editor.js", "ruler.js", "bench.js")
    _css = palette.css() + style("bench.css")
    rung = traitlets.Dict({}).tag(sync=True)  # told
    text = traitlets.Unicode("").tag(sync=True)  # what is kept
    saved = traitlets.Enum(("", "before", "yes", "no"), "").tag(sync=True)
    sketch = traitlets.Dict({}).tag(sync=True)  # what the text does: {svg, case, note, more, stopped}
    verdict = traitlets.Dict({}).tag(sync=True)  # number, mark (blank, unread, wrong, right or star), said, line
    gauge = traitlets.List([]).tag(sync=True)  # {name, value, words}: bound, par, yours, a slow one
    hints = traitlets.List([]).tag(sync=True)  # those that were asked for
    more_hints = traitlets.Bool(False).tag(sync=True)
    busiest = traitlets.Unicode("").tag(sync=True)  # why it is slow: what is seen, what to try next
    causes = traitlets.List([]).tag(sync=True)  # {name, share, words}: of the time
    tables = traitlets.List([]).tag(sync=True)  # {caption, head, rows}
    others = traitlets.List([]).tag(sync=True)  # the text in other notations: {name, text, lines: of the text typed}
    token = traitlets.Unicode("").tag(sync=True)
    left_out = traitlets.Unicode("").tag(sync=True)  # what the token has no room for, in words
    steps = traitlets.List([]).tag(sync=True)  # {name, says, text}: those that were asked for
    more_steps = traitlets.Bool(False).tag(sync=True)
    replayed = traitlets.Int(0).tag(sync=True)  # how often a replay was opened
    replays = traitlets.Enum(("", "run", "fault"), "").tag(sync=True)  # whether there is a run to replay, or a fault
    note = traitlets.Unicode("").tag(sync=True)


class Bench:
    """One rung, by its id: a Card, and below it the replay of the last run. Raises UnknownName."""

    def __init__(self, id):
        self.rung, self.last, self.replay, self.made, self.at = ladder.rung(id), None, None, None, 0
        self.id, self._runs, self._turn, self.before = self.rung.id, 0, RLock(), None
        text = rungs.last(self.id)
        before = "before" if text != self.rung.blank else ""
        self.card = Card(text=text, saved=before, rung=told(self.rung), more_steps=rungs.tried(self.id))
        self.card.gauge = self._gauge()
        self._share()
        self._sketch(text)
        self.card.actions = self.actions
        self.card.on_msg(lambda _, content, __: self.receive(content))
        self.place = ipywidgets.VBox([])
        self.box = ipywidgets.VBox([self.card, self.place])
        self.box.add_class(f"acc-at-kernel-{self.id}")

    def receive(self, content):
        """What the page sent: {"draft", "draw" or "run": text}, or {"ask": "hint" | "step" | "replay"}."""
        ask = {"hint": self._hint, "step": self._step, "replay": self._replay}
        with self._turn:
            if "draft" in content:
                text = _clean(content["draft"])
                if text != self.card.text or self.card.saved == "no":
                    stored = rungs.draft(self.id, text)
                    with self.card.hold_sync():
                        self.card.text, self.card.saved = text, "yes" if stored else "no"
            elif "draw" in content:
                self._sketch(_clean(content["draw"]))
            elif "run" in content:
                self._run(_clean(content["run"]))
            elif content.get("ask") in ask:
                ask[content["ask"]]()

    def _run(self, text):
        self.last, self._runs = rungs.attempt(self.id, text), self._runs + 1
        verdict, card, self.made, self.at = self.last, self.card, self.last.made, 0
        if verdict.trials and not verdict.right:  # replayed is that which went wrong
            self.made, self.at = traced.astray(self.rung, verdict.source, verdict.trials[-1])
        unread = "unread" if verdict.trials and verdict.trials[-1].unread else "wrong"
        mark = "star" if verdict.star else "right" if verdict.right else unread if verdict.begun else "blank"
        with card.hold_sync():
            card.text, card.saved, card.note, card.hints = text, "yes", "", []
            card.gauge = self._gauge()
            card.tables, card.causes = counters.tables(self.made), []
            card.busiest = "" if self.rung.machine == "warp" else counters.busiest(self.made)
            card.more_hints, card.replays = bool(verdict.hints), self._replays()
            card.others = self._others(text)
            if card.replays == "fault":
                self._draw(sketch.of(verdict.trials[-1].case, self.made), True)
            else:
                self._sketch(text, UNHURRIED)
            card.more_steps = len(card.steps) < len(self.rung.steps) and rungs.tried(self.id)
            self._share()
            card.verdict = {"number": self._runs, "mark": mark, "line": verdict.line, "said": said(verdict)}
        self.place.children = ()  # it showed another run
        if verdict.right and screen.later(self._slow, 0.2) is None:
            self._slow()

    def _share(self):
        self.card.token, left = rungs.shared() if self.id in rungs.best() else ("", ())
        self.card.left_out = f"It has no room for {', '.join(left)}: make long kernels shorter." if left else ""

    def _sketch(self, text, seconds=sketch.SECONDS):
        self.card.others = self._others(text)
        self._draw(sketch.sketch(self.rung, text, seconds))

    def _draw(self, drawn, stopped=False):
        view, svg = Sketched(), "" if drawn.known else None
        if drawn.rows:
            svg = still.inline(view, drawn, view.high(drawn))
        self.card.sketch = {"svg": svg, "case": drawn.case, "note": drawn.note, "more": drawn.more, "stopped": stopped}

    def _gauge(self, slow=None):
        return marks(self.rung, self.last.score if self.last else None, slow)

    def _slow(self):
        """Add why it is slow, and the slow kernel's score: they take longest, so that they come after the verdict."""
        with self._turn, self.card.hold_sync():
            if self.last.right and self.rung.machine == "warp":
                self.card.busiest = self._held() + counters.busiest(self.made)
                self.card.causes = counters.causes(self.made)
            if self.last.right:
                self.card.gauge = self._gauge(shown.score(self.id))

    def _held(self):
        """What was foretold for the right text before, beside what this one got. Kept: a text, its cycles, a gain."""
        before, made = self.before, self.made
        self.before = self.last.source, made.timed.cycles, made.why.advice and made.why.advice.gain
        if not before or before[0] == self.last.source or not before[2]:
            return ""
        return f"Foretold last time: {number(before[2])} times as fast; got: {number(before[1] / made.timed.cycles)}. "

    def _replays(self):
        """Whether anything came or went in the last run, so that it can be replayed; and whether that shows a fault."""
        if self.made is None or not any(True for _ in ladder.replay(self.made)):
            return ""
        return "fault" if self.made.fault else "run"

    def _others(self, text, numba=""):
        """A text in the course's notation where it was pasted in another, else as CUDA C, and as Numba if given."""
        found = [{"name": "The same kernel as Numba", "text": numba, "lines": []}] if numba else []
        with suppress(ValueError, TypeError, RecursionError):
            read = self.rung.read(text) if self.rung.machine == "warp" else text
            if isinstance(read, Pasted):
                name = f"Read as {read.language}; in the course's notation"
                return [{"name": name, "text": read.text, "lines": list(read.lines)}]
            if self.rung.machine == "warp" and ladder.begun(self.rung, text):
                return [{"name": "The same kernel as CUDA C", "text": self.rung.cuda(text), "lines": []}, *found]
        return found

    def _hint(self):
        found = self.last.hints if self.last else ()
        with self.card.hold_sync():
            self.card.hints = [hint.text for hint in found[: len(self.card.hints) + 1]]
            self.card.more_hints = len(self.card.hints) < len(found)

    def _step(self):
        if not rungs.tried(self.id):
            return
        steps = self.rung.steps[: len(self.card.steps) + 1]
        with self.card.hold_sync():
            numba = [getattr(self.rung, "numba", "") if step is self.rung.worked else "" for step in steps]
            others = [self._others(step.text, text) for step, text in zip(steps, numba, strict=True)]
            told = [{"name": step.name, "says": step.says, "text": step.text} for step in steps]
            self.card.steps = [step | {"others": other} for step, other in zip(told, others, strict=True)]
            self.card.more_steps = len(steps) < len(self.rung.steps)

    def _replay(self):
        if not self.card.replays:
            self.card.note = "Nothing came or went in this run: there is nothing to replay."
            return
        if self.replay is None:
            view = Replay() if self.rung.machine == "warp" else Blocks()
            self.replay = Stepper(lambda: ladder.replay(self.made), view, id=f"replay-of-{self.id}")
        else:
            self.replay.refresh()
        if self.at:
            self.replay.position = self.at % len(self.replay.states)  # of a fault the state in which it happens
        self.place.children = (self.replay.box,)
        self.card.replayed += 1

    def _repr_mimebundle_(self, **_):
        live, metadata = page.live(self.box, self.card)
        told = self.card.rung
        blank = "".join(f"<pre>{escape(told[part])}</pre>" for part in ("specification", "blank"))
        printed = f"<p><strong>{escape(told['title'])}</strong> {told['task']}</p>{blank}{ROOM}"
        return {**live, "text/html": printed, "text/plain": f"{told['title']}: {words(told['task'])}"}, metadata

    def actions(self):
        """(name, callable) of everything a learner can do here: for the sweep of the notebooks."""
        for text in ("", self.rung.blank, "x = ", "x = 1", "<b>" * 50, self.rung.worked.text):
            sent = [{way: text} for way in ("draft", "draw", "run")]
            sent += [{"ask": ask} for ask in ("hint", "replay", "step")]
            yield from ((f"{str(one)[:20]} {text[:10]!r}", partial(self.receive, one)) for one in sent)


def _clean(text):
    """What was typed, as text that can be kept; the judge says what is too long."""
    return str(text)[: 2 * LONGEST].encode("utf-8", "replace").decode()


def said(verdict):
    """What the first line of a verdict says; at the par, which the star names, it says so once."""
    if not verdict.right:
        return re.sub("^line ", "Line ", verdict.problem)
    score, against, floor, star = verdict.parts
    ratios = floor if verdict.star and not verdict.beaten else f"{against}, {floor}"
    return f"{score}: {ratios}. {star}".rstrip()


def marks(rung, score, slow=None):
    """The marks of the gauge: bound and par; beside them the score of a right kernel, and of a typical slow one."""
    values = {"no kernel beats": rung.bound, "par": rung.par, "yours": score, "a slow one": slow}
    known = {name: float(value) for name, value in values.items() if value is not None}
    return [{"name": n, "value": value, "words": f"{value:,.0f} {rung.scored}"} for n, value in known.items()]


def told(rung):
    """What the card says of a rung before the first run: its texts, the constants that it gives."""
    number = syllabus.chapters()[rung.chapter]["label"]
    card = {"id": rung.id, "title": rung.title, "task": html(rung.task), "specification": rung.specified}
    card["yours"] = YOURS[rung.machine]
    line, *rest = re.split(r"(?<=\.) (?=\S)", rung.task.strip(), maxsplit=1)
    card |= {"line": html(line), "rest": html(" ".join([*rest, shown.beside_silicon(rung)]))}
    card["constants"] = [f"{name} = {value}" for name, value in rung.constants.items()]
    return {**card, "blank": rung.blank, "after": f"Chapter {number}: {rung.section}"}
