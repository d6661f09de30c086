"""Sharded: on one device here, on eight simulated ones in a Python of their own."""

import numpy as np
import pytest

from accelerator_course import league
from accelerator_lib import design
from accelerator_lib.design import explore, sharded
from accelerator_lib.design.grid import AXES
from accelerator_lib.network import devices

EIGHT = 8


def test_eight_devices_find_what_one_does():
    here = explore.search(slices=1, devices=1)
    counts = (1, 3, EIGHT)  # 3: some have more to do than others
    many, found = devices.run(_numbers, counts, devices=EIGHT)
    assert many == EIGHT
    for designs, legal, value, best in found:
        assert (designs, legal) == (here.designs, here.legal)
        assert value == here.value and best == league.token(here.best)


def _numbers(counts):
    import jax

    from accelerator_course import league
    from accelerator_lib.design import sharded

    found = [sharded.search(1, count) for count in counts]
    return len(jax.devices()), [(one.designs, one.legal, one.value, league.token(one.best)) for one in found]


def test_the_best_is_what_the_plain_laws_say_of_it():
    found = explore.search(slices=8, devices=1)
    assert found.designs == 8 * sharded.CLOCKS * 100_800 // len(AXES["clock_hz"]) and found.per_s > 0
    alone = design.score(found.best)
    assert found.value == pytest.approx(alone.value, rel=1e-5) and not design.violations(found.best)
    coarse = explore.grid()
    assert alone.value >= coarse.value.ravel()[coarse.top()] * (1 - 1e-5)  # a finer grid finds no less


def test_slices_cut_the_clocks_and_lose_none():
    clocks = np.linspace(sharded.LOW_HZ, sharded.HIGH_HZ, 3 * sharded.CLOCKS)
    one, three = explore.search(1, 1), explore.search(3, 1)
    assert three.designs == 3 * one.designs and three.value >= one.value
    assert min(abs(clocks - three.best.clock_hz)) < 200


def test_bad_input_is_answered_in_one_line():
    with pytest.raises(ValueError, match="there are .* devices, not 64"):
        explore.search(devices=64)
    with pytest.raises(ValueError, match="slices = 0"):
        explore.search(0)


def test_one_after_another_counts_as_many_as_were_asked():
    assert sharded.one_by_one(3) > 0
    with pytest.raises(ValueError, match="count = 0"):
        sharded.one_by_one(0)
