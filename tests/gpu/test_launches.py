"""Launches: what fits on an SM, waves of tiles, the tile that a library takes, published products."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course import views
from accelerator_lib import data, gpu, hardware
from accelerator_lib.gpu import arch, library, sm
from accelerator_lib.hardware import chip
from accelerator_lib.memory import levels
from accelerator_lib.workload import Gemm


def test_limits_of_an_sm():
    assert (arch.WARP_LANES, arch.MOST_THREADS, arch.MOST_REGISTERS, arch.MOST_WARPS) == (32, 1024, 255, 64)
    assert (arch.SECTOR_BYTES, arch.BANKS, arch.BANK_BYTES, arch.MOST_LOAD_BYTES) == (32, 32, 4, 16)
    assert {record["registers"] * arch.REGISTER_BYTES for record in arch.LIMITS.values()} == {256 * 1024}
    assert arch.limits("sm90")["shared_kib"] == 228 > arch.limits("sm80")["shared_kib"] == 164


ARCHS = list(arch.LIMITS)


def resident(arch, threads, registers, shared):
    """Blocks put on an SM one by one, warps into sub-partitions one by one, until something has no room: no division."""
    limit, blocks = gpu.limits(arch), 0
    warps_free, blocks_free = limit["max_warps"], limit["max_blocks"]
    files = [limit["registers"] // limit["sub_partitions"]] * limit["sub_partitions"]
    shared_free, warps = limit["shared_kib"] * 1024, len(range(0, threads, 32))
    warp_registers = len(range(0, registers * 32, limit["reg_alloc_unit"])) * limit["reg_alloc_unit"]
    unit = limit["shared_alloc_bytes"]
    block_shared = len(range(0, shared + limit["reserved_bytes"], unit)) * unit
    while True:
        blocks_free, warps_free, shared_free = blocks_free - 1, warps_free - warps, shared_free - block_shared
        for _ in range(warps):
            fullest = max(range(len(files)), key=files.__getitem__)
            files[fullest] -= warp_registers
        if min(blocks_free, warps_free, shared_free, *files) < 0:
            return blocks
        blocks += 1


@given(st.sampled_from(ARCHS), st.integers(1, 1024), st.integers(16, 255), st.integers(0, 64 * 1024))
def test_occupancy_is_that_of_filling_an_sm_block_by_block(arch, threads, registers, shared):
    found = gpu.occupancy(arch, threads, registers, shared)
    assert found.blocks == resident(arch, threads, registers, shared)
    assert found.warps == found.blocks * -(-threads // 32) and 0 <= found.fraction <= 1
    assert found.limiters and all(found.allowed[name] == found.blocks for name in found.limiters)
    assert all(found.blocks * found.needs[name] <= found.room[name] for name in found.needs)


@pytest.mark.parametrize(
    ("launch", "fraction", "limiters"),
    [
        (("sm80", 256, 48, 0), 0.625, ["registers"]),
        (("sm80", 32, 32, 0), 0.5, ["blocks"]),
        (("sm80", 256, 255, 0), 0.125, ["registers"]),
        (("sm80", 128, 96, 48 * 1024), 0.1875, ["shared"]),
        (("sm89", 1024, 32, 0), 32 / 48, ["warps"]),
        (("sm90", 1024, 32, 0), 1.0, ["warps", "registers"]),
        (("sm100", 128, 64, 100 * 1024), 0.125, ["shared"]),
        (("sm120", 256, 32, 0), 1.0, ["warps"]),
    ],
)
def test_launches_worked_by_hand(launch, fraction, limiters):
    found = gpu.occupancy(*launch)
    assert found.fraction == pytest.approx(fraction) and found.limiters == limiters
    assert found.name == gpu.limits(launch[0])["name"]


def test_blocks_of_an_sm_by_hand():
    allowed = gpu.occupancy("sm80", 128, 96, 48 * 1024).allowed
    found = {name: int(blocks) for name, blocks in allowed.items()}
    assert found == {"warps": 16, "blocks": 32, "registers": 5, "shared": 3}
    assert gpu.occupancy("sm80", 1024, 255).blocks == 0
    # A V100 reserves none of it for the system.
    assert gpu.occupancy("sm70", 32, 16, 0).allowed["shared"] > 1000
    found = gpu.occupancy("sm80", 256, 48, 164 * 1024)
    assert found.blocks == 0 and found.limiters == ["shared"]
    assert gpu.occupancy("sm80", 256, 48, 163 * 1024).blocks == gpu.occupancy("sm90", 256, 48, 164 * 1024).blocks == 1


@given(st.integers(1, 3000), st.integers(1, 3000), st.sampled_from([64, 128, 256]), st.integers(1, 200))
def test_waves_are_counted_by_dealing_out_tiles(m, n, tile, sms):
    tiles = [(i, j) for i in range(0, m, tile) for j in range(0, n, tile)]
    rounds = [tiles[start : start + sms] for start in range(0, len(tiles), sms)]
    found = gpu.waves(m, n, tile, tile, sms)
    assert (found.tiles, found.waves) == (len(tiles), len(rounds))
    assert found.efficiency == pytest.approx(m * n / (len(rounds) * sms * tile * tile))


@given(st.sampled_from(list(sm.CHIPS)), st.integers(1, 5000), st.integers(1, 1024), st.integers(16, 128))
def test_a_grid_passes_in_waves_of_all_the_places(chip, blocks, threads, registers):
    made = gpu.launch(chip, blocks, threads, registers)
    places = sm.chip(chip).units * gpu.occupancy(sm.CHIPS[chip], threads, registers).blocks
    if not places:
        assert (made.waves, made.share, made.in_wave) == (0, 0, ())
        return
    waves = [range(blocks)[start : start + places] for start in range(0, blocks, places)]
    assert made.in_wave == tuple(map(len, waves)) and made.share == pytest.approx(blocks / (len(waves) * places))


def test_waves_by_hand():
    sizes = [128, 1408, 1472, 2304, 8192]
    shares = [round(gpu.waves(size, size).efficiency, 3) for size in sizes]
    assert shares == pytest.approx([0.0076, 0.917, 0.501, 0.818, 0.97], abs=0.003)
    assert gpu.waves(np.array(sizes), np.array(sizes)).efficiency == pytest.approx(shares, abs=0.001)
    assert gpu.waves(108 * 128, 128, sms=108).efficiency == pytest.approx(1)
    assert gpu.waves(109 * 128, 128, sms=108).efficiency == pytest.approx(109 / 216)
    many, few = (gpu.launch("a100-80gb-sxm", 600, 256, registers) for registers in (48, 40))
    assert (many.in_wave, many.limit) == ((540, 60), "registers") and few.in_wave == (600,)
    assert gpu.launch("a100-80gb-sxm", 600, 256, 40, 60 * 1024).limit == "shared memory"
    none = gpu.launch("a100-80gb-sxm", 600, 256, 40, 200 * 1024)  # and a KiB of the system's
    (used,) = [layer for layer in views.gpu.Residents().marks(none) if layer.name == "used"]
    assert "201 of 164 KiB: does not fit" in [*used.columns["text"]]


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


def test_products_of_a_library_by_hand():
    assert library.take(Gemm(8192, 8192, 8192), 128).share == 1
    large = library.take(Gemm(8192, 8192, 8192), 128)
    assert large.tile_m * large.tile_n == 128 * 256
    assert library.take(Gemm(64, 2112, 7168), 132).tile_n < 128
    timed = library.time(Gemm(1024, 1024, 1024), 312e12, 2e12, 108, "fp16", "fp16", launch_seconds=3e-6)
    assert (timed.taken.waves, timed.taken.share) == (1, pytest.approx(64 / 108))  # 64 tiles of 128 x 128
    assert timed.waves_seconds == pytest.approx(2 * 1024**3 / 312e12 / (64 / 108))
    assert timed.reads_seconds == pytest.approx(2 * 1024**2 * 2 / 2e12)
    assert timed.writes_seconds == pytest.approx(1024**2 * 2 / 2e12)
    assert timed.seconds == pytest.approx(3e-6 + timed.waves_seconds + timed.writes_seconds)
    assert timed.limit == "arithmetic"
    short, long = (library.time(Gemm(4096, 32768, k), 1979e12, 3.35e12, 132, "fp8") for k in (512, 16384))
    assert short.limit == "memory bandwidth" and long.limit == "arithmetic"
    assert short.writes_seconds / short.seconds > 0.4 > 0.1 > long.writes_seconds / long.seconds


def test_every_peak_whose_clock_is_known_is_rebuilt_and_the_others_say_why_not():
    for id, record in sm.RECORDS.items():
        assert (
            record["note"]
            if sm.rebuilt(id) is None
            else sm.rebuilt(id) == pytest.approx(sm.chip(id).peak("fp16"), rel=0.015)
        )
    assert {id for id in sm.RECORDS if sm.rebuilt(id) is None} == {"b100", "b200", "gb200", "b300", "gb300"}


def test_tables_of_gpus_agree():
    for id in ("v100-sxm2-32gb", "a100-80gb-sxm", "rtx-4090"):  # H100 quotes its fp32 peak at another clock
        one = chip(id)
        lanes = one.peak("fp32", "vector") / (2 * one.clock_hz * one.units)
        assert lanes == pytest.approx(gpu.limits(sm.CHIPS[id])["cuda_cores"], rel=0.01)
    for id in sm.CHIPS:
        assert None not in (sm.chip(id).units, sm.chip(id).clock_hz, sm.chip(id).bytes_per_s), id
    table = data.load("gpus")
    common, archs = table["common"], {entry["id"] for entry in table["sm_limits"]}
    for entry in table["tensor"]:
        assert entry["chip"] in hardware.chips() and (entry.get("arch") in archs or entry["generation"] == "Blackwell")
    for limit in table["sm_limits"]:
        assert limit["max_warps"] * common["warp_lanes"] >= common["max_threads_per_block"]
        assert limit["registers"] >= common["max_registers_per_thread"] * common["warp_lanes"]
    shared = next(level for level in levels.of("a100-80gb-sxm") if level.kind == "shared").parts
    assert (shared["banks"], shared["bank_bytes"]) == (common["shared_banks"], common["bank_bytes"])
