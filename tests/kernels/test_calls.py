import numpy as np
import pytest
from launched import fault, ran

LANES = np.arange(32)


def worth(text):
    return ran(f"v = lane * lane\nout[lane] = {text}", out=np.zeros(32, int)).arrays["out"].tolist()


@pytest.mark.parametrize("by", [0, 1, 5, 31])
def test_shuffles_bring_the_value_of_another_lane(by):
    squares = LANES * LANES
    assert worth(f"shuffle_down(v, {by})") == squares[np.where(LANES + by < 32, LANES + by, LANES)].tolist()
    assert worth(f"shuffle_up(v, {by})") == squares[np.where(LANES - by >= 0, LANES - by, LANES)].tolist()
    assert worth(f"shuffle_xor(v, {by})") == squares[LANES ^ by].tolist()
    assert worth(f"shuffle(v, {by})") == [by * by] * 32
    assert worth("shuffle(v, 31 - lane)") == squares[::-1].tolist()


def test_five_shuffles_sum_a_warp():
    source = "v = a[thread]\nfor k in range(5):\n    v += shuffle_down(v, 16 >> k)\nif lane == 0:\n    out[warp] = v"
    a = np.random.default_rng(0).random(96).astype(np.float32)
    made = ran(source, 1, 96, a=a, out=np.zeros(3))
    assert (
        made.arrays["out"] == pytest.approx(a.reshape(3, 32).sum(axis=1), rel=1e-5)
        and made.counted.lines[3].instructions == 3 * 5 * 2
    )


def test_a_shuffle_reads_only_lanes_at_work():
    assert fault("if lane < 8:\n    x = shuffle_xor(lane, 4)") is None
    assert (
        fault("x = shuffle_down(lane, 1)", 1, 40).words
        == "shuffle_down reads a lane that is not at work here, in thread 39 of block 0"
    )
    assert fault("x = shuffle_down(lane, lane - 1)").words == "shuffle_down goes by 0 to 31, in thread 0 of block 0"


def test_an_atomic_takes_two_indices_and_gives_what_was_there():
    made = ran("old = atomic_add(m, (lane % 2, 1), 2)\nout[lane] = old", m=np.ones((2, 3), int), out=np.zeros(32, int))
    assert made.arrays["m"].tolist() == [[1, 33, 1], [1, 33, 1]] and made.arrays["out"].tolist() == [
        1 + 2 * (lane // 2) for lane in range(32)
    ]


def test_registers_hold_an_array_of_each_thread():
    source = "r = zeros(2, 3)\nfor i in range(2):\n    for j in range(3):\n        r[i, j] = 10.0 * lane + 3 * i + j\nr[1, lane % 3] += 100.0\nout[lane] = r[1, 2] + r[0, lane % 3]"
    out = ran(source, out=np.zeros(32)).arrays["out"]
    assert out.tolist() == [10 * lane + 5 + 100 * (lane % 3 == 2) + 10 * lane + lane % 3 for lane in range(32)]
    assert ran("r = zeros(3, int)\nout[lane] = r[lane % 3]", out=np.ones(32)).arrays["out"].tolist() == [0] * 32
    assert fault("r = zeros(3)\nr[lane % 4] = 1.0").words == "thread 3 of block 0 writes r[3], but r ends at r[2]"
    assert fault("r = zeros(3)\nx = r[lane - 1]").words == "thread 0 of block 0 reads r[-1], but r begins at r[0]"


def test_constant_places_of_registers_are_free_and_do_not_wait_for_each_other():
    made = ran("r = zeros(2)\nr[0] = lane + 1.0\nr[1] = lane + 2.0\nx = r[0] + r[1]")
    assert made.counted.instructions == 3 and made.timed.cycles == 2 + 4 + 2
    dynamic = ran("r = zeros(2)\nx = r[lane % 2] + 1.0")
    assert dynamic.counted.instructions == 3
