"""workshop: a panel of many controls: those named `first` in sight, the others in groups; its result is kept.

Below the picture stand the `token` of the result and its report, which `report(result)` makes and `paper` lays out.
"""

import ipywidgets
import traitlets

from accelerator_course.quiz import progress
from accelerator_course.widgets import controls as kit
from accelerator_course.widgets import screen
from accelerator_course.widgets.page import Live, files, script
from accelerator_course.widgets.panel import Panel

REST = 1.5  # seconds without a move, after which the controls are kept
PAGES = {"html": "text/html", "pdf": "application/pdf"}


class Takeaway(Live):
    """A line to copy and buttons for files."""

    _esm = script("takeaway.js")
    token = traitlets.Unicode("").tag(sync=True)
    note = traitlets.Unicode("").tag(sync=True)
    files = traitlets.List(files(html=None, pdf="matplotlib")).tag(sync=True)


class Workshop(Panel):
    """A Panel in groups; its result has a `token`, and `report` makes more of it."""

    def __init__(self, function, view, /, *, id, groups, report, paper, first=(), **controls):
        named = [*first, *(name for names in groups.values() for name in names)]
        if sorted(named) != sorted(controls):
            raise ValueError(f"groups hold {', '.join(sorted(named))}; the controls are {', '.join(sorted(controls))}")
        self._first, self._groups, self.paper, self.result, self._due = first, groups, paper, None, None
        self.report = report
        self.takeaway = Takeaway()
        self.takeaway.actions = self.actions
        self.takeaway.on_msg(lambda _, content, __: self.receive(content))
        super().__init__(function, view, id=id, **controls)
        self._find_again()

    def _draw(self, compute):
        self.result = None

        def kept():
            self.result = compute()
            return self.result

        super()._draw(kept)
        self.takeaway.token = self.result.token if self.result is not None else ""

    def receive(self, content):
        """What the page asks for: {"ask": "html" | "pdf"}: the report of the result as a file."""
        kind = content.get("ask")
        if kind not in PAGES or self.result is None:
            return
        report = self.report(self.result)
        made = self.paper.page(report).encode() if kind == "html" else self.paper.pdf(report)
        name = f"{self.id}-report.{kind}"
        self.takeaway.send({"file": name, "type": PAGES[kind]}, buffers=[made])
        self.takeaway.note = f"{name}: {len(made) / 1e3:,.0f} kB handed to your browser."

    def actions(self):
        """(name, callable) of the buttons: for the sweep of the notebooks."""
        for kind in PAGES:
            yield f"{self.id} report as {kind}", lambda kind=kind: self.receive({"ask": kind})

    def _moved(self, change):
        super()._moved(change)
        if not self._quiet:
            if self._due is not None:
                self._due.cancel()
            self._due = screen.later(self.keep, REST)
            if self._due is None:  # nobody would call: now
                self.keep()

    def keep(self):
        """Write down where the controls stand."""
        self._due = None
        names = list(self.controls)
        values = [_plain(self.controls[name]) for name in names]
        progress.record({"kind": "kept", "panel": self.id, "names": names, "values": values})

    def _find_again(self):
        """Bring the controls back to where they were kept last; what no longer fits stays at its start."""
        kept = [event for event in progress.events("kept") if event.get("panel") == self.id]
        if not kept:
            return
        wanted = dict(zip(kept[-1].get("names", ()), kept[-1].get("values", ()), strict=False))
        try:
            self.set(**{name: value for name, value in wanted.items() if _fits(self.controls.get(name), value)})
        except Exception:  # or the panel could never be opened again
            self.reset()
            self.takeaway.note = "Your design, as you left it, cannot be computed: here are the starting values."
            return
        self.takeaway.note = "Your design, as you left it. Reset brings back the starting values."

    def _lay_out(self, reset):
        box = super()._lay_out(reset)
        box.add_class("acc-workshop")
        return ipywidgets.VBox([box, self.takeaway])

    def _arranged(self):
        rows = [ipywidgets.Box([self.controls[name] for name in names]) for names in self._groups.values()]
        tabs = ipywidgets.Tab(children=rows)
        for place, name in enumerate(self._groups):
            tabs.set_title(place, name)
        tabs.add_class("acc-tabs")
        return [*self._card(), tabs]

    def _card(self):
        if not self._first:
            return []
        card = ipywidgets.VBox([ipywidgets.HTML("<b>Your brief</b>"), *(self.controls[name] for name in self._first)])
        card.add_class("acc-brief")
        return [card]


def _plain(widget):
    if isinstance(widget, kit.Menu):
        return next(text for text, value in widget.options if value == widget.value)
    return widget.value


def _fits(widget, value):
    """Whether a kept value can be set: an edited log may hold anything."""
    if isinstance(widget, kit.Menu):
        return any(text == value for text, _ in widget.options)
    if isinstance(widget, kit.Slider):
        return not isinstance(value, bool) and any(value == option for _, option in widget.options)
    return isinstance(widget, kit.Switch) and isinstance(value, bool)
