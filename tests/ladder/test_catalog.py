"""Ladder: fourteen rungs, found by name."""

import pytest

from accelerator_course import ladder, syllabus
from accelerator_course.ladder import catalog


def test_there_are_fourteen_and_every_text_is_one_of_them():
    assert list(ladder.rungs()) == [*catalog.MADE, *catalog.TILED, *catalog.ARRAYS] and len(ladder.rungs()) == 14
    assert {path.stem for path in catalog.FOLDER.glob("*.yaml")} == set(ladder.rungs())
    for id, rung in ladder.rungs().items():
        assert rung.id == id and rung.scored in ("cycles", "bytes") and rung.chapter in syllabus.chapters()
        assert rung.machine == ("warp" if id in catalog.MADE else "pallas" if id in catalog.TILED else "array")
        assert set(getattr(rung, "along", ())) <= set(rung.measured) and ladder.rung(id) is rung is ladder.rung(rung)


@pytest.mark.parametrize("id", ["maps", "", None, 7, ["map"], "x" * 1000])
def test_a_rung_that_is_none_is_one_line(id):
    with pytest.raises((ValueError, KeyError, TypeError)) as found:
        ladder.rung(id)
    assert "rung" in str(found.value) and "\n" not in str(found.value) and len(str(found.value)) < 200


def test_a_slip_of_the_finger_is_mended():
    with pytest.raises(KeyError, match="did you mean 'transpose'"):
        ladder.rung("transpos")
