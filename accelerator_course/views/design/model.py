"""The model at work: inside one step, beside what was measured, with arrays of six edges; an array that is analog."""

from math import ceil, sqrt

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, pillars, rows, spots, stack, words
from accelerator_course.views.limits import LIMITS
from accelerator_course.views.stage import Stage, arrows, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number, percent, scaled, si

DIE = (20, 92, 308, 190)  # x, y, width, height of the arrays
MOST = 600  # arrays that are drawn one by one
LEFT, LONG, END, FIRST, PITCH, HIGH = 476, 176, 734, 103, 38, 22  # of the bars of time


class Inside(Stage):
    """Inside one step: product by product, what a chip's arrays and its memory do, and what takes the time.

    >>> view, steps, small = Inside(), design.steps, design.Design(16, 512, 128, 6, 1.5e9, 3e11)
    >>> view.show([*steps("h100-sxm5", "decode")][0]), view.show([*steps("h100-sxm5", "prefill")][-1])
    >>> view.show([*steps("tpu-v4", "vision")][7]), view.show([*steps("h100-sxm5", "training")][-1])
    >>> view.show([*steps(small, "recommender")][2])
    >>> view.show([*steps(design.Design(64, 64, 256, 0, 1.5e9, 3e11), "prefill")][2])
    """

    size, noun = (740, 440), "part"

    def marks(self, step):  # design.evaluation.Step
        product, whole, there = step.product, step.whole, bool(step.product.m)
        times = f"{step.repeats:,.0f} times " if step.repeats > 1 else ""
        heads = f", {step.groups:,.0f} of them at once" if step.groups > 1 else ""
        what = f"{times}[{product.m:,.0f} × {product.k:,.0f}] · [{product.k:,.0f} × {product.n:,.0f}]{heads}"
        what, look = (what, "ink start") if there else (f"no product, but {si(step.added, 's')}", "muted start")
        yield words("title", (20, 22, product.name, "ink bold start", 17), (20, 48, what, look, 14))
        x, y, wide, high = DIE
        count, shown = step.design.arrays, min(step.design.arrays, MOST)
        columns = max(1, min(shown, ceil(sqrt(shown * wide / high))))
        down = ceil(shown / columns)
        side, at = min((wide - 12) / columns, (high - 12) / down), np.arange(shown)
        gap = max(0.6, 0.06 * side)
        inner = side - 2 * gap
        left = x + (wide - columns * side) / 2 + at % columns * side + gap
        top = y + (high - down * side) / 2 + at // columns * side + gap
        used = at < (step.last * shown / count if step.rounds <= 1 else shown)
        fill = used * inner * min(1.0, step.busy * shown / max(1, used.sum()))
        last = f", the last needs {step.last:,.0f}" if step.rounds > 1 else f", on {step.last:,.0f} of them"
        text, says = ["nothing to multiply"], "waits"
        if there:
            says = f"busy: {percent(step.busy)} of PEs and cycles"
            text = [self._work(step) + last, f"busy: {percent(step.busy)} of all PEs and cycles"]
        head, who = f"{counted(count, 'array')} of {step.design.edge} × {step.design.edge}", ("arrays",)
        yield boxes("die", [0], x, y, wide, high, "muted line")
        look = pick(("muted tint", "compute tint"), used)
        yield boxes("arrays", at, left, top, inner, inner, look, who=who, says=says)
        yield boxes("busy", at, left, top + inner - fill, inner, fill, "compute", who=who, says=says)
        yield words("chip", (x, y - 14, head, "ink bold start", 14))
        yield below("work", x, y + high + 18, text, 22)
        kept = "holds all of it" if whole.resident else f"keeps {percent(step.stays)}"
        sram = f"SRAM, {step.design.sram_mb:,.0f} MB" + (f": {kept}" if there else "")
        behind = "memory: nothing" if product.fused else "memory" + (f": {si(step.moved_bytes, 'B')}" if there else "")
        stores, role = [sram, behind], ["memory tint", "memory tint"]
        if whole.resident:
            stores, role = [sram, "memory: not needed"], ["memory tint", "memory line"]
        if not whole.fits:
            stores[1] = "memory: none, but needed"
        top, chips = y + high + 60, f"the job takes {counted(int(whole.chips), 'chip')} of this kind" * whole.fits
        yield boxes("stores", range(2), x, rows(top, 32, 2), wide, 26, role, stores, 13, ["SRAM", "memory"], stores)
        yield words("chips", (x, top + 76, chips, "muted start"))
        if whole.fits:
            yield from self._times(step, LONG / whole.seconds)
        else:
            yield below(
                "no time",
                LEFT - 90,
                FIRST,
                ["does not fit: no time", "what lies between the products needs a memory"],
                26,
            )

    def _times(self, step, scale):
        """Time by cause, by this product dark; then the step: the longer of compute and memory, the rest."""
        causes, whole, top = step.causes._fields, step.whole, FIRST - HIGH / 2
        n, y = range(len(causes)), rows(FIRST, PITCH, len(causes))
        now, old = (np.minimum(scale * np.array(times), 1.28 * LONG) for times in (step.causes, step.before))
        old, (roles, _, names, *_) = np.minimum(old, now), zip(*(LIMITS[one] for one in causes), strict=True)
        look = ["ink bold end" if name == step.causes.bound else "ink end" for name in causes]
        said = [si(value, "s") if value else "0" for value in step.causes]
        tints, so_far = [f"{role} tint" for role in roles], [f"{si(value, 's')} so far" for value in step.causes]
        yield words("so far", (LEFT - 8, top - 22, "so far", "muted end"))
        yield texts("names", n, LEFT - 8, y, names, look, 14)
        yield from bars("before", n, LEFT, y, old, HIGH, tints)
        yield from bars("added", n, LEFT + old, y, now - old, HIGH, roles, who=names, says=so_far)
        yield lines("floor", [0], LEFT, top - 6, LEFT, top + 5 * PITCH + 64, "ink", 1.5)
        yield texts("values", n, END, y, said, look, 14)
        y, said = top + 5 * PITCH + 39, [si(one, "s") for one in step.parts]
        rule = "max(compute, memory) + the rest"
        roles = [LIMITS[step.causes.busier].role, *roles[2:]]
        if step.job.training:
            rule = "links overlap, too: the longest counts"
        rate = f"{whole.per_chip_s:,.0f} {step.job.unit}/s of one chip, {whole.watts:,.0f} W"
        yield stack("parts", range(4), LEFT, y, scale * np.array(step.parts), 30, roles, who="the step", says=said)
        yield words(
            "step",
            (LEFT - 8, y, "the step", "ink bold end", 14),
            (END, y, si(step.seconds, "s"), "ink bold end", 15),
            (END, y + 39, rule, "muted end"),
            (END, y + 65, rate if step.place == step.steps else "", "good bold end", 15),
        )

    def _work(self, step):
        tiles = f"{step.tiles[0]:,.0f} × {step.tiles[1]:,.0f} tiles"
        groups = f" × {step.groups:,.0f}" if step.groups > 1 else ""
        return f"{tiles}{groups}, {counted(int(step.rounds), 'round')}"

    def say(self, step):
        longest, whole, name = LIMITS[step.causes.bound].called, step.whole, step.product.name
        if not whole.fits:
            return f"{step.design.name}, {step.job.name}: it does not fit, and there is no memory behind the SRAM."
        so_far = f"{si(step.seconds, 's')} so far, most of it {longest}"
        if step.place == step.steps:
            said = f"{step.design.name}, {step.job.name}: {si(whole.seconds, 's')} a step, "
            said += f"{percent(whole.bound_share)} of it {longest}; {whole.per_chip_s:,.0f} {step.job.unit} a "
            return said + f"second{' for each chip' if whole.chips > 1 else ''}."
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

    def marks(self, found):  # design.validation.Compared, best first
        n, pitch = range(len(found)), min(34, 386 / len(found))
        y, end = rows(70 + pitch / 2, pitch, len(found)), 70 + pitch * len(found)
        chart = Chart((246, 528), (end + 4, 66), (2**-1.5, 4), (0, 1), "x", inside=True)
        labels, x = [row.label for row in found], chart.x([row.ratio for row in found])
        far = [not row.near for row in found]
        units, ratios = {row.unit for row in found}, [f"{row.ratio:.2f}" for row in found]
        shared = f" [{units.pop()}]" if len(units) == 1 else ""
        said = [f"{number(row.predicted)} | {number(row.measured)}{'' if shared else ' ' + row.unit}" for row in found]
        half, one, *_ = at = chart.x([0.5, 1, 2, 4])
        look, grid = pick(("ink ", "bad bold "), far), ["muted dashed", "ink", "muted dashed", "muted dashed"]
        heads = (12, 22, "measured", "ink bold start"), (one, 22, "model / measured", "ink bold")
        yield boxes("band", [0], half, 66, at[2] - half, end - 62, "good tint")
        yield lines("ticks", range(4), at, 66, at, end + 4, grid, 1.5)
        yield texts("tick-words", range(4), at, 54, ["half", "as measured", "twice", "4 times"], "muted", 12)
        yield words("heads", *heads, (728, 22, f"model | measured{shared}", "ink bold end"))
        yield lines("stems", n, one, y, x, y, pick(("compute", "bad"), far), 3)
        says = [f"{one} times" for one in ratios]
        yield spots("dots", n, x, y, 10, pick(("compute round", "bad"), far), who=labels, says=says)
        yield texts("ratios", n, 582, y, ratios, [f"{one}end" for one in look])
        yield texts("labels", n, 12, y, labels, [f"{one}start" for one in look])
        yield texts("values", n, 728, y, said, "muted end", 12)

    def say(self, found):
        near, worst = sum(row.near for row in found), found[-1]
        missed = ", ".join(f"{row.label} ({row.ratio:.2f} times)" for row in found if not row.near)
        tail = f"outside: {missed}" if missed else f"farthest off: {worst.label}, {worst.ratio:.2f} times"
        return f"{near} of {counted(len(found), 'row')} within a factor of two; {tail}."


