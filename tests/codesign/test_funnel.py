from itertools import permutations

import pytest

from accelerator_lib.codesign import funnel, graphs, loopnest
from accelerator_lib.workload import Gemm


def test_orders_of_eight_instructions_counted_by_trying_all():
    names = (*funnel.LOADS, *funnel.ADDS)
    good = sum(
        all(order.index(need) < order.index(add) for add, needs in funnel.ADDS.items() for need in needs)
        for order in permutations(names)
    )
    assert good == funnel.orders() == 1088


@pytest.mark.parametrize("n, steps", [(1024, 1), (4096, 3), (8192, 6)])
def test_each_stage_counts_its_ways(n, steps):
    states = list(funnel.narrow(n, steps))
    assert [state.name for state in states] == list(funnel.STAGES)
    assert states[-1].ways == (1, 2**steps, loopnest.mapspace(Gemm(n, n, n)).all, 1088)
    total = 1
    for state in states:
        total *= state.ways[-1]
        assert state.total == total
    assert states[0].before > states[0].after == graphs.bytes_moved(graphs.block(n, steps), states[-1].kernels)


def test_the_order_that_is_drawn_is_possible():
    order = list(funnel.narrow(1024, 1))[-1].instructions
    assert sorted(order) == sorted((*funnel.LOADS, *funnel.ADDS))
    assert all(order.index(need) < order.index(add) for add, needs in funnel.ADDS.items() for need in needs)


def test_a_size_that_would_flood_is_refused():
    with pytest.raises(ValueError, match="n = 1"):
        list(funnel.narrow(2**20))
