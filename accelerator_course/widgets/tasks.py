"""Tasks: what to try on a panel, a line each. Pressed it sets the panel; reached, by a press or by hand, it ticks.

syllabus/tasks: {id of a panel: [{says, set: {control: value}, at: state or end, near: steps off that count}]}
"""

import html
from dataclasses import dataclass, field

import traitlets

from accelerator_course import settings, syllabus
from accelerator_course.quiz import progress
from accelerator_course.widgets import controls as kit
from accelerator_course.widgets.page import Live, script, style
from accelerator_course.widgets.screen import later
from accelerator_lib import data

REST = 0.6  # seconds that controls rest before it is looked at: what they only pass is not meant
FINE = 24  # positions of a slider from which a step more or less is no other answer
TOLD = "told"  # recorded in place of a task: what was seen has been asked for


@dataclass(frozen=True)
class Task:
    """One line; `set` names controls as a reader sees them: by value, label or id."""

    says: str
    set: dict = field(default_factory=dict)
    at: int | str | None = None
    near: int | None = None

    @property
    def name(self):
        """What is recorded: its state, which outlives another wording."""
        state = [f"{name}={value}" for name, value in self.set.items()]
        return " ".join([*state, *([f"at={self.at}"] if self.at is not None else [])])

    def values(self, panel):
        """{control: position} of what it sets. Raises ValueError where the panel does not offer that."""
        unknown = set(self.set) - set(panel.controls)
        if unknown or (self.at is not None and not panel.plays):
            raise ValueError(f"panel {panel.id} has no {', '.join(sorted(unknown)) or 'run'}")
        return {name: kit.position(panel.controls[name], value) for name, value in self.set.items()}

    def places(self, panel):
        """States of the run where it is met, from 0: one, in a long run a few; if played, all from there on."""
        total = len(panel.states)
        place = (total if self.at == "end" else self.at) - 1
        return range(place, total if "play" in self.says.lower() else place + total // 40 + 1)

    def reached(self, panel):
        """Whether the panel stands there, past its first state."""
        if not all(self._met(panel.controls[name], value) for name, value in self.values(panel).items()):
            return False
        return self.at is None or (panel.position > 0 and panel.position in self.places(panel))

    def _met(self, control, value):
        """Whether a control stands there; what is to be found on a fine slider, as near as one step."""
        if kit.same(control.value, value) or not isinstance(control, kit.Slider) or len(control.options) < FINE:
            return kit.same(control.value, value)
        near = ("find" in self.says.lower()) if self.near is None else self.near
        grid = [option for _, option in control.options]
        return abs(grid.index(control.value) - grid.index(value)) <= near

    def within(self, other):
        """Whether another asks for all that this one does, and for more; one that goes on from there asks for both."""
        on = other.says.startswith("Then ") and self.at is None
        return self.at == other.at and self.set.items() < other.set.items() and not on


@data.kept
def _known():
    files = sorted((syllabus.FOLDER / "tasks").glob("*.yaml"))
    return {id: tasks for file in files for id, tasks in data.parse(file)["panels"].items()}


def of(id):
    """The tasks of a panel, in order; none where nothing is asked."""
    return tuple(Task(**one) for one in _known().get(id, ()))


def done(panels):
    """{id of a panel: names of its tasks that were done}, as far as the tasks still exist."""
    found = {id: set() for id in panels}
    for event in progress.events("task"):
        if event.get("panel") in found:
            found[event["panel"]].add(event.get("task"))
    return {id: {task.name for task in of(id)} & names for id, names in found.items()}


class Tasks(Live):
    """The lines below a panel; what was seen there stays folded until they are done, or it is asked for (tasks.js)."""

    _esm = script("seen.js", "tasks.js")
    _css = style("tasks.css")
    lines = traitlets.List([]).tag(sync=True)
    done = traitlets.List([]).tag(sync=True)  # one truth for each line
    told = traitlets.Bool(False).tag(sync=True)  # nothing is folded, whatever is done
    also = traitlets.Unicode("").tag(sync=True)  # what the last press set back without saying so, in words

    def __init__(self, panel, tasks):
        self.panel, self.tasks, self._pressed, self._later = panel, tasks, None, None
        kept = {event.get("task") for event in progress.events("task") if event.get("panel") == panel.id}
        kept = set() if settings.hall() else kept  # a hall has done none of them
        told = TOLD in kept or settings.uncovered() or settings.hall() or settings.printed()
        super().__init__(lines=[one.says for one in tasks], done=[one.name in kept for one in tasks], told=told)
        self.on_msg(lambda _, content, __: self.receive(content))

    def receive(self, content):
        """What the page asks for: {"press": 2}, or {"tell": true}, {"done": [0, 2]} where a reader has been."""
        if content.get("press") in range(len(self.tasks)):
            self.press(content["press"])
        elif "done" in content:
            self._tick([self.tasks[place] for place in content["done"] if place in range(len(self.tasks))])
        elif "tell" in content and not self.told:
            self.told = True
            self._record(TOLD)

    def press(self, place):
        """Bring the panel to where a line asks for, from its starting values."""
        task = self._pressed = self.tasks[place]
        unsaid = [name for name in self.panel.controls if name not in task.set]
        back = [name for name in unsaid if not kit.same(self.panel.values[name], self.panel.defaults[name])]
        try:
            self.panel.set(**{**self.panel.defaults, **task.values(self.panel)})
            if self.panel.plays:
                self.panel.finish()  # the page goes nowhere in a run it does not have
            if task.at is not None:
                self.panel.position = task.places(self.panel)[0]
            self.panel.touched()
            self._tell(back)
        finally:
            self._pressed = None

    def _tell(self, back):
        """Say which controls a press has set back, and mark them until the panel is touched again."""
        for name, control in self.panel.controls.items():
            control.add_class("acc-set-back") if name in back else control.remove_class("acc-set-back")
        self.also = " · ".join(kit.described(self.panel.controls[name]) for name in back)

    def soon(self):
        """Look when the panel rests and its run is there; at once after a press, and where nothing can wait."""
        if self.also and not self._pressed:
            self._tell([])
        if self._later is not None:
            self._later.cancel()
        self._later = None if self._pressed else later(self._rested, REST)
        if self._later is None:
            self.look()

    def _rested(self):
        self._later = None
        self.soon() if self.panel.loading else self.look()

    def look(self, shown=False):
        """Tick what is reached now. Of two where one asks for all that the other does, that one; `shown`: neither."""
        here = [one for one in self.tasks if one.reached(self.panel)]
        meant = [one for one in here if not any(one.within(x) or (shown and x.within(one)) for x in here)]
        self._tick([self._pressed] if self._pressed else meant)

    def _tick(self, reached):
        for one in reached:
            if not self.done[self.tasks.index(one)]:
                self.done = [was or task is one for was, task in zip(self.done, self.tasks, strict=True)]
                self._record(one.name)

    def _record(self, name):
        if not settings.hall():  # what is shown there is no learner's doing
            progress.record({"kind": "task", "panel": self.panel.id, "task": name})

    def markup(self):
        """The lines where nothing can be pressed: on paper, in a saved page."""
        return f'<p class="acc-to-try">To try: {html.escape(" · ".join(self.lines))}.</p>'

    def actions(self):
        """(name, callable) of the lines: for the sweep of the notebooks."""
        for place, task in enumerate(self.tasks):
            yield task.says, lambda place=place: self.press(place)


def below(panel):
    """The Tasks of a panel; None where nothing is asked, or its controls are no longer those that the lines name."""
    tasks = of(panel.id)
    try:
        for task in tasks:
            task.values(panel)
    except ValueError:
        return None
    return Tasks(panel, tasks) if tasks else None
