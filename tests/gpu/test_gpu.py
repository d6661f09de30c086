from math import gcd

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import gpu, hardware
from accelerator_lib.gpu import access, scheduler, simt, sm
from accelerator_lib.hardware import chip

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
    assert (found.fraction, found.limiters) == (fraction, limiters)


def test_too_many_registers_for_so_many_threads_is_a_launch_that_fails():
    assert gpu.occupancy("sm80", 1024, 255).blocks == 0


def test_a_map_is_its_launches_one_by_one():
    table = gpu.occupancy_map("sm90", [32, 256, 1000], [16, 64, 255], 10_000)
    for i, registers in enumerate([16, 64, 255]):
        for j, threads in enumerate([32, 256, 1000]):
            assert table[i, j] == gpu.occupancy("sm90", threads, registers, 10_000).fraction


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"arch": "sm81"}, "did you mean 'sm80'"),
        ({"threads": 1025}, "threads = 1025 .*outside the allowed range, 1 to 1024"),
        ({"registers": 256}, "registers = 256 .*1 to 255"),
        ({"shared_bytes": 164 * 1024}, "shared_bytes = 167936 .*0 to 166912 bytes a block"),
    ],
)
def test_an_impossible_launch_is_refused_in_one_line(given, line):
    with pytest.raises((ValueError, KeyError), match=line):
        gpu.occupancy(**{"arch": "sm80", **given})


@given(st.integers(1, 3000), st.integers(1, 3000), st.sampled_from([64, 128, 256]), st.integers(1, 200))
def test_waves_are_counted_by_dealing_out_tiles(m, n, tile, sms):
    tiles = [(i, j) for i in range(0, m, tile) for j in range(0, n, tile)]
    rounds = [tiles[start : start + sms] for start in range(0, len(tiles), sms)]
    found = gpu.waves(m, n, tile, tile, sms)
    assert (found.tiles, found.waves) == (len(tiles), len(rounds))
    assert found.efficiency == pytest.approx(m * n / (len(rounds) * sms * tile * tile))


def test_the_saw_tooth_of_the_curriculum():
    shares = [round(gpu.waves(s, s).efficiency, 3) for s in (128, 1408, 1472, 2304, 8192)]
    assert shares == pytest.approx([0.0076, 0.917, 0.501, 0.818, 0.97], abs=0.003)


