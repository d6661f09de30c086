"""What another chip lacks, what becomes of a program there, programs that wait to be asked."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.codesign import moving
from accelerator_lib import codesign, data, roofline
from accelerator_lib.codesign import coverage, porting

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
    found = coverage.better(0.5, 3, 0.8, 1.5)
    assert (found.one, found.other) == (pytest.approx(1.5), pytest.approx(1 / (0.2 + 0.8 / 1.5)))
    assert (found.gain, found.worse, found.better) == (found.one, found.other, "one")
    assert coverage.lines_by_hand(10_000, 0.15, 0.45, 0.01) == pytest.approx(1545)


@pytest.mark.parametrize("program", porting.PROGRAMS)
@pytest.mark.parametrize("target", porting.TARGETS)
def test_a_ledger_counts_every_line_once(program, target):
    found = codesign.ledger(program, target)
    assert found.lines == sum(data.load("codesign")["porting"]["programs"][program])
    assert sum(found.of(fate) for fate in porting.FATES) == found.lines
    assert {part.fate for part in found.parts} <= set(porting.FATES)
    assert 0 < found.kept <= 1


def test_amds_way_keeps_or_renames_at_least_what_others_keep():
    for program in porting.PROGRAMS:
        amd, tpu = (codesign.ledger(program, target) for target in ("an AMD GPU", "a TPU, through XLA"))
        assert amd.of("rewritten") <= tpu.of("rewritten")


def test_a_job_moves_part_by_part_and_ends_at_its_coverage():
    states = list(moving(0.9, 10, 6))
    assert not states[0].begun and states[0].time == pytest.approx(1) and states[-1].ended
    assert states[-1].time == pytest.approx(codesign.covered(0.9, 10, 6).time)
    assert all(a.chip >= b.chip and a.host <= b.host for a, b in pairwise(states))
