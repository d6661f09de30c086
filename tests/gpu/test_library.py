import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import gpu
from accelerator_lib.gpu import library
from accelerator_lib.workload import Gemm

SIZES = st.integers(1, 20_000)


def best_of(m, n, sms):
    """Every tile tried by hand: the share of the SMs' time that goes into numbers of the product, fully fed."""
    shares = []
    for tile_m in (16, 32, 64, 128, 256):
        for tile_n in (16, 32, 64, 128, 256):
            if tile_m * tile_n <= 128 * 256:
                rounds = -(-(-(-m // tile_m) * -(-n // tile_n)) // sms)
                fed = min(1, (2 / (1 / tile_m + 1 / tile_n)) / 128)
                shares.append(m * n * fed / (rounds * sms * tile_m * tile_n))
    return max(shares)


@given(SIZES, SIZES, st.integers(1, 200))
def test_no_tile_is_done_before_the_one_that_is_taken(m, n, sms):
    taken = library.take(Gemm(m, n, 64), sms)
    assert taken.share == pytest.approx(best_of(m, n, sms))
    assert taken.waves == gpu.waves(m, n, taken.tile_m, taken.tile_n, sms).waves
    assert 0 < taken.share <= 1


def test_a_product_that_fills_its_waves_takes_a_large_tile_and_a_small_one_does_not():
    assert library.take(Gemm(8192, 8192, 8192), 128).share == 1
    assert (
        library.take(Gemm(8192, 8192, 8192), 128).tile_m * library.take(Gemm(8192, 8192, 8192), 128).tile_n == 128 * 256
    )
    assert library.take(Gemm(64, 2112, 7168), 132).tile_n < 128


def test_parts_of_the_time_are_what_they_are_by_hand():
    timed = library.time(Gemm(1024, 1024, 1024), 312e12, 2e12, 108, "fp16", "fp16", launch_seconds=3e-6)
    assert (timed.taken.waves, timed.taken.share) == (1, pytest.approx(64 / 108))  # 64 tiles of 128 x 128
    assert timed.waves_seconds == pytest.approx(2 * 1024**3 / 312e12 / (64 / 108))
    assert timed.reads_seconds == pytest.approx(2 * 1024**2 * 2 / 2e12)
    assert timed.writes_seconds == pytest.approx(1024**2 * 2 / 2e12)
    assert timed.seconds == pytest.approx(3e-6 + timed.waves_seconds + timed.writes_seconds)
    assert timed.limit == "arithmetic"


@given(SIZES, SIZES, SIZES, st.booleans())
def test_hidden_sums_never_cost_more_and_slower_rates_never_less(m, n, k, hidden):
    gemm = Gemm(m, n, k)
    one = library.time(gemm, 1e15, 3e12, hidden=hidden)
    assert library.time(gemm, 1e15, 3e12, hidden=True).seconds <= one.seconds * (1 + 1e-12)
    slower = one.at(0.7, 0.8, 2e-6)
    assert slower.seconds > one.seconds
    assert slower.seconds == pytest.approx(
        library.time(gemm, 0.7e15, 2.4e12, launch_seconds=2e-6, hidden=hidden).seconds
    )
    assert one.seconds >= max(gemm.flops / 1e15, gemm.bytes_moved("bf16") / 3e12 * 0.5)
    assert sum(one.parts.values()) == pytest.approx(one.seconds) and one.limit in one.parts


def test_a_long_reduction_hides_what_a_short_one_shows():
    short, long = (library.time(Gemm(4096, 32768, k), 1979e12, 3.35e12, 132, "fp8") for k in (512, 16384))
    assert short.limit == "memory bandwidth" and long.limit == "arithmetic"
    assert short.writes_seconds / short.seconds > 0.4 > 0.1 > long.writes_seconds / long.seconds


@pytest.mark.parametrize("bad", [{"sms": 0}, {"flops_per_s": -1}, {"bytes_per_s": float("nan")}])
def test_what_is_no_chip_is_said_in_one_line(bad):
    with pytest.raises((ValueError, TypeError)) as error:
        library.time(Gemm(8, 8, 8), **{"flops_per_s": 1e12, "bytes_per_s": 1e12, **bad})
    assert "\n" not in str(error.value)