SLOT, FLOOR, DIES, SIDE, LARGEST = 113, 226, 268, 98, 858  # a column; its bar; its die; px and mm² of the largest die
UNITS = dict.fromkeys(("decode", "prefill", "training"), "tokens/s") | {"vision": "images/s"}
UNITS |= {"recommender": "queries/s", "mix": "score for the money, H100 = 1"}
TITLES = {"mix": "all five jobs"}


class Edges(Stage):
    """Which edge: a die filled with arrays of six edges, drawn to scale, and what each does.

    >>> view, filled = Edges(), design.edges.filled
    >>> view.show((filled(), "prefill")), view.show((filled(800.0, "decode", 1.0), "decode"))
    >>> view.show((filled(260.0, "vision", 0.0, 0.0), "vision")), view.show((filled(858.0, "mix", 0.5, 64.0), "mix"))
    """

    size, noun = (740, 440), "die"

    def marks(self, shown):  # (design.edges.Dies, the job)
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
        side = SIDE * sqrt(found[0].die_mm2 / LARGEST)
        left, top, rest = middle - side / 2, DIES + (SIDE - side) / 2, [side * one.rest for one in found]
        fed, multiplying = zip(*(_squares(one, side) for one in found), strict=True)
        says = [f"PEs: {percent(one.multiplying)} of an array" for one in found]
        yield boxes("die", n, left, top, side, side, "muted line")
        yield boxes("rest", n, left, top, side, rest, "memory tint", who="SRAM, memory interfaces")
        yield paths("fed", n, fed, left, top, "compute tint", 0.4)
        yield paths("multiplying", n, multiplying, left, top, "compute", 0.1, who, says)
        yield texts("counts", n, middle, under + 18, fits, ["ink" if one.arrays else "bad bold" for one in found])
        yield texts("pes", n, middle, under + 38, pes)
        yield words("key", (12, under + 62, key, "muted start"))

    def say(self, shown):
        found, job = shown
        best, least, die = found.best, found.least, f"{found[0].die_mm2:,.0f} mm²"
        if not best.gain:
            return f"On {die}, {job} does not fit: no array, or no memory."
        others = len(found.alike) - 1
        alike = f" (as good for this model: {counted(others, 'other edge')})" if others else ""
        unit = "the score for the money is" if job == "mix" else UNITS[job]
        said = f"{die}, {TITLES.get(job, job)}: most with arrays of {best.edge} × {best.edge}, "
        said += f"{counted(best.arrays, 'array')}{alike}; {unit} {_gain(best, job)}, against {_gain(least, job)} with "
        return said + f"{least.edge} × {least.edge}."


