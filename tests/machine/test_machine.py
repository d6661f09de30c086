import jax
import jax.numpy as jnp
import numpy as np
import pytest

from accelerator_lib import roofline
from accelerator_lib.machine import kernels, measure, system, timing
from accelerator_lib.machine.progress import Progress
from accelerator_lib.workload import Gemm


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


def shapes_of(make):
    """The function and the shapes of its arrays; nothing is allocated."""
    function, found = None, []

    def arrays():
        nonlocal function
        function, *made = make()
        return made

    found = jax.eval_shape(arrays)
    return function, found


def test_the_arrays_of_a_kernel_hold_at_most_64_megabytes():
    made = [make for make, _ in [*kernels.streams().values(), *kernels.operations(1024).values()]]
    for make in [*made, *(make for make, _ in kernels.products(1024).values())]:
        _, arrays = shapes_of(make)
        assert 0 < sum(4 * array.size for array in arrays) <= kernels.TOTAL_BYTES


def test_a_stream_moves_every_array_once_and_its_result():
    for make, moved in kernels.streams().values():
        function, arrays = shapes_of(make)
        result = jax.eval_shape(function, *arrays)
        assert moved == 4 * (sum(array.size for array in arrays) + result.size)


def test_operations_give_what_their_names_say():
    made = {name: make for name, (make, _) in kernels.operations(64).items()}
    row = jnp.array([[1.0, 2.0, 3.0, 6.0]])
    (relu, _), (norm, _), (softmax, _) = made["ReLU"](), made["layer norm"](), made["softmax"]()
    assert relu(-row).max() == 0 and softmax(row).sum() == pytest.approx(1)
    assert norm(row).mean() == pytest.approx(0, abs=1e-6) and norm(row).var() == pytest.approx(1, rel=1e-3)


def test_the_model_counts_the_product_that_is_run():
    for edge, (make, flops) in kernels.products(64).items():
        function, arrays = shapes_of(make)
        assert jax.eval_shape(function, *arrays).shape == (edge, edge) and flops == 2 * edge**3


def test_only_the_last_report_carries_a_result():
    assert Progress(0.5, "half").result is None
    assert Progress(1.0, "done", 42).result == 42


def reported(folder, *caches):
    for place, (kind, level, size) in enumerate(caches):
        index = folder / f"index{place}"
        index.mkdir()
        for name, text in (("type", kind), ("level", level), ("size", size)):
            (index / name).write_text(f"{text}\n")
    return folder


def test_data_caches_are_read_in_bytes_and_instruction_caches_left_out(tmp_path):
    folder = reported(
        tmp_path, ("Data", 1, "48K"), ("Instruction", 1, "32K"), ("Unified", 2, "2M"), ("Unified", 3, "1G")
    )
    assert system.caches(folder) == {"L1": 48 * 2**10, "L2": 2 * 2**20, "L3": 2**30}
    assert system.cache_bytes(folder) == 2**30


def test_a_cache_without_a_size_is_left_out_and_no_caches_are_unknown(tmp_path):
    folder = reported(tmp_path, ("Data", 1, "32768"))
    (folder / "index9").mkdir()
    assert system.caches(folder) == {"L1": 32768}
    assert system.caches(tmp_path / "nowhere") == {} and system.cache_bytes(tmp_path / "nowhere") is None


def test_the_largest_cache_is_read_from_the_operating_system_or_unknown():
    size = system.cache_bytes()
    assert size is None or size > 2**14


def test_a_product_is_timed_and_counted():
    cost, measured = timing.run(lambda a, b: a @ b, jnp.ones((64, 32)), jnp.ones((32, 16)))
    assert cost["flops"] == pytest.approx(Gemm(64, 16, 32).flops, rel=0.01)
    assert 0 < measured.low <= measured.seconds <= measured.high and measured.repeats >= 3


def test_in_place_every_run_takes_what_the_last_one_left():
    """The first argument is given away: without taking the result over, the second run would find it deleted."""
    given = jnp.ones(1024)
    _, measured = timing.run(lambda a: 2 * a, given, in_place=True)
    assert given.is_deleted() and measured.repeats >= 3


def test_spread_is_the_middle_of_the_repeats_over_the_median():
    assert timing.Timing(seconds=2.0, low=1.5, high=3.0, repeats=9).spread == pytest.approx(0.75)
