"""A scheduler at work: who issues, whose loads are under way, which cycles are lost."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, percent

LEFT, CYCLE, WINDOW = 78, 8, 66  # of the time axis: where it begins, pixels of a cycle, cycles shown
STRIP, TOP, HIGH, TALLEST = 26, 62, 320, 110  # the strip of issues; the warps
TANK, BROAD = 650, 46  # where the tank of loads stands
ROOM = 19  # pixels between names
PAGE = 20  # cycles by which the window moves on: all at once, since bars that creep are slow to draw and hard to read


class Schedule(Stage):
    """Warps over cycles: a square issues a load, whose bar grows until it is back; a cross is a cycle that is lost.

    Cycles are counted from 1, as the player counts them.

    >>> from accelerator_course.frames.gpu import by_cycle
    >>> view = Schedule()
    >>> few, many = (list(by_cycle(warps, 20, 1, 120)) for warps in (4, 32))
    >>> view.show(few[0])
    >>> view.show(few[30])
    >>> view.show(many[119])
    """

    size, noun = (740, 440), "cycle"

    def marks(self, watched):
        now = watched.now
        begin = max(0, -(-(now.cycle + 1 - WINDOW) // PAGE) * PAGE)
        row = min(TALLEST, HIGH / len(now.doing))
        return [
            *_warps(watched, row),
            *_lost(watched, begin, row),
            *_loads(watched, begin, row),
            *_time(now, begin, row),
            *_tank(watched),
        ]

    def say(self, watched):
        now = watched.now
        doing = "no warp is ready, the cycle is lost"
        if now.load:
            doing = f"warp {now.load.warp} issues its load {now.load.number}, back in cycle {now.load.back + 1}"
        return (
            f"Cycle {now.cycle + 1}: {doing}. {counted(now.under_way.sum(), 'load')} under way. "
            f"So far {percent(now.utilization)} of the cycles issued something."
        )


def _warps(watched, row):
    """A row for each warp, and its name where there is room."""
    warps = np.arange(len(watched.now.doing))
    y = TOP + row * warps
    says = [_doing(watched, warp) for warp in warps]
    who = [f"warp {warp}" for warp in warps]
    rows = boxes("rows", warps, LEFT, y, WINDOW * CYCLE, row - min(3, row / 6), "paper", who=who, says=says)
    named = warps[:: int(-(-ROOM // row))]
    names = texts("names", named, LEFT - 8, y[named] + row / 2, [who[warp] for warp in named], "ink end", 13,
                  [who[warp] for warp in named], [says[warp] for warp in named])  # fmt: skip
    return [rows, names]


def _doing(watched, warp):
    now = watched.now
    if now.issuing == warp:
        return f"issues load {now.load.number}, which is back in cycle {now.load.back + 1}"
    if warp in watched.ready:
        return "is ready, another warp issues"
    return f"waits until cycle {now.until[warp] + 1}"


def _lost(watched, begin, row):
    """What was issued in each cycle, and the columns in which nothing was."""
    bottom = TOP + row * len(watched.now.doing)
    lost = np.array([cycle for cycle in watched.lost if cycle >= begin], dtype=int)
    issued = np.array([load.issued for load in watched.loads if load.issued >= begin], dtype=int)
    columns = boxes("lost", lost, _at(lost, begin), STRIP + 18, CYCLE - 1, bottom - STRIP - 18, "bad soft")
    crosses = texts("crosses", lost, _at(lost, begin) + CYCLE / 2 - 0.5, STRIP + 8, "×", "bad bold", 13)
    strip = boxes("issued", issued, _at(issued, begin), STRIP + 1, CYCLE - 1, 14, "compute",
                  who=[f"cycle {cycle + 1}" for cycle in issued], says="something is issued")  # fmt: skip
    count = len(watched.lost)
    words = [f"issued {watched.now.cycle + 1 - count}", f"× lost {count}"]
    roles = pick(("compute bold start", "bad bold start"), [0, 1])
    told = texts("counts", range(2), [LEFT, LEFT + 130], 12, words, roles)
    return [columns, crosses, strip, told]


def _loads(watched, begin, row):
    """A square where a load is issued, and a bar from there to now, or to the cycle in which it is back."""
    end = watched.now.cycle + 1
    loads = [load for load in watched.loads if load.back > begin]
    key = [f"{load.warp}.{load.number}" for load in loads]
    columns = np.array([(load.warp, load.slot, load.issued, load.back) for load in loads])
    warp, slot, issued, back = columns.reshape(-1, 4).T
    thick = 0.64 * row / watched.deep
    y = TOP + row * warp + 0.14 * row + thick * slot
    start, stop = np.maximum(issued + 1, begin), np.minimum(back, end)
    flying = back > end
    bars = boxes(
        "loads", key, _at(start, begin), y + 0.12 * thick, CYCLE * np.maximum(stop - start, 0), 0.76 * thick,
        pick(("memory soft", "memory"), flying), who=[f"warp {load.warp}, load {load.number}" for load in loads],
        says=[f"under way, back in cycle {load.back + 1}" if fly else f"came back in cycle {load.back + 1}"
              for load, fly in zip(loads, flying, strict=True)],
    )  # fmt: skip
    here = issued >= begin
    squares = boxes("issues", [k for k, h in zip(key, here, strict=True) if h], _at(issued[here], begin), y[here],
                    CYCLE - 1, thick, "compute")  # fmt: skip
    return [bars, squares]


def _time(now, begin, row):
    """The cycle of the moment, and real numbers under the axis."""
    bottom = TOP + row * len(now.doing)
    x = LEFT + CYCLE * (now.cycle + 1 - begin)
    cursor = lines("now", [0], [x], [STRIP], [x], [bottom + 4], "ink", 2)
    ticks = np.arange(begin // 10 * 10 + 10, begin + WINDOW + 1, 10)
    numbers = texts("ticks", ticks, _at(ticks - 1, begin) + CYCLE / 2, bottom + 14, ticks.astype(str), "muted", 12)
    words = texts("axis", range(2), [LEFT - 8, LEFT + WINDOW * CYCLE], [STRIP + 8, bottom + 34], ["issue", "cycle"],
                  pick(("ink end", "muted end"), [0, 1]), 13)  # fmt: skip
    return [cursor, numbers, words]


def _tank(watched):
    """Loads under way, in a tank that holds one for each cycle of the latency."""
    most, level = watched.latency_cycles, int(watched.now.under_way.sum())
    high = HIGH * level / most
    tank = boxes("tank", [0], [TANK], [TOP], BROAD, HIGH, "memory line")
    fill = boxes("level", [0], [TANK + 3], [TOP + HIGH - high], BROAD - 6, high, "memory")
    words = texts("under way", range(4), TANK + BROAD / 2, [12, 30, TOP - 12, TOP + HIGH + 16],
                  ["loads", "under way", f"full: {most}", str(level)], pick(("ink", "ink bold"), [0, 0, 0, 1]),
                  [13, 13, 12, 16])  # fmt: skip
    return [tank, fill, words]


def _at(cycles, begin):
    return LEFT + CYCLE * (np.asarray(cycles) - begin)
