import numpy as np
import pytest

from accelerator_lib import roofline
from accelerator_lib.machine import measure


@pytest.fixture(scope="module")
def states():
    return list(measure.machine())


def test_progress_rises_to_one_and_the_last_state_carries_the_machine(states):
    fractions = [state.fraction for state in states]
    assert fractions == sorted(fractions) and fractions[-1] == 1
    assert [state.machine is None for state in states] == [True] * (len(states) - 1) + [False]


def test_the_machine_is_a_chip_like_any_other(states):
    machine = states[-1].machine
    placed = roofline.place(machine.operations[-1].work, machine.chip, "fp32")
    assert placed.peak == machine.peak and np.isfinite(placed.seconds)
    assert machine.level in ("memory", "cache or memory") or machine.level.startswith("memory, if")


def test_six_operations_stand_at_the_intensity_that_xla_counts(states):
    machine = states[-1].machine
    assert [name for name, _ in machine.placed] == ["ReLU", "GEMV", "small GEMM", "large GEMM", "layer norm", "softmax"]
    for operation, (_, placed) in zip(machine.operations, machine.placed, strict=True):
        assert placed.intensity == operation.xla_flops / operation.xla_bytes
        assert placed.flops_per_s == pytest.approx(operation.xla_flops / operation.timing.seconds)
        assert operation.timing.low <= operation.timing.seconds <= operation.timing.high


def test_the_model_and_xla_agree_on_products_and_relu(states):
    for operation in states[-1].machine.operations:
        if operation.name not in ("layer norm", "softmax"):
            assert operation.xla_flops == pytest.approx(operation.work.flops, rel=0.01)
            assert operation.xla_bytes == pytest.approx(operation.work.bytes_moved("fp32"), rel=0.01)


def test_the_largest_cache_is_read_from_the_operating_system_or_unknown():
    size = measure.cache_bytes()
    assert size is None or size > 2**14
