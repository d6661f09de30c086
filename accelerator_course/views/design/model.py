"""The model at work: inside one step, beside what was measured, on one die with arrays of six edges."""

from math import ceil, sqrt

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, pillars, rows, spots, words
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number, percent, scaled, si

DIE = (20, 92, 308, 190)  # x, y, width, height of the arrays
MOST = 600  # arrays that are drawn one by one
LEFT, LONG, END, FIRST, PITCH, HIGH = 476, 176, 734, 103, 38, 22  # of the bars of time
CAUSES = {"compute": ("compute", "compute"), "memory": ("memory", "memory"), "vector": ("between", "other")}
CAUSES |= {"link": ("links", "ink"), "overhead": ("starting", "muted")}


class Inside(Stage):
    """Inside one step: product by product, what a chip's arrays and its memory do, and what takes the time.

    >>> view = Inside()
    >>> view.show(list(design.steps("h100-sxm5", "decode"))[0])
    >>> view.show(list(design.steps("h100-sxm5", "prefill"))[-1])
    >>> view.show(list(design.steps("tpu-v4", "vision"))[7])
    >>> view.show(list(design.steps("h100-sxm5", "training"))[-1])
    >>> view.show(list(design.steps(design.Design(16, 512, 128, 6, 1.5e9, 3e11), "recommender"))[2])
    """

    size, noun = (740, 440), "part"

    def marks(self, step):
        """`step`: design.evaluation.Step."""
        product = step.product
        times = f"{step.repeats:,.0f} times " if step.repeats > 1 else ""
        heads = f", {step.groups:,.0f} of them at once" if step.groups > 1 else ""
        what = f"{times}[{product.m:,.0f} × {product.k:,.0f}] · [{product.k:,.0f} × {product.n:,.0f}]{heads}"
        if not product.m:
            what = f"no product, but {si(step.added, 's')}"
        role = "ink start" if product.m else "muted start"
        yield words("title", (20, 22, product.name, "ink bold start", 17), (20, 48, what, role, 14))
        x, y, wide, high = DIE
        count, shown = step.design.arrays, min(step.design.arrays, MOST)
        columns = max(1, min(shown, ceil(sqrt(shown * wide / high))))
        down = ceil(shown / columns)
        side = min((wide - 12) / columns, (high - 12) / down)
        at, gap = np.arange(shown), max(0.6, 0.06 * side)
        inner = side - 2 * gap
        left = x + (wide - columns * side) / 2 + at % columns * side + gap
        top = y + (high - down * side) / 2 + at // columns * side + gap
        used = at < (step.last * shown / count if step.rounds <= 1 else shown)
        fill = used * inner * min(1.0, step.busy * shown / max(1, used.sum()))
        says = f"busy: {percent(step.busy)} of PEs and cycles" if step.product.m else "waits"
        last = f", the last needs {step.last:,.0f}" if step.rounds > 1 else f", on {step.last:,.0f} of them"
        told = [self._work(step) + last, f"busy: {percent(step.busy)} of all PEs and cycles"]
        if not step.product.m:
            told = ["nothing to multiply"]
        head = f"{counted(count, 'array')} of {step.design.edge} × {step.design.edge}"
        role = pick(("muted tint", "compute tint"), used)
        yield boxes("die", [0], x, y, wide, high, "muted line")
        yield boxes("arrays", at, left, top, inner, inner, role, who=("arrays",), says=says)
        yield boxes("busy", at, left, top + inner - fill, inner, fill, "compute", who=("arrays",), says=says)
        yield words("chip", (x, y - 14, head, "ink bold start", 14))
        yield below("work", x, y + high + 18, told, 22)
        x, y, wide, high = DIE
        product, resident = step.product, step.whole.resident
        kept = "holds all of it" if resident else f"keeps {percent(step.stays)}"
        sram = f"SRAM, {step.design.sram_mb:,.0f} MB" + (f": {kept}" if product.m else "")
        moved = f": {si(step.moved_bytes, 'B')}" if product.m else ""
        behind = "memory: not needed" if resident else "memory: nothing" if product.fused else f"memory{moved}"
        role, top = ["memory tint", "memory line" if resident else "memory tint"], y + high + 60
        chips = f"the job takes {counted(int(step.whole.chips), 'chip')} of this kind"
        stores, who = [sram, behind], ["SRAM", "memory"]
        yield boxes("stores", range(2), x, rows(top, 32, 2), wide, 26, role, stores, 13, who, stores)
        yield words("chips", (x, top + 76, chips, "muted start"))
        # Time by cause: what was there before light, what this product adds dark
        scale, n, y = LONG / step.whole.seconds, range(len(CAUSES)), rows(FIRST, PITCH, len(CAUSES))
        now, old = (np.minimum(scale * np.array(times), 1.28 * LONG) for times in (step.causes, step.before))
        old = np.minimum(old, now)
        names, roles = zip(*CAUSES.values(), strict=True)
        look = ["ink bold end" if name == step.causes.bound else "ink end" for name in CAUSES]
        said = [si(value, "s") if value else "0" for value in step.causes]
        tints, so_far = [f"{role} tint" for role in roles], [f"{si(value, 's')} so far" for value in step.causes]
        top = FIRST - HIGH / 2
        yield words("so far", (LEFT - 8, top - 22, "so far", "muted end"))
        yield texts("names", n, LEFT - 8, y, names, look, 14)
        yield from bars("before", n, LEFT, y, old, HIGH, tints)
        yield from bars("added", n, LEFT + old, y, now - old, HIGH, roles, who=names, says=so_far)
        yield lines("floor", [0], LEFT, top - 6, LEFT, top + 5 * PITCH + 64, "ink", 1.5)
        yield texts("values", n, END, y, said, look, 14)
        yield from self._step(step)

    def _step(self, step):
        """The step so far: the longer of compute and memory, then the rest; training hides its links."""
        parts, scale, top = np.array(step.parts), LONG / step.whole.seconds, FIRST - HIGH / 2 + 5 * PITCH + 24
        roles = ["compute" if step.causes.compute >= step.causes.memory else "memory", "other", "ink", "muted"]
        hidden = "the links talk meanwhile: the longer counts"
        rule = hidden if step.job.training else "the longer of compute and memory, and the rest"
        whole, said = step.whole, [si(part, "s") for part in parts]
        rate = f"{whole.per_chip_s:,.0f} {step.job.unit}/s of one chip, {whole.watts:,.0f} W"
        long, ends = scale * parts, LEFT + scale * np.cumsum(parts)
        yield from bars("parts", range(4), ends - long, top + 15, long, 30, roles, who="the step", says=said)
        yield words(
            "step",
            (LEFT - 8, top + 15, "the step", "ink bold end", 14),
            (END, top + 15, si(step.seconds, "s"), "ink bold end", 15),
            (END, top + 54, rule, "muted end"),
            (END, top + 80, rate if step.place == step.steps else "", "good bold end", 15),
        )

    def _work(self, step):
        tiles = f"{step.tiles[0]:,.0f} × {step.tiles[1]:,.0f} tiles"
        groups = f" × {step.groups:,.0f}" if step.groups > 1 else ""
        return f"{tiles}{groups}, {counted(int(step.rounds), 'round')}"

    def say(self, step):
        longest, whole, name = CAUSES[step.causes.bound][0], step.whole, step.product.name
        so_far = f"{si(step.seconds, 's')} so far, most of it {longest}"
        if step.place == step.steps:
            return (
                f"{step.design.name}, {step.job.name}: {si(whole.seconds, 's')} a step, longest {longest}, "
                f"{percent(whole.bound_share)} of it; {whole.per_chip_s:,.0f} {step.job.unit} "
                f"a second{' of each chip' if whole.chips > 1 else ''}."
            )
        if not step.product.m:
            return f"{name}: {so_far}."
        return f"{name}: {self._work(step)}, {percent(step.busy)} busy; {so_far}."


