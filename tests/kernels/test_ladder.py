"""Ladder: fourteen rungs, found by name."""

import pytest

from accelerator_lib import data, kernels
from accelerator_lib.kernels import ladder


def test_there_are_fourteen_and_every_text_is_one_of_them():
    assert list(kernels.rungs()) == [*ladder.MADE, *ladder.TILED, *ladder.ARRAYS] and len(kernels.rungs()) == 14
    assert {path.stem for path in ladder.FOLDER.glob("*.yaml")} == set(kernels.rungs())
    for id, rung in kernels.rungs().items():
        assert rung.id == id and rung.scored in ("cycles", "bytes") and rung.chapter in data.chapters()
        assert rung.machine == ("warp" if id in ladder.MADE else "pallas" if id in ladder.TILED else "array")
        assert set(getattr(rung, "along", ())) <= set(rung.measured) and kernels.rung(id) is rung is kernels.rung(rung)


@pytest.mark.parametrize("id", ["maps", "", None, 7, ["map"], "x" * 1000])
def test_a_rung_that_is_none_is_one_line(id):
    with pytest.raises((ValueError, KeyError, TypeError)) as found:
        kernels.rung(id)
    assert "rung" in str(found.value) and "\n" not in str(found.value) and len(str(found.value)) < 200


def test_a_slip_of_the_finger_is_mended():
    with pytest.raises(KeyError, match="did you mean 'transpose'"):
        kernels.rung("transpos")
