from dataclasses import replace
from math import inf

import numpy as np
import pytest

from accelerator_lib.codesign import autotune, kernels


def made(building):
    while True:
        try:
            next(building)
        except StopIteration as end:
            return end.value


@pytest.fixture(autouse=True)
def brief(monkeypatch):
    monkeypatch.setenv("ACCELERATOR_COURSE_SHORT", "1")


@pytest.mark.parametrize("name", kernels.NAMES)
def test_small_and_large_blocks_give_what_numpy_gives(name):
    kernel = kernels.kernel(name)
    for choice in (kernel.configurations[0], kernel.configurations[7], kernel.configurations[-1]):
        built = made(kernel.build(choice))
        assert built.right() and built.compile_seconds > 0


@pytest.mark.parametrize("short", [True, False])
@pytest.mark.parametrize("name", kernels.NAMES)
def test_every_block_divides_the_largest_which_is_the_whole(name, short, monkeypatch):
    monkeypatch.setenv("ACCELERATOR_COURSE_SHORT", "1" if short else "")
    kernel = kernels.kernel(name)
    for sizes in (kernel.rows, kernel.cols):
        assert all(max(sizes) % size == 0 for size in sizes) and sorted(set(sizes)) == list(sizes)


@pytest.mark.parametrize(("rows", "cols"), [(4, 8), (8, 4), (16, 16)])
def test_the_functions_themselves(rows, cols):
    q, k, v = np.random.default_rng(1).standard_normal((3, 16, 64)).astype(np.float32)
    scores = np.exp(q @ k.T / 8)
    wanted = scores / scores.sum(1, keepdims=True) @ v
    assert np.allclose(kernels.blocked_attention(q, k, v, rows, cols), wanted, atol=1e-5)
    a, b = np.random.default_rng(2).standard_normal((2, 16, 16)).astype(np.float32)
    assert np.allclose(kernels.tiled_product(a, b, rows, cols), a @ b, atol=1e-4)


def test_a_wrong_result_is_noticed():
    kernel = kernels.Kernel(
        "off", ("", ""), (1,), (1,), kernels._builder(lambda a, r, c: a + 1, (np.ones(3),), np.ones(3))
    )
    assert not made(kernel.build((1, 1))).right()


def test_what_has_been_compiled_is_kept():
    kernel = kernels.kernel("product")
    assert made(kernel.build((8, 8))) is made(kernel.build((8, 8)))
    assert kernels.kernel("product") is kernel and kernel.most_seconds == kernels.BRIEF


def test_tuning_a_real_kernel_ends_with_a_choice_that_is_right():
    kernel = replace(kernels.kernel("product"), rows=(64, 128), cols=(128,), most_seconds=inf)
    states = list(autotune.watch(kernel, "halving", 60, 3))
    end = states[-1]
    assert states[0].doing == "" and end.doing == "done" and end.best in end.times and not end.wrong
    assert all(seconds > 0 for times in end.times.values() for seconds in times)
    assert sorted(map(len, end.times.values())) == [1, 1] and len(end.out) == 1


def test_timed_is_at_least_what_a_call_waits():
    import time

    assert kernels.timed(lambda: time.sleep(0.02)) >= 0.02


def test_an_unknown_kernel():
    with pytest.raises(KeyError, match="did you mean 'product'"):
        kernels.kernel("produkt")
