"""A race of memories: a tank each, and a pipe as wide as its bandwidth."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number, percent, si

PLAYED = 0.4  # seconds for which a state stands while the player plays at normal speed
WIDE, HIGH, TOP = 88, 158, 48  # of a tank [px]
PIPE, CHIP = 42, 30  # lengths of a pipe and of a chip
FLOOR, LOW = TOP + HIGH, TOP + HIGH + PIPE + CHIP
AXIS, ENDS = 406, (22, 718)
NTH = {1: "1st", 2: "2nd", 3: "3rd"}


class Race(Stage):
    """One tank for each memory, all of the same size; what each has read, when it was done, what it could have by now.

    >>> view, run = Race(["slow", "fast"], ["2015", "2024"]), list(frames.memory.reading(80e9, [34e9, 8e12]))
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[3])
    >>> view.show(run[-1])
    """

    size, noun = (740, 464), "moment"

    def __init__(self, names, notes):
        """`notes`: a few words to stand below each name."""
        self.names, self.keys = tuple(names), range(len(names))
        self.middles = self.size[0] * (np.arange(len(names)) + 0.5) / len(names)
        head = "how many times each could have read it by now"
        x, y = [*self.middles, *self.middles, self.size[0] / 2], np.repeat([12, 33, LOW + 66], [*[len(names)] * 2, 1])
        roles = pick(("ink bold", "muted"), y > y[0])
        self.titles = texts("names", range(len(y)), x, y, [*names, *notes, head], roles, np.where(y > y[0], 13, 15))

    def marks(self, moment):
        """`moment`: memory.race.Moment."""
        shares, done = moment.shares, moment.done
        told = zip(done, moment.finish_seconds, _rates(moment), shares, strict=True)
        says = [
            f"done after {si(end, 's')}" if over else f"reads at {rate}, {int(10 * share)} tenths done"
            for over, end, rate, share in told
        ]
        tanks = self._tanks(moment, shares, done, {"who": self.names, "says": says})
        return [*tanks, self.titles, self._told(moment, done), *_axis(moment, done, self.names)]

    def _tanks(self, moment, shares, done, words):
        """What is left, what runs out, and the chip that it runs into."""
        left, half = self.middles - WIDE / 2, WIDE * moment.bytes_per_s / moment.bytes_per_s.max() / 2
        full = HIGH * (1 - shares)
        ends = np.where(done, 0, PIPE)  # nothing runs any more
        told = zip(moment.ranks, done, shares, strict=True)
        written = [NTH.get(rank, f"{rank}th") if over else percent(share) for rank, over, share in told]
        chips = pick(("compute tint", "good"), done)
        return [
            boxes("streams", self.keys, self.middles - half, FLOOR, 2 * half, ends, "memory soft", **words),
            boxes("water", self.keys, left, FLOOR - full, WIDE, full, "memory", **words),
            paths("walls", self.keys, [_walls(h) for h in half], left, TOP, "muted line", 2.5, who=self.names),
            boxes("chips", self.keys, left, FLOOR + PIPE, WIDE, CHIP, chips, written, 15, **words),
        ]

    def _told(self, moment, done):
        """Below each chip: its bandwidth, its time when it is done, and how often it could have been."""
        ends = [si(s, "s") if over else "" for s, over in zip(moment.finish_seconds, done, strict=True)]
        often = [f"{number(np.floor(r))} ×" if r >= 1 else "" for r in moment.readings]
        count = len(self.keys)
        sizes, y = np.repeat([13, 16, 20], count), np.repeat([LOW + 15, LOW + 37, LOW + 91], count)
        roles = pick(("muted", "good bold", "ink bold"), np.repeat(range(3), count))
        words = [*_rates(moment), *ends, *often]
        return texts("told", range(3 * count), np.tile(self.middles, 3), y, words, roles, sizes, who=self.names * 3)

    def say(self, moment):
        data, done, count = si(moment.data_bytes, "B"), int(moment.done.sum()), len(self.names)
        slowest = int(moment.bytes_per_s.argmin())
        now, name = f"After {si(moment.seconds, 's')}", self.names[slowest]
        behind = f"the {name} has read {percent(moment.shares[slowest])}"
        if not moment.seconds:
            return f"{counted(count, 'tank')} of {data} each; a pipe is as wide as the bandwidth is large."
        if done == count:
            most = number(np.floor(moment.readings.max()))
            return f"{now} the last one is done: the {name}. The fastest could have read it {most} times."
        if done == count - 1:
            wait = PLAYED * np.ceil((moment.finish_seconds[slowest] - moment.seconds) / moment.step_seconds)
            return (
                f"{now} all others have read {data}; {behind}. At normal speed you wait another {max(wait, 1):,.0f} s."
            )
        return f"{now}, {done} of {count} memories {'has' if done == 1 else 'have'} read {data}; {behind}."


def _walls(half):
    """A tank, open above, with a pipe in the middle of its floor."""
    left, right = WIDE / 2 - half, WIDE / 2 + half
    return f"M0 0V{HIGH}H{left:.1f}V{HIGH + PIPE}M{WIDE} 0V{HIGH}H{right:.1f}V{HIGH + PIPE}"


def _rates(moment):
    return [si(rate, "B/s") for rate in moment.bytes_per_s]


def _axis(moment, done, names):
    """Time from the start to the end of the race, where each was done, and how slow the motion is."""
    (left, right), last = ENDS, moment.finish_seconds.max()
    at = left + (right - left) * np.append(moment.finish_seconds, moment.seconds) / last
    now, done = at[-1], np.flatnonzero(done)
    slower = number(PLAYED / moment.step_seconds)
    slow = f"one step is {si(moment.step_seconds, 's')}: at normal speed {slower} times slower than life"
    words = ["0 s", si(last, "s"), f"{si(moment.seconds, 's')} now", slow]
    x, y = [left, right, min(max(now, left + 118), right - 165), left], [AXIS + 21] * 3 + [AXIS + 45]
    roles = pick(("muted start", "muted end", "compute bold"), [0, 1, 2, 0])
    return [
        lines("road", range(2), left, AXIS, [right, now], AXIS, pick(("muted", "compute"), [0, 1]), [2, 5]),
        boxes("flags", done, at[done] - 5, AXIS - 5, 10, 10, "good round", who=[names[i] for i in done]),
        texts("clock", range(4), x, y, words, roles, [12, 12, 14, 12]),
    ]
