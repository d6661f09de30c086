"""Cycles worked by hand, and causes of stalls."""

import numpy as np
import pytest
from launched import PRODUCT, SUM, ran

from accelerator_lib import kernels
from accelerator_lib.kernels import chips

SM = chips.of("a100-80gb-sxm")
LINE = 128 / SM.l2_bytes  # cycles in which 128 bytes come from the L2


def cycles(source, blocks=1, threads=32, **arguments):
    return ran(source, blocks, threads, **arguments).timed.cycles


def test_an_instruction_that_waits_for_the_one_before_begins_four_cycles_later():
    assert SM.alu_issue == 2 and SM.alu_latency == 4
    assert cycles("x = 1") == 2 and cycles("x = lane\ny = lane") == 4
    assert cycles("x = lane + 1\ny = x + 1") == 6 and cycles("x = lane + 1\ny = x + 1\nz = y + 1") == 10
    assert cycles("x = lane + 1\nz = lane + 2\ny = x + 1") == 6


def test_a_product_in_a_sum_is_one_instruction():
    assert cycles("x = lane * 3 + 1") == 2 and cycles("x = 1 + lane * lane") == 2 and cycles("x = lane * 3 - lane") == 2
    assert cycles("x = (lane + 1) * 3") == 6 and ran("x = lane * 2 + lane * 3").counted.instructions == 2


def test_a_load_takes_its_sectors_and_its_latency():
    from_dram = 128 / SM.dram_bytes + SM.dram_latency
    assert cycles("x = a[lane] + 1.0", a=np.zeros(32)) == pytest.approx(from_dram + 2)
    again = cycles("x = a[lane] + 1.0\nif x < 5.0:\n    y = a[lane] + 1.0", a=np.zeros(32))
    test = from_dram + SM.alu_latency
    assert again == pytest.approx(test + 2 + LINE + SM.l2_latency + 2)


def test_two_loads_under_way_wait_together():
    one, two = (
        cycles("x = a[lane] + 1.0", a=np.zeros(32)),
        cycles("x = a[lane] + b[lane]", a=np.zeros(32), b=np.zeros(32)),
    )
    assert two == pytest.approx(2 * 128 / SM.dram_bytes + SM.dram_latency + 2) and two < 1.1 * one


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
    timed = ran(source, 1, 256).timed
    assert (
        timed.stalls["issue slot"] == 4 * (4 + 6) and timed.utilization == 1
    )  # of two warps the one waits two cycles twice, the other three times


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
    assert (
        same > 1024 > spread - 128 * 32 / SM.dram_bytes
        and ran("atomic_add(a, 0, 1.0)", 1, 64, a=np.zeros(1)).counted.atomic_turns == 64
    )


def test_nothing_to_do_takes_a_cycle():
    timed = ran("pass").timed
    assert (timed.cycles, timed.stalled_by, timed.utilization) == (1, None, 0)


def test_waits_and_work_fill_the_time_of_a_lone_warp():
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
