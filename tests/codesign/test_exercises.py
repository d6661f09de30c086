"""Wrong solutions of the exercises, and their keys found again on another road."""

from accelerator_course.exercises import codesign as exercises
from accelerator_course.exercises import portability
from accelerator_course.exercises.slips import changed
from accelerator_course.exercises.slips import codesign as slips
from accelerator_course.exercises.slips import portability as porting
from accelerator_lib.codesign import bench, loopnest
from accelerator_lib.workload import Gemm


def the_broken_one(device):
    """As it stands in the notebook."""
    begin = device.clock()
    for _ in range(10):
        device.launch()
    return (device.clock() - begin) / 10


WRONG = {
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
    "12.4": [
        (slips.comes_at_every_step, "words come into the buffer; you returned 768"),
        (slips.its_own_loops_only, "words come into the buffer; you returned 192"),
        (slips.one_tile_of_each, "two tiles do not fit: None; you returned"),
        (slips.a_single_trip_moves_it, "words come into the buffer; you returned"),
        (slips.windows_without_overlap, "words come into the buffer; you returned"),
        (lambda loops, depth, operands, room: "576", "return a number of words or None"),
    ],
    "12b.1": [
        (porting.by_calls, "your order serves 118"),
        (porting.by_time_alone, "your order serves 376"),
        (porting.shortest_first, "your order serves"),
        (porting.needs_forgotten, "attention is written before products, scores, which it needs"),
        (porting.greedy, "your order serves"),
        (lambda ops: list(ops)[:-1], "return every name once, in an order"),
    ],
}

HARMLESS = {
    "12.3": ["for _ in range(", "return sorted(seconds)["],  # some runs more or less, and one beside the middle
    "12b.1": ["now, total = ("],  # the same for all orders
}


def test_a_benchmark_finds_the_truth_with_any_sensible_number_of_runs():
    for seconds, saved, compile_seconds, seed in exercises.DEVICES:
        for warm, runs in ((70, 301), (100, 101), (200, 501)):
            device = bench.Device(seconds, saved, compile_seconds, seed)
            swaps = "range(100)", f"range({warm})", "range(201)", f"range({runs})"
            timed = changed(exercises.measured, *swaps, "[100]", f"[{runs // 2}]")
            assert abs(timed(device) / bench.truth(device) - 1) < exercises.CLOSE


def test_nests_are_counted_alike_on_both_roads():
    nests = list(exercises.hidden())
    assert all(exercises.played(*nest) == exercises.words(*nest) for nest in nests)
    assert 5 < sum(exercises.played(*nest) is None for nest in nests) < 20
    for nest in exercises.BY_HAND:
        assert exercises.played(*nest[:-1]) == nest[-1]
    for order in loopnest.ORDERS:
        outer, inner = [(d, 4) for d in order], [(d, 2) for d in "mnk"]
        found = loopnest.traffic(Gemm(8, 8, 8), (2, 2, 2), order)
        fetched = found.inputs + found.weights + found.written  # a sum that begins comes, too
        assert exercises.played(outer + inner, 3, exercises.MATRICES, 24) == fetched


def test_the_best_order_serves_most_and_is_legal():
    for ops in (*portability.BY_HAND, *portability.hidden()):
        found = portability.order(ops)
        assert portability.legal(ops, found) and abs(portability.served(ops, found) - portability.best(ops)) < 1e-6
    assert portability.order(portability.BY_HAND[0]) == ("lookups", "products", "norms")
