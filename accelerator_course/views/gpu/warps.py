"""A warp at work: one kernel, lane by lane."""

import numpy as np

from accelerator_course.views.code import kernel
from accelerator_course.views.kit import words
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import percent


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
