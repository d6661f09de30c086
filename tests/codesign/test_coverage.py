import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import codesign, roofline
from accelerator_lib.codesign import coverage

shares, factors = st.floats(0, 1), st.floats(1, 100)


@given(shares, factors)
def test_with_a_rest_as_before_it_is_amdahls_law(share, speedup):
    assert codesign.covered(share, speedup, 1).gain == pytest.approx(roofline.amdahl(share, speedup))


@given(st.floats(0, 0.99), factors, factors)
def test_at_the_break_even_fallback_nothing_is_gained(share, speedup, fallback):
    here = codesign.covered(share, speedup, fallback)
    assert codesign.covered(share, speedup, here.break_even).gain == pytest.approx(1)
    assert (here.gain < 1) == (fallback > here.break_even) or fallback == pytest.approx(here.break_even)


def test_numbers_by_hand():
    assert codesign.covered(0.98, 10, 50).gain == pytest.approx(1 / (0.098 + 1.0))
    assert codesign.covered(0.98).break_even == pytest.approx((1 - 0.098) / 0.02)
    assert codesign.covered(1, 10, 50).break_even is None and codesign.covered(1, 10, 50).gain == 10


@pytest.mark.parametrize("name", coverage.JOBS)
def test_kinds_are_shares_of_one_and_a_job_is_its_coverage(name):
    assert sum(coverage.JOBS[name]) == pytest.approx(1)
    for runs, there in coverage.UP_TO.items():
        share = sum(coverage.JOBS[name][:there])
        after = coverage.job(name, runs, 10.0, 5.0)["the new chip"]
        assert sum(after.values()) == pytest.approx(codesign.covered(min(share, 1), 10, 5).time)


@pytest.mark.parametrize("name", coverage.JOBS)
@pytest.mark.parametrize("kind", coverage.ORDERS)
def test_months_of_software_step_by_step(name, kind):
    order, done, covered = coverage.order(name, kind), 0.0, set()
    assert sorted(order) == [0, 1, 2, 3]
    for i in order:
        done += coverage.MONTHS[i]
        covered.add(i)
        share = sum(coverage.JOBS[name][j] for j in covered)
        here = codesign.covered(min(share, 1), 10, 5).gain
        assert coverage.enabled(name, kind, done) == pytest.approx(here)
        assert coverage.enabled(name, kind, done - 0.01) < here
    line = coverage.enabled(name, kind, np.arange(15.0))
    assert line[0] == pytest.approx(1 / 5) and line[-1] == pytest.approx(10) and (np.diff(line) >= -1e-12).all()


def test_no_order_is_best_for_ever_and_all_end_alike():
    ends = {coverage.enabled("neural rendering", kind, 12.0) for kind in coverage.ORDERS}
    assert max(ends) == pytest.approx(min(ends))
    early = {kind: coverage.enabled("neural rendering", kind, 3.0) for kind in coverage.ORDERS}
    late = {kind: coverage.enabled("neural rendering", kind, 9.0) for kind in coverage.ORDERS}
    assert max(early, key=early.get) != max(late, key=late.get)


@pytest.mark.parametrize("bad", [(-0.1, 10, 1), (1.1, 10, 1), (0.5, 0, 1), (0.5, 10, float("nan"))])
def test_what_is_no_share_and_no_factor_is_refused(bad):
    with pytest.raises(ValueError):
        codesign.covered(*bad)
