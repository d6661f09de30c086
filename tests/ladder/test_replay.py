import numpy as np
import pytest
from launched import ran

from accelerator_course import ladder
from accelerator_course.frames.gpu import by_sector, by_turn
from accelerator_lib import kernels
from accelerator_lib.kernels import frame

SOURCE = "s = shared(32, 32)\nx = a[2 * thread]\ns[lane, warp] = x\nbarrier()\nif lane < 5:\n    atomic_add(b, lane, s[0, warp])"


def test_each_access_of_a_block_is_a_step():
    a = np.arange(128, dtype=np.float32)
    made = kernels.run(SOURCE, {"a": a, "b": np.zeros(5)}, blocks=2, threads=64, watched=1)
    steps = list(ladder.replay(made))
    assert [(s.line, s.warp, s.kind, s.array) for s in steps] == [
        (2, 0, "load", "a"), (2, 1, "load", "a"), (3, 0, "shared store", "s"), (3, 1, "shared store", "s"),
        (4, 0, "barrier", ""), (4, 1, "barrier", ""), (6, 0, "shared load", "s"), (6, 1, "shared load", "s"),
        (6, 0, "atomic", "b"), (6, 1, "atomic", "b"),
    ]  # fmt: skip
    assert [s.number for s in steps] == list(range(1, 11)) and {s.length for s in steps} == {10}
    assert [(s.sectors, s.turns) for s in steps[::2]] == [(8, 0), (0, 32), (0, 0), (0, 1), (1, 0)]
    assert steps[1].index.tolist() == list(range(64, 128, 2)) == steps[1].values.tolist()
    assert steps[8].mask.tolist() == [True] * 5 + [False] * 27 and steps[9].values[:5].tolist() == [64] * 5
    assert steps[4].access is None and steps[0].text == "x = a[2 * thread]"


def test_an_access_can_be_played_on_the_stages_of_chapter_5():
    made = ran(SOURCE, 1, 64, a=np.zeros(128), b=np.zeros(5))
    load, store = (next(s for s in ladder.replay(made) if s.kind == kind) for kind in ("load", "shared store"))
    *_, last = by_sector(load.access)
    assert last.count == 8 == load.sectors
    *_, last = by_turn(store.access)
    assert last.number == 32 == store.turns


def test_an_atomic_in_shared_memory_queues_for_the_same_word():
    made = ran("s = shared(2, int)\nif lane < 2:\n    s[lane] = 0\nbarrier()\natomic_add(s, lane // 16, 1)")
    assert [s.turns for s in ladder.replay(made) if s.kind == "shared atomic"] == [16]


def test_a_replay_keeps_only_so_much():
    made = ran("for k in range(3000):\n    x = a[lane]", a=np.zeros(32))
    assert sum(1 for _ in ladder.replay(made)) == frame.MOST_KEPT


def test_what_has_not_run_cannot_be_replayed():
    with pytest.raises(TypeError, match="made.*a Run"):
        ladder.replay("x = 1")
