"""Warps at work: one that runs a kernel lane by lane, and many that a scheduler keeps busy."""

import numpy as np

from accelerator_course.views.code import kernel
from accelerator_course.views.kit import rows, words
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, percent


class WarpSteps(Stage):
    """A kernel and the lanes that run it: lanes that work step up, those that are masked stay behind.

    >>> from accelerator_course.frames.gpu import by_instruction
    >>> view, kernels = WarpSteps(), gpu.simt.kernels()
    >>> short, long = (list(by_instruction(kernels[name])) for name in ("if and else", "Collatz"))
    >>> view.show(short[0])
    >>> view.show(short[2])
    >>> view.show(long[90])
    """

    size, noun = (740, 462), "instruction"
    ROWS, ROW, LETTERS = 12, 21, 30  # of the kernel: rows shown, pixels of one, letters to a row
    LANE, FIRST = 22, 18  # pixels of a lane, and where the first one stands
    LEFT, TOP, WIDE, THIN = 380, 30, 352, 7  # of the roll; pixels of a lane in it
    WINDOW, BROAD = 58, 70  # instructions on the roll, and how broad one may be
    PAGE = 20  # instructions by which the roll moves on
    LONGEST = 4  # letters of a value that have room over its lane

    def marks(self, executed):
        """`executed`: frames.gpu.Executed."""
        now = executed.now
        says = [_doing(now, lane) for lane in range(len(now.mask))]
        who = [f"lane {lane}" for lane in range(len(now.mask))]
        return [
            *kernel(executed.code, now.line, self.ROWS, self.LETTERS, self.WIDE, self.TOP, self.ROW),
            *self._roll(executed, who, says),
            *self._lanes(now, who, says),
            *self._gauge(now.efficiency),
        ]

    def _roll(self, executed, who, says):
        """Who worked in the instructions so far: a column for each, a row for each lane."""
        (done, lanes), left, top, thin = executed.masks.shape, self.LEFT, self.TOP, self.THIN
        columns = min(executed.length, self.WINDOW)
        step, begin = min(self.BROAD, self.WIDE / columns), max(0, -(-(done - columns) // self.PAGE) * self.PAGE)
        at, broad, tall = np.arange(begin, done), step - min(2, step / 6), thin * lanes
        x, masks = left + step * (at - begin), executed.masks[begin:]
        columns_who, columns_say = [f"instruction {i + 1}" for i in at], [_at_work(mask) for mask in masks]
        named = _spread(at + 1, 26 / step)
        whole = (left, top + thin * np.arange(lanes), step * columns, thin - 1)
        ahead = (left + step * len(at), top - 2, step * (columns - len(at)) + 2, tall + 3)
        work = [_column(mask, broad, thin) for mask in masks]
        numbers = left + step * (named - 1 - begin) + broad / 2
        return [
            boxes("rows", range(lanes), *whole, "muted soft", who=who, says=says),
            boxes("ahead", [0], *ahead, "paper"),
            paths("worked", at, work, x, top, "compute", who=columns_who, says=columns_say),
            boxes("now", [0], x[-1:] - 2, top - 3, broad + 4, tall + 5, "ink line"),
            texts("ticks", named, numbers, top + tall + 14, named.astype(str), "muted", 12),
            words(
                "roll",
                (left, 14, "lanes ↓  instructions so far →", "ink bold start"),
                (left - 6, top + 4, "0", "muted end"),
                (left - 6, top + tall - 6, str(lanes - 1), "muted end"),
            ),
        ]

    def _lanes(self, now, who, says):
        """The instruction, the lanes that take it, and what it gives in each."""
        lanes, works = np.arange(len(who)), now.mask
        x, working = self.FIRST + self.LANE * lanes, np.flatnonzero(works)
        middle = x[working] + 10
        names = np.where(works | (lanes % 2 == 0), lanes.astype(str), "")
        roles = pick(("muted tint dashed", "compute"), works)
        y, high = np.where(works, 318, 338), np.where(works, 36, 24)
        given = [_result(now, lane) for lane in working]
        given = [word if len(word) <= self.LONGEST else "…" for word in given]
        own = [who[lane] for lane in working], [says[lane] for lane in working]
        what = (
            f"{now.target} in each lane that works"
            if now.target
            else "does the condition hold? in each lane that works"
        )
        bar = (self.FIRST, 284, self.LANE * len(who) - 2, 24)
        return [
            boxes("issued", [0], *bar, "compute tint", [now.text], 14),
            lines("stems", working, middle, 308, middle, 318, "compute", 2),
            boxes("lanes", lanes, x, y, self.LANE - 2, high, roles, names, 12, who, says),
            texts("given", working, middle, 370 + 18 * (working % 2), given, "ink", 12, *own),
            words("what", (self.FIRST, 409, what, "muted start", 12)),
        ]

    def _gauge(self, share):
        """The share of the lanes' slots that worked, from zero."""
        left, wide = 300, 360
        return [
            boxes("track", [0], left, 432, wide, 20, "muted soft"),
            boxes("fill", [0], left, 432, wide * share, 20, "compute"),
            words(
                "share",
                (self.FIRST, 442, "lanes' slots that worked"),
                (left + wide + 8, 442, percent(share), "ink bold start"),
            ),
        ]

    def say(self, executed):
        now = executed.now
        return (
            f"Instruction {now.number} of {executed.length}, line {now.line}: {_at_work(now.mask)}. "
            f"So far {percent(now.efficiency)} of the lanes' slots worked."
        )


def _doing(now, lane):
    """What a lane does, in words."""
    if now.mask[lane]:
        return f"{now.text.rstrip(':')} → {_result(now, lane)}"
    kept = [f"{name} = {values[lane]}" for name, values in now.values.items() if name not in ("lane", "a")]
    return ", ".join(["masked", *kept])


def _result(now, lane):
    if now.target:
        return f"{now.result[lane]}"
    return "yes" if now.result[lane] else "no"


def _column(mask, broad, thin):
    """A rectangle for each run of neighbours that worked, as a path."""
    ends = np.flatnonzero(np.diff(mask.astype(int), prepend=0, append=0)).reshape(-1, 2) * thin
    return "".join(f"M0 {first}H{broad:.4g}V{last - 1}H0Z" for first, last in ends)


def _at_work(mask):
    return f"{int(mask.sum())} of {len(mask)} lanes {'works' if mask.sum() == 1 else 'work'}"


def _spread(numbers, room):
    """Round numbers so far apart that their names have room."""
    every = next(n for n in (1, 2, 5, 10, 20, 50) if n >= room)
    return numbers[(numbers % every == 0) | (every <= 2) & (numbers == 1)]


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
    LEFT, CYCLE, WINDOW = 78, 8, 66  # of the time axis: where it begins, pixels of a cycle, cycles shown
    STRIP, TOP, HIGH, TALLEST = 26, 62, 320, 110  # the strip of issues; the warps
    TANK, BROAD = 650, 46  # where the tank of loads stands
    ROOM = 19  # pixels between names
    PAGE = 20  # cycles by which the window moves on at once: bars that creep are slow to draw and hard to read

    def marks(self, scheduled):
        """`scheduled`: frames.gpu.Scheduled."""
        now = scheduled.now
        begin = max(0, -(-(now.cycle + 1 - self.WINDOW) // self.PAGE) * self.PAGE)
        row = min(self.TALLEST, self.HIGH / len(now.doing))

        def x(cycles):
            return self.LEFT + self.CYCLE * (np.asarray(cycles) - begin)

        return [
            *self._warps(scheduled, row),
            *self._issues(scheduled, begin, row, x),
            *self._loads(scheduled, begin, row, x),
            *self._time(now, begin, row, x),
            *self._tank(scheduled),
        ]

    def _warps(self, scheduled, row):
        """A row for each warp, and its name where there is room."""
        warps = np.arange(len(scheduled.now.doing))
        y, named = rows(self.TOP, row, len(warps)), warps[:: int(-(-self.ROOM // row))]
        who, says = [f"warp {warp}" for warp in warps], [self._doing(scheduled, warp) for warp in warps]
        wide, high = self.WINDOW * self.CYCLE, row - min(3, row / 6)
        own = [who[warp] for warp in named], [says[warp] for warp in named]
        return [
            boxes("rows", warps, self.LEFT, y, wide, high, "paper", who=who, says=says),
            texts("names", named, self.LEFT - 8, y[named] + row / 2, own[0], "ink end", 13, *own),
        ]

    @staticmethod
    def _doing(scheduled, warp):
        now = scheduled.now
        if now.issuing == warp:
            return f"issues load {now.load.number}, which is back in cycle {now.load.back + 1}"
        if warp in scheduled.ready:
            return "is ready, another warp issues"
        return f"waits until cycle {now.until[warp] + 1}"

    def _issues(self, scheduled, begin, row, x):
        """What was issued in each cycle, and the columns in which nothing was."""
        high, side, top = row * len(scheduled.now.doing) + self.TOP - self.STRIP - 18, self.CYCLE - 1, self.STRIP
        lost = np.array([cycle for cycle in scheduled.lost if cycle >= begin], dtype=int)
        issued = np.array([load.issued for load in scheduled.loads if load.issued >= begin], dtype=int)
        who, crosses = [f"cycle {cycle + 1}" for cycle in issued], x(lost) + self.CYCLE / 2 - 0.5
        return [
            boxes("lost", lost, x(lost), top + 18, side, high, "bad soft"),
            texts("crosses", lost, crosses, top + 8, "×", "bad bold", 13),
            boxes("issued", issued, x(issued), top + 1, side, 14, "compute", who=who, says="something is issued"),
            words(
                "counts",
                (self.LEFT, 12, f"issued {len(scheduled.loads)}", "compute bold start"),
                (self.LEFT + 130, 12, f"× lost {len(scheduled.lost)}", "bad bold start"),
            ),
        ]

    def _loads(self, scheduled, begin, row, x):
        """A square where a load is issued, and a bar from there to now, or to the cycle in which it is back."""
        end, loads = scheduled.now.cycle + 1, [load for load in scheduled.loads if load.back > begin]
        key = [f"{load.warp}.{load.number}" for load in loads]
        columns = np.array([(load.warp, load.slot, load.issued, load.back) for load in loads])
        warp, slot, issued, back = columns.reshape(-1, 4).T
        thick, flying, here = 0.64 * row / scheduled.deep, back > end, issued >= begin
        y = self.TOP + row * warp + 0.14 * row + thick * slot
        start, stop = np.maximum(issued + 1, begin), np.minimum(back, end)
        place = x(start), y + 0.12 * thick, self.CYCLE * np.maximum(stop - start, 0), 0.76 * thick
        roles = pick(("memory soft", "memory"), flying)
        who = [f"warp {load.warp}, load {load.number}" for load in loads]
        says = [f"{'under way, back' if load.back > end else 'came back'} in cycle {load.back + 1}" for load in loads]
        shown = [one for one, there in zip(key, here, strict=True) if there]
        return [
            boxes("loads", key, *place, roles, who=who, says=says),
            boxes("issues", shown, x(issued[here]), y[here], self.CYCLE - 1, thick, "compute"),
        ]

    def _time(self, now, begin, row, x):
        """The cycle of the moment, and real numbers under the axis."""
        bottom, here = self.TOP + row * len(now.doing), x(now.cycle + 1)
        ticks = np.arange(begin // 10 * 10 + 10, begin + self.WINDOW + 1, 10)
        return [
            lines("now", [0], here, self.STRIP, here, bottom + 4, "ink", 2),
            texts("ticks", ticks, x(ticks - 1) + self.CYCLE / 2, bottom + 14, ticks.astype(str), "muted", 12),
            words(
                "axis",
                (self.LEFT - 8, self.STRIP + 8, "issue", "ink end"),
                (self.LEFT + self.WINDOW * self.CYCLE, bottom + 34, "cycle", "muted end"),
            ),
        ]

    def _tank(self, scheduled):
        """Loads under way, in a tank that holds one for each cycle of the latency."""
        most, level = scheduled.latency_cycles, int(scheduled.now.under_way.sum())
        high, middle, floor = self.HIGH * level / most, self.TANK + self.BROAD / 2, self.TOP + self.HIGH
        return [
            boxes("tank", [0], self.TANK, self.TOP, self.BROAD, self.HIGH, "memory line"),
            boxes("level", [0], self.TANK + 3, floor - high, self.BROAD - 6, high, "memory"),
            words(
                "under way",
                (middle, 12, "loads", "ink"),
                (middle, 30, "under way", "ink"),
                (middle, self.TOP - 12, f"full: {most}", "ink", 12),
                (middle, floor + 16, str(level), "ink bold", 16),
            ),
        ]

    def say(self, scheduled):
        now = scheduled.now
        doing = "no warp is ready, the cycle is lost"
        if now.load:
            doing = f"warp {now.load.warp} issues its load {now.load.number}, back in cycle {now.load.back + 1}"
        return (
            f"Cycle {now.cycle + 1}: {doing}. {counted(now.under_way.sum(), 'load')} under way. "
            f"So far {percent(now.utilization)} of the cycles issued something."
        )