def _squares(one, side):
    """Paths of all arrays of a die, and of what multiplies in them: squares to scale, row by row, from below."""
    if not one.arrays:
        return "M0 0", "M0 0"
    cell = side * sqrt(one.arrays_mm2 / one.arrays / one.die_mm2)
    columns = max(1, int(side // cell))
    wide = side / columns
    high = min(wide, side * min(1.0, one.room) / ceil(one.arrays / columns))
    made = []
    for part in (0.94, 0.94 * sqrt(one.multiplying)):
        square = f"h{wide * part:.2f}v{high * part:.2f}h-{wide * part:.2f}Z"
        many = [min(columns, one.arrays - first) for first in range(0, one.arrays, columns)]
        tops = [f"M0 {side - (row + 1) * high:.2f}" for row in range(len(many))]
        made += ["".join(top + f"m{wide:.3f} 0".join([square] * n) for top, n in zip(tops, many, strict=True))]
    return made


def _gain(one, job):
    if not one.arrays:
        return "0"
    if job == "mix":
        return f"{one.gain:.2f}"
    return f"{scaled(one.gain, 1e6)} M" if one.gain >= 1e6 else f"{one.gain:,.0f}"


SHOWN, COLUMNS, ARRAY, TOP = 10, 4, 84, 46  # of the array: rows and columns that are drawn, where
RIGHT, RANGE, MOST_PJ = 372, 290, 2.5  # of the energies: where, how long; pJ at the end of the axis
STEPS = 64  # steps of a converter that are still drawn


class Crossbar(Stage):
    """Crossbar: sums that a wire adds up, and what reading them costs.

    >>> view, simulate, others = Crossbar(), design.exotic.simulate, {"digital": 0.1, "digital, weight read": 1.16}
    >>> view.show((simulate(128, 9), others)), view.show((simulate(512, 6), others))
    >>> view.show((simulate(16, 4, 200.0, 0.05), others)), view.show((simulate(512, 6, spans="what occurs"), others))
    """

    size, noun = (740, 430), "array"

    def marks(self, found):  # (design.exotic.Analog, {name: pJ of a MAC done otherwise})
        array, others = found
        y, x = rows(TOP, 20, SHOWN), rows(ARRAY + 30, 62, COLUMNS)
        right, bottom, bits = x[-1] + 24, y[-1] + 26, f"{array.adc_bits} bits"
        pulses, says = ["1" if k * 7 % 3 else "0" for k in range(SHOWN)], f"reads the sum of a column in {bits}"
        cells, who = range(SHOWN * COLUMNS), ("a cell", "two bits of a weight, as a conductance")
        text = ["four cells hold a weight of 8 bits,", "an input comes in 8 pulses:"]
        text.append((f"32 conversions for {array.rows} products", "ink bold"))
        yield lines("rows", range(SHOWN), ARRAY - 8, y, right, y, "memory", 1.5)
        yield lines("columns", range(COLUMNS), x, TOP - 12, x, bottom, "compute", 1.5)
        yield spots("cells", cells, np.tile(x, SHOWN), np.repeat(y, COLUMNS), 12, "ink tint round", "", 13, *who)
        bit = "an input", "one of its eight bits"
        yield texts("pulses", range(SHOWN), ARRAY - 22, y, pulses, "memory mono", 13, *bit)
        yield arrows("down", range(COLUMNS), x, bottom, x, bottom + 18, "compute", 2)
        yield boxes("adc", range(COLUMNS), x - 25, bottom + 20, 50, 30, "compute tint", bits, 13, "a converter", says)
        yield words("rows drawn", (ARRAY + 118, 16, f"{array.rows} rows: {SHOWN} of them drawn", "ink bold"))
        yield below("array words", ARRAY + 118, bottom + 70, text, 22, "ink")
        names, values = ["the converters", *others], np.array([array.pj, *others.values()])
        y, role = rows(68, 52, len(names)), ["compute", *["memory"] * len(others)]
        said = [f"{number(value)} pJ{' →' if value > MOST_PJ else ''}" for value in values]
        long = RANGE * np.minimum(values / MOST_PJ, 1)
        yield words("energy head", (RIGHT, 16, "energy of one multiply-accumulate", "ink bold start", 14))
        yield from bars("energy", range(len(names)), RIGHT, y, long, 20, role, said, "ink bold start", names, said, 1)
        yield below("energy names", RIGHT, y[0] - 22, names, 52)
        y, scale = 300, Chart((RIGHT, RIGHT + 330), (0, 0), (0, array.most), (0, 1), inside=True)
        steps = np.arange(array.steps + 1) if array.steps <= STEPS else np.arange(0)
        at, here, read = scale.x(array.low + array.step * steps), float(scale.x(array.sum)), float(scale.x(array.read))
        each = "a step for every integer" if array.step == 1 else f"a step is {array.step:.3g}"
        exact = array.bits is None
        bits = "all are the exact integer" if exact else f"effective bits of a result: {number(array.bits, 2)}"
        yield lines("ruler", [0], RIGHT, y, scale.across[1], y, "ink", 2)
        yield lines("steps", steps, at, y - 6, at, y + 6, "compute", 1)
        yield arrows("sum", [0], here, y - 30, here, y - 4, "ink", 2)
        yield arrows("read", [0], read, y + 34, read, y + 6, "compute", 2)
        yield words(
            "ruler words",
            (RIGHT, y - 62, f"the sum in one wire: {each}", "ink bold start", 14),
            (max(here, RIGHT + 40), y - 40, f"sum {number(array.sum)}", "ink"),
            (max(read, RIGHT + 40), y + 44, f"read as {number(array.read)}", "compute"),
            (RIGHT, y + 76, f"results that are not exact: {percent(array.wrong)}", "ink start", 14),
            (RIGHT, y + 98, bits, "good bold start" if exact else "bad bold start", 14),
        )

    def say(self, found):
        array, others = found
        rest = ", ".join(f"{name} {number(value)} pJ" for name, value in others.items())
        bits = "all results exact"
        if array.bits is not None:
            bits = f"{number(array.bits, 2)} effective bits, {percent(array.wrong)} of results not exact"
        said = f"{array.rows} rows, {array.adc_bits} bits, cells off by {percent(array.spread)}: converters take "
        said += f"{number(array.pj)} pJ a MAC ({rest}); {bits}; every possible sum needs {number(array.exact_bits)} "
        return said + "bits."