@given(st.integers(0, 70), st.sampled_from([4, 8, 16]), st.integers(0, 31))
def test_sectors_are_the_distinct_pieces_of_32_bytes(stride, size, offset):
    bytes_read = {offset + lane * stride * size + byte for lane in range(32) for byte in range(size)}
    assert gpu.sectors(stride, size, offset) == len({byte // 32 for byte in bytes_read})
    share = gpu.load_efficiency(stride, size, offset)
    assert share == pytest.approx(len(bytes_read) / (32 * gpu.sectors(stride, size, offset)))


@given(st.integers(1, 1000))
def test_bank_conflicts_of_strides_are_a_greatest_common_divisor(stride):
    assert gpu.bank_conflict(stride) == gcd(stride, 32)


def test_equal_words_are_one_read():
    assert gpu.bank_conflict(0) == 1
    assert access.banks_of(access.touched(lambda lane: lane // 16 * 32)).max() == 2


@pytest.mark.parametrize("name", access.PATTERNS)
def test_every_pattern_of_the_chapter_can_be_touched(name):
    addresses = access.touched(*access.PATTERNS[name])
    assert addresses.shape[0] == 32 and 1 <= len(access.sectors_of(addresses)) <= 32
    assert 0 < access.efficiency_of(addresses) <= 1


def test_an_index_that_is_none_is_refused():
    with pytest.raises(TypeError, match="index must be a function of the lane"):
        access.touched(3)
    with pytest.raises(ValueError, match="index of lane 1 = -1"):
        access.touched(lambda lane: -lane)


@given(st.integers(1, 64), st.integers(1, 60), st.integers(1, 4))
def test_the_scheduler_reaches_what_littles_law_says(warps, latency, loads):
    *_, last = scheduler.schedule(warps, latency, loads, 50 * latency)
    assert last.utilization == pytest.approx(float(scheduler.utilization(warps, latency, loads)), rel=0.03, abs=0.002)


def test_a_warp_waits_its_latency_and_never_has_more_under_way_than_it_may():
    slots = list(scheduler.schedule(3, 10, 2, 100))
    assert all(slot.under_way.max() <= 2 for slot in slots)
    issues = [slot.cycle for slot in slots if slot.doing[0] == scheduler.ISSUED]
    assert all(third - first >= 10 for first, third in zip(issues, issues[2:], strict=False))


def scalar(source, lane, data):
    """One lane on its own, by Python itself."""

    class Data(int):
        def __getitem__(self, place):
            return int(data[place])

    found = {"lane": lane, "a": Data(data[lane])}
    exec(source, {}, found)
    return {name: int(value) for name, value in found.items() if name not in ("lane", "a")}


@pytest.mark.parametrize("name", simt.kernels())
@given(st.lists(st.integers(0, 40), min_size=32, max_size=32))
def test_a_warp_computes_what_each_lane_would_alone(name, data):
    source = simt.kernels()[name]
    *_, last = simt.run(source, data)
    for lane in range(32):
        for variable, value in scalar(source, lane, data).items():
            assert last.values[variable][lane] == value, (variable, lane)


@pytest.mark.parametrize("lanes", [0, 1, 8, 31, 32])
def test_the_stepper_and_the_formula_agree_on_a_branch(lanes):
    steps = list(simt.run(f"if lane < {lanes}:\n    x = 1\n    x = 2\n    x = 3\nelse:\n    x = 4"))
    paths = [(32, 1), (0, 0)], [(lanes, 3), (32 - lanes, 1)]
    assert len(steps) == 1 + simt.simt_cycles(paths[1])
    useful = 32 + lanes * 3 + (32 - lanes)
    assert steps[-1].efficiency == pytest.approx(useful / (32 * len(steps)))
    assert sum(int(step.mask.sum()) for step in steps) == useful


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = ", "line 1: this is not Python"),
        ("x = 1\nimport os", "line 2: this small language has only"),
        ("x = y", "line 1: y has no value yet"),
        ("x = a // (lane - 3)", "line 1: division by zero in lane 3"),
        ("while 1 == 1:\n    x = 1", "more than 2,000 instructions"),
        ("lane = 3", "line 1: lane is given"),
        ("x = a[lane + 1]", "line 1: a has the places 0 to 31"),
        ("x = 1.5", "line 1: this small language has only"),
        ("x = 9999999999\nwhile x > 0:\n    x = x * x", "grows beyond"),
        ("x = a; y = [1]", "line 1: this small language has only"),
    ],
)
def test_what_the_small_language_lacks_is_said_with_its_line(source, line):
    with pytest.raises(ValueError, match=line):
        list(simt.run(source))


def test_a_masked_lane_may_not_divide_by_zero_but_does_no_harm():
    *_, last = simt.run("x = 0\nif lane != 3:\n    x = a // (lane - 3)", list(range(32)))
    assert last.values["x"][3] == 0


def test_paths_that_no_warp_has_are_refused():
    with pytest.raises(ValueError, match="have 40 lanes; a warp has 32"):
        gpu.simt_cycles([(20, 1), (20, 1)])
    with pytest.raises(ValueError, match="no lane takes any"):
        gpu.simt_efficiency([(0, 100)])
    with pytest.raises(TypeError, match="paths must be pairs"):
        gpu.simt_efficiency(3)


def test_every_peak_whose_clock_is_known_is_rebuilt_and_the_others_say_why_not():
    for record, one, built in gpu.tensor_peaks():
        if built is None:
            assert record["note"]
        else:
            assert built == pytest.approx(one.peak("fp16"), rel=0.015), one.id
    assert {one.id for _, one, built in gpu.tensor_peaks() if built is None} == {
        "b100",
        "b200",
        "gb200",
        "b300",
        "gb300",
    }


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


def test_warps_to_saturate_is_littles_law():
    a100 = chip("a100-80gb-sxm")
    wanted = [gpu.warps_to_saturate(a100.bytes_per_s, 400 / 1.41e9, 108, size) for size in (4, 16, 64)]
    assert wanted == [42, 11, 3]
    assert isinstance(gpu.warps_to_saturate(1e12, 1e-6, 100, np.array([4, 8])), np.ndarray)
    assert hardware.chip("a100-80gb-sxm").units == 108
