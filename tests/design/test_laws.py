"""The laws beside a slow, separate way to count: loops over folds, formulas written out, chapters 4, 6 and 11."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import design, network, systolic, tiling
from accelerator_lib.design import laws, work
from accelerator_lib.design.bill import whole_area
from accelerator_lib.design.machine import machines
from accelerator_lib.design.numbers import on_jax, on_numpy
from accelerator_lib.workload import Gemm

DESIGNS = {
    "h100": design.real("h100-sxm5"),
    "a100": design.real("a100-80gb-sxm"),
    "b200": design.real("b200"),
    "tpu": design.real("tpu-v4"),
    "large": design.Design(512, 1, 64, 4, 1.5e9, 300e9),
    "small": design.Design(16, 500, 16, 2, 2.4e9, 100e9, dtype="int8"),
    "eight bits": design.Design(128, 12, 128, 3, 1.2e9, 900e9, node=7, dtype="fp8"),
    "no stacks": design.Design(64, 40, 230, 0, 0.9e9, 300e9),
}


def ceil(value):
    """Rounded up by counting in whole numbers, apart from what floats leave over."""
    return -int(-value // 1)


@pytest.mark.parametrize("job", work.jobs().values())
def test_one_chip_alone_talks_to_nobody(job):
    machine = DESIGNS["h100"].machine()
    assert laws.link_seconds(machine, job, 1) == 0 and (laws.link_seconds(machine, job, 2) > 0) == (job.talk != "none")


def slow(design_, job, chips=None):
    """{cause: seconds} and watts of one step, product by product, in plain sentences."""
    size = {"bf16": 2, "fp8": 1, "int8": 1}[design_.dtype]
    cached = {"bf16": 2, "fp8": 1, "int8": 2}[design_.dtype]
    sram = design_.sram_mb * 1e6
    memory = design_.stacks * 16e9 if design_.memory_bytes is None else design_.memory_bytes
    rate = design_.stacks * 669.952e9 if design_.memory_bytes_per_s is None else design_.memory_bytes_per_s
    training = job.talk == "gradients"
    kept = 2 * job.layers * job.d_model * job.tokens if training else 0
    needed = 16 * job.weights if training else size * job.weights + cached * job.cached
    fits = memory + sram > kept and ceil(needed / (memory + sram - kept)) <= 1024
    if chips is None:
        chips = ceil(needed / (memory + sram - kept)) if fits else 1024
    cycles = moved = macs = edges = launches = 0
    for product in job.products:
        for _ in range(int(product.count)):
            n, groups = product.n, product.groups
            if not training:
                n, groups = (n, groups / chips) if product.fused else (ceil(n / chips), groups)
            times = 3 if training else 1
            shape = Gemm(int(product.m), int(n), int(product.k))
            folds = math.ceil(systolic.cycles(shape, design_.edge, design_.edge, "ws").folds * groups / design_.arrays)
            one = product.m + 3 * design_.edge - 2
            cycles += times * (one + (folds - 1) * max(product.m, design_.edge))
            macs += times * groups * product.m * n * product.k
            passed = systolic.traffic(shape, design_.edge, design_.edge, "ws")
            edges += times * groups * (size * (passed.inputs + passed.weights) + 4 * (passed.outputs + passed.partials))
            if not product.fused:
                room = sram / 2 / size
                outside = 1 - min(1, room / (product.m * product.k + product.m * n))
                bound = 2 * product.m * n * product.k / room**0.5 - 2 * room
                once = product.k * n + outside * (product.m * product.k + product.m * n)
                moved += times * size * max(once, outside * bound)
            launches += times
    moved += (cached * job.cache_read + size * job.looked_up) / chips
    resident = needed / chips + kept <= sram
    elements = job.tokens * (12 * job.d_model + 3 * job.d_ff)
    between = 0.0
    if job.layers:
        between = job.layers * size * elements * max(0, 1 - 4 * sram / 2 / size / elements) * (3 if training else 1)
    link = 0.0
    if chips > 1 and job.talk == "layers":
        ring = network.all_reduce_seconds(
            size * job.tokens * job.d_model, int(chips), design_.link_bytes_per_s, 2e-6, "ring"
        )
        link = 2 * job.layers * ring
    if chips > 1 and job.talk == "tables":
        link = size * 26 * 128 * job.tokens * (chips - 1) / chips / design_.link_bytes_per_s
    if chips > 1 and training:
        link = 6 * job.weights / design_.link_bytes_per_s
    compute = cycles / (0.8 * design_.clock_hz * 2 / size)
    reading = moved / (50e9 * design_.sram_mb) if resident else moved / (0.85 * max(rate, 1))
    vector, overhead = between / (0.85 * max(rate, 1)), 5e-6 * launches
    busy = max(compute, reading) + vector
    seconds = (max(busy, link) if training else busy + link) + overhead
    power = {5: 0.7, 7: 1.0}[design_.node]
    pj = power * design_.clock_hz / 1.4e9 * (0.59 * size / 2 * macs + 1.75 * edges)
    pj += (1.75 * power if resident else 31.25) * moved + 31.25 * between
    watts = pj / seconds / 1e12 + 0.1 * design.area_mm2(design_) + 88e-12 * design_.link_bytes_per_s
    return {"chips": chips, "compute": compute, "memory": reading, "vector": vector, "link": link, "overhead": overhead,
                "seconds": seconds, "watts": watts, "macs": macs}  # fmt: skip


@pytest.mark.parametrize("job", work.jobs())
@pytest.mark.parametrize("name", DESIGNS)
def test_every_number_of_a_step_counted_slowly(name, job):
    found, by_hand = design.evaluate(DESIGNS[name], job), slow(DESIGNS[name], work.jobs()[job])
    for cause, value in by_hand.items():
        assert getattr(found, cause) == pytest.approx(value, rel=1e-9), cause


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from((16, 32, 64, 100, 128, 256)), st.integers(1, 300), st.floats(8, 512), st.integers(1, 8),
    st.floats(5e8, 2.5e9), st.floats(5e10, 9e11), st.sampled_from((5, 7)), st.sampled_from(("bf16", "fp8", "int8")),
    st.sampled_from(list(work.jobs())), st.sampled_from((None, 1, 2, 7, 64)),
)  # fmt: skip
def test_any_design_counted_slowly(edge, arrays, sram, stacks, clock, link, node, dtype, job, chips):
    one = design.Design(edge, arrays, sram, stacks, clock, link, node=node, dtype=dtype)
    found, by_hand = design.evaluate(one, job, chips), slow(one, work.jobs()[job], chips)
    for cause, value in by_hand.items():
        assert getattr(found, cause) == pytest.approx(value, rel=1e-9), cause


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 300), st.integers(1, 300), st.integers(1, 300), st.sampled_from((8, 16, 64)), st.integers(1, 9))
def test_cycles_and_edges_are_those_of_chapter_6(m, n, k, edge, arrays):
    product, job = work.Product("any", m, n, k), work.decode()
    one = design.Design(edge, arrays, 64, 4, 1e9, 1e11)
    load = laws.load_of(one.machine(), product, job, 1.0)
    shape = Gemm(m, n, k)
    counted = systolic.cycles(shape, edge, edge, "ws", overlap=True, arrays=arrays)
    assert load.cycles == counted.total
    assert load.macs / (load.cycles * one.macs) == pytest.approx(counted.utilization)
    passed = systolic.traffic(shape, edge, edge, "ws")
    assert load.edge_bytes == 2 * (passed.inputs + passed.weights) + 4 * (passed.outputs + passed.partials)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 20_000), st.integers(1, 20_000), st.integers(1, 20_000), st.floats(1e4, 1e9))
def test_traffic_is_the_bound_of_chapter_4_but_for_what_stays(m, n, k, room):
    """What the room keeps of inputs and outputs is not moved at all; never more than the bound."""
    moved, bound = laws.words(m, n, k, room), tiling.bound.io_lower_bound_words(Gemm(m, n, k), room)
    outside = 1 - min(1, room / (m * k + m * n))
    assert max(k * n, outside * bound) <= moved * (1 + 1e-9) and moved <= bound * (1 + 1e-9)


def test_what_fits_is_not_moved_again():
    assert laws.words(8, 100, 50, 8 * 150) == 100 * 50
    assert laws.words(8, 100, 50, 4 * 150) == 100 * 50 + 0.5 * 8 * 150


def test_a_whole_grid_says_what_each_design_says():
    axes = ([16.0, 128.0], [7.0, 40.0], [32.0, 200.0], [0.0, 2.0, 6.0], [1e9, 2e9], [1e11, 9e11])
    grid = machines(*np.ix_(*axes))
    for name, job in work.jobs().items():
        with np.errstate(all="ignore"):
            found = laws.outcome(grid, job, whole_area(grid), on=on_numpy())
        seconds, watts, rates = (
            np.broadcast_to(getattr(found, f), [len(a) for a in axes]) for f in ("seconds", "watts", "per_chip_s")
        )
        for place in ((0, 0, 0, 2, 0, 0), (1, 1, 1, 1, 1, 1), (0, 1, 1, 2, 1, 0), (1, 0, 0, 0, 0, 1)):
            edge, arrays, sram, stacks, clock, link = (axis[i] for axis, i in zip(axes, place, strict=True))
            one = design.evaluate(design.Design(int(edge), int(arrays), sram, int(stacks), clock, link), name)
            assert (seconds[place], watts[place]) == (pytest.approx(one.seconds), pytest.approx(one.watts))
            assert rates[place] == pytest.approx(one.per_chip_s)


def test_jax_says_the_same():
    import jax

    one = design.Design(128, 20, 128, 6, 1.5e9, 300e9)
    for name, job in work.jobs().items():
        machine = one.machine()
        found = jax.jit(lambda clock, job=job, machine=machine: laws.outcome(
            machine._replace(clock_hz=clock), job, whole_area(machine), on=on_jax()).seconds)(1.5e9)  # fmt: skip
        assert float(found) == pytest.approx(design.evaluate(one, name).seconds, rel=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(work.jobs())), st.integers(1, 200), st.floats(16, 256), st.integers(2, 6))
def test_more_of_anything_is_never_slower_on_so_many_chips(job, arrays, sram, stacks):
    base = design.Design(64, arrays, sram, stacks, 1e9, 1e11)
    before = design.evaluate(base, job, 16).seconds
    for more in (
        {"arrays": arrays + 1}, {"stacks": stacks + 1}, {"clock_hz": 1.1e9}, {"link_bytes_per_s": 2e11},
    ):  # fmt: skip
        assert design.evaluate(replace(base, **more), job, 16).seconds <= before * (1 + 1e-12), more


def test_without_a_memory_what_spills_cannot_run():
    one = DESIGNS["no stacks"]
    decode, prefill, train, vision = (design.evaluate(one, job) for job in ("decode", "prefill", "training", "vision"))
    assert decode.fits and decode.resident and decode.chips == 145 and decode.per_chip_s > 0
    assert not prefill.fits and not train.fits and prefill.per_chip_s == train.per_chip_s == 0
    assert vision.fits and vision.resident and vision.chips == 1
