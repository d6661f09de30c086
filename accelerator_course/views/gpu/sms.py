"""One SM and many: its parts, what fits on it; a launch of blocks, and a product's tiles in waves."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_course.views.kit import pillars, words
from accelerator_course.views.maps import Map
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, percent

BUCKETS = {"warps": "warps", "blocks": "blocks", "registers": "registers", "shared": "shared memory"}
NO_LIMIT = 1000  # blocks: of a resource that the launch does not use


class Workshop:
    """One SM as a workshop; the chosen unit is lit and explained.

    >>> view = Workshop()
    >>> view.show(("warp schedulers", gpu.sm.anatomy("a100-80gb-sxm")))
    >>> view.show(("tensor cores", gpu.sm.anatomy("h100-sxm5")))
    >>> view.show(("copy engine (TMA)", gpu.sm.anatomy("h100-sxm5")))
    """

    PLACES = (  # unit, x, y, width, height
        ("warp schedulers", 0.0, 0.84, 1.0, 0.14),
        ("register file", 0.0, 0.62, 1.0, 0.18),
        ("CUDA cores", 0.0, 0.34, 0.36, 0.24),
        ("tensor cores", 0.4, 0.34, 0.36, 0.24),
        ("load/store units", 0.8, 0.34, 0.2, 0.24),
        ("shared memory and L1", 0.0, 0.14, 0.76, 0.16),
        ("copy engine (TMA)", 0.8, 0.14, 0.2, 0.16),
        ("L2, shared by all SMs", 0.0, 0.0, 1.0, 0.09),
    )

    def __init__(self):
        self.figure = style.figure((7.2, 4.4))
        ax = style.bare(self.figure.subplots(), (-0.02, 1.02), (-0.03, 1.02))
        self.boxes, self.texts = {}, {}
        for name, x, y, width, height in self.PLACES:
            box = ax.add_patch(Rectangle((x, y), width, height, facecolor="#f4f4f4", edgecolor=style.MUTED))
            text = ax.text(x + width / 2, y + height / 2, name, ha="center", va="center", fontsize=10, color=style.INK)
            self.boxes[name], self.texts[name] = box, text
            style.moving(box, text)

    def show(self, result):
        """`result`: (chosen unit, {unit: (label, sentence)})."""
        chosen, facts = result
        for name, box in self.boxes.items():
            here = name == chosen
            box.set(facecolor="#f0b48a" if here else "#f4f4f4", linewidth=2.5 if here else 1)
            self.texts[name].set(text=facts[name][0], fontweight="bold" if here else "normal")
        return facts[chosen][1]


class Buckets:
    """Four resources of an SM: how many blocks each would allow, and which of them is the limit.

    >>> view = Buckets()
    >>> view.show(gpu.occupancy("sm80", 256, 48, 0))
    >>> view.show(gpu.occupancy("sm80", 1024, 255, 0))
    >>> view.show(gpu.occupancy("sm75", 256, 48, 100 * 1024))
    >>> view.show(gpu.occupancy("sm70", 32, 16, 0))
    >>> view.show(gpu.occupancy("sm80", 32, 16, 48 * 1024))
    """

    def __init__(self):
        label = "blocks that this resource allows on one SM"
        self.figure, ax = style.axes(label, "", (0.8, NO_LIMIT), log="x", size=(7.2, 3.2))
        style.plain(ax.xaxis)
        self.rows = Rows(ax, BUCKETS.values())
        self.line = style.moving(ax.axvline(1, color=style.INK, linewidth=1.5, linestyle="--"))

    def show(self, found):
        """`found`: residency.Occupancy."""
        counts = [found.allowed[key] for key in BUCKETS]
        limiting = [word for key, word in BUCKETS.items() if key in found.limiters]
        words = [counted(count, "block") if count < NO_LIMIT else "no limit" for count in counts]
        marked = [
            f"{text} ← limits" if key in found.limiters else text for key, text in zip(BUCKETS, words, strict=True)
        ]
        self.rows.draw(counts, marked, chosen=limiting)
        self.line.set_xdata([max(found.blocks, 0.8)] * 2)
        if not found.blocks:
            why = {
                "registers": "Too many registers for so many threads.",
                "shared": "Too much shared memory for one block.",
            }
            told = " ".join(why[name] for name in found.limiters)
            return f"{found.name}: not even one block fits, the launch fails. {told}"
        return (
            f"{found.name}: {counted(found.blocks, 'block')}, {counted(found.warps, 'warp')}, "
            f"occupancy {percent(found.fraction)}. The limit: {' and '.join(limiting)}."
        )


class OccupancyMap(Map):
    """Occupancy over threads of a block and registers of a thread; your launch is framed.

    >>> view = OccupancyMap(("threads", "registers"), "occupancy", say="{threads} threads: occupancy {here:%}.")
    >>> axes = Axis("threads", "threads", np.arange(32, 1025, 32)), Axis("registers", "", np.arange(16, 249, 8))
    >>> def table(arch): return gpu.occupancy_fraction(arch, *np.meshgrid(*(axis.values for axis in axes)))
    >>> view.show(Across(*axes, table("sm80"), 0.625, {"threads": 256, "registers": 48}))
    >>> view.show(Across(*axes, table("sm89"), 0.67, {"threads": 1024, "registers": 16}))
    """

    def sentence(self, across):
        return f"{super().sentence(across)} {percent(across.share(1))} of this map's launches reach 100 %."


class Grid:
    """A launch: blocks of threads over the elements; the last block is rarely full.

    >>> view = Grid()
    >>> view.show({"elements": 1000, "threads": 256, "blocks": 4, "idle threads": 24, "empty lanes": 0})
    >>> view.show({"elements": 1, "threads": 33, "blocks": 1, "idle threads": 32, "empty lanes": 31})
    >>> view.show({"elements": 10**6, "threads": 1024, "blocks": 977, "idle threads": 448, "empty lanes": 0})
    """

    COLUMNS, MOST = 16, 64  # blocks drawn

    def __init__(self):
        self.figure = style.figure((7.2, 2.9))
        ax = style.bare(self.figure.subplots(), (0, self.COLUMNS), (self.MOST // self.COLUMNS + 0.1, -0.1))
        self.boxes, self.fills = [], []
        for place in range(self.MOST):
            row, col = divmod(place, self.COLUMNS)
            spot = {"xy": (col + 0.06, row + 0.06), "width": 0.88, "height": 0.88}
            self.boxes.append(ax.add_patch(Rectangle(**spot, facecolor="white", edgecolor=style.MUTED)))
            self.fills.append(ax.add_patch(Rectangle(**spot, facecolor="#f0b48a", edgecolor=style.COMPUTE)))
        style.moving(*self.boxes, *self.fills)

    def show(self, made):
        """`made`: elements, threads of a block, blocks, idle threads of the last one, empty lanes of each, by name."""
        elements, threads, blocks, idle, empty = made.values()
        for place, (box, fill) in enumerate(zip(self.boxes, self.fills, strict=True)):
            last = place == blocks - 1
            box.set_visible(place < blocks)
            fill.set(visible=place < blocks, width=0.88 * (1 - idle / threads if last else 1))
        beyond = f" (the first {self.MOST} are drawn)" if blocks > self.MOST else ""
        lanes = f" Each block's last warp has {counted(empty, 'empty lane')}." if empty else ""
        shape = f"{counted(blocks, 'block')} of {counted(threads, 'thread')}{beyond}"
        nothing = f"{counted(idle, 'thread')} of the last block {_have(idle)} nothing to do."
        nothing = nothing if idle else "every thread has an element."
        return f"{counted(elements, 'element')} in {shape}: {nothing}{lanes}"


class Rounds(Stage):
    """Tiles of a product fly to the SMs, one each, and come back done; the last wave leaves places empty.

    >>> from accelerator_course.frames.gpu import wave_by_wave
    >>> view = Rounds()
    >>> full, spilt = (list(wave_by_wave(n, n)) for n in (1408, 1472))
    >>> view.show(full[0])
    >>> view.show(full[1])
    >>> view.show(spilt[2])
    """

    size, noun = (740, 440), "step"
    LEFT, EDGE, TOP = 20, 340, 44  # of the product
    RIGHT, PLACE, ACROSS = 404, 20, 16  # the SMs: where they stand, pixels of one, how many in a row
    FLOOR, TALL = 400, 84  # of the bars of all waves

    def marks(self, wave):
        """`wave`: frames.gpu.Wave."""
        return [*self._sms(wave), *self._shares(wave), *self._tiles(wave)]

    def _spot(self, sm):
        """Where an SM stands."""
        return self.RIGHT + self.PLACE * (sm % self.ACROSS), self.TOP + self.PLACE * (sm // self.ACROSS)

    def _sms(self, wave):
        sm, busy, side = np.arange(wave.sms), len(wave.working), self.PLACE - 3
        says = [f"works on tile {wave.working[i]}" if i < busy else "has no tile" for i in sm]
        return [
            boxes("sms", sm, *self._spot(sm), side, side, "muted tint", who=[f"SM {i}" for i in sm], says=says),
            words(
                "titles",
                (self.LEFT, 20, "the product, in tiles", "ink bold start"),
                (self.RIGHT, 20, f"{wave.sms} SMs", "ink bold start"),
            ),
        ]

    def _tiles(self, wave):
        """Each tile: waiting in the product, on an SM, or done; and the product itself, which may end within a tile."""
        tile, working = np.arange(wave.tiles), wave.working
        cell = self.EDGE / max(wave.rows, wave.cols)
        there, done = (tile >= working.start) & (tile < working.stop), tile < working.start
        x, y = self._spot(tile - working.start)
        x = np.where(there, x + 2, self.LEFT + cell * (tile % wave.cols))
        y = np.where(there, y + 2, self.TOP + cell * (tile // wave.cols))
        side, look = np.where(there, self.PLACE - 7, cell - min(3, cell / 6)), there + 2 * done
        roles, says = (
            pick(("memory tint", "compute", "good soft"), look),
            pick(("waits", "is on an SM", "is done"), look),
        )
        high, wide = (cell * count * share for count, share in zip((wave.rows, wave.cols), wave.filled, strict=True))
        return [
            boxes("tiles", tile, x, y, side, side, roles, who=[f"tile {i}" for i in tile], says=says),
            boxes("product", [0], self.LEFT - 2, self.TOP - 2, wide + 2, high + 2, "ink line"),
        ]

    def _shares(self, wave):
        """How many SMs have a tile in each wave so far, from zero."""
        number, wide = np.arange(1, wave.number + 1), self.PLACE * self.ACROSS
        step, y = min(40, wide / wave.waves), np.array([self.FLOOR, self.FLOOR - self.TALL])
        who, says = [f"wave {i}" for i in number], [f"{percent(s)} of the SMs have a tile" for s in wave.shares]
        x, tall, across = self.RIGHT + step * (number - 0.6), self.TALL * np.array(wave.shares), step * 0.8
        return [
            lines("axes", range(2), self.RIGHT, y, self.RIGHT + wide, y, ("muted", "muted dashed"), 1),
            *pillars("bars", number, x, self.FLOOR, across, tall, "compute", who=who, says=says),
            texts("ticks", range(2), self.RIGHT - 6, y, ["0", "all"], "muted end", 12),
            words("waves", (self.RIGHT, self.FLOOR + 20, "SMs with a tile, wave by wave", "ink bold start")),
        ]

    def say(self, wave):
        if not wave.number:
            return f"{counted(wave.tiles, 'tile')} for {counted(wave.sms, 'SM')}: {counted(wave.waves, 'wave')}."
        busy = len(wave.working)
        idle = wave.sms - busy
        return (
            f"Wave {wave.number} of {wave.waves}: {busy} of {wave.sms} SMs {_have(busy)} a tile, "
            f"{idle} {_have(idle)} none. So far {percent(wave.efficiency)} of the places were used."
        )


def _have(count):
    return "has" if count == 1 else "have"
