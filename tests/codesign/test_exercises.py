"""Wrong solutions of the exercises, and their keys found again on another road."""

from accelerator_lib import codesign
from accelerator_lib.codesign.graphs import Graph, Op
from accelerator_lib.exercises import codesign as exercises
from accelerator_lib.exercises import fusing
from accelerator_lib.exercises.slips import codesign as slips


def every_step_alone(ops, outputs):
    return [[name] for name, *_ in ops]


def all_in_one(ops, outputs):
    return [[name for name, *_ in ops]]


def forgets_the_last(ops, outputs):
    return exercises.fuse(ops, outputs)[:-1]


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "12.2": [
        (slips.fuses_whatever_follows, "h has 2 readers, and its kernel forgets it"),
        (slips.forgets_the_outputs, "p is wanted in the end, but its kernel goes on to d: it is lost"),
        (slips.joins_products, "p cannot join a kernel behind g: it is a product"),
        (slips.first_input_only, "scores, with a row that is small: these kernels move"),
        (slips.one_step_behind_a_product, "a layer with a residual: these kernels move"),
        (every_step_alone, "a layer with a residual: these kernels move"),
        (all_in_one, "p cannot join a kernel behind g: it is a product"),
        (forgets_the_last, "every operation must be in one kernel"),
        (lambda ops, outputs: ops, "every operation must be in one kernel"),
    ]
}


def graph(ops, given, outputs):
    return Graph(tuple(Op(name, kind, inputs, elements) for name, kind, inputs, elements in ops), given, outputs)


def test_fusion_of_the_library_and_of_the_task_move_the_same_and_the_least():
    for _, ops, given, outputs in fusing.PROGRAMS:
        one, kernels = graph(ops, given, outputs), exercises.fuse(ops, outputs)
        assert sorted(codesign.fused(one)) == sorted(kernels)
        assert (
            codesign.bytes_moved(one, kernels) == fusing.moved(ops, given, kernels) == fusing.least(ops, given, outputs)
        )
