"""Energies: operations, memory devices and whole paths, each kind from the cheapest."""

import numpy as np

from accelerator_course.views.kit import Chart, legend, rows, spots, words
from accelerator_course.views.stage import Stage, lines, texts
from accelerator_lib.units import number

LOOKS = {"operation": "compute", "device": "memory tint", "whole path": "memory"}
LEFT, RIGHT, TOP, PITCH = 216, 640, 78, 25
LIMITS = (4e-3, 1e3)  # pJ


class Energies(Stage):
    """Operations, devices and whole paths on one logarithmic axis; small bars show 45 nm.

    >>> view = Energies()
    >>> view.show((energy.table.ladder(), "int8 add"))
    >>> view.show((energy.table.ladder(), "hbm2_low"))
    >>> view.show((energy.table.ladder(), "a100_hbm"))
    """

    size = (760, 450)

    def marks(self, result):
        """`result`: ({name: energy.table.Rung}, chosen name)."""
        rungs, chosen = result
        names, n = list(rungs), len(rungs)
        kinds = [rung.kind for rung in rungs.values()]
        y = rows(TOP, PITCH, n) + 8 * np.array([list(LOOKS).index(kind) for kind in kinds])
        floor = float(y[-1]) + 18
        chart = Chart((LEFT, RIGHT), (floor, TOP - 18), LIMITS, (0, 1), log="x")
        self.size = (760, round(floor) + 52)
        pj = np.array([rung.pj for rung in rungs.values()])
        older = [name for name in names if rungs[name].before]
        x = chart.x(np.array([rungs[name].before for name in older]))
        at = np.array([y[names.index(name)] for name in older])
        bold = ["bold " * (name == chosen) for name in names]
        labels, said = [rung.label for rung in rungs.values()], [f"{number(one)} pJ" for one in pj]
        decades = 10.0 ** np.arange(-2, 4)
        return [
            *legend("kinds", 16, 18, [(look, name) for name, look in LOOKS.items()]),
            lines("key 45", [0], 392, 11, 392, 25, "muted", 3),
            words("key 45 words", (402, 18, "the same at 45 nm", "ink start")),
            *chart.axes(decades, (), "pJ for an operation, or to fetch 16 bits (logarithmic axis)"),
            lines("at 45", older, x, at - 7, x, at + 7, "muted", 3, [rungs[name].label for name in older], "at 45 nm"),
            spots("rungs", names, chart.x(pj), y, np.array([18 if one else 12 for one in bold]),
                  [f"{LOOKS[kind]}{' round' * (kind != 'operation')}" for kind in kinds], who=labels, says=said),
            texts("names", names, LEFT - 10, y, labels, [f"ink {one}end" for one in bold], 13),
            texts("prices", names, RIGHT + 14, y, said, [f"ink {one}start" for one in bold], 13),
        ]  # fmt: skip

    def say(self, result):
        rungs, chosen = result
        rung = rungs[chosen]
        if rung.kind == "operation":
            older = f" At 45 nm it takes {number(rung.shrink)} times as much." if rung.shrink else ""
            return f"{rung.label}: {number(rung.pj)} pJ (estimate).{older}"
        return (
            f"16 bits from {rung.label}: {number(rung.pj)} pJ, as much as {number(rung.multiplies)} fp16 multiplies "
            "(estimate)."
        )
