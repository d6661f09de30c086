"""Inside one step: a product on a chip, and five causes of time that grow."""

from math import ceil, sqrt

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, percent, si

DIE = (20, 92, 308, 190)  # x, y, width, height of the arrays
MOST = 600  # arrays that are drawn one by one
BARS, LONG, FIRST, PITCH, HIGH = 476, 176, 92, 38, 22
CAUSES = {
    "compute": ("compute", "compute"),
    "memory": ("memory", "memory"),
    "vector": ("between", "other"),
    "link": ("links", "ink"),
    "overhead": ("starting", "muted"),
}
WHOLE = FIRST + 5 * PITCH + 24


class Inside(Stage):
    """Inside one step: product by product, what a chip's arrays and its memory do, and what takes the time.

    >>> view = Inside()
    >>> view.show(list(design.watching.watch("h100-sxm5", "decode"))[0])
    >>> view.show(list(design.watching.watch("h100-sxm5", "prefill"))[-1])
    >>> view.show(list(design.watching.watch("tpu-v4", "vision"))[7])
    >>> view.show(list(design.watching.watch("h100-sxm5", "training"))[-1])
    >>> view.show(list(design.watching.watch(design.Design(16, 512, 128, 6, 1.5e9, 3e11), "recommender"))[2])
    """

    size, noun = (740, 440), "part"

    def marks(self, frame):
        """`frame`: design.watching.Frame."""
        return [*self._head(frame), *self._chip(frame), *self._bars(frame), *self._step(frame)]

    def _head(self, frame):
        product, name = frame.product, frame.product.name
        if not product.m:
            words = [name, _extra(frame)]
            return [texts("title", [0, 1], 20, [22, 48], words, ["ink bold start", "muted start"], [17, 14])]
        times = f"{frame.repeats:,.0f} times " if frame.repeats > 1 else ""
        heads = f", {frame.groups:,.0f} of them at once" if frame.groups > 1 else ""
        sizes = f"{times}[{product.m:,.0f} × {product.k:,.0f}] · [{product.k:,.0f} × {product.n:,.0f}]{heads}"
        return [texts("title", [0, 1], 20, [22, 48], [name, sizes], ["ink bold start", "ink start"], [17, 14])]

    def _chip(self, frame):
        x, y, wide, high = DIE
        design = frame.design
        count, shown = design.arrays, min(design.arrays, MOST)
        columns = max(1, min(shown, ceil(sqrt(shown * wide / high))))
        rows = ceil(shown / columns)
        side = min((wide - 12) / columns, (high - 12) / rows)
        at = np.arange(shown)
        left = x + (wide - columns * side) / 2 + at % columns * side
        top = y + (high - rows * side) / 2 + at // columns * side
        gap = max(0.6, 0.06 * side)
        used = at < (frame.last * shown / count if frame.rounds <= 1 else shown)
        fill = (side - 2 * gap) * min(1.0, frame.busy * shown / max(1, used.sum()))
        says = f"busy: {percent(frame.busy)} of PEs and cycles" if frame.product.m else "waits"
        inner = side - 2 * gap
        return [
            boxes("die", [0], x, y, wide, high, "muted line"),
            boxes("arrays", at, left + gap, top + gap, inner, inner, pick(("muted tint", "compute tint"), used),
                  who=("arrays",), says=says),
            boxes("busy", at, left + gap, top + gap + inner - fill * used, inner, fill * used, "compute",
                  who=("arrays",), says=says),
            texts("chip", [0, 1, 2], x, [y - 14, y + high + 18, y + high + 40], _about(frame),
                  ["ink bold start", "ink start", "ink start"], [14, 13, 13]),
            *self._memory(frame),
        ]  # fmt: skip

    def _memory(self, frame):
        x, y, wide, high = DIE
        y, sram = y + high + 60, frame.design.sram_mb
        words = "holds all of it" if frame.whole.resident else f"keeps {percent(frame.stays)}"
        words = f"SRAM, {sram:,.0f} MB" + (f": {words}" if frame.product.m else "")
        chips = f"the job takes {counted(int(frame.whole.chips), 'chip')} of this kind"
        behind = "memory: not needed" if frame.whole.resident else _moved(frame)
        return [
            boxes("sram", [0], x, y, wide, 26, "memory tint", words, 13, "SRAM", words),
            boxes("memory", [0], x, y + 32, wide, 26, "memory line" if frame.whole.resident else "memory tint",
                  behind, 13, "memory", behind),
            texts("chips", [0], x, y + 76, chips, "muted start", 13),
        ]  # fmt: skip

    def _bars(self, frame):
        scale, n = LONG / frame.whole.seconds, range(len(CAUSES))
        y = FIRST + PITCH * np.arange(len(CAUSES))
        now, old = np.array(frame.causes), np.array(frame.before)
        most = np.minimum(scale * now, 1.28 * LONG)
        added = np.maximum(most - np.minimum(scale * old, 1.28 * LONG), 0)
        longest = int(np.argmax(now))
        roles = [role for _, role in CAUSES.values()]
        return [
            texts("bars-head", [0], BARS - 8, FIRST - 22, "so far", "muted end", 13),
            texts("names", n, BARS - 8, y + HIGH / 2, [name for name, _ in CAUSES.values()],
                  ["ink bold end" if i == longest else "ink end" for i in n], 14),
            boxes("before", n, BARS, y, most - added, HIGH, [f"{role} tint" for role in roles]),
            boxes("added", n, BARS + most - added, y, added, HIGH, roles, who=[name for name, _ in CAUSES.values()],
                  says=[f"{si(value, 's')} so far" for value in now]),
            lines("floor", [0], BARS, FIRST - 6, BARS, WHOLE + 40, "ink", 1.5),
            texts("values", n, 734, y + HIGH / 2, [si(value, "s") if value else "0" for value in now],
                  ["ink bold end" if i == longest else "ink end" for i in n], 14),
        ]  # fmt: skip

    def _step(self, frame):
        """The step so far: the longer of compute and memory, then the rest; training hides its links."""
        compute, memory, vector, link, overhead = frame.causes
        longer = "compute" if compute >= memory else "memory"
        busy = max(compute, memory) + vector
        talk = max(0.0, link - busy) if frame.job.training else link
        parts = np.array([max(compute, memory), vector, talk, overhead])
        scale = LONG / frame.whole.seconds
        ends = np.cumsum(parts) * scale
        roles = [longer, "other", "ink", "muted"]
        rule = "the longer of compute and memory, and the rest"
        if frame.job.training:
            rule = "the links talk meanwhile: the longer counts"
        done = frame.place == frame.frames
        whole = frame.whole
        rate = f"{whole.per_chip_s:,.0f} {frame.job.unit}/s of one chip, {whole.watts:,.0f} W" if done else ""
        return [
            texts("step", [0], BARS - 8, WHOLE + 15, "the step", "ink bold end", 14),
            boxes("parts", range(4), BARS + ends - parts * scale, WHOLE, parts * scale, 30, roles, who="the step",
                  says=[si(part, "s") for part in parts]),
            texts("total", [0], 734, WHOLE + 15, si(frame.seconds, "s"), "ink bold end", 15),
            texts("rule", [0], 734, WHOLE + 54, rule, "muted end", 13),
            texts("rate", [0], 734, WHOLE + 80, rate, "good bold end", 15),
        ]  # fmt: skip

    def say(self, frame):
        bound = max(CAUSES, key=lambda name: getattr(frame.causes, name))
        so_far = f"{si(frame.seconds, 's')} so far, most of it {CAUSES[bound][0]}"
        if frame.place == frame.frames:
            whole = frame.whole
            return (
                f"{frame.design.name}, {frame.job.name}: {si(whole.seconds, 's')} a step, longest {CAUSES[bound][0]}, "
                f"{percent(getattr(whole, bound) / whole.seconds)} of it; {whole.per_chip_s:,.0f} {frame.job.unit} "
                f"a second{' of each chip' if whole.chips > 1 else ''}."
            )
        if not frame.product.m:
            return f"{frame.product.name}: {so_far}."
        return f"{frame.product.name}: {_work(frame)}, {percent(frame.busy)} busy; {so_far}."


def _work(frame):
    tiles = f"{frame.tiles[0]:,.0f} × {frame.tiles[1]:,.0f} tiles"
    groups = f" × {frame.groups:,.0f}" if frame.groups > 1 else ""
    return f"{tiles}{groups}, {counted(int(frame.rounds), 'round')}"


def _about(frame):
    design = frame.design
    head = f"{counted(design.arrays, 'array')} of {design.edge} × {design.edge}"
    if not frame.product.m:
        return [head, "nothing to multiply", ""]
    lasting = f", the last needs {frame.last:,.0f}" if frame.rounds > 1 else f", on {frame.last:,.0f} of them"
    return [head, _work(frame) + lasting, f"busy: {percent(frame.busy)} of all PEs and cycles"]


def _moved(frame):
    if not frame.product.m:
        return "memory"
    if frame.product.fused:
        return "memory: nothing"
    return f"memory: {si(frame.moved_bytes, 'B')}"


def _extra(frame):
    link = frame.causes.link - frame.before.link
    vector = frame.causes.vector - frame.before.vector
    seconds = link or vector or frame.causes.memory - frame.before.memory
    return f"no product, but {si(seconds, 's')}"
