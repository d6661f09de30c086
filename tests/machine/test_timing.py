import jax.numpy as jnp
import pytest

from accelerator_lib.machine import timing
from accelerator_lib.workload import Gemm


def test_a_product_is_timed_and_counted():
    cost, measured = timing.run(lambda a, b: a @ b, jnp.ones((64, 32)), jnp.ones((32, 16)))
    assert cost["flops"] == pytest.approx(Gemm(64, 16, 32).flops, rel=0.01)
    assert 0 < measured.low <= measured.seconds <= measured.high and measured.repeats >= 3


def test_in_place_every_run_takes_what_the_last_one_left():
    """The first argument is given away: without taking the result over, the second run would find it deleted."""
    given = jnp.ones(1024)
    _, measured = timing.run(lambda a: 2 * a, given, in_place=True)
    assert given.is_deleted() and measured.repeats >= 3


def test_spread_is_the_middle_of_the_repeats_over_the_median():
    assert timing.Timing(seconds=2.0, low=1.5, high=3.0, repeats=9).spread == pytest.approx(0.75)
