"""A warp that runs a kernel: the line that is issued, the lanes that it is for, and who worked so far."""

import numpy as np

from accelerator_course.views.code import kernel
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import percent

ROWS, ROW, LETTERS = 12, 21, 30  # of the kernel: rows shown, pixels of one, letters to a row
LANE, FIRST = 22, 18  # pixels of a lane, and where the first one stands
LEFT, TOP, WIDE, THIN = 380, 30, 352, 7  # of the roll; pixels of a lane in it
WINDOW, BROAD = 58, 70  # instructions on the roll, and how broad one may be
PAGE = 20  # instructions by which the roll moves on
LONGEST = 4  # letters of a value that have room over its lane


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

    def marks(self, watched):
        now = watched.now
        says = [_doing(now, lane) for lane in range(len(now.mask))]
        who = [f"lane {lane}" for lane in range(len(now.mask))]
        return [
            *kernel(watched.code, watched.now.line, ROWS, LETTERS, 352, TOP, ROW),
            *_roll(watched, who, says),
            *_lanes(now, who, says),
            *_gauge(now.efficiency),
        ]

    def say(self, watched):
        now = watched.now
        return (
            f"Instruction {now.number} of {watched.length}, line {now.line}: {_counted(now.mask)}. "
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


def _roll(watched, who, says):
    """Who worked in the instructions so far: a column for each, a row for each lane."""
    done, lanes = len(watched.masks), len(who)
    columns = min(watched.length, WINDOW)
    step, begin = min(BROAD, WIDE / columns), max(0, -(-(done - columns) // PAGE) * PAGE)
    at = np.arange(begin, done)
    x = LEFT + step * (at - begin)
    rows = boxes("rows", range(lanes), LEFT, TOP + THIN * np.arange(lanes), step * columns, THIN - 1, "muted soft",
                 who=who, says=says)  # fmt: skip
    ahead = step * (columns - len(at))
    cover = boxes("ahead", [0], [LEFT + step * len(at)], [TOP - 2], ahead + 2, THIN * lanes + 3, "paper")
    broad = step - min(2, step / 6)
    worked = paths("worked", at, [_column(watched.masks[i], broad) for i in at], x, TOP, "compute",
                   who=[f"instruction {i + 1}" for i in at], says=[_counted(watched.masks[i]) for i in at])  # fmt: skip
    frame = boxes("now", [0], x[-1:] - 2, TOP - 3, broad + 4, THIN * lanes + 5, "ink line")
    named = _spread(at + 1, 26 / step)
    bottom = TOP + THIN * lanes + 14
    ticks = texts("ticks", named, LEFT + step * (named - 1 - begin) + broad / 2, bottom, named.astype(str), "muted", 12)
    title = texts("roll", range(3), [LEFT, LEFT - 6, LEFT - 6], [14, TOP + 4, TOP + THIN * lanes - 6],
                  ["lanes ↓  instructions so far →", "0", str(lanes - 1)],
                  pick(("ink bold start", "muted end"), [0, 1, 1]), 13)  # fmt: skip
    return [rows, cover, worked, frame, ticks, title]


def _column(mask, broad):
    """A rectangle for each run of neighbours that worked, as a path."""
    ends = np.flatnonzero(np.diff(mask.astype(int), prepend=0, append=0)).reshape(-1, 2) * THIN
    return "".join(f"M0 {first}H{broad:.4g}V{last - 1}H0Z" for first, last in ends)


def _counted(mask):
    return f"{int(mask.sum())} of {len(mask)} lanes {'works' if mask.sum() == 1 else 'work'}"


def _spread(numbers, room):
    """Round numbers so far apart that their names have room."""
    every = next(n for n in (1, 2, 5, 10, 20, 50) if n >= room)
    return numbers[(numbers % every == 0) | (every <= 2) & (numbers == 1)]


def _lanes(now, who, says):
    """The instruction, the lanes that take it, and what it gives in each."""
    lanes = np.arange(len(who))
    works = now.mask
    x, working = FIRST + LANE * lanes, np.flatnonzero(works)
    bar = boxes("issued", [0], [FIRST], [284], LANE * len(who) - 2, 24, "compute tint", [now.text], 14)
    stems = lines("stems", working, x[working] + 10, 308, x[working] + 10, 318, "compute", 2)
    names = np.where(works | (lanes % 2 == 0), lanes.astype(str), "")
    cells = boxes("lanes", lanes, x, np.where(works, 318, 338), LANE - 2, np.where(works, 36, 24),
                  pick(("muted tint dashed", "compute"), works), names, 12, who, says)  # fmt: skip
    words = [_result(now, lane) for lane in working]
    words = [word if len(word) <= LONGEST else "…" for word in words]
    given = texts("given", working, x[working] + 10, 370 + 18 * (working % 2), words, "ink", 12,
                  [who[lane] for lane in working], [says[lane] for lane in working])  # fmt: skip
    what = f"{now.target} in each lane that works" if now.target else "does the condition hold? in each lane that works"
    told = texts("what", [0], [FIRST], [409], [what], "muted start", 12)
    return [bar, stems, cells, given, told]


def _gauge(share):
    """The share of the lanes' slots that worked, from zero."""
    left, wide = 300, 360
    track = boxes("track", [0], [left], [432], wide, 20, "muted soft")
    fill = boxes("fill", [0], [left], [432], wide * share, 20, "compute")
    told = texts("share", range(2), [FIRST, left + wide + 8], [442, 442], ["lanes' slots that worked", percent(share)],
                 pick(("ink start", "ink bold start"), [0, 1]), 13)  # fmt: skip
    return [track, fill, told]
