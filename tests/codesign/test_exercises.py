"""The keys of the exercises found again on another road."""

from accelerator_course.exercises import codesign as exercises
from accelerator_course.exercises import portability
from accelerator_course.exercises.slips import changed
from accelerator_lib.codesign import bench, loopnest
from accelerator_lib.workload import Gemm


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
