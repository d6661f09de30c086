import pytest

from accelerator_lib import data, kernels
from accelerator_lib.kernels import chips


def test_an_a100_is_as_published():
    sm = chips.of("a100-80gb-sxm")
    assert (sm.name, sm.arch, sm.schedulers, sm.alu_issue) == ("NVIDIA A100 80GB SXM4", "sm80", 4, 2)
    assert (sm.alu_latency, sm.shared_latency, sm.l2_latency, sm.dram_latency) == (4, 23, 206, 553)
    assert sm.l2_bytes == pytest.approx(5120 / 108, rel=1e-3) and sm.dram_bytes == pytest.approx(
        2.039e12 / 1.41e9 / 108
    )


def test_an_h100_issues_a_warp_in_a_cycle():
    sm = chips.of("h100-sxm5")
    assert (sm.alu_issue, sm.schedulers, sm.clock_hz) == (1, 4, 1.83e9) and sm.dram_bytes == pytest.approx(
        3.35e12 / 1.83e9 / 132
    )


def test_every_chip_with_published_latencies_and_an_sm_is_known():
    levels = {entry["id"] for entry in data.load("memory_levels")["chips"]}
    assert set(chips.KNOWN) == levels & {row["chip"] for row in data.load("gpus")["tensor"]} and len(chips.KNOWN) == 3
    for chip in chips.KNOWN:
        sm = chips.of(chip)
        assert sm.alu_latency < sm.shared_latency < sm.l2_latency < sm.dram_latency and sm.dram_bytes < sm.l2_bytes


@pytest.mark.parametrize("chip", ["tpu-v4", "", 3, None, "x" * 999, ["a100-80gb-sxm"]])
def test_another_chip_is_refused_in_a_line(chip):
    with pytest.raises(
        (ValueError, TypeError), match="chip.*the machine knows v100-sxm2-32gb, a100-80gb-sxm, h100-sxm5, not"
    ) as error:
        kernels.run("x = 1", {}, chip=chip)
    assert len(str(error.value)) < 200
