"""Three kinds of machines: the size of a unit, and the reuse that feeds it."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, percent, si

LEFT, WIDE, TOP, HIGH = 60, 372, 56, 320
UNIT, HUNGER = (1, 2**18), (0.1, 5000)
LIST, SHARE, CHIPS = 478, 648, 736
SIDES = {"a100-80gb-sxm": (-1, 0), "mi300x": (-1, 0), "h100-sxm5": (0, -15), "groq-lpu": (-1, 0), "tpu-v6e": (-1, 0)}
ROLES = {"gpu": "compute round", "tpu": "memory", "sram": "other"}


class Kinds(Stage):
    """Three kinds of machines: which are fed by a job of so many rows.

    >>> view = Kinds()
    >>> view.show(design.kinds.kinds(1))
    >>> view.show(design.kinds.kinds(256))
    >>> view.show(design.kinds.kinds(4096))
    """

    size, noun = (746, 452), "job"

    def marks(self, found):
        """`found`: design.kinds.Kinds."""
        ones = found.machines
        ids = [one.record.id for one in ones]
        names = [_name(one) for one in ones]
        x, y = _x([one.unit_macs for one in ones]), _y([one.hunger for one in ones])
        fed = [one.share >= 1 for one in ones]
        roles = [ROLES[one.record.kind] + ("" if f else " line") for one, f in zip(ones, fed, strict=True)]
        side = [SIDES.get(id, (1, 0)) for id in ids]
        ends, up = x + 11 * np.array([dx for dx, _ in side]), y + np.array([dy for _, dy in side])
        sides = [{-1: "ink end", 0: "ink", 1: "ink start"}[dx] for dx, _ in side]
        at = float(_y([found.rows])[0])
        macs, needs = 4.0 ** np.arange(0, 10, 2), 10.0 ** np.arange(-1, 4)
        says = [
            f"{number(one.unit_macs, 6)} multiply-accumulates a unit; fed from {number(one.hunger)} FLOP/byte on; "
            f"reads its memory in {si(one.seconds_to_read, 's')}"
            for one in ones
        ]
        rows = TOP + 34 * np.arange(len(ones)) + 12
        return [
            lines("grid x", range(len(macs)), _x(macs), TOP, _x(macs), TOP + HIGH, "muted faint", 1),
            lines("grid y", range(len(needs)), LEFT, _y(needs), LEFT + WIDE, _y(needs), "muted faint", 1),
            texts("ticks x", range(len(macs)), _x(macs), TOP + HIGH + 14, [f"{m:,.0f}" for m in macs], "muted", 12),
            texts("ticks y", range(len(needs)), LEFT - 8, _y(needs), [f"{n:,g}" for n in needs], "muted end", 12),
            texts("axes", range(2), [LEFT + WIDE / 2, 16], [TOP + HIGH + 34, TOP - 18],
                  ["multiply-accumulates of one unit in a cycle", "FLOP for each byte, to keep it busy"],
                  ["muted", "muted start"], 12),
            boxes("fed", [0], LEFT, at, WIDE, TOP + HIGH - at, "good soft"),
            lines("job", [0], LEFT, at, LEFT + WIDE, at, "good", 2, "the job", counted(found.rows, "row")),
            texts("job word", [0], LEFT + WIDE, TOP - 18, f"the job: {counted(found.rows, 'row')}",
                  "good bold end", 13),
            boxes("dots", ids, x - 7, y - 7, 14, 14, roles, "", 12, names, says),
            texts("names", ids, ends, up, names, sides, 12),
            texts("head", range(3), [LIST, SHARE, CHIPS], TOP - 18, ["machine", "of peak", "chips"],
                  ["ink bold start", "ink bold end", "ink bold end"], 12),
            boxes("marks", ids, LIST, rows - 6, 12, 12, roles),
            texts("list", ids, LIST + 20, rows, names, "ink start", 13),
            texts("shares", ids, SHARE, rows, [percent(one.share) for one in ones],
                  ["good bold end" if f else "ink end" for f in fed], 13),
            texts("chips", ids, CHIPS, rows, [f"{one.chips:,}" for one in ones], "ink end", 13),
            texts("foot", range(2), LIST, [rows[-1] + 30, rows[-1] + 48],
                  ["chips that hold Llama 2 70B in 16 bits", "filled: fed; hollow: waits for memory"],
                  "muted start", 12),
            *self._key(),
        ]  # fmt: skip

    def _key(self):
        words = ["GPU-like", "TPU-like", "SRAM machine"]
        at = np.array([60, 170, 280])
        return [
            boxes("key", range(3), at, 432, 12, 12, list(ROLES.values())),
            texts("key words", range(3), at + 18, 438, words, "ink start", 12),
        ]

    def say(self, found):
        """Share of peak of every machine."""
        told = ", ".join(f"{_name(one)} {percent(one.share)}" for one in found.machines)
        return f"A product of {counted(found.rows, 'row')}; of its peak each reaches at most: {told}."


def _x(macs):
    low, high = np.log(UNIT)
    return LEFT + WIDE * (np.log(np.asarray(macs, float)) - low) / (high - low)


def _y(need):
    low, high = np.log(HUNGER)
    return TOP + HIGH * (1 - (np.log(np.clip(np.asarray(need, float), *HUNGER)) - low) / (high - low))


def _name(one):
    return (
        one.record.name.removeprefix("Instinct ")
        .removeprefix("Cerebras ")
        .replace(" 80GB", "")
        .replace(" SXM4", "")
        .replace(" SXM5", "")
    )
