"""Still: one state as SVG, for print, handouts and saved pages; the same marks, the same style sheet, on white."""

import html

from accelerator_course.views.stage import palette

_PLAIN = {"w": 1, "h": 1, "size": 13, "text": "", "role": "ink", "who": "", "says": "", "x2": 0, "y2": 0}


def svg(view, state):
    """The state as one SVG document, with its sentence as title."""
    marks = "".join(_mark(kind, mark) for kind, mark in rows(view.marks(state)))
    said, (wide, high) = html.escape(view.say(state), quote=True), view.size  # of a view that grows with its rows
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="acc-stage still" viewBox="0 0 {wide} {high}" role="img" '
        f'width="{wide}" height="{high}" aria-label="{said}" style="max-width:100%;height:auto;background:white">'
        f"<title>{said}</title><style>{palette.css()}</style>{marks}</svg>"
    )


def inline(view, state, high):
    """The state as SVG, so high, for a page that has the style sheet of the stage: in the colours of its theme."""
    wide = view.size[0]
    said = html.escape(view.say(state), quote=True)
    marks = "".join(_mark(kind, mark) for kind, mark in rows(view.marks(state)))
    return f'<svg viewBox="0 0 {wide} {high}" role="img" aria-label="{said}">{marks}</svg>'


def figure(view, state):
    """The state as HTML, its sentence above it."""
    drawn, said = svg(view, state), html.escape(view.say(state))
    head = f'<figure style="margin:0;max-width:{view.size[0]}px"><figcaption class="acc-finding">{said}</figcaption>'
    return f"{head}{drawn}</figure>"


def rows(layers):
    """(kind, {column: value}) of every mark, those behind first."""
    for layer in layers:
        columns = {name: list(values) for name, values in layer.columns.items()}
        for i in range(len(layer)):
            yield layer.kind, _PLAIN | {name: v[i] if len(v) > 1 else v[0] for name, v in columns.items()}


def line(kind, mark):
    """The path of a line or of an arrow, from (0, 0), in the words of SVG."""
    dx, dy = float(mark["x2"] - mark["x"]), float(mark["y2"] - mark["y"])
    made = f"M0 0L{dx:g} {dy:g}"
    for wing in head(dx, dy) if kind == "arrow" else ():
        made += f"M{dx:g} {dy:g}L{wing[0]:.4g} {wing[1]:.4g}"
    return made


def head(dx, dy):
    """The two ends of the head of an arrow that comes from (0, 0)."""
    length = (dx * dx + dy * dy) ** 0.5 or 1
    size, x, y = min(9, length), dx / length, dy / length
    return [(dx - size * (0.8 * x + side * 0.5 * y), dy - size * (0.8 * y - side * 0.5 * x)) for side in (1, -1)]


def _mark(kind, mark):
    words = html.escape(str(mark["text"]))
    wide, high = float(mark["w"]), float(mark["h"])
    if kind == "box":
        x, y = wide / 2, high / 2
        shape = f'<rect width="{wide:g}" height="{high:g}"/>'
        if "round" in mark["role"].split():
            shape = f'<ellipse cx="{x:g}" cy="{y:g}" rx="{x:g}" ry="{y:g}"/>'
        inner = shape + (f'<text x="{x:g}" y="{y:g}">{words}</text>' if words else "")
    elif kind == "text":
        inner = f"<text>{words}</text>"
    else:
        inner = f'<path d="{words if kind == "path" else line(kind, mark)}"/>'
    says = f"{mark['who']}: {mark['says']}" if mark["says"] else mark["who"]
    title = f"<title>{html.escape(says)}</title>" if says else ""
    name = "linemark" if kind == "line" else kind
    return (
        f'<g class="mark {name} {mark["role"]}" transform="translate({mark["x"]:g} {mark["y"]:g})" '
        f'style="--size:{mark["size"]:g}">{title}{inner}</g>'
    )
