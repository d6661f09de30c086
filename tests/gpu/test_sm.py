import pytest

from accelerator_lib import gpu
from accelerator_lib.gpu import sm
from accelerator_lib.hardware import chip


def test_every_peak_whose_clock_is_known_is_rebuilt_and_the_others_say_why_not():
    for cores in sm.tensor_peaks():
        if cores.peak is None:
            assert cores.note
        else:
            assert cores.peak == pytest.approx(cores.chip.peak("fp16"), rel=0.015), cores.chip.id
    assert {cores.chip.id for cores in sm.tensor_peaks() if cores.peak is None} == {
        "b100",
        "b200",
        "gb200",
        "b300",
        "gb300",
    }


@pytest.mark.parametrize(
    ("id", "cores", "each"), [("v100-sxm2-32gb", 8, 128), ("a100-80gb-sxm", 4, 512), ("h100-sxm5", 4, 1024)]
)
def test_tensor_cores_of_three_generations(id, cores, each):
    found = sm.tensor_cores(id)
    assert (found.cores, found.flop_per_core_clock, found.flop_per_clock) == (cores, each, cores * each)


def test_tensor_cores_are_8_or_16_times_the_cuda_cores():
    assert [sm.tensor_ratio(id) for id in ("v100-sxm2-32gb", "a100-80gb-sxm", "h100-sxm5")] == [8, 16, 16]
    for id in ("v100-sxm2-32gb", "a100-80gb-sxm", "rtx-4090"):  # H100 quotes its fp32 peak at another clock
        one = chip(id)
        lanes = one.peak("fp32", "vector") / (2 * one.clock_hz * one.units)
        assert lanes == pytest.approx(gpu.limits(sm.CHIPS[id])["cuda_cores"], rel=0.01)


@pytest.mark.parametrize("id", sm.CHIPS)
def test_the_parts_of_an_sm_are_told_in_sentences(id):
    for label, sentence in sm.anatomy(id).values():
        assert label and sentence.endswith(".") and "None" not in sentence


def test_the_copy_engine_is_missing_before_hopper():
    assert "missing on NVIDIA A100" in sm.anatomy("a100-80gb-sxm")["copy engine (TMA)"][1]
    assert "copies whole tiles" in sm.anatomy("h100-sxm5")["copy engine (TMA)"][1]


def test_every_chip_with_an_sm_in_the_tables_has_what_the_panels_need():
    for id in sm.CHIPS:
        assert None not in (chip(id).units, chip(id).clock_hz, chip(id).bytes_per_s), id
