"""Operations that share a kernel, against a memory that counts; ways from a formula to instructions."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.codesign import stages
from accelerator_lib import codesign
from accelerator_lib.codesign import graphs, mapspace
from accelerator_lib.codesign.graphs import Graph, Op
from accelerator_lib.workload import Gemm


@st.composite
def programs(draw):
    """Small graphs of any shape."""
    ops, known = [], ["x"]
    for i in range(draw(st.integers(1, 6))):
        inputs = tuple(draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True)))
        ops.append(Op(f"v{i}", draw(st.sampled_from(graphs.KINDS)), inputs, draw(st.integers(1, 9))))
        known.append(f"v{i}")
    return Graph(tuple(ops), {"x": 4}, (known[-1], draw(st.sampled_from(known[1:]))))


def run(graph, kernels):
    """Traffic [words] by running: a memory that counts, kernels that keep what is theirs."""
    memory, moved = set(graph.given), 0
    for kernel in kernels:
        own = set()
        for name in kernel:
            for value in graph.op(name).inputs:
                if value not in own:
                    assert value in memory, "read before it was written"
                    own.add(value)
                    moved += graph.elements(value)
            own.add(name)
        for name in kernel:
            needed = [reader for reader in graph.readers(name) if reader not in kernel]
            if needed or name in graph.outputs:
                memory.add(name)
                moved += graph.elements(name)
    return moved


@given(programs())
def test_traffic_in_closed_form_is_that_of_a_memory_that_counts(graph):
    for kernels in (graph.alone(), codesign.fused(graph)):
        assert codesign.bytes_moved(graph, kernels) == 2 * run(graph, kernels)


@given(programs())
def test_fusion_never_moves_more_and_loses_no_value(graph):
    kernels = codesign.fused(graph)
    assert codesign.bytes_moved(graph, kernels) <= codesign.bytes_moved(graph, graph.alone())
    for kernel in kernels:
        for name in kernel[:-1]:
            assert len(graph.readers(name)) == 1 and name not in graph.outputs
        assert all(graph.op(name).kind == "elementwise" for name in kernel[1:])


def test_two_graphs_by_hand():
    graph = graphs.block(64, 3)
    n = 64 * 64
    assert codesign.bytes_moved(graph, graph.alone()) == 2 * (3 * n + 3 * 2 * n)
    assert codesign.fused(graph) == [["product", "bias", "GELU", "scale"]]
    assert codesign.bytes_moved(graph, codesign.fused(graph)) == 2 * 3 * n
    graph = graphs.fork(8)
    assert codesign.fused(graph) == graph.alone()
    assert graphs.fork_bytes(8) == 2 * 64 * (2 + 1 + 2 + 2)
    ops = (
        Op("wide", "product", ("x", "w"), 16),
        Op("row", "product", ("x", "v"), 4),
        Op("add", "elementwise", ("row", "wide"), 16),
    )
    assert codesign.fused(Graph(ops, {"x": 16, "w": 16, "v": 4}, ("add",))) == [["row"], ["wide", "add"]]


def test_orders_of_eight_instructions_counted_by_trying_all():
    names = (*graphs.LOADS, *graphs.ADDS)
    needs = [(need, add) for add, needed in graphs.ADDS.items() for need in needed]
    good = sum(all(order.index(need) < order.index(add) for need, add in needs) for order in permutations(names))
    assert good == graphs.orders() == 1088
    order = list(stages(1024, 1))[-1].instructions
    assert sorted(order) == sorted((*graphs.LOADS, *graphs.ADDS))
    assert all(order.index(need) < order.index(add) for add, needs in graphs.ADDS.items() for need in needs)


@pytest.mark.parametrize("n, steps", [(1024, 1), (4096, 3), (8192, 6)])
def test_each_stage_counts_its_ways(n, steps):
    states = list(stages(n, steps))
    assert [state.name for state in states] == list(graphs.STAGES)
    assert states[-1].ways == (1, 2**steps, mapspace.mapspace(Gemm(n, n, n)).all, 1088)
    total = 1
    for state in states:
        total *= state.ways[-1]
        assert state.total == total
    assert (
        states[0].bytes_moved > states[1].bytes_moved == graphs.bytes_moved(graphs.block(n, steps), states[-1].kernels)
    )


@pytest.mark.parametrize("steps, sums", [(2, 0), (6, 1), (8, 3)])
def test_a_chain_is_cut_at_its_sums(steps, sums):
    graph = graphs.chain(10**6, steps, sums)
    assert len(graphs.fused(graph)) == 1 + sums
    assert graphs.chain_passes(steps, sums) == 2 * (1 + sums)  # each kernel reads an array and writes one
    assert graphs.chain_passes(steps, sums, False) == 2 * steps + sums
