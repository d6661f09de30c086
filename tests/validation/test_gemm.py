from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import stated

from accelerator_lib import data, gpu
from accelerator_lib.validation import NotAvailable, predict
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.gemm import FREE, estimate, format_of
from accelerator_lib.workload import Gemm

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

START = Constants({name: start for name, (_, start, _) in FREE.items()})
IDEAL = Constants({"share": 1.0, "bandwidth": 1.0, "launch_us": 1e-9})


def row(device="H100 SXM", dtype="fp8", unit="TFLOP/s", workload="matmul", **conditions):
    return stated("gemm", device, workload, "throughput", unit, dtype=dtype, **conditions)


def shaped(m, n, k, **more):
    return row(M=m, N=n, K=k, **more)


def test_a_row_is_what_it_is_by_hand():
    """4096 x 7168 x 16384 on 132 SMs: 32 x 28 tiles of 128 x 256 are 896, 7 waves of 132 hold 924."""
    found = estimate(shaped(4096, 7168, 16384, device="H800 SXM5"), START)
    launch, share, bandwidth = 3e-6, 0.7, 0.85 * 3.35e12
    arithmetic = 2 * 4096 * 7168 * 16384 / (share * 1978.9e12 * 896 / 924)
    writes = 4096 * 7168 * 2 / bandwidth
    assert found.value == pytest.approx(2 * 4096 * 7168 * 16384 / (launch + arithmetic + writes) / 1e12)
    assert found.limit == "arithmetic" and found.bound == pytest.approx(1978.9)


@given(*(st.integers(1, 30_000),) * 3, st.sampled_from(["A100", "H200", "B200", "MI300X", "Gaudi 3", "H800"]))
def test_no_product_is_foretold_faster_than_the_machine(m, n, k, device):
    found = estimate(shaped(m, n, k, device=device, dtype="bf16"), IDEAL)
    assert 0 < found.value <= found.bound * (1 + 1e-9)
    assert estimate(shaped(m, n, k, device=device, dtype="bf16"), START).value < found.value


@pytest.mark.parametrize("name", FREE)
def test_more_of_any_constant_never_slows_a_product_but_a_longer_launch_does(name):
    less, _, more = FREE[name]
    low, high = (
        estimate(shaped(512, 4096, 4096), Constants({**START.values, name: value})).value for value in (less, more)
    )
    assert (low > high) if name == "launch_us" else (low <= high)


def test_groups_are_one_product_with_weights_of_their_own():
    one = estimate(shaped(1024, 4096, 7168), START)
    grouped = estimate(row(groups=16, M_per_group=64, N=4096, K=7168), START)
    assert grouped.value < one.value and grouped.limit == "memory bandwidth"
    assert estimate(row(groups=1, M_per_group=1024, N=4096, K=7168), START) == one


@pytest.mark.parametrize("same", [*TABLE["a_shape_may_be_written_in_several_ways"], {"m": 512, "n": 1024, "k": 2048}])
def test_a_shape_may_be_written_in_several_ways(same):
    assert estimate(row(**same), START) == estimate(shaped(512, 1024, 2048), START)
    assert estimate(row(size=2048), START) == estimate(shaped(2048, 2048, 2048), START)


def test_a_product_in_any_unit_is_the_same_product():
    rate, time = (estimate(shaped(4096, 4096, 4096, unit=unit), START) for unit in ("TFLOP/s", "ms"))
    work = 2 * 4096**3 / 1e9
    assert time.value == pytest.approx(work / rate.value) and time.bound == pytest.approx(work / rate.bound)
    micro = predict(shaped(4096, 4096, 4096, unit="us") | {"metric": "runtime"})
    assert micro.faster_is_less and micro.bound <= micro.low <= micro.value <= micro.high
    whole = estimate(shaped(4096, 4096, 4096, unit="TOP/s", dtype="int8", device="A100"), START)
    assert 0 < whole.value < whole.bound == pytest.approx(624)


@pytest.mark.parametrize(("said", "dtype"), TABLE["formats_are_read_as_sources_write_them"])
def test_formats_are_read_as_sources_write_them(said, dtype):
    assert format_of(row(dtype=said)) == dtype


def test_a_best_shape_needs_none():
    best = predict(row(workload="matmul FP8, best case"))
    assert best.limit == "arithmetic" and best.value < best.bound == pytest.approx(1978.9)
    fraction = predict({**row(workload="rule of thumb", dtype="bf16"), "unit": "1", "metric": "fraction_of_peak"})
    assert fraction.bound == 1


def test_a_lower_power_limit_slows_the_clock_by_its_cube_root():
    full, half, more = (
        estimate(row(workload="best case", power_limit_w=watts), START).value for watts in (700, 350, 1400)
    )
    assert half == pytest.approx(full * 0.5 ** (1 / 3)) and more == full
    assert (
        estimate(shaped(8192, 8192, 8192, power_limit_w=500), START).value
        < estimate(shaped(8192, 8192, 8192), START).value
    )


def test_units_are_those_that_a_row_asks_for():
    tera, giga = (predict({**shaped(4096, 4096, 4096), "unit": unit}).value for unit in ("TFLOP/s", "GFLOP/s"))
    assert giga == pytest.approx(1000 * tera)


def test_narrow_products_take_the_tile_of_the_chapter():
    assert "64 x" in estimate(shaped(64, 7168, 2048), START).why
    assert gpu.library.take(Gemm(64, 7168, 2048), 132).tile_m == 64


@pytest.mark.parametrize("edge", [2.5, 1.4, 8191.999])
def test_half_a_row_is_no_shape(edge):
    with pytest.raises(NotAvailable, match="K must be whole"):
        predict(row(M=64, N=64, K=edge))
    assert predict(row(M=64, N=64, K=64.0)).value == predict(row(M=64, N=64, K=64)).value
