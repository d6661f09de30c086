import numpy as np
import pytest

from accelerator_lib import roofline
from accelerator_lib.machine import kernels, measure


@pytest.fixture(scope="module")
def states():
    return list(measure.machine())


def test_progress_rises_to_one_and_the_last_state_carries_the_machine(states):
    fractions = [state.fraction for state in states]
    assert fractions == sorted(fractions) and fractions[0] == 0 and fractions[-1] == 1
    assert [state.result is None for state in states] == [True] * (len(states) - 1) + [False]
    assert len({state.doing for state in states}) == len(states) == 12  # 2 streams, 3 products, 6 operations, the end


def test_the_machine_is_a_chip_like_any_other(states):
    machine = states[-1].result
    placed = roofline.place(machine.operations[-1].work, machine.chip, "fp32")
    assert placed.peak == machine.peak and np.isfinite(placed.seconds)
    assert machine.ridge_point == placed.ridge_point == pytest.approx(machine.peak / machine.bytes_per_s)
    assert machine.level in ("memory", "cache or memory") or machine.level.startswith("memory, if")


def test_six_operations_stand_at_the_intensity_that_xla_counts(states):
    machine = states[-1].result
    names, placed = zip(*machine.placed().kernels, strict=True)
    assert names == ("ReLU", "GEMV", "small GEMM", "large GEMM", "layer norm", "softmax")
    for operation, found in zip(machine.operations, placed, strict=True):
        assert found.intensity == operation.xla_flops / operation.xla_bytes
        assert found.flops_per_s == pytest.approx(operation.xla_flops / operation.timing.seconds)
        assert found.peak_unit == machine.chip.peak_unit("fp32")
        assert operation.timing.low <= operation.timing.seconds <= operation.timing.high


def test_the_model_and_xla_agree_on_products_and_relu(states):
    for operation in states[-1].result.operations:
        if operation.name not in ("layer norm", "softmax"):
            assert operation.xla_flops == pytest.approx(operation.work.flops, rel=0.01)
            assert operation.xla_bytes == pytest.approx(operation.work.bytes_moved("fp32"), rel=0.01)


def test_a_cache_that_holds_all_arrays_takes_the_name_memory_away():
    assert measure.level("cpu", 2 * kernels.TOTAL_BYTES) == "cache or memory"
    assert measure.level("cpu", 2**20) == measure.level("gpu", None) == "memory"
    assert measure.level("cpu", None).startswith("memory, if")
