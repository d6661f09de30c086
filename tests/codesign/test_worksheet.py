import pytest

from accelerator_lib import roofline, tiling
from accelerator_lib.codesign import worksheet
from accelerator_lib.workload import Elementwise, Gemm

CHIPS = ("h100-sxm5", "a100-80gb-sxm", "mi300x", "tpu-v5e")


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("tokens", [512, 8192])
def test_a_sheet_is_the_sum_of_its_kernels_on_the_roofline(chip, tokens):
    model = worksheet.video(tokens)
    by_hand = sum(copies * times * roofline.place(work, chip, "bf16").seconds for work, copies, times in model.values())
    sheet = worksheet.fill(model, chip)
    assert sheet.seconds == pytest.approx(by_hand)


def test_what_falls_back_takes_so_many_times_as_long_and_nothing_else_does():
    model = worksheet.video()
    free, away = worksheet.fill(model), worksheet.fill(model, lacks=("softmax", "GELU"), fallback=7)
    own = {one.name: one.seconds for one in free.operations}
    for one in away.operations:
        assert one.seconds == pytest.approx(own[one.name] * (7 if one.name in ("softmax", "GELU") else 1))
        assert (one.bound == "host") == (one.name in ("softmax", "GELU"))


@pytest.mark.parametrize("chip", CHIPS)
def test_no_change_makes_it_slower_and_none_more_than_twice_as_good_as_its_factor(chip):
    model = worksheet.video()
    now = worksheet.fill(model, chip).seconds
    for change in ("twice the bandwidth", "twice the peak"):
        after = worksheet.fill(model, chip, change=change).seconds
        assert now / 2 <= after <= now


def test_attention_in_one_kernel_moves_what_flash_attention_moves():
    sheet = worksheet.fill(worksheet.video(), change="attention in one kernel")
    one = next(op for op in sheet.operations if op.name == "attention")
    row = tiling.attention_bytes(8192, 128, heads=16, algorithm="flash", kv_cached=True)
    assert one.bytes_moved == 24 * row and one.bound == "compute"
    assert one.flops == pytest.approx(24 * tiling.attention_flops(8192, 128, heads=16), rel=0.01)


def test_the_host_does_not_notice_a_better_chip():
    model = {"a": (Elementwise(10**6), 1, 1), "b": (Gemm(64, 64, 64), 1, 1)}
    for change in ("twice the bandwidth", "twice the peak", "products in FP8"):
        sheet = worksheet.fill(model, lacks=("a",), change=change)
        assert sheet.operations[0].seconds == worksheet.fill(model, lacks=("a",)).operations[0].seconds


def test_what_helps_depends_on_the_job_and_the_chip():
    best = lambda *given: min(list(worksheet.what_helps(*given).items())[1:], key=lambda one: one[1])[0]  # noqa: E731
    assert best(8192) == "attention in one kernel" and best(512) == "the missing operation runs on the chip"
    assert best(512, "h100-sxm5", 1) == "products in FP8"
    assert worksheet.time("twice the bandwidth") == worksheet.what_helps()["twice the bandwidth"]
    assert "products in FP8" not in worksheet.what_helps(8192, "a100-80gb-sxm")
