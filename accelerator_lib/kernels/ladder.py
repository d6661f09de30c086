"""Ladder: eight kernels to write, each better than the one that comes to mind first.

    rungs()             {id: Rung}, from the easiest
    rung("transpose")   one of them

Texts and sizes: data/kernels.
"""

from functools import cache

from accelerator_lib import data
from accelerator_lib.inputs import UnknownName, did_you_mean
from accelerator_lib.kernels import drawn
from accelerator_lib.kernels import specifications as asked
from accelerator_lib.kernels.rung import Draft, Rung
from accelerator_lib.signature import Given, checked

FOLDER = data.FOLDER / "kernels"
MADE = {  # id -> what is asked, the arrays and the sizes that are drawn, the multiply-adds or additions that it takes
    "map": (asked.map_, drawn.vector, drawn.length, lambda n: n),
    "copy": (asked.copy, drawn.vector, drawn.length, lambda n: 0),
    "transpose": (asked.transpose, drawn.turned, drawn.sides, lambda rows, cols: 0),
    "reduction": (asked.reduction, drawn.summed, drawn.length, lambda n: n - 1),
    "convolution": (asked.convolution, drawn.weighted, drawn.length, lambda n: 9 * n),
    "scan": (asked.scan, drawn.rowwise, drawn.lines, lambda rows, cols: rows * (cols - 1)),
    "histogram": (asked.histogram, drawn.valued, drawn.length, lambda n: 0),
    "matmul": (asked.matmul, drawn.matrices, drawn.product, lambda m, n, k: m * n * k),
}


@cache
def rungs():
    """{id: Rung}, from the easiest."""
    return {id: _rung(data.parse(FOLDER / f"{id}.yaml"), *made) for id, made in MADE.items()}


def _rung(text, *made):
    steps = tuple(Draft(**step) for step in text["steps"])
    told = {name: value for name, value in text.items() if name not in ("format_version", "steps")}
    return Rung(steps, *made, **told)


def _known(id):
    if not isinstance(id, str) or id not in rungs():
        raise UnknownName(f"rung {id!r:.40} is unknown{did_you_mean(str(id)[:40], rungs())}")
    return rungs()[id]


ARung = Given("the id of a rung", lambda value: value if isinstance(value, Rung) else _known(value))


@checked
def rung(id: ARung):
    """The Rung of an id such as "transpose"."""
    return id
