"""One token on 1 to 64 chips: reading beside talking, a bar for each number of chips."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, percent, si

LEFT, RIGHT, FLOOR, HIGH = 66, 728, 360, 290
PARTS = (
    ("read", "memory", "weights and cache"),
    ("wire", "other", "bytes on links"),
    ("latency", "compute", "steps of the all-reduces"),
)
TOPS = (1e-3, 2e-3, 5e-3, 10e-3, 20e-3, 50e-3, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


class Tokens(Stage):
    """One token, many chips: what reading takes and what talking takes, for 1 to 64 chips.

    >>> view, H100 = Tokens(), hardware.chip("h100-sxm5")
    >>> view.show((network.decode.tokens("llama-3-70b", H100), 8))
    >>> view.show((network.decode.tokens("llama-3-70b", H100, algorithm="direct"), 32))
    >>> view.show((network.decode.tokens("llama-3-70b", H100, batch=256), 4))
    >>> view.show((network.decode.tokens("llama-3-70b", H100, step_seconds=20e-6), 64))
    """

    size, noun = (740, 430), "setting"

    def marks(self, shown):
        """`shown`: (tuple of network.decode.Token, the number of chips that is set off)."""
        found, chips = shown
        slot = (RIGHT - LEFT) / len(found)
        x, n = LEFT + slot * (np.arange(len(found)) + 0.5), range(len(found))
        top = next((top for top in TOPS if max(one.seconds for one in found if one.fits) <= top), TOPS[-1])
        return [*self._axis(top), *self._bars(found, x, 0.56 * slot, top), *self._names(found, chips, x, slot, n, top)]

    def _axis(self, top):
        y = FLOOR - HIGH * np.array([0, 0.5, 1])
        return [
            lines(
                "grid", range(3), LEFT, y, RIGHT, y, ("ink", "muted dashed faint", "muted dashed faint"), [1.5, 1, 1]
            ),
            texts("ticks", range(3), LEFT - 8, y, ["0", si(top / 2, "s"), si(top, "s")], "muted end", 12),
            boxes("key", range(3), [LEFT + 22, LEFT + 184, LEFT + 316], 12, 14, 14, [role for _, role, _ in PARTS]),
            texts(
                "key-words",
                range(3),
                [LEFT + 42, LEFT + 204, LEFT + 336],
                19,
                [words for *_, words in PARTS],
                "ink start",
                13,
            ),
            texts("axis-words", [0], 8, 19, ["one token"], "ink bold start", 13),
        ]

    def _bars(self, found, x, wide, top):
        layers, below = [], np.zeros(len(found))
        scale = HIGH / top
        fits = np.array([one.fits for one in found])
        for name, role, words in PARTS:
            values = np.array([getattr(one, f"{name}_seconds") for one in found])
            high = np.where(fits, np.minimum(scale * (below + values), HIGH) - np.minimum(scale * below, HIGH), 0)
            layers.append(
                boxes(
                    name,
                    range(len(found)),
                    x - wide / 2,
                    FLOOR - np.minimum(scale * below, HIGH) - high,
                    wide,
                    high,
                    role,
                    who=[counted(one.n, "chip") for one in found],
                    says=[f"{words}: {si(value, 's')}" for value in values],
                )
            )
            below = below + values
        return layers

    def _names(self, found, chips, x, slot, n, top):
        best = min((one for one in found if one.fits), key=lambda one: one.seconds)
        here = next(i for i in n if found[i].n == chips)
        up = [FLOOR - HIGH * one.seconds / top - 12 if one.fits else FLOOR - 34 for one in found]
        words = [si(one.seconds, "s") if one.fits else "does not fit" for one in found]
        roles = ["good bold" if one is best else "ink bold" if one.fits else "bad" for one in found]
        return [
            boxes("frame", [0], x[here] - slot / 2 + 3, 40, slot - 6, FLOOR + 4, "ink line"),
            texts("totals", n, x, up, words, roles, 14),
            texts("chips", n, x, FLOOR + 17, [str(one.n) for one in found], "ink bold", 15),
            texts("chips-words", [0], LEFT - 8, FLOOR + 17, ["chips"], "ink end", 13),
            texts("best", [0], x[found.index(best)], FLOOR + 36, ["★ least"], "good bold", 13),
            texts("shares", [0], RIGHT, FLOOR + 60, [_talk(found[here])], "ink end", 13),
        ]

    def say(self, shown):
        found, chips = shown
        here, best = (
            next(one for one in found if one.n == chips),
            min((one for one in found if one.fits), key=lambda one: one.seconds),
        )
        least = f"least with {counted(best.n, 'chip')}, {si(best.seconds, 's')}"
        if not here.fits:
            return f"{counted(chips, 'chip')}: weights and caches do not fit; {least}."
        return (
            f"{counted(chips, 'chip')}: {si(here.seconds, 's')} a token, {si(here.read_seconds, 's')} reading, "
            f"{si(here.talk_seconds, 's')} talking; {least}."
        )


def _talk(one):
    if not one.fits:
        return f"{counted(one.n, 'chip')}: too little memory"
    return f"{counted(one.n, 'chip')}: talking takes {percent(one.talk_seconds / one.seconds)} of the time"
