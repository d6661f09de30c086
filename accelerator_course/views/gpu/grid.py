"""A launch: blocks of threads over the elements. A product: its tiles on the SMs, wave by wave."""

import numpy as np
from matplotlib.patches import Rectangle

from accelerator_course.views import style
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, percent

COLUMNS, MOST = 16, 64  # blocks drawn
EDGE, TOP = 340, 44  # of the product on the stage
RIGHT, PLACE, ACROSS = 404, 20, 16  # the SMs: where they stand, pixels of one, how many in a row
FLOOR, TALL = 400, 84  # of the bars of all waves


class Grid:
    """A launch: blocks of threads over the elements; the last block is rarely full.

    >>> view = Grid()
    >>> view.show({"elements": 1000, "threads": 256, "blocks": 4, "idle threads": 24, "empty lanes": 0})
    >>> view.show({"elements": 1, "threads": 33, "blocks": 1, "idle threads": 32, "empty lanes": 31})
    >>> view.show({"elements": 10**6, "threads": 1024, "blocks": 977, "idle threads": 448, "empty lanes": 0})
    """

    def __init__(self):
        self.figure = style.figure((7.2, 2.9))
        ax = style.bare(self.figure.subplots(), (0, COLUMNS), (MOST // COLUMNS + 0.1, -0.1))
        self.boxes, self.fills = [], []
        for place in range(MOST):
            row, col = divmod(place, COLUMNS)
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
        beyond = f" (the first {MOST} are drawn)" if blocks > MOST else ""
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

    def marks(self, wave):
        return [*_sms(wave), *_bars(wave), *_tiles(wave)]

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


def _spot(sm):
    """Where an SM stands."""
    return RIGHT + PLACE * (sm % ACROSS), TOP + PLACE * (sm // ACROSS)


def _sms(wave):
    sm, busy = np.arange(wave.sms), len(wave.working)
    says = [f"works on tile {wave.working[i]}" if i < busy else "has no tile" for i in sm]
    places = boxes("sms", sm, *_spot(sm), PLACE - 3, PLACE - 3, "muted tint", who=[f"SM {i}" for i in sm], says=says)
    titles = ["the product, in tiles", f"{wave.sms} SMs"]
    return [places, texts("titles", range(2), [20, RIGHT], [20, 20], titles, "ink bold start", 13)]


def _tiles(wave):
    """Each tile: waiting in the product, on an SM, or done; and the product itself, which may end within a tile."""
    tile, working = np.arange(wave.tiles), wave.working
    cell = EDGE / max(wave.rows, wave.cols)
    there = (tile >= working.start) & (tile < working.stop)
    done = tile < working.start
    x, y = _spot(tile - working.start)
    x = np.where(there, x + 2, 20 + cell * (tile % wave.cols))
    y = np.where(there, y + 2, TOP + cell * (tile // wave.cols))
    edge = np.where(there, PLACE - 7, cell - min(3, cell / 6))
    words = ("waits", "is on an SM", "is done")
    look = there + 2 * done
    cells = boxes("tiles", tile, x, y, edge, edge, pick(("memory tint", "compute", "good soft"), look),
                  who=[f"tile {i}" for i in tile], says=pick(words, look))  # fmt: skip
    high, wide = (cell * count * share for count, share in zip((wave.rows, wave.cols), wave.filled, strict=True))
    return [cells, boxes("product", [0], [18], [TOP - 2], wide + 2, high + 2, "ink line")]


def _bars(wave):
    """How many SMs have a tile in each wave so far, from zero."""
    number = np.arange(1, wave.number + 1)
    step = min(40, PLACE * ACROSS / wave.waves)
    share = np.array(wave.shares)
    x, high = RIGHT + step * (number - 1), TALL * share
    who, says = [f"wave {i}" for i in number], [f"{percent(s)} of the SMs have a tile" for s in share]
    bars = boxes("bars", number, x, FLOOR - high, step * 0.8, high, "compute", who=who, says=says)
    y = np.array([FLOOR, FLOOR - TALL])
    axes = lines("axes", range(2), RIGHT, y, RIGHT + PLACE * ACROSS, y, pick(("muted", "muted dashed"), [0, 1]), 1)
    ticks = texts("ticks", range(2), RIGHT - 6, y, ["0", "all"], "muted end", 12)
    title = texts("waves", [0], [RIGHT], [FLOOR + 20], ["SMs with a tile, wave by wave"], "ink bold start", 13)
    return [axes, bars, ticks, title]
