"""Raster: one state as an image of PIL, its sentence above it: the pictures of a GIF."""

import re
import textwrap
from functools import cache, partial

import numpy as np

from accelerator_course.views.stage import palette, still

LETTERS, LINE = 84, 22  # of a sentence to a line; pixels of a line
DASHES = {"dashed": (5, 4), "dotted": (1.5, 4), "dashdot": (9, 4, 1.5, 4)}  # pixels of line and gap by turns


def image(view, state, scale, lines):
    """An RGB image; room is kept for so many lines of the sentence, which is left out where there are none."""
    from PIL import Image, ImageDraw

    marks = list(still.rows(view.marks(state)))
    wide, high = view.size
    top = 10 + LINE * lines
    made = Image.new("RGB", (round(wide * scale), round((high + top) * scale)), "white")
    pen = ImageDraw.Draw(made)
    for i, row in enumerate(textwrap.wrap(view.say(state), LETTERS)[:lines]):
        pen.text((8 * scale, (6 + LINE * i) * scale), row, fill=palette.LIGHT["ink"], font=_font(15, scale, True))
    for kind, mark in marks:
        _draw(pen, kind, mark, lambda x, y: (scale * x, scale * (y + top)), scale)
    return made


def _draw(pen, kind, mark, to, scale):
    base, *how = mark["role"].split()
    colour = palette.LIGHT[base]
    paper = palette.LIGHT["paper"]
    tenths = next((int(word[-1]) / 10 for word in how if word.startswith("tenths")), palette.TINT["light"])
    light = palette.mixed(colour, paper, tenths)
    if "faint" in how:
        colour, light = (palette.mixed(c, paper, 0.35) for c in (colour, light))
    x, y = float(mark["x"]), float(mark["y"])
    fill = None if "line" in how else light if {"tint", "soft"} & {*how} else colour
    edge = colour if {"tint", "line"} & {*how} else None
    cut = next(([scale * part for part in DASHES[word]] for word in how if word in DASHES), [])
    stroke = partial(_stroke, pen, colour, cut)
    if kind == "box":
        wide, high = float(mark["w"]), float(mark["h"])
        if wide > 0 and high > 0:
            shape = pen.ellipse if "round" in how else pen.rectangle
            solid, thick = None if cut else edge, 1.3 * scale
            shape((*to(x, y), *to(x + wide, y + high)), fill=fill, outline=solid, width=round(thick))
            if edge != solid:
                stroke([to(x + a * wide, y + b * high) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))], thick)
        dark = {"tint", "soft"} & {*how} or base == "paper"
        ink = palette.LIGHT["ink"] if dark else colour if "line" in how else paper
        _words(pen, mark, to(x + wide / 2, y + high / 2), ink, how, scale)
    elif kind == "text":
        _words(pen, mark, to(x, y), colour, how, scale)
    elif kind == "path":
        for points in _points(str(mark["text"])):
            spots = [to(x + px, y + py) for px, py in points]
            if fill and len(spots) > 2:
                pen.polygon(spots, fill=fill)
            if edge:
                stroke(spots, float(mark["size"]) * scale)
    else:
        dx, dy = float(mark["x2"]) - x, float(mark["y2"]) - y
        ends = [(0, 0, dx, dy), *((dx, dy, *wing) for wing in still.head(dx, dy))][: 3 if kind == "arrow" else 1]
        for ax, ay, bx, by in ends:
            stroke([to(x + ax, y + ay), to(x + bx, y + by)], float(mark["size"]) * scale)


def _stroke(pen, colour, cut, spots, wide):
    """A line through these spots, in pixels; `cut`: of dash and gap by turns, none: it is not cut."""
    spots = np.array(spots, float)
    along = np.append(0, np.hypot(*np.diff(spots, axis=0).T).cumsum())
    ends = np.append(0, np.tile(cut, int(along[-1] // sum(cut)) + 1).cumsum()) if cut else [0, along[-1]]
    for begin, end in zip(ends[::2], ends[1::2], strict=False):
        at = np.unique([min(begin, along[-1]), *along[(along > begin) & (along < end)], min(end, along[-1])])
        piece = [np.interp(at, along, side).tolist() for side in spots.T]
        pen.line([*zip(*piece, strict=True)], fill=colour, width=round(wide))


def _words(pen, mark, place, ink, how, scale):
    anchor = "lm" if "start" in how else "rm" if "end" in how else "mm"
    if mark["text"]:
        font = _font(float(mark["size"]), scale, "bold" in how)
        pen.text(place, str(mark["text"]), fill=ink, font=font, anchor=anchor)


def _font(size, scale, bold=False):
    return _letters(round(size * scale), bold)


@cache
def _letters(pixels, bold):
    from matplotlib.font_manager import FontProperties, findfont  # which brings the font
    from PIL import ImageFont

    found = findfont(FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal"))
    return ImageFont.truetype(found, pixels)


def _points(path):
    """[[(x, y), ...], ...] of a path of the commands M, L, H, V, Z and one step m, h, v: that is what views write."""
    runs = []
    for command, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+(?:e-?\d+)?", rest)]
        if command in "mhv":  # from where it stands
            x, y = runs[-1][-1]
            numbers = [n + (y if command == "v" or i else x) for i, n in enumerate(numbers)]
            command = command.upper()
        if command == "M":
            runs.append([tuple(numbers[:2])])
            numbers = numbers[2:]
            command = "L"
        if command == "L":
            runs[-1] += zip(numbers[::2], numbers[1::2], strict=True)
        elif command in "HV":
            runs[-1] += [(n, runs[-1][-1][1]) if command == "H" else (runs[-1][-1][0], n) for n in numbers]
        elif command in "zZ":
            runs[-1].append(runs[-1][0])
        else:
            raise ValueError(f"paths on a stage use M, L, H, V, Z, m, h, v; got {command!r} in {path!r}")
    return runs
