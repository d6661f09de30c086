"""Arrays cut over eight devices, to scale, and the collectives that the compiler has written for it."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, pick, texts
from accelerator_lib.units import counted

DEVICES, PX, SLOT = 8, 0.045, 110  # pixels of a row or a column, and at least of an array with its name
TOP, GAP, LEFT = 168, 34, 40
HUES = ("memory", "memory tint", "compute", "compute tint", "other", "other tint", "good", "good tint")


class Sharded(Stage):
    """Sharded arrays: which part lies on which of eight devices, and what they must send.

    >>> view, all_reduce = Sharded(), network.hlo.Collective("all-reduce", 1, 262144)
    >>> shapes = {"x": (64, 1024), "w1": (1024, 4096), "w2": (4096, 1024), "result": (64, 1024)}
    >>> rows, cols = ("chips", None), (None, "chips")
    >>> view.show({"shapes": shapes, "split": {"w1": cols, "w2": rows}, "found": (all_reduce,), "said": 262144})
    >>> view.show({"shapes": shapes, "split": {"x": rows, "result": rows}, "found": (), "said": 0})
    """

    size, noun = (746, 410), "setting"

    def marks(self, program):
        """`program`: shapes of arrays, the split of each, the Collectives found, and bytes that the model says."""
        layers, x = [], LEFT
        for name, shape in program["shapes"].items():
            high, wide = (max(side * PX, 14) for side in shape)
            slot = max(wide, SLOT)
            layers += self._array(name, shape, program["split"].get(name, ()), x + (slot - wide) / 2, wide, high)
            x += slot + GAP
        return [*layers, *self._words(program), *self._legend()]

    def _array(self, name, shape, split, x, wide, high):
        part = np.arange(DEVICES)
        axis = next((i for i, cut in enumerate(split) if cut), None)
        top = TOP - high / 2
        if axis is None:
            marks = boxes(name, [0], x, top, wide, high, "muted tint", who=f"{name}", says="whole on every device")
        else:
            left, y = (x, top + part * high / DEVICES) if axis == 0 else (x + part * wide / DEVICES, top)
            w, h = (wide, high / DEVICES) if axis == 0 else (wide / DEVICES, high)
            marks = boxes(name, part, left, y, w, h, pick(HUES, part), who=[f"device {i + 1}" for i in part],
                          says=f"an eighth of {name}")  # fmt: skip
        how = "whole on each" if axis is None else "rows cut" if axis == 0 else "columns cut"
        told = [name, f"{shape[0]:,} × {shape[1]:,}", how]
        words = texts(f"{name}-words", range(3), x + wide / 2, [20, 38, 56], told,
                      ["ink bold", "ink", "ink" if axis is None else "compute bold"], [15, 12, 12])  # fmt: skip
        return [marks, words]

    def _words(self, program):
        rows = [(c.kind, c.arrays, c.bytes) for c in program["found"]]
        lines = [f"{kind}: {counted(arrays, 'array')}, {size:,} bytes" for kind, arrays, size in rows] or ["none"]
        total = sum(size for _, _, size in rows)
        head = "collectives in the compiled program"
        y = 312 + 24 * np.arange(len(lines))
        said = f"bytes together {total:,}; counted by hand {program['said']:,}"
        return [
            texts("found-head", [0], LEFT, 286, [head], "ink bold start", 14),
            texts("found", range(len(lines)), LEFT + 16, y, lines, "bad bold start" if rows else "good bold start", 15),
            texts("total", [0], LEFT, 384, [said], "ink start", 14),
        ]

    def _legend(self):
        x = 480 + 26 * np.arange(DEVICES)
        head = texts("devices", [0], 480, 286, ["the eight devices"], "ink bold start", 14)
        keys = boxes("keys", range(DEVICES), x, 304, 22, 22, pick(HUES, np.arange(DEVICES)))
        numbers = texts("numbers", range(DEVICES), x + 11, 340, [str(i + 1) for i in range(DEVICES)], "ink", 12)
        return [head, keys, numbers]

    def say(self, program):
        """Which collectives."""
        found = program["found"]
        cut = ", ".join(f"{name} by {'rows' if split[0] else 'columns'}" for name, split in program["split"].items())
        if not found:
            return f"Cut: {cut}. The compiled program sends nothing."
        kinds = ", ".join(f"{c.kind} of {c.bytes:,} bytes" for c in found)
        return f"Cut: {cut}. The compiled program has {counted(len(found), 'collective')}: {kinds}."
