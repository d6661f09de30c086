"""A panel under its questions: the picture is covered until they are answered, and marked with the guess (veil.js).

The cover is the page's alone. Where no script runs, in a print and in a saved page there is none.
"""

from weakref import WeakSet

import ipywidgets
import traitlets

from accelerator_lib import settings
from accelerator_lib.widgets.page import STYLE, Live, live, script

LIVE = WeakSet()  # every one that still exists, for the sweep of the notebooks
NEXT = ["next", "Next prediction"]


class Veil(Live):
    """What the page knows of the question that is open now."""

    _esm = script("seen.js", "veil.js")
    _css = STYLE
    state = traitlets.Enum(("asked", "shown", "committed"), "asked").tag(sync=True)
    at = traitlets.Int(0).tag(sync=True)  # which of the questions
    uncovered = traitlets.Bool(False).tag(sync=True)  # nothing is covered, as the tests want it
    beside = traitlets.Bool(False).tag(sync=True)  # some guess lies on no axis: room above the picture for its words
    marks = traitlets.Dict({}).tag(sync=True)  # of Prediction.marks; empty: none
    turn = traitlets.Int(0).tag(sync=True)  # counts how often they were shown


class Veiled:
    """Predictions, one after the other, above one panel; `veil.state` says where the one that is open stands."""

    def __init__(self, cards, panel):
        self.cards, self.panel = cards, panel
        for card in cards:
            self._check(card)
            card.opened, card.wanted = self._opened, self._wanted
        marked = ["axis" in card.entry.get("mark", {}) for card in cards]
        self.veil = Veil(uncovered=settings.uncovered(), beside=not all(marked))
        self.questions = ipywidgets.VBox(cards[:1])
        self.box = ipywidgets.VBox([self.questions, self.veil, panel.box])
        self.box.add_class("acc-predict")
        if not self.veil.uncovered:
            self.box.add_class("acc-veiled")  # before the script is there: the picture must not flash
        self._moving = False
        for control in panel.controls.values():
            control.observe(self._moved, "value")
        LIVE.add(self)

    def _check(self, card):
        """A prediction and the panel that it is shown on belong together."""
        show = card.entry.get("show", {})
        if show.get("panel") != self.panel.id:
            told = f"is shown on the panel {show['panel']!r}" if show else "is shown on no panel"
            raise ValueError(f"the prediction {card.entry['id']!r} {told}, not on {self.panel.id!r}")

    def _opened(self, card):
        """The answer is there: lift the cover, show it, and offer what comes next."""
        self._show(card, state=card.state)
        shown = self.cards[: len(self.questions.children)]
        for one in shown:
            one.after = [["again", "Show my guess again" if one.guesses else "Show the answer again"]]
        if card is shown[-1] is not self.cards[-1]:
            card.after = [NEXT, *card.after]

    def _wanted(self, card, name):
        if name == "again":
            self._show(card)
        elif name == "next" and NEXT in card.after:
            self._next()

    def _next(self):
        """The next question, and the cover again."""
        place = len(self.questions.children)
        for card in self.cards[:place]:
            card.after = []  # their pictures wait until this one is answered
        with self.veil.hold_sync():
            self.veil.at, self.veil.state, self.veil.marks = place, "asked", {}
        self.panel.reset()
        self.questions.children = self.cards[: place + 1]

    def _show(self, card, **traits):
        """Set the panel to where the answer is seen, and mark guess and truth on it."""
        self._moving = True
        try:
            self.panel.set(**card.entry["show"]["values"])
        finally:
            self._moving = False
        marks = card.marked(self.panel.picture.view)
        with self.veil.hold_sync():
            for name, value in {"marks": marks, "turn": self.veil.turn + 1, **traits}.items():
                setattr(self.veil, name, value)

    def _moved(self, _):
        """The reader moves a control: the marks belong to another picture."""
        if not self._moving:
            self.veil.marks = {}

    def _repr_mimebundle_(self, **_):
        """The live question over its panel; where no widgets run, the questions and the picture."""
        printed = [part._repr_mimebundle_()[0] for part in (*self.cards, self.panel)]
        still = {kind: "\n".join(part[kind] for part in printed) for kind in ("text/html", "text/plain")}
        shown, metadata = live(self.box, self.veil)
        return {**shown, **still}, metadata
