"""Tables: a panel at every position of every control, the others at their start; a stepper as a run that plays.

films/<chapter>/<id>.js hands the states to the page; without a script that shows the starting position.
"""

import base64
import gzip
import html
import io
import json
from itertools import count
from pathlib import Path

from accelerator_course.pages.book import controls
from accelerator_course.views.stage import raster
from accelerator_course.views.stage.reel import Reel
from accelerator_course.widgets.stepper import Stepper

MOST = 60_000  # bytes of a table as it travels; of a larger one the sliders have every second, third ... position
COLOURS = 32  # of a picture: few enough for a quarter of the bytes, enough for smooth letters
SCALE = 1.5  # pixels of a still for each of the view's
RUN_BYTES = 700_000  # of a run on the page; a longer one is shown every second, third ... state


class Tables:
    """Writes the tables of one chapter to `folder`, seen `at` by the page; named: {id: numbers of the prose}."""

    def __init__(self, folder, at, named):
        self.folder, self.at, self.named, self._made, self._ids = Path(folder), at, named, {}, {}
        self.folder.mkdir(parents=True, exist_ok=True)

    def panel(self, panel):
        """HTML of a panel: its picture, its sentence, all its controls."""
        id = self._id(panel)
        still = self._still(panel, id)
        if not panel.controls:
            return _figure(id, "", still, "")
        named, start = self.named.get(panel.id, ()), panel.values
        for every in count(1):
            kept = controls.kept(panel, named, every)
            text = _script(id, _table(panel, kept))
            if len(gzip.compress(text.encode())) <= MOST or all(len(kept[name]) < 9 for name in kept):
                break
        panel.set(**start)
        return self._hand(id, text, still, controls.below(panel, kept))

    def state(self, panel, name):
        """A panel as it stands now, as one picture with its sentence."""
        return self._still(panel, f"{self._id(panel, again=True)}-{name}")

    def run(self, stepper):
        """HTML of a stepper: a still, in whose place the page plays the run; another run is not here."""
        id, screen = self._id(stepper), stepper.picture
        reel, every = _wound(screen.view, stepper.states)
        noun = screen.view.noun if every == 1 else "picture"  # the sentence says which cycle it shows
        nth = {2: "second", 3: "third"}.get(every, f"{every}th")
        told = f'<p class="acc-told">Every {nth} {html.escape(screen.view.noun)} is shown.</p>' if every > 1 else ""
        kept = controls.kept(stepper)
        text = _script(id, {"controls": _printed(stepper, kept), **_packed(reel, noun)})
        return self._hand(id, text, self._still(stepper, id), told + controls.below(stepper, kept, every), "acc-run")

    def _still(self, panel, name):
        picture = panel.picture
        states = panel.states if isinstance(panel, Stepper) else picture.states
        told = picture.widget.note.get("text")
        return _picture(told, None, (0, 0)) if told else self._shot(picture.view, states[len(states) // 2], name)

    def _shot(self, view, state, name):
        image, high = raster.image(view, state, SCALE, 0), round(SCALE * view.size[1])
        image = image.crop((0, image.height - high, *image.size))
        return _picture(view.say(state), self._kept(image, name), view.size)

    def _kept(self, image, name):
        out = io.BytesIO()
        image.quantize(COLOURS, dither=0).convert("RGB").save(out, "webp", lossless=True, method=2, quality=40)
        made = out.getvalue()
        if made not in self._made:
            self._made[made] = f"{self.at}/{name}.webp"
            (self.folder / f"{name}.webp").write_bytes(made)
        return self._made[made]

    def _hand(self, id, text, still, below, kind="acc-film"):
        (self.folder / f"{id}.js").write_text(text, encoding="utf-8")
        return _figure(id, f"{self.at}/{id}.js", still, below, kind)

    def _id(self, panel, again=False):
        """A name of its own for every panel; one that is shown twice has a number behind it."""
        name = panel.id or "panel"
        if not again:
            self._ids[name] = self._ids.get(name, 0) + 1
        place = self._ids.get(name, 1)
        return name if place == 1 else f"{name}-{place}"


def _table(panel, kept):
    """All that the page needs: one Reel, and of each control what is seen at these places."""
    reel, start, found = Reel(panel.picture.view), panel.values, _printed(panel, kept)
    first = _seen(panel, reel)
    for name, places in kept.items():
        options, shown = controls.options(panel.controls[name]), []
        begin = controls.place(panel.controls[name], start[name])
        for place in places:
            panel.set(**{name: options[place][1]})
            shown.append(first if place == begin else _seen(panel, reel))
        panel.set(**{name: start[name]})
        found[name]["shown"] = shown
    return {"controls": found, **_packed(reel, reel.view.noun)}


def _printed(panel, kept):
    """{control: what it prints at which places}."""
    texts = {name: [str(text) for text, _ in controls.options(panel.controls[name])] for name in kept}
    return {name: {"places": at, "stops": [texts[name][place] for place in at]} for name, at in kept.items()}


def _seen(panel, reel):
    """The number of the state that the panel stands at, added to the reel; in words why there is none."""
    told, states = panel.picture.widget.note.get("text"), reel.head["states"]
    if told:
        return told
    reel.add(panel.picture.states[0])
    if len(states) > 1 and not states[-1]["columns"] and states[-1]["say"] == states[-2]["say"]:
        states.pop()
    return len(states) - 1


def _packed(reel, noun):
    view = reel.view
    run = {"total": len(reel.head["states"]), "size": list(view.size), "noun": noun, "follows": view.follows}
    return {"run": run, "head": reel.head, "data": base64.b64encode(reel.data()).decode()}


def _wound(view, states):
    """(Reel, n) of every n-th state, so many that the page can carry them."""
    for every in count(1):
        reel = Reel(view)
        for state in states[::every]:
            reel.add(state)
            if reel.bytes > RUN_BYTES:
                break
        else:
            return reel, every


def _script(id, table):
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f'accTake("{id}",{text});\n'


def _picture(sentence, address, size):
    said = html.escape(sentence, quote=True)
    wide, high = (round(side) for side in size)
    shown = f'<img src="{address}" width="{wide}" height="{high}" alt="{said}" loading="lazy">' if address else ""
    return f'<figcaption class="acc-finding">{said}</figcaption><div class="acc-frame">{shown}</div>'


def _figure(id, script, inner, below, kind="acc-film"):
    data = f' data-film="{script}"' if script else ""
    return f'<figure class="{kind}" id="panel-{id}"{data}>{inner}{below}</figure>'
