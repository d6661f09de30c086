"""Stacks of memory along an edge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware, silicon
from accelerator_lib.inputs import UnknownName
from accelerator_lib.silicon import hbm


def test_an_h100_from_its_five_stacks():
    assert silicon.hbm_bytes_per_s(5, 5.234) == pytest.approx(hardware.chip("h100-sxm5").bytes_per_s, rel=1e-3)
    assert silicon.hbm_bytes_per_s(0, 5) == 0


@given(st.floats(1, 100), st.floats(5, 20), st.integers(1, 4))
def test_sites_are_those_that_can_be_laid_along_an_edge_one_by_one(edge, pitch, edges):
    laid, at = 0, 0.0
    while at + pitch <= edge:
        laid, at = laid + 1, at + pitch
    assert abs(silicon.hbm_sites(edge, pitch, edges) / edges - laid) <= 1e-9 * edge + (laid * pitch == edge)


def test_six_for_one_die_and_eight_for_two():
    assert silicon.hbm_sites(33) == 6
    assert [hbm.shore(dies).stacks for dies in ("one", "two")] == [6, 8]
    assert [hbm.shore("one", pitch).stacks for pitch in (8, 11, 12, 14)] == [8, 6, 4, 4]
    two = hbm.shore("two")
    assert (two.edge_mm, two.width_mm) == (52, 33)
    assert two.bytes_per_s == silicon.hbm_bytes_per_s(8, 5.2)


def test_bad_input_is_one_clear_line():
    with pytest.raises(ValueError, match="pitch_mm"):
        silicon.hbm_sites(33, 0)
    with pytest.raises(ValueError, match="stacks"):
        silicon.hbm_bytes_per_s(-1, 5)
    with pytest.raises(ValueError, match="gbit_per_pin"):
        silicon.hbm_bytes_per_s(5, float("inf"))
    with pytest.raises(UnknownName, match="one, two"):
        hbm.shore("three")
