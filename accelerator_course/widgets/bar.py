"""chapter_bar: a slim line that stays on top: panel 3 of 14, a mark for each panel, the way to the neighbours."""

import time

import traitlets

from accelerator_course.quiz import progress, schedule
from accelerator_course.start import calm, unrun
from accelerator_course.views.stage import palette
from accelerator_course.widgets import catalog, scale, tasks, yours
from accelerator_course.widgets.page import Leading, script, style


class ChapterBar(Leading):
    """The bar of one chapter, by its topic; None is the first notebook."""

    _esm = script("door.js", "scale.js", "bar.js")
    _css = palette.css() + style("scale.css")
    title = traitlets.Unicode("").tag(sync=True)
    minutes = traitlets.Int(0).tag(sync=True)
    places = traitlets.List([]).tag(sync=True)  # {"panel", "heading"} of each panel, in order
    panels = traitlets.List([]).tag(sync=True)  # one truth for each panel, in order: was it tried?
    done = traitlets.List([]).tag(sync=True)  # and were all its tasks done?
    tasks = traitlets.List([0, 0]).tag(sync=True)  # how many were done, and how many there are
    yours = traitlets.List([]).tag(sync=True)  # what the reader chose for all menus, by its name there
    said = traitlets.Unicode("").tag(sync=True)  # about what was given last
    here = traitlets.List([]).tag(sync=True)  # where in a machine: a place for scale.js, in words
    scenes = traitlets.List([]).tag(sync=True)  # of scale.js, once they are asked for
    due = traitlets.Int(0).tag(sync=True)  # questions that come back today, once that is asked for
    ways = traitlets.List([]).tag(sync=True)  # {"rel", "notebook", "words"}: previous, start, next, where they exist

    def __init__(self, topic=None):
        places = catalog.places(topic)
        self.ids = tuple(places)
        self.tried = {event.get("panel") for event in progress.events("explore")}
        self.lines = {id: len(tasks.of(id)) for id in self.ids}
        title, minutes = catalog.heading(topic)
        super().__init__(title=title, minutes=minutes, ways=catalog.ways(topic), panels=self._marks())
        self.here = scale.place(topic)
        self.places = [{"panel": id, "heading": heading} for id, (_, heading, _) in places.items()]
        self._count()
        self._own()
        self.on_msg(lambda _, content, __: self._asked(content))
        progress.listeners.add(self)

    def _asked(self, content):
        if "yours" in content:
            self.said = yours.use(str(content["yours"]))
        elif content["ask"] == "due":
            self.due = schedule.today(progress.events(), time.time())[1]
        else:
            self.scenes = scale.scenes()

    def heard(self, event):
        """Mark a panel as soon as it is tried, and count what was done on it."""
        if event.get("kind") == "explore":
            self.tried.add(event["panel"])
            self.panels = self._marks()
        elif event.get("kind") == "task" and event["panel"] in self.lines:
            self._count()
        elif event.get("kind") == "yours":
            self._own()
        elif event.get("kind") == "answer" and self.due:
            self._asked({"ask": "due"})

    def _own(self):
        self.yours = [name for what, (name, _) in yours.own().items() if what != "pair"]

    def _count(self):
        done = {id: len(names) for id, names in tasks.done(self.ids).items()}
        self.done = [0 < self.lines[id] == done[id] for id in self.ids]
        self.tasks = [sum(done.values()), sum(self.lines.values())]

    def _marks(self):
        return [id in self.tried for id in self.ids]

    def _repr_mimebundle_(self, **more):
        live, metadata = super()._repr_mimebundle_(**more) or ({}, {})
        return {**live, "text/html": "", "text/plain": ""}, metadata


def chapter_bar(topic=None):
    """The bar of a chapter's notebook, by its topic; without one that of 00_start_here. Raises KeyError."""
    unrun.load()
    calm.load()
    return ChapterBar(topic)
