import numpy as np
from launched import ran


def test_every_warp_has_its_instructions_in_order_with_what_they_touch():
    made = ran("x = a[2 * lane]\nif warp == 1:\n    y = x + 1.0", 2, 64, a=np.zeros(64))
    record, lines = made.issued, [op.line for op in made.program.ops]
    assert record.ends.tolist() == [3, 7, 10, 14] and (record.warps, record.blocks) == (2, 2)
    assert [lines[op] for op in record.op] == [1, 1, 2, 1, 1, 2, 3] * 2
    assert record.warp.tolist() == [0] * 3 + [1] * 4 + [2] * 3 + [3] * 4
    assert record.sectors.tolist() == [0, 8, 0, 0, 8, 0, 0] * 2 and record.new.tolist() == [0, 8] + [0] * 12
    assert record.asked.tolist() == [0, 128, 0, 0, 128, 0, 0] * 2 and record.lanes.tolist() == [128, 128, 128, 64]


def test_turns_are_those_of_shared_memory():
    record = ran("s = shared(64)\ns[2 * lane] = 1.0\nx = shuffle_up(lane, 1)").issued
    assert record.turns.tolist() == [0, 2, 1] and record.sectors.sum() == 0


def test_a_kernel_without_instructions_issues_none():
    record = ran("pass", 2, 64).issued
    assert record.op.size == 0 and record.ends.tolist() == [0, 0, 0, 0] and record.lanes.size == 0