class Beside(Stage):
    """The model beside measurements: predicted over measured, a row each, and the band of a factor of two.

    >>> view = Beside()
    >>> view.show(design.validation.group("one user")), view.show(design.validation.group("training"))
    >>> view.show(design.validation.group("many users")), view.show(design.validation.group("chips"))
    """

    size, noun = (740, 470), "group"

    def marks(self, found):
        """`found`: design.validation.Compared, best first."""
        n, pitch = range(len(found)), min(34, 386 / len(found))
        y, end = rows(70 + pitch / 2, pitch, len(found)), 70 + pitch * len(found)
        chart = Chart((246, 528), (end + 4, 66), (2**-1.5, 4), (0, 1), "x", inside=True)
        x, far = chart.x([row.ratio for row in found]), [not row.near for row in found]
        units = {row.unit for row in found}
        shared = f" [{units.pop()}]" if len(units) == 1 else ""
        said = [f"{number(row.predicted)} | {number(row.measured)}{'' if shared else ' ' + row.unit}" for row in found]
        labels, ratios = [row.label for row in found], [f"{row.ratio:.2f}" for row in found]
        times = [f"{ratio} times" for ratio in ratios]
        half, one, *_ = at = chart.x([0.5, 1, 2, 4])
        look = pick(("ink ", "bad bold "), far)
        yield boxes("band", [0], half, 66, at[2] - half, end - 62, "good tint")
        yield lines(
            "ticks", range(4), at, 66, at, end + 4, ["muted dashed", "ink", "muted dashed", "muted dashed"], 1.5
        )
        yield texts("tick-words", range(4), at, 54, ["half", "as measured", "twice", "4 times"], "muted", 12)
        yield words(
            "heads",
            (12, 22, "measured", "ink bold start"),
            (one, 22, "model / measured", "ink bold"),
            (728, 22, f"model | measured{shared}", "ink bold end"),
        )
        yield lines("stems", n, one, y, x, y, pick(("compute", "bad"), far), 3)
        yield spots("dots", n, x, y, 10, pick(("compute round", "bad"), far), who=labels, says=times)
        yield texts("ratios", n, 582, y, ratios, [f"{one}end" for one in look])
        yield texts("labels", n, 12, y, labels, [f"{one}start" for one in look])
        yield texts("values", n, 728, y, said, "muted end", 12)

    def say(self, found):
        near, worst = sum(row.near for row in found), found[-1]
        missed = ", ".join(f"{row.label} ({row.ratio:.2f} times)" for row in found if not row.near)
        tail = f"missed: {missed}" if missed else f"farthest off: {worst.label}, {worst.ratio:.2f} times"
        return f"{near} of {counted(len(found), 'row')} within a factor of two; {tail}."


