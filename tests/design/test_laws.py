"""Seconds, watts and slopes: arithmetic, constants, jobs as products, and the laws beside a slow, separate way to count."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import data, design, hardware, llm, network, systolic, tiling
from accelerator_lib.design import laws, machine, work
from accelerator_lib.design.bill import whole_area
from accelerator_lib.design.laws import PLAIN, on_complex, on_numpy
from accelerator_lib.design.machine import assumed, facts, machines, process
from accelerator_lib.workload import Gemm
from accelerator_lib.workload.networks import convolutions

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
    causes = {"compute": compute, "memory": reading, "vector": vector, "link": link, "overhead": overhead}
    return {"chips": chips, "seconds": seconds, "watts": watts, "macs": macs, **causes}


@pytest.mark.parametrize("job", work.jobs())
@pytest.mark.parametrize("name", DESIGNS)
def test_every_number_of_a_step_counted_slowly(name, job):
    found, by_hand = design.evaluate(DESIGNS[name], job), slow(DESIGNS[name], work.jobs()[job])
    for cause, value in by_hand.items():
        assert getattr(found, cause) == pytest.approx(value, rel=1e-9), cause


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from((16, 32, 64, 100, 128, 256)),
    st.integers(1, 300),
    st.floats(8, 512),
    st.integers(1, 8),
    st.floats(5e8, 2.5e9),
    st.floats(5e10, 9e11),
    st.sampled_from((5, 7)),
    st.sampled_from(("bf16", "fp8", "int8")),
    st.sampled_from(list(work.jobs())),
    st.sampled_from((None, 1, 2, 7, 64)),
)
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
    moved, bound = laws.words(m, n, k, room), tiling.io_lower_bound_words(Gemm(m, n, k), room)
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


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(work.jobs())), st.integers(1, 200), st.floats(16, 256), st.integers(2, 6))
def test_more_of_anything_is_never_slower_on_so_many_chips(job, arrays, sram, stacks):
    base = design.Design(64, arrays, sram, stacks, 1e9, 1e11)
    before = design.evaluate(base, job, 16).seconds
    for more in ({"arrays": arrays + 1}, {"stacks": stacks + 1}, {"clock_hz": 1.1e9}, {"link_bytes_per_s": 2e11}):
        assert design.evaluate(replace(base, **more), job, 16).seconds <= before * (1 + 1e-12), more


def test_without_a_memory_what_spills_cannot_run():
    one = DESIGNS["no stacks"]
    decode, prefill, train, vision = (design.evaluate(one, job) for job in ("decode", "prefill", "training", "vision"))
    assert decode.fits and decode.resident and decode.chips == 145 and decode.per_chip_s > 0
    assert not prefill.fits and not train.fits and prefill.per_chip_s == train.per_chip_s == 0
    assert vision.fits and vision.resident and vision.chips == 1


@pytest.mark.parametrize("made", [lambda: PLAIN, on_numpy], ids=["plain", "numpy"])
def test_each_operation(made):
    on = made()
    assert float(on.maximum(2.0, 3.0)) == 3 and float(on.minimum(2.0, 3.0)) == 2
    assert float(on.where(True, 4.0, 5.0)) == 4 and float(on.where(False, 4.0, 5.0)) == 5
    assert float(on.sqrt(9.0)) == 3 and float(on.exp(1.0)) == pytest.approx(math.e)
    assert float(on.ceil(2.1)) == 3 and float(on.floor(2.9)) == 2


def test_arrays_go_element_by_element_and_smooth_rounds_nothing():
    values = np.array([0.2, 1.0, 3.7])
    assert on_numpy().ceil(values).tolist() == [1, 1, 4]
    smooth = on_complex(smooth=True)
    assert smooth.ceil(np.array([0.2, 1.0, 3.75])).tolist() == [1, 1, 3.75] and smooth.floor(3.75) == 3.75


value = st.floats(0.5, 8)


def law(x, y, on):
    """Something with every operation in it."""
    both = x * y - 3 / x + (2 - y) ** 2 + x / y - x
    return on.sqrt(on.maximum(both, 0.25) + 1) * on.exp(-x) + on.where(x > y, x, 2 * y) + on.minimum(x, 3.0) * 5 - (-y)


def slopes(x, y, smooth=True, law=law):
    """(the value, its slope to x, its slope to y) by two complex steps."""
    both = law(x + np.array([1e-20j, 0]), y + np.array([0, 1e-20j]), on_complex(smooth))
    return both.real[0], *(both.imag / 1e-20)


@given(value, value)
def test_slopes_are_those_of_small_differences(x, y):
    on, step = on_numpy(), 1e-6
    both = x * y - 3 / x + (2 - y) ** 2 + x / y - x
    if min(abs(x - y), abs(x - 3), abs(both - 0.25)) < 1e-3:
        return  # at a kink there is no slope
    by_x = (law(x + step, y, on) - law(x - step, y, on)) / (2 * step)
    by_y = (law(x, y + step, on) - law(x, y - step, on)) / (2 * step)
    assert slopes(x, y) == pytest.approx([law(x, y, on), by_x, by_y], rel=1e-4, abs=1e-4)


def test_rounding_up_is_a_staircase_or_a_ramp():
    built, smooth = on_complex(), on_complex(smooth=True)
    assert built.ceil(2.5 + 1e-20j) == 3 and built.floor(2.5 + 1e-20j) == 2  # plain numbers: no slope at all
    assert smooth.ceil(2.5 + 1e-20j) == smooth.floor(2.5 + 1e-20j) == 2.5 + 1e-20j and smooth.ceil(0.5 + 1e-20j) == 1


KNOWN = data.load("design")
BASES = {"datasheet", "paper", "seen", "seen_secondary", "recalled", "derived", "assumed", "fitted"}


def entries(node):
    """Every mapping with a basis."""
    if isinstance(node, dict):
        if "basis" in node:
            yield node
        for value in node.values():
            yield from entries(value)
    elif isinstance(node, list):
        for value in node:
            yield from entries(value)


def test_every_value_has_a_basis_and_a_source_that_exists():
    found = list(entries(KNOWN))
    assert len(found) > 25
    assert {entry["basis"] for entry in found} <= BASES
    assert {entry["source"] for entry in found} <= set(KNOWN["sources"])


def test_facts_are_those_of_earlier_chapters():
    printed = str(data.load("memory_levels"))
    for value in (facts().sram_pj_per_byte, facts().hbm_pj_per_byte):
        assert f"'pj_per_byte': {value:g}" in printed
    silicon = data.load("silicon")
    assert process(5).logic == silicon["nodes"]["N5"]["logic"] and process(7).logic == 1
    quotes = {row["node"]: row["usd"] for row in silicon["wafer_prices"]["unofficial"]["rows"]}
    assert [process(node).wafer_usd for node in (7, 5)] == [quotes["N7"], quotes["N5"]]
    for id, kind, stacks in (("h100-sxm5", "HBM3", 5), ("a100-80gb-sxm", "HBM2E", 5), ("b200", "HBM3E", 8)):
        chip, one = hardware.chip(id), design.Design(**GOOD | {"stacks": stacks}, stack=kind).machine()
        assert one.memory_bytes_per_s == pytest.approx(chip.bytes_per_s, rel=1e-3)
        assert one.memory_bytes == chip.capacity_bytes
    assert assumed() == (0.5, 16, 700, 3000, 0.8, 15)
    assert {KNOWN["prices"][name]["basis"] for name in ("hours", "defects_per_cm2")} == {"assumed"}
    assert all(low <= one["value"] <= high for one in KNOWN["guesses"].values() for low, high in [one["between"]])


@pytest.mark.parametrize("id, share", [("tpu-v4i", 0.11)])
def test_the_published_share_of_arrays_bounds_a_pe(id, share):
    entry = KNOWN["area"]["array_share"][id]
    assert share == entry["value"]
    macs = 4 * 128**2
    assert entry["most_mm2"] * share / macs * 1e6 == pytest.approx(671, abs=1)


def inner(job):
    """Weights in the products of a step: each matrix once."""
    return sum(p.n * p.k * p.count for p in job.products if not p.fused)


@pytest.mark.parametrize("make", [work.decode, work.prefill, work.training])
@pytest.mark.parametrize("id", ["llama-2-7b", "llama-3-8b", "llama-2-70b"])
def test_a_model_s_products_hold_its_weights_but_for_norms_and_one_table(make, id):
    job, model = make(id), llm.model(id)
    norms = (2 * model.layers + 1) * model.d_model
    assert inner(job) == llm.param_count(id) - norms - model.vocab * model.d_model
    assert job.weights == llm.param_count(id)


def test_jobs_by_hand():
    job = work.decode()
    assert 2 * job.cached == 32 * 4096 * llm.kv_bytes_per_token("llama-3-8b") == 2 * job.cache_read
    assert 2 * work.prefill().cached == 8192 * llm.kv_bytes_per_token("llama-3-8b")
    job, model = work.prefill("llama-3-8b", 1024), llm.model("llama-3-8b")
    whole = model.layers * model.heads * 2 * 1024**2 * model.head_dim
    assert sum(p.macs for p in job.products if p.fused) == whole / 2
    several = work.training_like("any", 24, 2048, 512, 56)
    assert sum(p.macs for p in several.products if p.fused) == 24 * 56 * 2 * 512**2 * 2048 / 2
    once, job = work.prefill("llama-2-70b", 4096), work.training()
    head = llm.model("llama-2-70b")
    assert job.macs == 3 * (once.macs + (4096 - 1) * head.vocab * head.d_model)
    assert 2 * job.macs == pytest.approx(6 * job.weights * 4096, rel=0.04)  # attention, less the table
    layers = convolutions("resnet-50", 32)
    assert 2 * work.vision().macs == sum(conv.flops for _, conv in layers)
    assert sum(p.count for p in work.vision().products) == len(layers) == 53
    job = work.recommender()
    tables = 204_184_588 * 128
    assert job.weights - tables == inner(job) and inner(job) / tables < 1e-3
    assert 2 * job.looked_up / job.tokens == 214 * 256
    assert sum(p.count for p in job.products) == 14
    job = work.training_like("7B", 32, 4096, 2048, 6)
    assert job.weights == inner(job) == 12 * 32 * 4096**2 + 50368 * 4096
    assert job.tokens == 6 * 2048


def test_jobs_are_found_by_name():
    assert list(work.jobs()) == ["decode", "prefill", "training", "vision", "recommender"]
    assert all(isinstance(p.m, float) for job in work.jobs().values() for p in job.products)


GOOD = {"edge": 128, "arrays": 20, "sram_mb": 128, "stacks": 6, "clock_hz": 1.5e9, "link_bytes_per_s": 300e9}


@pytest.mark.parametrize("id", design.reals())
def test_a_real_chip_has_the_peak_that_is_published(id):
    one, chip = design.real(id), hardware.chip(id)
    assert one.peak == pytest.approx(chip.peak("bf16"), rel=0.003)
    assert (one.memory_bytes, one.memory_bytes_per_s) == (chip.capacity_bytes, chip.bytes_per_s)


def test_machines_by_hand():
    wide, narrow = design.Design(**GOOD), design.Design(**GOOD, dtype="fp8")
    assert narrow.peak == 2 * wide.peak == 4 * 20 * 128**2 * 1.5e9
    assert (wide.machine().element_bytes, narrow.machine().element_bytes) == (2, 1)
    assert [design.Design(**GOOD, dtype=t).machine().cache_bytes for t in machine.FORMATS] == [2, 1, 2, 1]
    one = design.Design(**GOOD).machine()
    assert (one.memory_bytes_per_s, one.memory_bytes) == (6 * 669.952e9, 96e9)
    assert one.memory_bytes_per_s / 6 * 5 == pytest.approx(hardware.chip("h100-sxm5").bytes_per_s, rel=1e-3)
    many = machine.machines(np.array([[64.0], [128.0]]), 4.0, 32.0, np.arange(3.0), 1e9, 1e11)
    assert many.memory_bytes.tolist() == [0, 16e9, 32e9] and many.process.logic == 1.84
