import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import energy, gpu, hardware, inputs, memory, roofline, systolic, tiling, units, workload
from accelerator_lib.energy import chips, instructions
from accelerator_lib.gpu import access, scheduler, simt, sm
from accelerator_lib.memory import hostlink, levels, scratchpad
from accelerator_lib.roofline import losses
from accelerator_lib.systolic import layers, tpu
from accelerator_lib.workload import mixture, networks, profile, strassen, transformer

WEIRD = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(-(10**40), 10**40),
    st.sampled_from(
        [None, True, False, "", "bf16", "fp32", "h100-sxm5", "tpu-v1", "H100", 0, 1, -1, 1e308, 5e-324, 1j]
    ),
    st.sampled_from(
        [workload.Gemm(4, 5, 6), [], [1, 2], ["a"], {}, np.array([1.0, np.nan]), np.array([2, 3]), object()]
    ),
)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), -1, 0, 1e300, 10**400, 1e-300])
def test_a_quantity_outside_every_machine_is_refused_by_name(value):
    with pytest.raises(ValueError, match=r"^bandwidth .*allowed.*B/s"):
        inputs.real("bandwidth", value, unit="B/s")


@pytest.mark.parametrize("value", ["1", None, True, 1j, [], {}, ["a"], object(), np.array(["a"])])
def test_what_is_no_number_is_refused_by_type(value):
    if isinstance(value, list) and not value:
        assert inputs.real("x", value).size == 0
        return
    with pytest.raises(TypeError, match="^x must"):
        inputs.real("x", value)


def test_an_array_is_checked_element_by_element():
    with pytest.raises(ValueError, match="x is not a number"):
        inputs.real("x", np.array([1.0, np.nan]))
    assert inputs.real("x", [1, 2]).dtype == float


def test_whole_numbers_stay_exact_and_halves_are_refused():
    assert inputs.whole("m", 10**11) == 10**11 and isinstance(inputs.whole("m", np.int64(3)), int)
    assert inputs.whole("m", 4.0) == 4
    with pytest.raises(ValueError, match="m must be whole, not 2.5"):
        inputs.whole("m", 2.5)


def test_a_typo_is_answered_with_the_nearest_name():
    with pytest.raises(inputs.UnknownName) as caught:
        inputs.one_of("dtype", "bf61", ["bf16", "fp16"])
    assert str(caught.value) == "dtype 'bf61' is unknown; did you mean 'bf16' or 'fp16'?"
    with pytest.raises(TypeError, match="dtype must be a name such as 'bf16', not int 16"):
        inputs.one_of("dtype", 16, ["bf16"])


def test_only_true_and_false_are_flags():
    assert inputs.flag("overlap", np.bool_(True)) is True
    with pytest.raises(TypeError, match="overlap must be True or False"):
        inputs.flag("overlap", 1)


