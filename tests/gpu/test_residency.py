import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import gpu
from accelerator_lib.gpu import residency

ARCHS = ["sm70", "sm75", "sm80", "sm86", "sm89", "sm90"]


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
    assert gpu.occupancy_fraction(arch, threads, registers, shared) == pytest.approx(found.fraction)


@pytest.mark.parametrize(
    ("launch", "fraction", "limiters"),
    [
        (("sm80", 256, 48, 0), 0.625, ["registers"]),
        (("sm80", 32, 32, 0), 0.5, ["blocks"]),
        (("sm80", 256, 255, 0), 0.125, ["registers"]),
        (("sm80", 128, 96, 48 * 1024), 0.1875, ["shared"]),
        (("sm89", 1024, 32, 0), 32 / 48, ["warps"]),
        (("sm90", 1024, 32, 0), 1.0, ["warps", "registers"]),
    ],
)
def test_launches_worked_by_hand(launch, fraction, limiters):
    found = gpu.occupancy(*launch)
    assert found.fraction == pytest.approx(fraction) and found.limiters == limiters
    assert found.name == gpu.limits(launch[0])["name"]


def test_what_each_resource_allows_is_the_smallest_of_four_numbers():
    allowed = residency.blocks_allowed("sm80", 128, 96, 48 * 1024)
    assert {name: int(blocks) for name, blocks in allowed.items()} == {
        "warps": 16, "blocks": 32, "registers": 5, "shared": 3,
    }  # fmt: skip


def test_too_many_registers_for_so_many_threads_is_a_launch_that_fails():
    assert gpu.occupancy("sm80", 1024, 255).blocks == 0
    assert gpu.occupancy_fraction("sm80", 1024, 255) == 0


def test_shared_memory_that_nobody_uses_limits_nothing():
    """A V100 reserves none of it for the system."""
    assert gpu.occupancy("sm70", 32, 16, 0).allowed["shared"] > 1000


def test_a_map_is_its_launches_one_by_one():
    threads, registers = np.meshgrid([32, 256, 1000], [16, 64, 255])
    table = gpu.occupancy_fraction("sm90", threads, registers, 10_000)
    for place in np.ndindex(table.shape):
        one = gpu.occupancy("sm90", int(threads[place]), int(registers[place]), 10_000)
        assert table[place] == pytest.approx(one.fraction)


def test_few_launches_of_a_map_are_full():
    """15 of 960 on an A100: at most 32 registers a thread, and blocks that fill 64 warps."""
    threads, registers = np.meshgrid(np.arange(32, 1025, 32), np.arange(16, 249, 8))
    full = gpu.occupancy_fraction("sm80", threads, registers) == 1
    assert full.sum() == 15 and registers[full].max() == 32
    assert sorted(set(threads[full])) == [64, 128, 256, 512, 1024]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"arch": "sm81"}, "did you mean 'sm80'"),
        ({"threads": 1025}, "threads = 1025 .*outside the allowed range, 1 to 1024"),
        ({"registers": 256}, "registers = 256 .*1 to 255"),
        ({"shared_bytes": 228 * 1024}, "shared_bytes = 233472 .*0 to 232448 bytes a block"),
    ],
)
def test_an_impossible_launch_is_refused_in_one_line(given, line):
    launch = {"arch": "sm80", "threads": 256, "registers": 48, **given}
    for function in (gpu.occupancy, gpu.occupancy_fraction, residency.blocks_allowed):
        with pytest.raises((ValueError, KeyError), match=line):
            function(**launch)


def test_a_block_with_more_shared_memory_than_one_may_have_does_not_start():
    found = gpu.occupancy("sm80", 256, 48, 164 * 1024)
    assert found.blocks == 0 and found.limiters == ["shared"]
    assert gpu.occupancy("sm80", 256, 48, 163 * 1024).blocks == gpu.occupancy("sm90", 256, 48, 164 * 1024).blocks == 1
