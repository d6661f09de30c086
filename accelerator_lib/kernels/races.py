"""Races: two threads at one place, at least one writing, not both atomically, and no barrier between.

For every address it is enough to remember the last thread of each way (read, written, added to) since the block's last
barrier, "several" where there were more, and the same for blocks over the whole launch. The lanes of a warp count as
different threads: since Volta nothing but a barrier says which is first.
"""

import numpy as np

from accelerator_lib.kernels.language import Fault, Touch

NONE, SEVERAL = -1, -2
WAYS = {"reads": "read", "writes": "written", "adds to": "added to"}
AGAINST = {"reads": ("writes", "adds to"), "writes": ("writes", "reads", "adds to"), "adds to": ("writes", "reads")}


class _Last:
    """Who came last to each address in one way."""

    def __init__(self, size):
        self.thread, self.block = np.full(size, NONE), np.full(size, NONE)
        self.stamp, self.line = np.full(size, NONE), np.zeros(size, np.int32)

    def clash(self, at, thread, block, stamp):
        """Which of these accesses meet another thread's."""
        theirs = self.block[at]
        near = (self.stamp[at] == stamp) & (self.thread[at] != thread)
        return near | ((theirs != NONE) & (theirs != block))

    def note(self, at, thread, block, stamp, line):
        """Remember these accesses."""
        several = (self.stamp[at] == stamp) & (self.thread[at] != thread)
        _set(self.thread, at, np.where(several, SEVERAL, thread))
        theirs = self.block[at]
        _set(self.block, at, np.where((theirs == NONE) | (theirs == block), block, SEVERAL))
        self.stamp[at], self.line[at] = stamp, line


def _set(held, at, new):
    held[at] = new
    lost = held[at] != new
    held[at[lost]] = SEVERAL


class Watch:
    """Watches one array; `name(at)` says an address of it in words."""

    def __init__(self, size, name, threads):
        self.last, self.name, self.threads = {way: _Last(size) for way in WAYS}, name, threads

    def seen(self, way, at, thread, block, stamp, line):
        """Note that threads reach these addresses. Raises Fault where that is a race."""
        for other in AGAINST[way]:
            met = self.last[other].clash(at, thread, block, stamp)
            if met.any():
                self._fault(way, other, int(np.argmax(met)), at, thread, block, line)
        self.last[way].note(at, thread, block, stamp, line)
        if way == "writes":
            lost = self.last[way].thread[at] != thread
            if lost.any():
                first = int(np.argmax(lost))
                second = int(np.flatnonzero((at == at[first]) & (thread != thread[first]))[0])
                place, both = self.name(at[first]), sorted((thread[first], thread[second]), reverse=True)
                touches = tuple(self._touch(each, way, place, line) for each in both)  # the later one is stopped
                pair = sorted((touch.who for touch in touches[::-1]), key=len)
                raise Fault("race", line, f"{place} is written by {' and '.join(pair)} at once: a race", touches)

    def _fault(self, way, other, first, at, thread, block, line):
        last, place, name = self.last[other], at[first], self.name(at[first])
        across = last.block[place] != block[first]
        who = last.thread[place] if not across or last.block[place] != SEVERAL else SEVERAL
        us, them = self._touch(thread[first], way, name, line), self._touch(who, other, name, int(last.line[place]))
        between = "no barrier reaches from block to block" if across else "there is no barrier between"
        before = f"{WAYS[other]} by {them.who} in line {them.line}"
        raise Fault("race", line, f"{us.who} {way} {name}, {before}, and {between}: a race", (us, them))

    def _touch(self, thread, way, place, line):
        block, own = (None, None) if thread == SEVERAL else divmod(int(thread), self.threads)
        return Touch(own, block, way, place, line)
