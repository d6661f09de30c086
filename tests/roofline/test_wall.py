import pytest

from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.roofline import wall

LINE = ("v100-sxm2-32gb", "a100-80gb-sxm", "h100-sxm5", "h200-sxm", "b200")


def test_the_ridge_of_five_chips_rises_falls_and_rises_again():
    found = wall.generations(LINE)
    assert [round(one.ridge) for one in found] == [139, 153, 295, 206, 281]
    assert [one.rises for one in found] == [False, True, True, False, True]
    assert [one.ridge_before for one in found] == [None, *[one.ridge for one in found[:-1]]]


def test_growth_is_counted_from_the_first_chip():
    first, second, *_ = wall.generations(["a100-80gb-sxm", "h100-sxm5"])
    assert (first.peak_growth, first.bandwidth_growth) == (1, 1)
    assert second.peak_growth == pytest.approx(989.4 / 312) and second.bandwidth_growth == pytest.approx(3350 / 2039)
    assert second.ridge / first.ridge == pytest.approx(second.peak_growth / second.bandwidth_growth)


def test_a_chip_that_is_not_listed_or_lacks_the_format_is_refused():
    with pytest.raises(UnknownName, match="did you mean"):
        wall.generations(["h100-sxm"])
    with pytest.raises(NotAvailable):
        assert wall.generations(["v100-sxm2-32gb"], "fp4")[0].ridge
