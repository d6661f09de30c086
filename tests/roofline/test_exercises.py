"""Wrong solutions of the exercises, and their keys found again on another road."""

import pytest

from accelerator_course.exercises import roofline as exercises
from accelerator_course.exercises.slips import roofline as slips
from accelerator_lib import hardware, roofline
from accelerator_lib.workload import Gemm, models, transformer


def products_only(layer_ops, chip, batch):
    works = layer_ops(batch).items()
    return {name: roofline.place(work, chip).bound for name, work in works if isinstance(work, Gemm)}


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "03.1": [
        (slips.both_times_added, "2e+12 FLOP, 1e+09 bytes"),
        (slips.overhead_forgotten, "2e+12 FLOP, 1e+09 bytes"),
        (slips.overhead_hidden, "2e+12 FLOP, 1e+09 bytes"),
        (slips.the_shorter_time, "2e+12 FLOP, 1e+09 bytes"),
    ],
    "03.2": [
        (slips.all_as_the_batch, "At batch 336 you call query 'compute'-bound"),
        (slips.peak_and_bytes_of_fp32, "At batch 64 you call query 'compute'-bound"),
        (slips.turned_round, "At batch 1 you call query 'compute'-bound"),
        (products_only, "At batch 1 return a dict"),
    ],
    "03.3": [
        (slips.bits_for_bytes, "8,030,261,248 parameters in bf16"),
        (slips.always_two_bytes, "parameters in int8"),
        (slips.multiplied_by_the_time, "8,030,261,248 parameters in bf16"),
    ],
}


def test_the_recorded_bounds_follow_from_bytes_and_flop_counted_in_loops():
    chip, keys = hardware.chip("h100-sxm5"), exercises
    widths = dict.fromkeys(keys.PROJECTIONS, (4096, 4096)) | dict.fromkeys(("gate", "up"), (4096, 11008))
    widths |= {"down": (11008, 4096)}
    for batch, compute in keys.COMPUTE_BOUND.items():
        assert set(keys.transformer_layer(batch)) == set(widths) | set(keys.STEPS)
        found = set()
        for name, (inputs, outputs) in widths.items():
            flop = moved = 0
            for _ in range(outputs):  # a column of weights meets every row: read it, multiply and add, write the sums
                flop += 2 * batch * inputs
                moved += 2 * (inputs + batch)
            moved += 2 * batch * inputs  # and the rows are read once
            if flop / chip.peak("bf16") >= moved / chip.bytes_per_s:
                found.add(name)
        for name in keys.STEPS:  # two numbers read and one written, of two bytes, for one FLOP or five
            if (1 if "residual" in name else 5) / chip.peak("bf16") >= 6 / chip.bytes_per_s:
                found.add(name)
        assert found == set(compute), batch


def test_the_recorded_bandwidths_read_every_weight_once():
    for params, dtype, seconds, want in exercises.READS:
        bits = {"bf16": 16, "int8": 8, "int4": 4, "fp32": 32}[dtype]
        assert want * seconds * 8 == pytest.approx(params * bits, rel=1e-15)
    llama = models.model("llama-3-8b")
    assert exercises.READS[0][0] == llama.params == transformer.params(llama) == 8_030_261_248
