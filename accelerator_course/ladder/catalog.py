"""Catalog: eighteen texts to write, each better than the one that comes to mind first; texts and sizes: rungs/."""

from accelerator_course import syllabus
from accelerator_course.ladder import drawn
from accelerator_course.ladder import specifications as asked
from accelerator_course.ladder.arrays import FeedRung, MapRung
from accelerator_course.ladder.rung import Draft, Rung
from accelerator_course.ladder.tiles import TileRung
from accelerator_course.ladder.warps import WarpRung
from accelerator_lib import data
from accelerator_lib.checks.inputs import UnknownName, did_you_mean, shown
from accelerator_lib.checks.signature import Given, checked
from accelerator_lib.workload import Gemm

FOLDER = syllabus.FOLDER / "rungs"
MADE = {  # id -> what is asked, the arrays and the sizes that are drawn, the multiply-adds, additions or products
    "map": (WarpRung, asked.map_, drawn.vector, drawn.length, lambda n: n),
    "copy": (WarpRung, asked.copy, drawn.vector, drawn.length, lambda n: 0),
    "transpose": (WarpRung, asked.transpose, drawn.turned, drawn.sides, lambda rows, cols: 0),
    "reduction": (WarpRung, asked.reduction, drawn.summed, drawn.length, lambda n: n - 1),
    "convolution": (WarpRung, asked.convolution, drawn.weighted, drawn.length, lambda n: 9 * n),
    "scan": (WarpRung, asked.scan, drawn.rowwise, drawn.lines, lambda rows, cols: rows * (cols - 1)),
    "histogram": (WarpRung, asked.histogram, drawn.valued, drawn.length, lambda n: 0),
    "matmul": (WarpRung, asked.matmul, drawn.matrices, drawn.product, lambda m, n, k: m * n * k),
    "product": (TileRung, asked.product, drawn.matrices, drawn.edges, Gemm),
    "fused": (TileRung, asked.fused, drawn.layer, drawn.edges, Gemm),
    "softmax": (TileRung, asked.softmax, drawn.strip, drawn.wide, lambda rows, cols: None),
    "attention": (TileRung, asked.attention, drawn.head, drawn.tokens, lambda tokens, d: None),
    "feed": (FeedRung, asked.feed, drawn.matrices, drawn.fed, Gemm),
    "network": (MapRung, asked.network, drawn.layers, drawn.images, drawn.small_network),
    "shares": (WarpRung, asked.softmax, drawn.strip, drawn.of_fours, lambda rows, cols: 2 * rows * cols),
    "int4": (WarpRung, asked.int4, drawn.packed, drawn.packed_sizes, lambda rows, words: 8 * rows * words),
    "online": (WarpRung, asked.online, drawn.small_head, drawn.few, lambda tokens: 16 * tokens**2),
    # a tensor core multiplies and adds 16 times as many as the lanes beside it
    "tensor": (WarpRung, asked.tensor, drawn.halves, drawn.of_eights, lambda m, n, k: m * n * k / 16),
}


@data.kept
def rungs():
    """{id: Rung}, from the easiest."""
    found = {}
    for id, (kind, *made) in MADE.items():
        text = data.frozen(data.parse(FOLDER / f"{id}.yaml"))
        told = {name: value for name, value in text.items() if name not in ("format_version", "steps")}
        found[id] = kind(tuple(Draft(**step) for step in text["steps"]), *made, **told)
    return found


def minutes(ids=tuple(MADE)):
    """How long these rungs take a learner, together."""
    return sum(rungs()[id].minutes for id in ids)


def _known(value):
    if isinstance(value, Rung):
        return value
    if not isinstance(value, str) or value not in rungs():
        said = value[:40] if isinstance(value, str) else shown(value)
        raise UnknownName(f"rung {said!r} is unknown{did_you_mean(said, rungs())}")
    return rungs()[value]


ARung = Given("the id of a rung", _known)


@checked
def rung(id: ARung):
    """The Rung of an id such as "transpose"."""
    return id
