"""Several memories read the same data: a tank each, and a pipe as wide as its bandwidth."""

import numpy as np

from accelerator_course.views.kit import spots, words
from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number, percent, si

WIDE, HIGH, TOP = 88, 158, 48  # of a tank [px]
PIPE, CHIP = 42, 30  # lengths of a pipe and of a chip
FLOOR, LOW = TOP + HIGH, TOP + HIGH + PIPE + CHIP
AXIS, ENDS = 406, (22, 718)
NTH = {1: "1st", 2: "2nd", 3: "3rd"}


class Bandwidths(Stage):
    """One tank for each memory, all of the same size; what each has read, when it was done, what it could have by now.

    >>> view = Bandwidths(["slow", "fast"], ["2015", "2024"])
    >>> run = list(frames.memory.reading(80e9, [34e9, 8e12]))
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
        named = zip(self.middles, names, notes, strict=True)
        titles = [line for x, name, note in named for line in ((x, 12, name, "ink bold", 15), (x, 33, note, "muted"))]
        head = (self.size[0] / 2, LOW + 66, "how many times each could have read it by now", "muted")
        self.titles = words("names", *titles, head)

    def marks(self, now):
        """`now`: frames.memory.Reading."""
        rates = [si(rate, "B/s") for rate in now.bytes_per_s]
        ends = [si(end, "s") for end in now.finish_seconds]
        so_far = zip(now.done, ends, rates, now.tenths, strict=True)
        says = [f"done after {e}" if over else f"reads at {r}, {t} tenths done" for over, e, r, t in so_far]
        return [*self._tanks(now, says), self.titles, self._below(now, rates, ends), *_axis(now, self.names)]

    def _tanks(self, now, says):
        """What is left, what runs out, and the chip that it runs into."""
        left, half = self.middles - WIDE / 2, WIDE * now.bytes_per_s / now.bytes_per_s.max() / 2
        full, who = HIGH * (1 - now.shares), self.names
        long = np.where(now.done, 0, PIPE)  # nothing runs any more
        so_far = zip(now.ranks, now.done, now.shares, strict=True)
        written = [NTH.get(rank, f"{rank}th") if over else percent(share) for rank, over, share in so_far]
        look, walls = pick(("compute tint", "good"), now.done), [_walls(h) for h in half]
        chips = left, FLOOR + PIPE, WIDE, CHIP
        return [
            boxes("streams", self.keys, self.middles - half, FLOOR, 2 * half, long, "memory soft", who=who, says=says),
            boxes("water", self.keys, left, FLOOR - full, WIDE, full, "memory", who=who, says=says),
            paths("walls", self.keys, walls, left, TOP, "muted line", 2.5, who=who),
            boxes("chips", self.keys, *chips, look, written, 15, who, says),
        ]

    def _below(self, now, rates, ends):
        """Below each chip: its bandwidth, its time when it is done, and how often it could have been."""
        ends = [end if over else "" for end, over in zip(ends, now.done, strict=True)]
        often = [f"{number(r)} ×" if r >= 1 else "" for r in now.whole_readings]
        count = len(self.keys)
        y, sizes = np.repeat([LOW + 15, LOW + 37, LOW + 91], count), np.repeat([13, 16, 20], count)
        roles = pick(("muted", "good bold", "ink bold"), np.repeat(range(3), count))
        said, x = [*rates, *ends, *often], np.tile(self.middles, 3)
        return texts("below", range(3 * count), x, y, said, roles, sizes, who=self.names * 3)

    def say(self, now):
        data, done, count = si(now.data_bytes, "B"), int(now.done.sum()), len(self.names)
        after, name = f"After {si(now.seconds, 's')}", self.names[now.slowest]
        behind = f"the {name} has read {percent(now.shares[now.slowest])}"
        if not now.seconds:
            return f"{counted(count, 'tank')} of {data} each; the width of a pipe is the bandwidth."
        if done == count:
            most = number(now.whole_readings.max())
            return f"{after} the last one is done: the {name}. The fastest could have read it {most} times."
        if done == count - 1:
            return f"{after} all others have read {data}; {behind}."
        return f"{after}, {done} of {count} memories {'has' if done == 1 else 'have'} read {data}; {behind}."


def _walls(half):
    """A tank, open above, with a pipe in the middle of its floor."""
    left, right = WIDE / 2 - half, WIDE / 2 + half
    return f"M0 0V{HIGH}H{left:.1f}V{HIGH + PIPE}M{WIDE} 0V{HIGH}H{right:.1f}V{HIGH + PIPE}"


def _axis(now, names):
    """Time from the start to the end of the reading, where each was done, and how slow the motion is."""
    (left, right), last = ENDS, now.finish_seconds.max()
    *at, here = left + (right - left) * np.append(now.finish_seconds, now.seconds) / last
    done = np.flatnonzero(now.done)
    slow = f"one step is {si(now.step_seconds, 's')}: at normal speed {number(now.slowdown)} times slower than life"
    flags = np.array(at)[done], np.full(len(done), AXIS)
    return [
        lines("road", range(2), left, AXIS, [right, here], AXIS, pick(("muted", "compute"), [0, 1]), [2, 5]),
        spots("flags", done, *flags, 10, "good round", who=[names[i] for i in done]),
        words(
            "clock",
            (left, AXIS + 21, "0 s", "muted start", 12),
            (right, AXIS + 21, si(last, "s"), "muted end", 12),
            (min(max(here, left + 118), right - 165), AXIS + 21, f"{si(now.seconds, 's')} now", "compute bold", 14),
            (left, AXIS + 45, slow, "muted start", 12),
        ),
    ]
