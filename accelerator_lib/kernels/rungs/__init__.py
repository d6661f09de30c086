"""Rungs: eight kernels to write, each better than the one that comes to mind first.

    rungs.rungs()            {id: Rung}, from the easiest
    rungs.rung("transpose")  one of them
"""

from functools import cache

from accelerator_lib import data
from accelerator_lib.inputs import UnknownName, did_you_mean
from accelerator_lib.kernels.rungs import drawn, specifications
from accelerator_lib.kernels.rungs.record import Case, Rung, Step

FOLDER = data.FOLDER / "kernels"
OWN = ("format_version", "steps")  # fields of a file that are not fields of a Rung
MADE = {  # id -> what no text can say
    "map": dict(specification=specifications.map_, drawn=drawn.vector, sizes=drawn.length, along=("n",),
                visible=({"n": 256}, {"n": 1000}), measured={"n": 16_384}, operations=lambda n: n),
    "copy": dict(specification=specifications.copy, drawn=drawn.vector, sizes=drawn.length, along=("n",),
                 visible=({"n": 2048}, {"n": 3000}), measured={"n": 16_384}),
    "transpose": dict(specification=specifications.transpose, drawn=drawn.turned, sizes=drawn.sides,
                      along=("cols", "rows"), visible=({"rows": 32, "cols": 64}, {"rows": 40, "cols": 70}),
                      measured={"rows": 128, "cols": 128}),
    "reduction": dict(specification=specifications.reduction, drawn=drawn.summed, sizes=drawn.length, along=("n",),
                      visible=({"n": 256}, {"n": 1000}), measured={"n": 32_768}, operations=lambda n: n - 1),
    "convolution": dict(specification=specifications.convolution, drawn=drawn.weighted, sizes=drawn.length,
                        along=("n",), visible=({"n": 256}, {"n": 1000}), measured={"n": 16_384},
                        operations=lambda n: 9 * n),
    "scan": dict(specification=specifications.scan, drawn=drawn.rowwise, sizes=drawn.lines, along=("rows",),
                 visible=({"rows": 2, "cols": 256}, {"rows": 3, "cols": 100}), measured={"rows": 64, "cols": 256},
                 operations=lambda rows, cols: rows * (cols - 1)),
    "histogram": dict(specification=specifications.histogram, drawn=drawn.valued, sizes=drawn.length, along=("n",),
                      visible=({"n": 256}, {"n": 1000}), measured={"n": 16_384}),
    "matmul": dict(specification=specifications.matmul, drawn=drawn.matrices, sizes=drawn.product, along=("n", "m"),
                   visible=({"m": 16, "n": 16, "k": 16}, {"m": 33, "n": 20, "k": 18}),
                   measured={"m": 64, "n": 64, "k": 128}, operations=lambda m, n, k: m * n * k),
}  # fmt: skip


@cache
def rungs():
    """{id: Rung}, from the easiest."""
    return {id: _rung(data.parse(FOLDER / f"{id}.yaml"), made) for id, made in MADE.items()}


def _rung(text, made):
    steps = tuple(Step(**step) for step in text["steps"])
    return Rung(steps=steps, **{name: value for name, value in text.items() if name not in OWN}, **made)


def rung(id):
    """The Rung of an id such as "transpose". Raises UnknownName."""
    if not isinstance(id, str) or id not in rungs():
        raise UnknownName(f"rung {id!r:.40} is unknown{did_you_mean(str(id)[:40], rungs())}")
    return rungs()[id]


__all__ = ["Case", "Rung", "Step", "rung", "rungs"]
