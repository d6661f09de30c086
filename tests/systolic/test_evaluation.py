"""One question in one call agrees with the models that it asks."""

import numpy as np
import pytest

from accelerator_lib import roofline, systolic
from accelerator_lib.hardware import chip
from accelerator_lib.systolic import Arrays, Plan, closed_form, evaluate, tpu
from accelerator_lib.workload import Conv, Elementwise, Gemm

TPU1 = chip("tpu-v1")


@pytest.mark.parametrize("work", [Gemm(1, 8192, 8192), Gemm(4096, 8192, 8192), Elementwise(10**8)])
@pytest.mark.parametrize("overlap", [True, False])
def test_on_a_chip_it_is_the_roofline(work, overlap):
    placed = roofline.place(work, "h100-sxm5", "fp8", overlap=overlap) if isinstance(work, Gemm) else None
    placed = placed or roofline.place(work, "h100-sxm5", "bf16", overlap=overlap)
    found = evaluate(work, "h100-sxm5", Plan(dtype=placed.dtype, overlap=overlap))
    assert (found.seconds, found.bound, found.utilization) == (placed.seconds, placed.bound, placed.utilization)


def test_on_arrays_a_product_that_fills_them_takes_its_flop_over_the_peak_and_the_ramp():
    machine = Arrays(edge=128, arrays=1, clock_hz=1e9, bytes_per_s=1e15)
    work = Gemm(4096, 1024, 1024)
    found = evaluate(work, machine)
    ramp = (2 * 128 + 128 - 2) / 1e9
    assert found.bound == "compute" and found.seconds == pytest.approx(work.flops / machine.peak() + ramp)
    assert found.compute_seconds * 1e9 == closed_form.cycles(work, 128, 128, "ws", overlap=True).total


def test_a_depthwise_layer_wastes_an_array_and_the_roofline_cannot_see_it():
    conv = Conv(1, 14, 14, 512, 512, 3, padding=1, groups=512)
    shape, roof = evaluate(conv, systolic.arrays_of("tpu-v4")), evaluate(conv, "tpu-v4")
    assert shape.flops == roof.flops == conv.flops
    assert shape.utilization < 0.002 and roof.bound == "memory" and shape.bound == "compute"


def test_padding_adds_cycles_but_no_useful_work():
    machine, work = Arrays(128, 1, 1e9, 1e15), Gemm(100, 129, 129)
    plain, padded = evaluate(work, machine), evaluate(work, machine, Plan(padded=True))
    assert padded.flops == plain.flops and padded.compute_seconds > plain.compute_seconds


@pytest.mark.parametrize("rows", [8, 200, 1000, 4000])
def test_the_first_tpu_keeps_the_pace_of_its_weight_tiles(rows):
    """Two roads: all tiles one after the other, or compute and memory of the whole; they part by the ramps alone."""
    machine = Arrays(256, 1, TPU1.clock_hz, TPU1.bytes_per_s)
    work = Gemm(rows, 2560, 2560)
    tile = tpu.tile(rows, 256, TPU1.bytes_per_s, TPU1.clock_hz)
    tiles = 100 * tile.cycles / TPU1.clock_hz
    weights = Gemm(rows, 2560, 2560).bytes_moved("int8") - rows * 2 * 2560  # activations stay on that chip
    found = evaluate(work, machine, Plan(dtype="int8"))
    assert max(found.compute_seconds, weights / TPU1.bytes_per_s) == pytest.approx(tiles, rel=0.04)


def test_the_published_arrays_give_the_published_peak():
    for id in ("tpu-v1", "tpu-v4", "tpu-v5e", "tpu-v6e"):
        arrays = systolic.arrays_of(id)
        for dtype, peak in chip(id).matrix.items():
            assert arrays.peak(dtype) == peak
        one = 2 * arrays.arrays * arrays.edge**2 * arrays.clock_hz  # a multiply-add in each PE and clock
        assert one == pytest.approx(min(chip(id).matrix.values()), rel=0.01)


def test_eight_bits_take_half_the_time_where_the_peak_says_so_and_a_missing_format_is_said():
    v5e, work = systolic.arrays_of("tpu-v5e"), Gemm(4096, 4096, 4096)
    wide, narrow = (evaluate(work, v5e, Plan(dtype=dtype)) for dtype in ("bf16", "int8"))
    assert narrow.compute_seconds / wide.compute_seconds == pytest.approx(197 / 393)
    assert systolic.arrays_of("tpu-v6e").clock_hz == pytest.approx(1.75e9, rel=0.01)
    with pytest.raises(ValueError, match="the arrays of Google TPU v1 have no fp64 peak; there are int8"):
        evaluate(work, systolic.arrays_of("tpu-v1"), Plan(dtype="fp64"))


def test_weights_loaded_ahead_and_copies_that_hide_are_two_things():
    machine, work = Arrays(128, 1, 1e9, 1e11), Gemm(64, 1024, 1024)
    both = evaluate(work, machine)
    late = evaluate(work, machine, Plan(ahead=False))
    apart = evaluate(work, machine, Plan(overlap=False))
    assert late.compute_seconds > both.compute_seconds and late.memory_seconds == both.memory_seconds
    assert apart.compute_seconds == both.compute_seconds
    assert apart.seconds == pytest.approx(both.compute_seconds + both.memory_seconds) and both.seconds < apart.seconds


@pytest.mark.parametrize("machine", ["h100-sxm5", Arrays(128, 4, 1e9, 1e12)], ids=["chip", "arrays"])
def test_a_list_of_sizes_is_answered_one_by_one(machine):
    sizes = np.array([1, 512, 8192])
    found = evaluate(Gemm(sizes, 4096, 4096), machine)
    each = [evaluate(Gemm(int(m), 4096, 4096), machine) for m in sizes]
    assert list(found.bound) == [one.bound for one in each]
    assert found.seconds == pytest.approx([one.seconds for one in each])


def test_without_a_product_arrays_wait_for_the_memory():
    found = evaluate(Elementwise(10**6), Arrays(128, 4, 1e9, 1e12), Plan(dtype="fp32"))
    assert found.compute_seconds == 0 and found.seconds == pytest.approx(8e-6) and found.bound == "memory"


@pytest.mark.parametrize(
    ("call", "error", "line"),
    [
        (lambda: evaluate(3, "tpu-v4"), TypeError, "work must be a piece of work such as Gemm.*, not int"),
        (lambda: evaluate(Gemm(1, 2, 3), "tpu-v44"), KeyError, "did you mean"),
        (lambda: evaluate(Gemm(1, 2, 3), "tpu-v4", "ws"), TypeError, "mapping must be a Plan"),
        (lambda: Plan(dataflow="sw"), KeyError, "dataflow 'sw' is unknown"),
        (lambda: Arrays(0, 1, 1e9, 1e9), ValueError, "edge = 0 is outside"),
        (lambda: systolic.arrays_of("h100-sxm5"), ValueError, "the arrays of .* are not published"),
    ],
)
def test_what_makes_no_sense_is_one_clear_line(call, error, line):
    with pytest.raises(error, match=line):
        call()
