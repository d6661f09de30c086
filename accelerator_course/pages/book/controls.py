"""Controls of a panel as the page has them: all of them, a Reset, and lines that go to what is to be seen.

They rest until a script answers (book.js); the live page draws the same ones, so that nothing moves when it takes over.
"""

import json
from html import escape

from accelerator_course.widgets import controls as kit


def options(control):
    """[(printed, value)] of all positions; a switch is off at the first, on at the second."""
    return [("no", False), ("yes", True)] if isinstance(control, kit.Switch) else list(control.options)


def place(control, value):
    """Which of its positions a value is."""
    return next(i for i, (_, option) in enumerate(options(control)) if kit.same(option, value))


def kept(panel, named=(), every=1):
    """{control: its places}, of a slider only every n-th, both ends, the start, and what prose or lines name."""
    found = {}
    for name, control in panel.controls.items():
        offered = options(control)
        places = set(range(0, len(offered), every if isinstance(control, kit.Slider) else 1))
        places |= {len(offered) - 1, place(control, control.value)}
        places |= {i for i, (printed, _) in enumerate(offered) if str(printed).split(" ")[0] in named}
        places |= {place(control, there[name]) for _, there in _asked(panel) if name in there}
        found[name] = sorted(places)
    return found


def below(panel, kept, every=1):
    """HTML: the controls with these places, what they wait for, the lines; of a run every n-th state is there."""
    made = "".join(_control(name, control, kept[name]) for name, control in panel.controls.items())
    lines = "".join(_line(panel, task, there, kept, every) for task, there in _asked(panel))
    row = f'<div class="acc-controls">{made}<button type="button" class="acc-reset" disabled>Reset</button></div>'
    row += '<p class="acc-wait" role="status"></p>'
    return (row if made else "") + (f'<ul class="acc-lines">{lines}</ul>' if lines else "")


def _asked(panel):
    return [(task, task.values(panel)) for task in (panel.tasks.tasks if panel.tasks else ())]


def _control(name, control, places):
    said, at = f'<span class="widget-label">{escape(control.description)}</span>', place(control, control.value)
    if isinstance(control, kit.Switch):
        on = " checked" if control.value else ""
        inner = f'<input type="checkbox"{on} autocomplete="off" disabled><span>{escape(control.description)}</span>'
        return f'<label class="acc-control acc-switch" data-control="{name}">{inner}</label>'
    texts = [escape(str(text)) for text, _ in options(control)]
    if isinstance(control, kit.Menu):
        rows = "".join(f"<option{' selected' * (i == at)}>{text}</option>" for i, text in enumerate(texts))
        inner = f'{said}<select autocomplete="off" disabled>{rows}</select>'
        return f'<label class="acc-control acc-menu" data-control="{name}">{inner}</label>'
    inner = f'{said}<input type="range" min="0" max="{len(places) - 1}" value="{places.index(at)}" '
    inner += f'aria-valuetext="{texts[at]}" autocomplete="off" disabled><output class="widget-readout">{texts[at]}</output>'
    return f'<label class="acc-control acc-slider" data-control="{name}">{inner}</label>'


def _line(panel, task, there, kept, every):
    """A button that goes there, with the places of the controls that it moves, and the state of the run it is about."""
    moved = {name: kept[name].index(place(panel.controls[name], value)) for name, value in there.items()}
    here = all(kit.same(panel.values[name], value) for name, value in there.items())
    at = ""
    if task.at is not None and here:  # another run has another length
        at = f' data-at="{min(task.place(panel) // every, (len(panel.states) - 1) // every)}"'
    return f"<li><button type=\"button\" data-set='{json.dumps(moved)}'{at} disabled>{escape(task.says)}</button></li>"
