"""Wrong solutions of the exercises, and their keys found again on another road."""

import random

from accelerator_course.exercises import codesign as exercises
from accelerator_course.exercises import fusing, searching, timing
from accelerator_course.exercises.slips import codesign as slips
from accelerator_lib import codesign
from accelerator_lib.codesign import bench, mapspace
from accelerator_lib.codesign.graphs import Graph, Op


def every_step_alone(ops, outputs):
    return [[name] for name, *_ in ops]


def all_in_one(ops, outputs):
    return [[name for name, *_ in ops]]


def forgets_the_last(ops, outputs):
    return exercises.fuse(ops, outputs)[:-1]


def the_broken_one(device):
    """As it stands in the notebook."""
    begin = device.clock()
    for _ in range(10):
        device.launch()
    return (device.clock() - begin) / 10


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "12.1": [
        (slips.only_draws, "Of the seeds 0 to 9, 0 came within 10 %"),
        (slips.one_thing_at_a_time, "Of the seeds 0 to 9, "),
        (slips.never_starts_anew, "Of the seeds 0 to 9, "),
        (slips.returns_the_last, "7 must"),
        (slips.asks_too_often, "you called cost 5,000 times; 2,000 are allowed"),
        (lambda cost, draw, seed: cost(draw(random.Random(seed))), "For seed 0 return a mapping that fits"),
        (lambda cost, draw, seed: ((4096,) * 3, "mnk", (16,) * 3, "mnk"), "For seed 0 return a mapping that fits"),
        (lambda cost, draw, seed: ((588, 588, 64), "mnk", (16,) * 3, "mnk"), "For seed 0 return a mapping that fits"),
        (lambda cost, draw, seed: ((64,) * 3, "mnk", (16,) * 3, "mnk"), "0 came within 10 %"),
    ],
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
    ],
    "12.3": [
        (slips.not_warmed_up, "compiled in 500 ms"),
        (slips.not_waited_for, "8 µs, but a run takes 10"),
        (slips.takes_the_mean, "but a run takes 10"),
        (slips.warm_caches, "but a run takes 10"),
        (slips.takes_the_fastest, "but a run takes 10"),
        (slips.empties_on_the_clock, "but a run takes 10"),
        (slips.all_at_once, "but a run takes 10"),
        (lambda device: "10 ms", "returned '10 ms'; seconds were expected"),
        (lambda device: 0.01, "a kernel of about 800 µs"),
        (the_broken_one, "but a run takes 10"),
    ],
}

SEARCHES = ("12.1",)
HARMLESS = {
    "12.1": [
        "random.Random(seed), 1999",
        "left > 1",
        "now <= least",
        "now <= inf",
        "    sizes = [",
        "    turns = [",
        "left = (cost(here), left - 2)",
        "other[level] = tuple(",
    ],  # a call or a kind of change less: there are more than enough
    "12.3": ["for _ in range(", "return sorted(seconds)["],
}  # some runs more or less, and the one beside the middle


def graph(ops, given, outputs):
    return Graph(tuple(Op(name, kind, inputs, elements) for name, kind, inputs, elements in ops), given, outputs)


def test_fusion_of_the_library_and_of_the_task_move_the_same_and_the_least():
    for _, ops, given, outputs in fusing.PROGRAMS:
        one, kernels = graph(ops, given, outputs), exercises.fuse(ops, outputs)
        assert sorted(codesign.fused(one)) == sorted(kernels)
        assert (
            codesign.bytes_moved(one, kernels) == fusing.moved(ops, given, kernels) == fusing.least(ops, given, outputs)
        )


def test_a_benchmark_finds_the_truth_with_any_sensible_number_of_runs():
    for seconds, saved, compile_seconds, seed in timing.DEVICES:
        for warm, runs in ((70, 301), (100, 101), (200, 501)):
            device = bench.Device(seconds, saved, compile_seconds, seed)
            assert abs(slips.timed(device, warm, runs) / bench.truth(device) - 1) < timing.CLOSE


def test_the_search_asked_for_is_no_luck_and_the_price_is_that_of_the_library():
    least = mapspace.best(mapspace.PRODUCT).joules
    near = [searching._search(exercises.search, seed) for seed in range(10, 30)]
    assert sum(energy <= 1.1 * least for energy, _, _ in near) >= 16 and {calls for _, calls, _ in near} == {2000}
    for energy, _, mapping in near[:5]:
        assert abs(energy / mapspace.joules(mapspace.PRODUCT, mapping) - 1) < 1e-12
    for broken in (None, 3, ((0, 4, 4), "mnk", (1, 1, 1), "mnk"), ((8, 8), "mnk", (1, 1), "mnk"), "mnk"):
        assert searching.price(broken) == float("inf")
