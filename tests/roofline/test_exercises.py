"""The keys of the exercises found again on another road."""

import pytest

from accelerator_course.exercises import roofline as exercises
from accelerator_lib import data, hardware
from accelerator_lib.roofline import measured
from accelerator_lib.workload import models, transformer


@pytest.mark.parametrize("id", [*exercises.GIVEN_KEYS, *exercises.HIDDEN_KEYS])
def test_the_recorded_limits_and_losses_follow_from_shapes_alone(id):
    """A second road: tenths of microseconds of each loss, in order of their length, until one is enough."""
    row = data.published("gemm")[id]
    m, n, k = (row["conditions"][axis] for axis in "MNK")
    dtype = row["conditions"]["dtype"].split()[0]
    chip = hardware.chip(row["chip"] or "h100-sxm5")
    width = {"fp8": 1, "bf16": 2, "fp16": 2}[dtype]
    multiplying = 2 * m * n * k / chip.peak(dtype)
    fetching = (width * (m * k + k * n) + 2 * m * n) / chip.bytes_per_s
    longer, measured = max(multiplying, fetching), 2 * m * n * k / (row["value"] * 1e12)
    loss = "more"
    for time, name in sorted(
        [(longer, "none"), (longer + 5e-6, "start"), (1.25 * longer, "rates"), (multiplying + fetching, "turns")],
        reverse=True,
    ):
        loss = name if measured <= time / 0.95 else loss
    limit = "memory" if fetching > multiplying else "compute"
    assert [limit, loss] == {**exercises.GIVEN_KEYS, **exercises.HIDDEN_KEYS}[id]


def test_what_is_given_is_not_what_the_chapter_asks_for_at_its_end():
    assert measured.ASKED not in {**exercises.GIVEN_KEYS, **exercises.HIDDEN_KEYS}
    assert len(exercises.GIVEN) == 12 and all(seconds > 0 for *_, seconds in exercises.GIVEN)


def test_the_recorded_bandwidths_read_every_weight_once():
    for params, dtype, seconds, want in exercises.READS:
        bits = {"bf16": 16, "int8": 8, "int4": 4, "fp32": 32}[dtype]
        assert want * seconds * 8 == pytest.approx(params * bits, rel=1e-15)
    llama = models.model("llama-3-8b")
    assert exercises.READS[0][0] == llama.params == transformer.params(llama) == 8_030_261_248
