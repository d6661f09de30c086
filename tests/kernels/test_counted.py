import numpy as np
import pytest
from launched import SUM, ran

from accelerator_lib.kernels.counted import LineCount, Traffic


def test_a_guarded_map_is_counted_line_by_line():
    source = "i = block * block_size + thread\nif i < n:\n    out[i] = 2.0 * a[i] + b[0]"
    counted = ran(source, 2, 64, a=np.zeros(100), b=np.zeros(9), out=np.zeros(100), n=100).counted
    assert {line: (row.instructions, row.lanes) for line, row in counted.lines.items()} == {
        1: (4, 128),
        2: (4, 128),
        3: (16, 400),
    }
    assert counted.loads == {"a": Traffic(4, 400, 13), "b": Traffic(4, 16, 4)} and counted.stores == {
        "out": Traffic(4, 400, 13)
    }
    assert (counted.instructions, counted.lanes, counted.efficiency) == (24, 656, 656 / 768)
    assert counted.lines[3].loads == Traffic(8, 416, 17) and counted.lines[3].stores == Traffic(4, 400, 13)
    assert counted.lines[3].efficiency == 400 / 512 and counted.lines[2].loads == Traffic()
    assert counted.asked_bytes == 816 and counted.global_bytes == 30 * 32 and counted.dram_bytes == 27 * 32
    assert counted.traffic.excess == 960 / 816 and counted.traffic.efficiency == 816 / 960
    assert (counted.occupancy.name, counted.occupancy.warps) == ("A100 (8.0)", 64)
    assert counted.lines[3].text == "out[i] = 2.0 * a[i] + b[0]"


def test_a_reduction_has_its_barriers_and_half_its_lanes():
    counted = ran(SUM, 3, 64, a=np.zeros(192), out=np.zeros(3)).counted
    assert counted.barriers == 3 * 2 * 7 and counted.lines[8].barriers == 0 and counted.lines[9].barriers == 36
    assert counted.lines[8].lanes == 3 * 5 * 63 and counted.lines[8].instructions == 3 * 5 * 6
    assert counted.shared_accesses == 3 * (2 + 3 * 6 + 1) and counted.conflicts == 0 == counted.atomics


def test_atomics_are_stores_and_turns():
    counted = ran(
        "s = shared(2, int)\nif lane < 2:\n    s[lane] = 0\nbarrier()\natomic_add(s, lane % 2, 1)\natomic_add(a, lane // 8, 1)",
        a=np.zeros(4, int),
    ).counted
    assert counted.stores == {"a": Traffic(1, 16, 1)} and (counted.atomics, counted.atomic_turns) == (2, 16 + 8)
    assert (
        counted.lines[5].shared_turns == 16 and counted.lines[5].conflicts == 15 and counted.lines[6].shared_turns == 0
    )


def test_nothing_has_no_share():
    nothing = ran("pass").counted
    assert nothing.instructions == 0 and nothing.efficiency is None and nothing.lines == {} and nothing.dram_bytes == 0
    assert Traffic().efficiency is None and Traffic().excess is None and nothing.traffic == Traffic()
    assert Traffic(1, 2, 3) + Traffic(10, 20, 30) == Traffic(11, 22, 33) and Traffic(1, 64, 4).brought_bytes == 128


def test_records_are_frozen():
    counted = ran("x = 1").counted
    with pytest.raises(AttributeError):
        counted.dram_bytes = 3
    assert isinstance(counted.lines[1], LineCount) and counted.lines[1].instructions == 1
