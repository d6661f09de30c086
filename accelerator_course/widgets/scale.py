"""to_scale: a machine from its rack to the bits of a multiplier, one picture with a camera; and where a chapter is."""

import json
from dataclasses import asdict

import traitlets

from accelerator_course import syllabus
from accelerator_course.views.stage import palette
from accelerator_course.widgets.page import Live, plain, script, style


def scenes():
    """What scale.js draws: every machine of the library, as plain records."""
    from accelerator_lib.design import scale  # only where it is drawn: it takes a while to load

    return [asdict(scale.machine(id)) for id in scale.MACHINES]


def place(topic):
    """["h100 sm", "an SM"]: where a chapter is in a machine, and in words; empty where it is in none."""
    return list(syllabus.load("chapters")["places"].get(topic, ()))


def still(place, words=""):
    """HTML of a page where Python does not run: the picture, or with words a line that opens it. book.js fills it."""
    if not words:
        return f'<div class="acc-scaled" data-place="{place}"><div></div></div>'
    told = f"<summary>You are here: {words}</summary><div></div>"
    return f'<details class="acc-scaled" data-place="{place}">{told}</details>'


def code():
    """The script of such pages: it hands over what draws into an element at a place."""
    given = f"const SCENES = {json.dumps(scenes(), ensure_ascii=False)};"
    handed = "accTake('', (el, place) => toScale(el, SCENES, place));"
    return f"(() => {{\n{plain('dom.js', 'scale.js')}\n{given}\n{handed}\n}})();\n"


class Scale(Live):
    """The machine to scale, opened at a place such as "h100 rack"."""

    _esm = script("scale.js", "scaled.js")
    _css = palette.css() + style("scale.css")
    scenes = traitlets.List([]).tag(sync=True)
    place = traitlets.Unicode("").tag(sync=True)

    def __init__(self, place="h100 rack"):
        super().__init__(scenes=scenes(), place=place)
