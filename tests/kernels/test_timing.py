"""Cycles: warps under schedulers, the least that a launch takes, the rates of chips."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from launched import PRODUCT, SUM, TRANSPOSE, programs, ran

from accelerator_lib import data, kernels
from accelerator_lib.kernels import chips, timing

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

SM = chips.of("a100-80gb-sxm")
LINE = 128 / SM.l2_bytes  # cycles in which 128 bytes come from the L2


def cycles(source, blocks=1, threads=32, **arguments):
    return ran(source, blocks, threads, **arguments).timed.cycles


def test_an_instruction_that_waits_for_the_one_before_begins_four_cycles_later():
    assert SM.alu_issue == 2 and SM.alu_latency == 4
    assert cycles("x = 1") == 2 and cycles("x = lane\ny = lane") == 4
    assert cycles("x = lane + 1\ny = x + 1") == 6 and cycles("x = lane + 1\ny = x + 1\nz = y + 1") == 10
    assert cycles("x = lane + 1\nz = lane + 2\ny = x + 1") == 6
    assert cycles("x = lane * 3 + 1") == 2 and cycles("x = 1 + lane * lane") == 2 and cycles("x = lane * 3 - lane") == 2
    assert cycles("x = (lane + 1) * 3") == 6 and ran("x = lane * 2 + lane * 3").counted.instructions == 2


def test_a_load_takes_its_sectors_and_its_latency():
    from_dram = 128 / SM.dram_bytes + SM.dram_latency
    assert cycles("x = a[lane] + 1.0", a=np.zeros(32)) == pytest.approx(from_dram + 2)
    again, test = "x = a[lane] + 1.0\nif x < 5.0:\n    y = a[{}lane] + 1.0", from_dram + SM.alu_latency + 2
    assert cycles(again.format(""), a=np.zeros(32)) == pytest.approx(test + SM.l1_latency + 2)
    assert cycles(again.format("32 * "), a=np.zeros(1024)) > test + SM.dram_latency + 2


def test_what_a_block_has_read_is_near_until_its_share_of_the_l1_is_full():
    text = "x = 0.0\nfor r in range(2):\n    for k in range(8):\n        x += a[thread + block_size * k]"
    for pad, brought in (("", 1024), ("s = shared(32768)\n", 1024), ("s = shared(40900)\n", 2048)):
        made = ran(pad + text, 1, 1024, a=np.zeros(8192))
        assert made.issued.brought.clip(0).sum() == brought and made.counted.loads["a"].sectors == 2048
    both = ran("x = a[thread]", 2, 64, a=np.zeros(64)).issued
    assert both.brought.sum() == 2 * 8 and both.new.sum() == 8  # each block brings its own, from the L2


def test_a_store_takes_whole_lines_of_the_path_and_a_load_turns_of_the_l1_by_bank_or_a_quarter_for_each_further_line():
    for stride, turns in ((1, 1), (2, 2), (3, 2), (7, 3), (16, 16), (17, 5), (31, 9), (32, 32), (33, 9)):
        assert ran(f"x = a[{stride} * lane]", a=np.zeros(1056)).bound.parts["shared memory"] == turns
        stored = ran(f"a[{stride} * lane] = 1.0", a=np.zeros(1056)).bound.parts["L2"]
        assert stored == pytest.approx(min(stride, 32) * LINE)


def test_two_loads_under_way_wait_together():
    one = cycles("x = a[lane] + 1.0", a=np.zeros(32))
    two = cycles("x = a[lane] + b[lane]", a=np.zeros(32), b=np.zeros(32))
    assert two == pytest.approx(2 * 128 / SM.dram_bytes + SM.dram_latency + 2, rel=0.01) and two < 1.1 * one


def test_shared_memory_takes_a_turn_a_cycle_and_its_latency():
    free = "s = shared(32, 33)\ns[lane, 0] = 1.0\nx = s[lane, 0] + 1.0"
    # address 0 to 4, store at 4, address of the load 5 to 9, its turn 9 to 10, there 22 cycles later, then the sum
    assert SM.shared_latency == 23 and cycles(free) == 10 - 1 + 23 + 2
    # 32 turns of the store from 4 to 36, of the load to 68
    assert cycles(free.replace("33", "32")) == 68 - 1 + 23 + 2


def test_conflicts_and_shuffles_count_as_waiting_for_shared_memory():
    timed = ran("s = shared(32, 32)\ns[lane, 0] = 1.0\nx = s[lane, 0] + 1.0").timed
    assert timed.stalled_by == "shared memory" and timed.lines[3]["shared memory"] == timed.stalls["shared memory"] > 62
    assert ran("x = shuffle_down(lane, 1)\ny = x + 1").timed.cycles == SM.shared_latency + 2


def test_a_barrier_holds_warps_until_the_last_comes():
    source = "if warp == 1:\n    x = a[lane] + 1.0\n    y = x * x\nbarrier()\nz = 1"
    timed = ran(source, 1, 64, a=np.zeros(32)).timed
    assert timed.stalled_by == "barrier" and timed.lines[4]["barrier"] == timed.stalls["barrier"]
    assert timed.stalls["barrier"] == pytest.approx(timed.stalls["memory"], rel=0.03)


def test_warps_of_one_scheduler_share_its_slots_and_those_of_four_do_not():
    source = "x = lane + 1\ny = lane + 2\nz = lane + 3"
    assert [cycles(source, 1, 32 * warps) for warps in (1, 4, 5, 8, 12)] == [6, 6, 12, 12, 18]
    timed = ran(source, 1, 256).timed  # of two warps the one waits two cycles twice, the other three times
    assert timed.stalls["issue slot"] == 4 * (4 + 6) and timed.utilization == 1


def test_more_warps_hide_the_latency():
    source = "i = block * block_size + thread\nout[i] = a[i]"
    size = 4096
    one = [cycles(source, size // threads, threads, a=np.zeros(size), out=np.zeros(size)) for threads in (128,)]
    made = kernels.run(source, {"a": np.zeros(size), "out": np.zeros(size)}, blocks=32, threads=128, registers=255)
    assert made.occupancy.blocks == 2 and made.timed.resident == 2
    assert made.timed.cycles > 2 * one[0] and made.counted.instructions == 32 * 4 * 3


def test_atomics_to_one_place_queue():
    spread = cycles("atomic_add(a, thread, 1.0)", 1, 1024, a=np.zeros(1024))
    same = cycles("atomic_add(a, 0, 1.0)", 1, 1024, a=np.zeros(1024))
    assert same == 64 * spread == pytest.approx(1024 * SM.sms * timing.SLICE_TURN)
    assert ran("atomic_add(a, 0, 1.0)", 1, 64, a=np.zeros(1)).counted.atomic_turns == 64


def test_waits_and_work_fill_the_time_of_a_lone_warp_and_nothing_takes_a_cycle():
    timed = ran("pass").timed
    assert (timed.cycles, timed.stalled_by, timed.utilization) == (1, None, 0)
    made = ran(SUM.replace("out[block] = s[0]", "x = s[0] + 1.0"), 1, 32, a=np.zeros(32))
    counted, timed = made.counted, made.timed
    memory = counted.traffic.accesses + counted.shared_accesses + counted.barriers
    assert timed.cycles == pytest.approx(sum(timed.stalls.values()) + memory + 2 * (counted.instructions - memory))


def test_waits_are_those_of_the_lines_and_shares_are_shares():
    a = np.zeros((16, 16))
    timed = ran(PRODUCT, (2, 2), (8, 8), a=a, b=a, out=a, n=16).timed
    assert sum(sum(row.values()) for row in timed.lines.values()) == pytest.approx(sum(timed.stalls.values()))
    assert set(timed.lines) <= set(range(1, 18)) and set(timed.busy) == {"issue", "L2", "DRAM", "shared memory"}
    assert all(0 < share <= 1 for share in timed.busy.values()) and timed.resident == 4


@settings(max_examples=60)
@given(programs(), st.integers(1, 4), *map(st.sampled_from, ([20, 32, 128], chips.KNOWN, [32, 255])))
def test_no_run_beats_its_bound(source, blocks, threads, chip, registers):
    n = blocks * threads
    given = {"a": np.arange(n) % 50, "out": np.zeros(n, int), "n": n}
    made = kernels.run(source, given, blocks=blocks, threads=threads, chip=chip, registers=registers)
    assert made.timed.cycles >= made.bound.cycles - 1e-6 and made.bound.cycles > 0


@pytest.mark.parametrize("blocks", [1, 4, 40])
def test_nor_do_kernels_with_barriers_shared_memory_and_atomics(blocks):
    made = ran(SUM, blocks, 64, a=np.zeros(64 * blocks), out=np.zeros(blocks))
    assert made.bound.cycles <= made.timed.cycles < 4 * made.bound.cycles
    source = "s = shared(64, int)\ns[thread] = 0\nbarrier()\natomic_add(s, a[thread], 1)\nbarrier()\natomic_add(out, s[thread], 1)"
    made = ran(source, blocks, 64, a=np.arange(64) // 4, out=np.zeros(65, int))
    assert made.bound.cycles <= made.timed.cycles


@pytest.mark.parametrize("width", [16, 17])
def test_nor_do_tiles(width):
    a = np.zeros((64, 64))
    made = ran(TRANSPOSE.replace("WIDTH", str(width)), (4, 4), (16, 16), a=a, out=a, n=64)
    assert made.bound.cycles <= made.timed.cycles
    made = ran(PRODUCT, (8, 8), (8, 8), a=a, b=a, out=a, n=64)
    assert made.bound.cycles <= made.timed.cycles < 1.5 * made.bound.cycles


def test_each_part_is_a_closed_form_of_the_counts():
    made = ran("x = a[thread * 8]\nif x < 1.0:\n    out[thread] = x + 1.0", 1, 256, a=np.zeros(2048), out=np.zeros(256))
    sectors = 8 * 32 + 8 * 4
    parts = made.bound.parts
    assert parts["L2"] == pytest.approx(32 * sectors / SM.l2_bytes)
    assert parts["DRAM"] == pytest.approx(32 * sectors / SM.dram_bytes)
    assert parts["issue"] == 2 * (2 + 1 + 2 + 2 + 1) and (parts["shared memory"], parts["atomics"]) == (8 * 8, 0)
    load = 2 + 2 + 7 + SM.dram_latency + 1024 / SM.dram_bytes  # the address, turns of one bank, then the load
    assert parts["latency"] == pytest.approx(load + SM.alu_latency + SM.alu_latency + 1 - 2 + 2, abs=4)
    assert made.bound.cycles == max(parts.values()) and parts[made.bound.limit] == made.bound.cycles


def test_shared_memory_and_atomics_have_their_parts():
    made = ran(
        "s = shared(32, 32)\ns[lane, 0] = 1.0\nx = shuffle_xor(lane, 1)\natomic_add(a, 0, 1.0)", 2, 32, a=np.zeros(1)
    )
    assert (
        made.bound.parts["shared memory"] == 2 * (32 + 1)
        and made.bound.parts["atomics"] == 2 * 32 * 108 * timing.SLICE_TURN
    )


def test_latency_counts_blocks_that_do_not_fit_at_a_time():
    given = {"a": np.zeros(1024)}
    few = kernels.run("x = a[thread] + 1.0", given, blocks=64, threads=1024, registers=32)
    one = kernels.run("x = a[thread] + 1.0", given, blocks=1, threads=1024, registers=32)
    assert few.occupancy.blocks == 2 and few.bound.parts["latency"] > 10 * one.bound.parts["latency"]


@pytest.mark.parametrize("source", TABLE["a_lone_warp_takes_its_latency"])
def test_a_lone_warp_takes_its_latency(source):
    """With nobody to wait for, the latency is not a bound but the time itself."""
    made = ran(source, a=np.zeros(32))
    assert made.bound.parts["latency"] == pytest.approx(made.timed.cycles)


@given(st.integers(0, 10**9))
def test_a_floor_is_bytes_over_bytes_a_cycle(bytes_moved):
    assert kernels.least_cycles(bytes_moved) == pytest.approx(bytes_moved / SM.dram_bytes)


def test_chips_are_as_published():
    sm = chips.of("a100-80gb-sxm")
    assert (sm.name, sm.arch, sm.schedulers, sm.alu_issue) == ("NVIDIA A100 80GB SXM4", "sm80", 4, 2)
    assert (sm.alu_latency, sm.shared_latency, sm.l2_latency, sm.dram_latency) == (4, 23, 206, 553)
    assert sm.l2_bytes == pytest.approx(5120 / 108, rel=1e-3)
    assert sm.dram_bytes == pytest.approx(2.039e12 / 1.41e9 / 108)
    sm = chips.of("h100-sxm5")
    assert (sm.alu_issue, sm.schedulers, sm.clock_hz) == (1, 4, 1.83e9)
    assert sm.dram_bytes == pytest.approx(3.35e12 / 1.83e9 / 132)


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
