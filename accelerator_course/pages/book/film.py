"""Films: a panel as pictures along its first control, a stepper as a run that plays.

films/<chapter>/<id>.js hands the states to the page; without a script that shows the starting position.
"""

import base64
import html
import io
import json
from pathlib import Path

from accelerator_course.views.stage import raster
from accelerator_course.views.stage.reel import Reel
from accelerator_course.widgets.controls import Switch, described
from accelerator_course.widgets.stepper import Stepper

MOST = 9  # positions of a film
COLOURS = 32  # of a picture: few enough for a quarter of the bytes, enough for smooth letters
SCALE = 1.5  # pixels of a still for each of the view's
RUN_BYTES = 700_000  # of a run on the page; a longer one is shown every second, third ... state


class Films:
    """Writes the films of one chapter to `folder`, seen `at` by the page; named: {id: numbers of the prose}."""

    def __init__(self, folder, at, named):
        self.folder, self.at, self.named, self._made, self._ids = Path(folder), at, named, {}, {}
        self.folder.mkdir(parents=True, exist_ok=True)

    def panel(self, panel):
        """HTML of a panel: its picture, its sentence, and one slider where it has a control."""
        id, start = self._id(panel), panel.values
        name = next(iter(panel.controls), None)
        if name is None:
            return _figure(id, "", self._still(panel, id), "")
        control = panel.controls[name]
        words = " · ".join(described(widget) for other, widget in panel.controls.items() if other != name)
        lines = _along(panel, name)
        stops, begin = _stops(control, self.named.get(panel.id, ()), [values[name] for _, values in lines])
        places = [value for _, value in stops]
        lines = [(task.says, places.index(values[name])) for task, values in lines]
        film, first = self._reeled(panel, id, name, places, begin)
        panel.set(**start)
        film |= {"stops": [text for text, _ in stops], "begin": begin}
        self._hand(id, film)
        slider = _slider(control.description, stops, begin, words)
        return _figure(id, f"{self.at}/{id}.js", first, slider + _lines(lines))

    def state(self, panel, name):
        """A panel as it stands now, as one picture with its sentence."""
        return self._still(panel, f"{self._id(panel, again=True)}-{name}")

    def run(self, stepper):
        """HTML of a stepper: a still, in whose place the page plays the run."""
        id, screen = self._id(stepper), stepper.picture
        reel, every = _wound(screen.view, stepper.states)
        kept = screen.states[::every]
        noun = screen.view.noun if every == 1 else "picture"  # the sentence says which cycle it shows
        self._hand(id, _packed(reel, noun))
        told = f"Shown here: {stepper.described()}." if stepper.controls else ""
        nth = {2: "second", 3: "third"}.get(every, f"{every}th")
        told += f" Every {nth} {screen.view.noun} is shown." if every > 1 else ""
        first = self._shot(screen.view, screen.states[len(screen.states) // 2], id)
        seen = [task for task, _ in _along(stepper) if task.at]
        lines = [(task.says, min(task.place(stepper) // every, len(kept) - 1)) for task in seen]
        below = f'<p class="acc-fixed">{html.escape(told)}</p>{_lines(lines)}'
        return _figure(id, f"{self.at}/{id}.js", first, below, "acc-run")

    def _reeled(self, panel, id, name, values, begin):
        """The states of a Stage along the control: the page's own player draws them."""
        reel, shown = Reel(panel.picture.view), []
        for value in values:
            panel.set(**{name: value})
            told = panel.picture.widget.note.get("text")
            shown.append({**({"say": told} if told else {}), "at": len(reel.head["states"])})
            if not told:
                reel.add(panel.picture.states[0])
        panel.set(**{name: values[begin]})
        return {"frames": shown, **_packed(reel, reel.view.noun)}, self._still(panel, id)

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

    def _hand(self, id, film):
        text = json.dumps(film, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
        (self.folder / f"{id}.js").write_text(f'accTake("{id}",{text});\n', encoding="utf-8")

    def _id(self, panel, again=False):
        """A name of its own for every panel; one that is shown twice has a number behind it."""
        name = panel.id or "panel"
        if not again:
            self._ids[name] = self._ids.get(name, 0) + 1
        place = self._ids.get(name, 1)
        return name if place == 1 else f"{name}-{place}"


def _packed(reel, noun):
    view = reel.view
    run = {"total": len(reel.head["states"]), "size": list(view.size), "noun": noun, "follows": view.follows}
    return {"run": run, "head": reel.head, "data": base64.b64encode(reel.data()).decode()}


def _wound(view, states):
    """(Reel, n) of every n-th state, so many that the page can carry them."""
    every = 1
    while True:
        reel = Reel(view)
        for state in states[::every]:
            reel.add(state)
            if reel.bytes > RUN_BYTES:
                break
        else:
            return reel, every
        every += 1


def _along(panel, name=None):
    """[(task, its values)] of what is to be seen with a panel as it stands, but for one control: its film has that."""
    found = [(task, {**panel.values, **task.values(panel)}) for task in (panel.tasks.tasks if panel.tasks else ())]
    return [(task, there) for task, there in found if all(there[k] == v for k, v in panel.values.items() if k != name)]


def _lines(lines):
    """What to look at, as buttons that go there: [(words, position of the film)]."""
    made = (f'<li><button type="button" data-go="{at}">{html.escape(says)}</button></li>' for says, at in lines)
    return f'<ul class="acc-lines">{"".join(made)}</ul>' if lines else ""


def _stops(control, named, wanted):
    """([(printed, value)], place of the present one) of the positions that a film shows, what is named among them."""
    options = [("no", False), ("yes", True)] if isinstance(control, Switch) else list(control.options)
    now = next(i for i, (_, value) in enumerate(options) if value is control.value or value == control.value)
    last = len(options) - 1
    places = {round(i * last / (MOST - 2)) for i in range(MOST - 1)} if last >= MOST else set(range(last + 1))
    asked = [i for i, (printed, _) in enumerate(options) if str(printed).split(" ")[0] in named]
    lines = [i for i, (_, value) in enumerate(options) if any(value == one for one in wanted)]
    places = sorted(places | {now, *lines, *asked[:MOST]})
    return [options[i] for i in places], places.index(now)


def _slider(label, stops, begin, words):
    fixed = f'<p class="acc-fixed">Held fixed: {html.escape(words)}.</p>' if words else ""
    printed = html.escape(str(stops[begin][0]), quote=True)
    return (
        f'<label class="acc-slider"><span>{html.escape(label)}</span><input type="range" min="0" '
        f'max="{len(stops) - 1}" value="{begin}" aria-valuetext="{printed}" autocomplete="off">'
        f"<output>{printed}</output></label>{fixed}"
    )


def _picture(sentence, address, size):
    said = html.escape(sentence, quote=True)
    wide, high = (round(side) for side in size)
    shown = f'<img src="{address}" width="{wide}" height="{high}" alt="{said}" loading="lazy">' if address else ""
    return f'<figcaption class="acc-finding">{said}</figcaption><div class="acc-frame">{shown}</div>'


def _figure(id, script, inner, below, kind="acc-film"):
    data = f' data-film="{script}"' if script else ""
    return f'<figure class="{kind}" id="panel-{id}"{data}>{inner}{below}</figure>'
