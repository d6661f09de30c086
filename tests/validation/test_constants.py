import pytest

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import KINDS, constants
from accelerator_lib.validation.door import model_of


def test_a_family_has_its_own_constant_or_the_common_one():
    share = constants.Constants({"share": 0.8, "share.hopper": 0.9})
    assert share("share", "hopper") == 0.9 and share("share", "ampere") == share("share") == 0.8
    assert share.name(("share", "hopper")) == "share.hopper" and share.name(("share", None)) == "share"
    with pytest.raises(TypeError):
        share.values["share"] = 1


def test_what_was_asked_for_is_remembered():
    ask = constants.Listening({"share": 0.8, "share.hopper": 0.9, "launch": 5})
    assert ask("share", "hopper") == 0.9 and ask("launch") == 5
    assert ask.asked == {("share", "hopper"): 0.9, ("launch", None): 5}


def test_a_kind_without_calibration_says_what_to_run(monkeypatch):
    monkeypatch.setattr(data, "load", lambda name: {})
    with pytest.raises(NotAvailable, match="make calibrate"):
        constants.of.__wrapped__("gemm")


@pytest.mark.parametrize("kind", KINDS)
def test_fitted_constants_lie_in_their_ranges_and_are_few(kind):
    fitted, low, high = constants.of(kind)
    free = model_of(kind).FREE
    assert set(free) <= set(fitted.values) and {name.partition(".")[0] for name in fitted.values} <= set(free)
    for name, value in fitted.values.items():
        least, start, most = free[name.partition(".")[0]]
        assert least <= start <= most and least * 0.999 <= value <= most * 1.001, name
        assert "." not in name or name.partition(".")[0] in model_of(kind).BY_FAMILY
    assert 0 < low <= 1 <= high
    assert len(fitted.values) <= 1 + len(data.published(kind)) / 10 or len(fitted.values) <= 2, "too many constants"
