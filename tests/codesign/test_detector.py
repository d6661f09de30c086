import pytest

from accelerator_lib import roofline
from accelerator_lib.codesign import detector


def test_the_case():
    assert detector.answer().total_ms == 30
    assert detector.answer(half=True, compiled=True).total_ms == 17.75
    assert detector.answer(True, True, True, True).total_ms == 7.75


def test_only_all_four_reach_ten():
    found = detector.every()
    assert len(found) == len({one.repairs for one in found}) == 16
    assert [one.repairs for one in found if one.in_time] == [detector.REPAIRS]
    assert found[0].total_ms == 7.75 and found[-1].total_ms == 30
    assert min(one.total_ms for one in found if len(one.repairs) == 3) == 11.75


def test_no_repair_alone_gains_more_than_its_share_allows():
    for name, share in (("half", 12 / 30), ("compiled", 8 / 30), ("preprocess", 7 / 30), ("boxes", 5 / 30)):
        gained = detector.answer().total_ms / detector.answer(**{name: True}).total_ms
        assert gained < roofline.amdahl(share, 1e9)


def test_two_repairs_of_the_same_stage_multiply():
    both, one = detector.answer(True, True).stages, detector.answer(half=True).stages
    assert both["element-wise"] == one["element-wise"] / 2 == 0.75


def test_switches_only():
    with pytest.raises(TypeError, match="must be True or False"):
        detector.answer(half=1)
