"""The machine against NumPy and against Python itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from launched import PRODUCT, SUM, TRANSPOSE, alone, fault, programs, ran

from accelerator_course import ladder
from accelerator_lib import kernels
from accelerator_lib.gpu import simt
from accelerator_lib.kernels import machine


@settings(max_examples=60)
@given(programs(), st.integers(1, 3), st.sampled_from([1, 20, 32, 40, 64]), st.data())
def test_random_kernels_leave_what_python_leaves_thread_by_thread(source, blocks, threads, data):
    n = data.draw(st.integers(1, blocks * threads))
    a = np.array(data.draw(st.lists(st.integers(-40, 40), min_size=n, max_size=n)))
    out = np.arange(n) - 5
    wanted = alone(source, blocks, threads, a=a, out=out, n=n)
    made = ran(source, blocks, threads, a=a, out=out, n=n)
    assert made.arrays["out"].tolist() == wanted["out"]
    assert made.arrays["a"].tolist() == a.tolist() and out.tolist() == (np.arange(n) - 5).tolist()


@pytest.mark.parametrize("name", simt.kernels())
@given(st.lists(st.integers(0, 40), min_size=32, max_size=32))
def test_one_warp_computes_what_the_stepper_of_chapter_5_does(name, data):
    source = simt.kernels()[name]
    *_, last = simt.run(source, data)
    at = "lane if 0 == 0 else 0"
    text = source.replace("a[0]", "data[0]")
    names = [variable for variable in last.values if variable not in ("lane", "a")]
    text = f"a = data[{at}]\n" + text + "".join(f"\nleft[{row}, lane] = {each}" for row, each in enumerate(names))
    made = ran(text, data=np.array(data), left=np.zeros((len(names), 32), int))
    assert made.arrays["left"].tolist() == [last.values[each].tolist() for each in names]


@pytest.mark.parametrize(("blocks", "threads"), [(1, 32), (3, 64), (8, 16)])
def test_a_reduction_is_numpys(blocks, threads):
    a = np.random.default_rng(3).random(blocks * threads).astype(np.float32)
    made = ran(SUM, blocks, threads, a=a, out=np.zeros(blocks, np.float32))
    assert made.arrays["out"] == pytest.approx(a.reshape(blocks, threads).sum(axis=1), rel=1e-5)


@pytest.mark.parametrize("n", [1, 16, 30, 32])
@pytest.mark.parametrize("width", [16, 17])
def test_a_transpose_through_shared_memory_is_numpys(n, width):
    a = np.arange(n * n, dtype=np.float32).reshape(n, n)
    blocks = -(-n // 16)
    source = TRANSPOSE.replace("WIDTH", str(width))
    made = ran(source, (blocks, blocks), (16, 16), a=a, out=np.zeros((n, n), np.float32), n=n)
    assert np.array_equal(made.arrays["out"], a.T)


def test_a_tiled_product_is_numpys():
    a, b = np.random.default_rng(1).random((2, 24, 24), np.float32)
    made = ran(PRODUCT, (3, 3), (8, 8), a=a, b=b, out=np.zeros((24, 24), np.float32), n=24)
    assert made.arrays["out"] == pytest.approx(a @ b, rel=1e-5)
    assert made.arrays["out"].dtype == np.float32


@given(st.lists(st.integers(0, 9), min_size=1, max_size=200))
def test_a_histogram_is_numpys_and_each_thread_gets_a_place_of_its_own(data):
    source = "i = block * block_size + thread\nif i < n:\n    out[i] = atomic_add(bins, x[i], 1)"
    given = {"x": np.array(data), "bins": np.zeros(10, int), "out": np.zeros(len(data), int), "n": len(data)}
    made = ran(source, -(-len(data) // 64), 64, **given)
    assert made.arrays["bins"].tolist() == np.bincount(data, minlength=10).tolist()
    for value in set(data):
        ranks = made.arrays["out"][np.array(data) == value]
        assert ranks.tolist() == list(range(len(ranks)))


def test_numbers_are_those_of_the_chip_thirty_two_bits_wide():
    made = ran("out[lane] = x + 0.1\nwhole[lane] = lane", x=0.2, out=np.zeros(32), whole=np.zeros(32, np.uint8))
    assert made.arrays["out"].dtype == np.float32 and made.arrays["whole"].dtype == np.int32
    assert made.arrays["out"][0] == np.float32(0.2) + np.float32(0.1)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"arguments": [1]}, "arguments must be a dict"),
        ({"arguments": {"a": "x"}}, "a must be an array or a number"),
        ({"arguments": {"lane": 1}}, "'lane' cannot be a name in a kernel"),
        ({"arguments": {"a b": 1}}, "cannot be a name"),
        ({"arguments": {"a": np.zeros((2, 2, 2))}}, "one or two dimensions"),
        ({"arguments": {"a": np.zeros(0)}}, "one or two dimensions"),
        ({"arguments": {"a": np.array(["x"])}}, "must hold real or whole numbers"),
        ({"arguments": {"a": np.array([2**31])}}, "do not fit into 32 bits"),
        ({"arguments": {"n": 2**31}}, "outside the allowed range"),
        ({"arguments": {"n": float("nan")}}, "no number of 32 bits"),
        ({"arguments": {"a": np.zeros(2**20 + 1)}}, "more than 1,048,576 numbers together"),
        ({"blocks": 0}, "blocks"),
        ({"blocks": (2, 3, 4)}, "a pair"),
        ({"threads": 1025}, "threads"),
        ({"threads": (64, 32)}, "2,048 is more than 1,024"),
        ({"blocks": 1000, "threads": 1000}, "more than 65,536 threads"),
        ({"chip": "toaster"}, "the machine knows v100|the machine knows a100|the machine knows"),
        ({"registers": 255, "threads": 1024}, "no block of 1024 threads"),
    ],
)
def test_what_a_launch_may_not_be_is_one_line(changed, said):
    with pytest.raises((ValueError, TypeError), match=said) as error:
        kernels.run(**{"source": "x = 1", "arguments": {}, **changed})
    assert "\n" not in str(error.value)


def test_a_block_uses_no_more_shared_memory_than_a_chip_has():
    assert fault("s = shared(250, 160)\nx = lane") is None
    found = fault("x = 1\ns = shared(300, 160)\nx = lane")
    assert (found.kind, found.line) == ("budget", 2) and "166,912 bytes" in str(found) and "192,000" in str(found)


def test_the_watched_block_is_one_that_there_is():
    made = kernels.run("out[block] = lane if lane > 40 else 1", {"out": np.zeros(2)}, blocks=2, threads=1, watched=7)
    assert made.watched == 1 and next(iter(ladder.replay(made))).index[0] == 1


@pytest.mark.parametrize("text", [
    "".join(f"z{n} = zeros(256, int)\n" for n in range(14)) + "".join(f"z{n}[lane] = 1\n" for n in range(14)),
    "if thread < 32 and block == 0:\n" + "".join(f"    v{n} = thread\n" for n in range(300)),
])  # fmt: skip
def test_what_all_lanes_keep_is_weighed_before_any_of_it_is_made(text):
    found = fault(text, 256, 256)
    assert found.kind == "budget" and "65,536 lanes" in found.words
    assert fault(text, 1, 32) is None


@pytest.mark.parametrize("error, kind", [(MemoryError, "budget"), (RecursionError, "language")])
def test_where_python_itself_gives_up_there_is_a_line(error, kind, monkeypatch):
    def stopped(*_):
        raise error

    monkeypatch.setattr(machine, "issued", stopped)
    assert fault("x = lane").kind == kind