SLOT, FLOOR, DIES, SIDE, LARGEST = 113, 226, 268, 98, 858  # a column; its bar; its die; px and mm² of the largest die
UNITS = {
    "decode": "tokens/s",
    "prefill": "tokens/s",
    "training": "tokens/s",
    "vision": "images/s",
    "recommender": "queries/s",
}
UNITS |= {"mix": "score for the money, H100 = 1"}
TITLES = {"mix": "all five jobs"}


class Edges(Stage):
    """Which edge: a die filled with arrays of six edges, drawn to scale, and what each does.

    >>> view = Edges()
    >>> view.show((design.edges.filled(), "prefill"))
    >>> view.show((design.edges.filled(800.0, "decode", 1.0), "decode"))
    >>> view.show((design.edges.filled(260.0, "vision", 0.0, 0.0), "vision"))
    >>> view.show((design.edges.filled(858.0, "mix", 0.5, 64.0), "mix"))
    """

    size, noun = (740, 440), "die"

    def marks(self, shown):
        """`shown`: (design.edges.Dies, the job)."""
        found, job = shown
        n, middle, under = range(len(found)), rows(31 + SLOT / 2, SLOT, len(found)), DIES + SIDE
        high = 140 * np.array([one.gain for one in found]) / (found.best.gain or 1.0)
        said, alike = [_gain(one, job) for one in found], found.alike
        role = ["compute" if i in alike else "compute tint" for i in n]
        look = ["good bold" if i in alike else "ink" for i in n]
        star, top = "★ most" if len(alike) == 1 else "★ a tie", FLOOR - high.max() - 34
        fits = [counted(one.arrays, "array") if one.arrays else "none fits" for one in found]
        pes = [f"{scaled(one.pes, 1000)} k PEs" if one.arrays else "" for one in found]
        key = "on each die: PEs solid, what feeds them light, SRAM and the interfaces of the memory blue"
        who = [f"edge {one.edge}" for one in found]
        yield words("words", (12, 18, f"{TITLES.get(job, job)}: {UNITS[job]}", "ink bold start", 15))
        yield lines("floor", [0], 31, FLOOR, 31 + SLOT * len(found), FLOOR, "ink", 1.5)
        yield from pillars("bars", n, middle, FLOOR, 60, high, role, who=who, says=said)
        yield texts("gains", n, middle, FLOOR - high - 14, said, look, 14)
        yield texts("best", alike, middle[list(alike)], top, star, "good bold")
        yield texts("edges", n, middle, FLOOR + 18, [f"{one.edge} × {one.edge}" for one in found], "ink bold", 14)
        yield from self._dies(found, middle)
        yield texts("counts", n, middle, under + 18, fits, ["ink" if one.arrays else "bad bold" for one in found])
        yield texts("pes", n, middle, under + 38, pes)
        yield words("key", (12, under + 62, key, "muted start"))

    def _dies(self, found, middle):
        side = SIDE * sqrt(found[0].die_mm2 / LARGEST)
        left, top, n = middle - side / 2, DIES + (SIDE - side) / 2, range(len(found))
        fed, pes = zip(*(_squares(one, side) for one in found), strict=True)
        who = [f"edge {one.edge}" for one in found]
        says = [f"PEs: {percent(one.multiplying)} of an array" for one in found]
        rest = [side * one.rest for one in found]
        yield boxes("die", n, left, top, side, side, "muted line")
        yield boxes("rest", n, left, top, side, rest, "memory tint", who="SRAM, memory interfaces")
        yield paths("fed", n, fed, left, top, "compute tint", 0.4)
        yield paths("multiplying", n, pes, left, top, "compute", 0.1, who, says)

    def say(self, shown):
        found, job = shown
        best, least, die = found.best, found.least, f"{found[0].die_mm2:,.0f} mm²"
        if not best.gain:
            return f"On {die}, {job} does not fit: no array, or no memory."
        others = len(found.alike) - 1
        alike = f" (as good for this model: {counted(others, 'other edge')})" if others else ""
        unit = "the score for the money is" if job == "mix" else UNITS[job]
        return (
            f"{die}, {TITLES.get(job, job)}: most with arrays of {best.edge} × {best.edge}, "
            f"{counted(best.arrays, 'array')}{alike}; "
            f"{unit} {_gain(best, job)}, against {_gain(least, job)} with {least.edge} × {least.edge}."
        )


def _squares(one, side):
    """Paths of all arrays of a die, and of what multiplies in them: squares to scale, row by row, from below."""
    if not one.arrays:
        return "M0 0", "M0 0"
    cell = side * sqrt(one.arrays_mm2 / one.arrays / one.die_mm2)
    columns = max(1, int(side // cell))
    wide = side / columns
    high = min(wide, side * min(1.0, one.room) / ceil(one.arrays / columns))
    made = ["", ""]
    for i in range(one.arrays):
        x, y = i % columns * wide, side - (i // columns + 1) * high
        for which, part in enumerate((0.94, 0.94 * sqrt(one.multiplying))):
            made[which] += f"M{x:.2f} {y:.2f}H{x + wide * part:.2f}V{y + high * part:.2f}H{x:.2f}Z"
    return tuple(made)


def _gain(one, job):
    if not one.arrays:
        return "0"
    if job == "mix":
        return f"{one.gain:.2f}"
    return f"{scaled(one.gain, 1e6)} M" if one.gain >= 1e6 else f"{one.gain:,.0f}"
