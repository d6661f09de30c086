"""Stacks of memory along an edge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware, silicon
from accelerator_lib.checks.inputs import UnknownName
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
    assert [hbm.shore("two", pitch).stacks for pitch in (8, 10, 13, 14)] == [12, 8, 8, 4]
    assert two.spare_mm == pytest.approx(6) and hbm.shore().spare_mm == pytest.approx(3)
    assert two.bytes_per_s == silicon.hbm_bytes_per_s(8, 5.2)


def test_the_room_of_a_stack_is_what_the_parts_on_sale_leave_it():
    """Two roads: the area over 26 mm with the places that a part has, and a count of places at the pitch."""
    sold = {part.name: part for part in hbm.shores()}
    assert len(sold) == 6 and all(part.sites == part.places >= part.stacks for part in sold.values())
    most = min(part.at_most_mm for part in sold.values())
    assert hbm.PITCH_MM == int(most) == 10 < most < 11
    assert [silicon.hbm_sites(sold[name].edge_mm, 11) for name in ("A100", "H100")] == [4, 4]  # they have six
    dies = {chip.id: chip.die_mm2 for chip in hardware.chips().values()}
    ids = {"A100": "a100-80gb-sxm", "H100": "h100-sxm5", "H200": "h200-sxm", "TPU v4": "tpu-v4"}
    assert all(sold[name].die_mm2 == dies[id] for name, id in ids.items())


@given(st.sampled_from(("one", "two")), st.floats(5, 33))
def test_no_stack_stands_across_the_joint_and_none_beyond_an_edge(dies, pitch):
    shore = hbm.shore(dies, pitch)
    assert 0 <= shore.spare_mm < pitch + 1e-9 and shore.stacks == 2 * shore.dies * shore.each


def test_bad_input_is_one_clear_line():
    with pytest.raises(ValueError, match="pitch_mm"):
        silicon.hbm_sites(33, 0)
    with pytest.raises(ValueError, match="stacks"):
        silicon.hbm_bytes_per_s(-1, 5)
    with pytest.raises(ValueError, match="gbit_per_pin"):
        silicon.hbm_bytes_per_s(5, float("inf"))
    with pytest.raises(UnknownName, match="one, two"):
        hbm.shore("three")
