"""to_scale: a machine from its rack to the bits of a multiplier, one picture with a camera; and where a chapter is."""

import json
from html import escape

import traitlets

from accelerator_course import syllabus
from accelerator_course.views.stage import palette
from accelerator_course.widgets.page import Live, plain, script, style
from accelerator_lib import data
from accelerator_lib.units import binary, in_seconds, number, si

KINDS = {"mm2": "area", "count": "how many", "bytes": "holds", "bytes_per_s": "delivers", "seconds": "takes"}
KINDS |= {"watts": "draws", "pj": "energy"}
HEAD = ("part", *KINDS.values(), "from")
OPERATES = ("mac",)  # parts whose energy is that of an operation, not of a byte


@data.kept
def scenes():
    """What scale.js draws: every machine of the library, its facts in words."""
    from accelerator_lib.design import scale  # only where it is drawn: it takes a while to load

    return [_scene(scale.machine(id)) for id in scale.MACHINES]


def _scene(machine):
    parts, known = machine.parts, {"id": machine.id, "name": machine.name, "told": machine.told}
    known |= {"levels": machine.levels, "root": _drawn(machine.root), "table": table(machine)}
    return known | {"way": [_step(step, parts) for step in machine.way]}


def _step(step, parts):
    times = "a time that is not published" if step.seconds is None else in_seconds(step.seconds)
    cost = "an energy that is not published" if step.pj is None else f"{number(step.pj, 3)} pJ"
    each = " for one multiply-accumulate" if step.end in OPERATES else " for a byte"
    names = [parts[id].name.partition(",")[0] for id in (step.start, step.end)]
    known = [found for found, value in ((times, step.seconds), (cost, step.pj)) if value is not None]
    said = {
        "said": f"{times}, {cost}{each if step.pj is not None else ''}",
        "short": ", ".join(known) or "not published",
    }
    return {"start": step.start, "end": step.end, "seconds": step.seconds, "names": names} | said


def _drawn(part):
    words = [[name, value, [*map(_plain, fact.basis)]] for name, value, fact in facts(part)]
    same = {name: getattr(part, name) for name in ("id", "name", "role", "says", "box", "grid", "step", "lit", "twin")}
    return same | {"facts": words, "parts": [_drawn(inner) for inner in part.parts]}


def _plain(basis):
    return basis.replace("seen_secondary", "second-hand")


def facts(part):
    """[(what is told, its words, Fact)] of a part."""
    return [(KINDS[kind], said(part, kind), part.facts[kind]) for kind in KINDS if kind in part.facts]


def said(part, kind):
    """A fact of a part in words."""
    value = part.facts[kind].value
    if kind == "mm2":
        big, small = (value / 1e6, "m²"), (value * 1e6, "µm²")
        size, unit = big if value >= 1e5 else small if value < 0.01 else (value, "mm²")
        return f"{number(size, 3)} {unit}"
    if kind == "bytes":
        return binary(value) if value % 1024 == 0 and value < 1e9 else si(value, "B")
    if kind == "pj":
        return f"{number(value, 3)} pJ {'an operation' if part.id in OPERATES else 'a byte'}"
    units = {"bytes_per_s": "B/s", "watts": "W"}
    return in_seconds(value) if kind == "seconds" else si(value, units[kind]) if kind in units else f"{value:,.0f}"


def table(machine):
    """HTML of the same facts, for those who do not see the picture."""
    rows = []
    for part in machine.parts.values():
        told, basis = (
            {name: text for name, text, _ in facts(part)},
            {b for _, _, fact in facts(part) for b in fact.basis},
        )
        cells = [*(told.get(name, "–") for name in KINDS.values()), "; ".join(sorted(map(_plain, basis)))]
        rows.append(f"<th scope='row'>{escape(part.name)}</th>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells))
    head = "".join(f"<th scope='col'>{name}</th>" for name in HEAD)
    steps = "".join(
        f"<li>{escape(one['names'][0])} to {escape(one['names'][1])}: {escape(one['said'])}</li>"
        for one in (_step(step, machine.parts) for step in machine.way)
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    caption = f"<caption>{escape(machine.name)}, from the outside in</caption>"
    return f"<table>{caption}<tr>{head}</tr>{body}</table><p>A byte's way. {escape(machine.told)}</p><ol>{steps}</ol>"


def place(topic):
    """["h100 sm", "an SM"]: where a chapter is in a machine, and in words; empty where it is in none."""
    return list(syllabus.load("chapters")["places"].get(topic, ()))


def still(place, words=""):
    """HTML of a page where Python does not run: the picture, or with words a line that opens it. book.js fills it."""
    if words:
        told = f"<summary>You are here: {words}</summary><div></div>"
        return f'<details class="acc-where" data-place="{place}">{told}</details>'
    return f'<div class="acc-where" data-place="{place}"><div><noscript>{scenes()[0]["table"]}</noscript></div></div>'


def code():
    """The script of such pages: it hands over what draws into an element at a place."""
    drawn = json.dumps(scenes(), ensure_ascii=False)
    given = f"const SCENES = {drawn};\naccTake('', (el, place) => toScale(el, SCENES, place));"
    return f"(() => {{\n{plain('dom.js', 'scale.js')}\n{given}\n}})();\n"


class Scale(Live):
    """The machine to scale, opened at a place such as "h100 rack"."""

    _esm = script("scale.js", "scaled.js")
    _css = palette.css() + style("scale.css")
    scenes = traitlets.List([]).tag(sync=True)
    place = traitlets.Unicode("").tag(sync=True)

    def __init__(self, place="h100 rack"):
        super().__init__(scenes=scenes(), place=place)

    def _repr_mimebundle_(self, **more):
        live, metadata = super()._repr_mimebundle_(**more) or ({}, {})
        return {**live, "text/html": self.scenes[0]["table"], "text/plain": "A machine to scale."}, metadata
