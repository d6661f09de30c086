"""The capacity ladder: what a model needs against the memory of a chip; the distance is the number of chips."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, si

LEFT, LONG, TOP, ROW = 178, 420, 92, 36
LOW, HIGH = 1e8, 3e13  # bytes at both ends of the axis
COUNT = 726  # right end of the column of counts


def place(size_bytes):
    """x of so many bytes."""
    return LEFT + LONG * (np.log10(np.clip(size_bytes, LOW, HIGH)) - np.log10(LOW)) / np.log10(HIGH / LOW)


class Ladder(Stage):
    """The capacity ladder: every rung a kind of chip, its distance from the model the number of chips.

    >>> view = Ladder()
    >>> view.show(design.ladder.ladder("llama-2-70b"))
    >>> view.show(design.ladder.ladder("llama-2-7b", 4))
    >>> view.show(design.ladder.ladder("llama-3-405b", 16, 131072, 256))
    """

    size, noun = (740, 476), "ladder"

    def marks(self, found):
        """`found`: design.ladder.Ladder."""
        rungs = found.rungs
        y = TOP + ROW * np.arange(len(rungs)) + ROW / 2
        names = [rung.record.name for rung in rungs]
        ids = [rung.record.id for rung in rungs]
        own = np.array([rung.record.memory_bytes for rung in rungs])
        weights, needed = place(found.weight_bytes), place(found.needed_bytes)
        role = ["other" if rung.on_die else "memory" for rung in rungs]
        enough = own >= found.needed_bytes
        says = [self._says(rung, found) for rung in rungs]
        bottom = TOP + ROW * len(rungs)
        ticks = 10.0 ** np.arange(8, 14)
        ends = np.where(enough, place(own), needed)
        more = [f"{rung.for_all:,}" for rung in rungs]
        return [
            lines("grid", range(len(ticks)), place(ticks), TOP - 4, place(ticks), bottom + 4, "muted faint", 1),
            texts("ticks", range(len(ticks)), place(ticks), bottom + 16, [si(t, "B") for t in ticks], "muted", 12),
            texts("axis", [0], LEFT + LONG / 2, bottom + 36,
                 "memory of one chip; every step to the right is tenfold", "muted", 12),
            texts("head", range(2), [16, COUNT], [22, TOP - 14], [self._head(found), "chips"],
                  ["ink bold start", "ink bold end"], [15, 13]),
            *self._key(),
            texts("names", ids, LEFT - 12, y, names, ["ink end"] * len(names), 13),
            lines("way", ids, place(own), y, ends, y, [f"{r}" for r in role], np.where(enough, 0.5, 5.0), names, says),
            boxes("rungs", ids, place(own) - 8, y - 8, 16, 16, [f"{r} round" if r == "memory" else r for r in role],
                  "", 12, names, says),
            lines("weights", [0], weights, TOP - 4, weights, bottom + 4, "ink", 2.5, "the weights",
                  si(found.weight_bytes, "B")),
            *self._all(found, needed, bottom),
            texts("counts", ids, COUNT, y, more, ["good bold end" if n == "1" else "ink bold end" for n in more], 15),
        ]  # fmt: skip

    def _head(self, found):
        words = f"{found.name}, {found.bits} bits: {si(found.weight_bytes, 'B')} of weights"
        return words + (f" + {si(found.cache_bytes, 'B')} of caches" if found.cache_bytes else "")

    def _key(self):
        names = ["memory beside the die", "SRAM on the die", "the weights"]
        at = [16, 222, 388]
        shapes = boxes("key", range(2), at[:2], 44, 14, 14, ["memory round", "other"])
        words = texts("key words", range(3), [a + 22 for a in at], 51, names, "ink start", 12)
        return shapes, words, lines("key line", [0], 396, 43, 396, 59, "ink", 2.5)

    def _all(self, found, x, bottom):
        if not found.cache_bytes:
            return []
        return [
            lines("all", [0], x, TOP - 4, x, bottom + 4, "ink dashed", 2.5, "weights and caches",
                  si(found.needed_bytes, "B")),
            lines("all key", [0], 524, 43, 524, 59, "ink dashed", 2.5),
            texts("all words", [0], 538, 51, "with the caches", "ink start", 12),
        ]  # fmt: skip

    def _says(self, rung, found):
        words = f"{si(rung.record.memory_bytes, 'B')}: {counted(rung.for_weights, 'chip')} for the weights"
        return words + (f", {rung.for_all:,} with the caches" if found.cache_bytes else "")

    def say(self, found):
        """What is needed, and the chips of every rung."""
        told = ", ".join(
            f"{r.for_all:,} × {r.record.name.removeprefix('Cerebras ').removeprefix('Jetson ').removeprefix('Apple ')}"
            for r in found.rungs
        )
        return f"{self._head(found)}. Chips that hold them: {told}."
