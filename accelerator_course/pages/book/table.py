"""Tables: a panel at every position of every control, the others at their start; a stepper as a run that plays.

films/<chapter>/<id>.js hands the states to the page; without a script that shows the starting position.
"""

import gzip
import json
from functools import cache
from itertools import count
from pathlib import Path

from accelerator_course.pages.book import controls
from accelerator_course.views.stage import raster
from accelerator_course.views.stage.reel import Reel
from accelerator_course.widgets.stepper import Stepper

HERE = Path(__file__).parent
MOST, THINNEST = 60_000, 32  # bytes of a table as it travels; in a larger one sliders have every second ... 32nd place
COLOURS = 32  # of a picture: few enough for a quarter of the bytes, enough for smooth letters
SCALE = 1.5  # pixels of a still for each of the view's
RUN_BYTES = 700_000  # of a run on the page; a longer one is shown every second, third ... state


class Tables:
    """Writes the tables of one chapter to `folder`, seen `at` by the page; named: {id: numbers of the prose}."""

    def __init__(self, folder, at, named):
        self.folder, self.at, self.named, self._ids = Path(folder), at, named, {}
        self.folder.mkdir(parents=True, exist_ok=True)

    def panel(self, panel):
        """HTML of a panel: its picture, its sentence, all its controls."""
        id, table, size, was, every = self._id(panel), {}, MOST + 1, 0, 1
        still, named = self._still(panel, id), self.named.get(panel.id, ())
        while panel.controls and MOST < size != was and every <= THINNEST:
            table = _table(panel, controls.fields(panel, named, every))
            was, size = size, len(gzip.compress(_script(id, table).encode()))
            every = max(every + 1, every * size // MOST)
        return self._figure("acc-film", id, panel, still, table)

    def state(self, panel, name, begins=""):
        """A panel as it stands now, as one picture with its sentence; or where it begins, in those words."""
        return f'<figure class="acc-still">{self._still(panel, f"{panel.id}-{name}", begins)}</figure>'

    def run(self, stepper):
        """HTML of a stepper: a still, in whose place the page plays the run; another run is not here."""
        id = self._id(stepper)
        reel, every = _wound(stepper.picture.view, stepper.states)
        table = {"controls": controls.fields(stepper), **_packed(reel)}
        if every > 1:  # the sentence says which cycle it shows
            table["run"]["noun"] = "picture"
        return self._figure("acc-run", id, stepper, self._still(stepper, id), table, every)

    def _figure(self, kind, id, panel, still, table, every=1):
        if table:
            (self.folder / f"{id}.js").write_text(_script(id, table), encoding="utf-8")
        fields, nth = table.get("controls", {}), {2: "second", 3: "third"}.get(every, f"{every}th")
        told = f"Every {nth} {panel.picture.view.noun} is shown." if every > 1 else ""
        script, lines = table and f"{self.at}/{id}.js", [*controls.lines(panel, fields, every)]
        return _forms().figure(kind, id, script, still, told, fields, lines)

    def _still(self, panel, name, begins=""):
        view, states = panel.picture.view, panel.states if isinstance(panel, Stepper) else panel.picture.states
        if told := panel.picture.widget.note.get("text"):
            return _forms().picture(told, "", ())
        state = states[0 if begins else len(states) // 2]
        image = raster.image(view, state, SCALE, 0)
        image = image.crop((0, image.height - round(SCALE * view.size[1]), *image.size))
        image = image.quantize(COLOURS, dither=0).convert("RGB")
        image.save(self.folder / f"{name}.webp", lossless=True, method=2, quality=40)
        size = [round(side) for side in view.size]
        return _forms().picture(begins or view.say(state), f"{self.at}/{name}.webp", size)

    def _id(self, panel):
        """A name of its own for every panel; one that is shown twice has a number behind it."""
        name = panel.id or "panel"
        self._ids[name] = place = self._ids.get(name, 0) + 1
        return name if place == 1 else f"{name}-{place}"


def _table(panel, fields):
    """All that the page needs: one Reel, and of each control what is seen at its places."""
    reel, start = Reel(panel.picture.view), panel.values
    first = _seen(panel, reel)
    for name, field in fields.items():
        options, field["shown"] = controls.options(panel.controls[name]), []
        for at, place in enumerate(field["places"]):
            panel.set(**{name: options[place][1]})
            field["shown"].append(first if at == field["begin"] else _seen(panel, reel))
        panel.set(**start)
    return {"controls": fields, **_packed(reel)}


def _seen(panel, reel):
    """The number of the state that the panel stands at, added to the reel; in words why there is none."""
    states = reel.head["states"]
    if told := panel.picture.widget.note.get("text"):
        return told
    reel.add(panel.picture.states[0])
    if len(states) > 1 and not states[-1]["columns"] and states[-1]["say"] == states[-2]["say"]:
        states.pop()
    return len(states) - 1


def _packed(reel):
    view = reel.view
    run = {"total": len(reel.head["states"]), "size": list(view.size), "noun": view.noun, "follows": view.follows}
    data = (0x100 + byte for byte in reel.data())  # a letter for a byte: what returns returns as the same letters
    return {"run": run, "head": reel.head, "data": "".join(map(chr, data))}


def _wound(view, states):
    """(Reel, n) of every n-th state, so many that the page can carry them."""
    for every in count(1):
        reel = Reel(view)
        if all(reel.add(state) and reel.bytes <= RUN_BYTES for state in states[::every]):  # every state says something
            return reel, every


def _script(id, table):
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f'accTake("{id}",{text});\n'


@cache
def _forms():
    from jinja2 import Environment, FileSystemLoader

    return Environment(loader=FileSystemLoader(HERE), autoescape=True).get_template("figure.html").module
