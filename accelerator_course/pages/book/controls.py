"""Controls of a panel as the page has them, and the lines below it: places among positions, no values."""

import json

from accelerator_course.widgets import controls as kit


def options(control):
    """[(printed, value)] of all positions; a switch is off at the first, on at the second."""
    return [("no", False), ("yes", True)] if isinstance(control, kit.Switch) else list(control.options)


def place(control, value):
    """Which of its positions a value is."""
    return next(i for i, (_, option) in enumerate(options(control)) if kit.same(option, value))


def fields(panel, named=(), every=1):
    """{control: its kind, label, places and what they print, which of these is the start}.

    All its places, or of a slider every n-th, with both ends, the start, and what prose or lines name."""
    made = {}
    for name, control in panel.controls.items():
        texts, begin, kind = [str(text) for text, _ in options(control)], place(control, control.value), type(control)
        places = {begin, len(texts) - 1, *range(0, len(texts), every if kind is kit.Slider else 1)}
        places |= {i for i, text in enumerate(texts) if text.split(" ")[0] in named}
        places = sorted(places | {place(control, there[name]) for _, there in _asked(panel) if name in there})
        about = {"kind": kind.__name__.lower(), "label": control.description, "begin": places.index(begin)}
        made[name] = {**about, "places": places, "stops": [texts[place] for place in places]}
    return made


def lines(panel, fields, every=1):
    """What is to be seen: which controls stand where, and at which state of the run, of which every n-th is there."""
    for task, there in _asked(panel):
        moved = {name: fields[name]["places"].index(place(panel.controls[name], to)) for name, to in there.items()}
        here = task.at is not None and all(at == fields[name]["begin"] for name, at in moved.items())
        met = task.places(panel) if here else ()  # another run has another length
        yield {"says": task.says, "set": json.dumps(moved), "met": [at // every for at in (*met[:1], *met[-1:])]}


def _asked(panel):
    return [(task, task.values(panel)) for task in (panel.tasks.tasks if panel.tasks else ())]