PUBLIC = {
    roofline.ridge_point: 2,
    roofline.attainable: 3,
    roofline.place: 3,
    roofline.critical_batch: 3,
    roofline.elementwise_seconds: 5,
    roofline.mfu: 4,
    roofline.mbu: 3,
    roofline.amdahl: 2,
    losses.launched_step: 3,
    losses.from_peak: 4,
    losses.layer_time: 4,
    workload.Gemm: 3,
    workload.Conv: 6,
    workload.Elementwise: 4,
    workload.relative_rate: 4,
    workload.train_flops: 2,
    transformer.layer: 3,
    transformer.flops: 4,
    transformer.crossover_tokens: 2,
    networks.stages: 2,
    mixture.experts: 3,
    profile.after: 2,
    strassen.times: 3,
    strassen.crossover: 2,
    memory.operand_bytes_per_s: 5,
    memory.level_bytes_per_s: 3,
    memory.bytes_in_flight: 2,
    memory.transfer_seconds: 3,
    memory.pipelined_seconds: 4,
    memory.timeline: 3,
    memory.tank: 5,
    memory.Cache: 3,
    tiling.gemm_bytes: 4,
    tiling.io_lower_bound_words: 2,
    tiling.chain_bytes: 3,
    tiling.attention_bytes: 5,
    tiling.attention_seconds: 5,
    tiling.budget: 5,
    tiling.staged: 4,
    levels.gap: 5,
    levels.of: 1,
    hostlink.plan: 5,
    hostlink.place_job: 6,
    hostlink.load: 4,
    scratchpad.hit_rates: 3,
    networks.convolutions: 2,
    hardware.chip: 1,
    hardware.chips: 1,
    hardware.peak_from_units: 3,
    hardware.format_bytes: 1,
    systolic.fold_cycles: 3,
    systolic.cycles: 8,
    systolic.traffic: 4,
    tpu.tile: 5,
    tpu.applications: 2,
    layers.pad: 3,
    layers.vector_share: 4,
    gpu.occupancy: 4,
    gpu.waves: 5,
    gpu.warps_to_saturate: 4,
    gpu.launch: 2,
    gpu.sectors: 3,
    gpu.load_efficiency: 3,
    gpu.bank_conflict: 1,
    gpu.simt_cycles: 1,
    gpu.simt_efficiency: 1,
    access.copy_instructions: 2,
    scheduler.utilization: 3,
    scheduler.schedule: 4,
    simt.run: 2,
    sm.anatomy: 1,
    sm.tensor_ratio: 1,
    energy.mac_pj: 3,
    energy.access_pj: 3,
    energy.gemm_joules: 4,
    energy.memory_watts: 3,
    energy.compute_watts: 4,
    energy.dvfs: 2,
    energy.layer: 4,
    energy.dataflow: 5,
    energy.watts: 4,
    energy.gain: 4,
    energy.best_clock: 3,
    energy.capped_clock: 4,
    chips.per_watt: 1,
    chips.sanity: 1,
    energy.battery_hours: 4,
    energy.year: 5,
    instructions.overhead_share: 3,
    gpu.bandwidth_share: 5,
}


def numbers_in(result, depth=0):
    """Every number a result holds or computes, properties included."""
    if isinstance(result, np.ndarray) and result.dtype == object:
        yield from numbers_in([part for part in result.flat if part is not None], depth)  # None: no batch is enough
    elif isinstance(result, (int, float, np.ndarray, np.number)):
        yield result
    elif isinstance(result, (list, tuple)):
        for part in result:
            yield from numbers_in(part, depth)
    elif isinstance(result, dict):
        yield from numbers_in(list(result.values()), depth)
    elif depth < 2 and type(result).__module__.startswith("accelerator_lib"):
        for name in dir(result):
            if not name.startswith("_") and not callable(getattr(result, name)):
                yield from numbers_in(getattr(result, name), depth + 1)


@pytest.mark.parametrize("function", PUBLIC, ids=lambda f: f"{f.__module__}.{f.__name__}")
@settings(max_examples=300)
@given(data=st.data())
def test_any_input_gives_a_finite_answer_or_one_clear_line(function, data):
    good = st.sampled_from([1, 2, 64, 0.5, 1e12, 3.5e9, "h100-sxm5", "bf16", "resnet-50", workload.Gemm(8, 9, 10)])
    arguments = [data.draw(st.one_of(good, WEIRD)) for _ in range(PUBLIC[function])]
    with np.errstate(all="raise", under="ignore"):
        try:
            result = function(*arguments)
            found = list(numbers_in(result))
        except (ValueError, TypeError, KeyError) as error:
            assert "\n" not in str(error) and len(str(error)) > 8
            return
    for number in found:
        assert np.all(np.isfinite(np.asarray(number, dtype=float))), (arguments, number)


@given(st.one_of(st.floats(-1e30, 1e30), st.integers(-(10**30), 10**30)))
def test_every_finite_number_can_be_printed(value):
    for text in (units.si(value, "s"), units.number(value), units.percent(value)):
        assert text and "nan" not in text
