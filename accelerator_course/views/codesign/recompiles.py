"""Requests of many lengths, the shapes in which they run, and the programs that had to be compiled for them."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, percent

LEFT, END, FLOOR, TALL, LONGEST = 40, 732, 236, 180, 128
SHELF, WIDE, ROW = 300, 58, 34  # of the programs below
ACROSS = 12


class Served(Stage):
    """Requests one after the other: length and padding of each, and below the cache of compiled programs.

    >>> view, give = Served(), codesign.recompiles.Request
    >>> view.show(give((), (), (), 24))
    >>> view.show(give((30, 90, 28), (32, 128, 32), (True, True, False), 24))
    >>> view.show(give(tuple(range(1, 25)), tuple(range(1, 25)), (True,) * 24, 24))
    """

    size, noun = (760, 440), "request"

    def marks(self, request):
        """`request`: codesign.recompiles.Request."""
        return [*self._requests(request), *self._cache(request)]

    def _requests(self, request):
        n, step = len(request.lengths), (END - LEFT) / request.planned
        x, scale = LEFT + step * np.arange(n), TALL / LONGEST
        true, padded = (scale * np.array(column, float) for column in (request.lengths, request.padded))
        waits = np.flatnonzero(request.compiled)
        who = [f"request {i + 1}" for i in range(n)]
        says = [
            f"length {a}, runs as {b}" + (", waited for the compiler" if new else "")
            for a, b, new in zip(request.lengths, request.padded, request.compiled, strict=True)
        ]
        return [
            texts("head", [0], LEFT, 22, ["requests, the first on the left; height: length"], "ink bold start", 14),
            boxes("padding", range(n), x + 2, FLOOR - padded, step - 4, padded, "muted line dashed"),
            boxes("requests", range(n), x + 2, FLOOR - true, step - 4, true, "memory", who=who, says=says),
            texts("waits", waits, x[waits] + step / 2, FLOOR - padded[waits] - 9, ["▼"] * len(waits), "bad bold", 14),
            lines("floor", [0], LEFT, FLOOR, END, FLOOR, "muted", 1.2),
            boxes("key", range(2), (LEFT, LEFT + 90), 252, 14, 14, ("memory", "muted line dashed")),
            texts(
                "key-words",
                range(3),
                LEFT + np.array([20, 110, 190]),
                259,
                ["length", "padding", "▼ waited for the compiler"],
                ("ink start", "ink start", "bad start"),
                12,
            ),
        ]

    def _cache(self, request):
        programs = request.programs
        place = np.arange(len(programs))
        fresh = bool(request.compiled) and request.compiled[-1]
        roles = ["bad tint" if fresh and i == len(programs) - 1 else "other tint" for i in place]
        used = [request.padded.count(shape) for shape in programs]
        return [
            texts(
                "cache-head", [0], LEFT, SHELF - 14, [f"programs in the cache: {len(programs)}"], "other bold start", 14
            ),
            boxes(
                "programs",
                [int(shape) for shape in programs],
                LEFT + WIDE * (place % ACROSS),
                SHELF + ROW * (place // ACROSS),
                WIDE - 6,
                ROW - 6,
                roles,
                [f"[{shape}]" for shape in programs],
                13,
                who=[f"program for shape [{shape}]" for shape in programs],
                says=[f"used {counted(n, 'time')}" for n in used],
            ),
        ]

    def say(self, request):
        """How many have waited."""
        if not request.lengths:
            return f"{request.planned} requests are coming; nothing is compiled yet."
        new = "a new shape: it waits for the compiler" if request.compiled[-1] else "its program is in the cache"
        return (
            f"Request {len(request.lengths)} of {request.planned}, length {request.lengths[-1]}, runs as "
            f"{request.padded[-1]}: {new}. {counted(len(request.programs), 'program')} compiled so far; "
            f"{percent(request.padding)} of the work is padding."
        )
