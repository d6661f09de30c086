"""A panel under its questions (veil.js): it waits at a first frame without the answer, then shows the guess."""

from weakref import WeakSet

import ipywidgets
import traitlets

from accelerator_course import settings
from accelerator_course.widgets.page import Live, live, script

LIVE = WeakSet()  # every one that still exists, for the sweep of the notebooks
ASKED = set()  # (chapter, id) of what this kernel has asked: a cell that is run again asks again
NEXT = ["next", "Next prediction"]


class Veil(Live):
    """What the page knows of the question that is open now."""

    _esm = script("seen.js", "veil.js")
    state = traitlets.Enum(("asked", "shown", "committed"), "asked").tag(sync=True)
    at = traitlets.Int(0).tag(sync=True)  # which of the questions
    uncovered = traitlets.Bool(False).tag(sync=True)  # nothing waits: as the tests want it, or opened by a key
    plays = traitlets.Bool(False).tag(sync=True)  # whether what is shown then is a run
    waits = traitlets.Unicode("").tag(sync=True)  # where the panel stands meanwhile, in words
    offered = traitlets.List([]).tag(sync=True)  # of Prediction.offered: where each guess would lie
    marks = traitlets.Dict({}).tag(sync=True)  # of Prediction.marks, and `to`, the state to play to; empty: none
    turn = traitlets.Int(0).tag(sync=True)  # counts how often they were shown


class Veiled:
    """Predictions, one after the other, above one panel; `veil.state` says where the one that is open stands."""

    def __init__(self, cards, panel):
        self.cards, self.panel = cards, panel
        for card in cards:
            self._check(card)
            card.opened, card.wanted = self._opened, self._wanted
        self.veil = Veil(uncovered=settings.uncovered())
        panel.covered = lambda: self.veil.state == "asked" and not self.veil.uncovered
        self.veil.on_msg(lambda _, content, __: self.lift() if "open" in content else None)
        self.questions = ipywidgets.VBox(cards[:1])
        self.box = ipywidgets.VBox([self.questions, self.veil, panel.box])
        self.box.add_class("acc-predict")
        self._printed = panel._repr_mimebundle_()[0]
        self._moving = False
        if not self.veil.uncovered:
            self.box.add_class("acc-veiled")  # before the script is there: the answer must not flash
            self.wait(cards[0])
            self._restore()
        for control in panel.controls.values():
            control.observe(self._moved, "value")
        panel.picture.widget.observe(self._arrived, "position")
        LIVE.add(self)

    def _check(self, card):
        show = card.entry.get("show", {})
        if show.get("panel") != self.panel.id:
            told = f"is shown on the panel {show['panel']!r}" if show else "is shown on no panel"
            raise ValueError(f"the prediction {card.entry['id']!r} {told}, not on {self.panel.id!r}")

    def wait(self, card):
        """The first frame of a question: without its answer, and where on the picture each guess would lie."""
        if "axis" in card.entry.get("mark", {}):
            self._set(card.entry["show"]["values"])  # a guess lies on the picture that is asked about
        offered = card.offered(self.panel.picture.view)
        self._set({**self.panel.defaults, **card.entry.get("before", {})}, blind=True)
        with self.veil.hold_sync():
            self.veil.offered, self.veil.waits, self.veil.marks = offered, self.panel.described(), {}
            self.veil.plays = self.panel.plays and card.entry["show"].get("state") != 0

    def _restore(self):
        """What was guessed or asked to be shown before this kernel is not asked again: the panel stands open."""
        fresh = not ASKED.intersection(names := [(card.chapter, card.entry["id"]) for card in self.cards])
        ASKED.update(names)
        for card in self.cards if fresh and not (settings.hall() or settings.printed()) else ():
            if not card.restore():
                return
            if card is not self.cards[-1]:
                self._next()
        if self.veil.state != "asked":
            self._set(self.panel.defaults)
            self.veil.marks = {}
            self.box.remove_class("acc-veiled")

    def lift(self):
        """Nothing waits any more: the panel as it would be without a question."""
        self.veil.uncovered = True
        if self.veil.state == "asked":
            self._set(self.panel.defaults)

    def _set(self, values, blind=False):
        """Move the panel; a view that can be blind draws nothing that is asked for meanwhile."""
        panel, view = self.panel, self.panel.picture.view
        there = panel.plays and values.items() <= panel.values.items()  # a run that is there is not run again
        if hasattr(view, "blind"):
            view.blind, there = blind, False
        self._moving = True
        try:
            if not there:
                panel.set(**values)
        finally:
            self._moving = False

    def _opened(self, card):
        """The answer is there: show it, tick what it reaches, and offer what comes next."""
        shown = self.cards[: len(self.questions.children)]
        for one in shown:  # before the film is computed: no button comes beside one that is pressed meanwhile
            guess = "Show the room's guess again" if settings.hall() else "Show my guess again"
            one.after = [["again", guess if one.guesses else "Show the answer again"]]
        if card is shown[-1] is not self.cards[-1]:
            card.after = [NEXT, *card.after]
        self._show(card, state=card.state)
        if self.panel.tasks:
            self.panel.tasks.look(shown=True)

    def _wanted(self, card, name):
        if name == "again":
            self._show(card)
        elif name == "next" and NEXT in card.after:
            self._next()

    def _next(self):
        place = len(self.questions.children)
        for card in self.cards[:place]:
            card.after = []  # their pictures wait until this one is answered
        with self.veil.hold_sync():
            self.veil.at, self.veil.state, self.veil.marks = place, "asked", {}
        if self.veil.uncovered:
            self._set(self.panel.defaults)
        else:
            self.wait(self.cards[place])
        self.questions.children = self.cards[: place + 1]

    def _show(self, card, **traits):
        show = card.entry["show"]
        asked = {**self.panel.defaults, **card.entry.get("before", {})}  # whatever was moved meanwhile
        self._set({**asked, **show["values"]})
        marks = card.marked(self.panel.picture.view)
        if self.panel.plays:
            marks["to"] = show.get("state", len(self.panel.states) - 1)
        with self.veil.hold_sync():
            for name, value in {"marks": marks, "turn": self.veil.turn + 1, **traits}.items():
                setattr(self.veil, name, value)

    def _arrived(self, change):
        """A run has come to the answer by itself: what that reaches is ticked, as where nothing plays."""
        if self.panel.tasks and change["new"] == self.veil.marks.get("to"):
            self.panel.tasks.look()

    def _moved(self, _):
        if not self._moving:
            self.veil.marks = {}

    def _repr_mimebundle_(self, **_):
        printed = [*(card._repr_mimebundle_()[0] for card in self.cards), self._printed]
        still = {kind: "\n".join(part[kind] for part in printed) for kind in ("text/html", "text/plain")}
        shown, metadata = live(self.box, self.veil)
        return {**shown, **still}, metadata
