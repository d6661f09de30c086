import numpy as np
import pytest

from accelerator_lib import codesign, data
from accelerator_lib.codesign import mobile


def test_thirty_float_networks_were_measured_on_the_pixel_1_and_six_on_the_others():
    assert [len(mobile.measured(phone)) for phone in mobile.PHONES] == [30, 6, 6]
    assert len({one.name for one in codesign.networks()}) == len(codesign.networks()) == 32
    assert {one.format for one in codesign.networks()} == set(mobile.FORMATS)


def test_work_and_time_go_together_on_one_phone_by_two_roads():
    found = mobile.measured("pixel1")
    x, y = (np.log([value(one) for one in found]) for value in (lambda n: n.macs, lambda n: n.ms["pixel1"]))
    x, y = x - x.mean(), y - y.mean()
    assert codesign.agreement() == pytest.approx((x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()))
    assert codesign.agreement() == pytest.approx(0.985, abs=5e-4)


def test_nearly_equal_work_takes_62_percent_longer_or_a_different_unit():
    pair = codesign.twins()
    assert pair.longer == pytest.approx(183 / 113 - 1) and pair.more_work == pytest.approx(575 / 564 - 1)
    assert pair.macs[0] > pair.macs[1] and pair.seconds[0] < pair.seconds[1]  # less to compute, and slower
    same = codesign.twins("one network, two machines")
    assert same.names[0] == same.names[1] and same.more_work == 0 and same.longer == pytest.approx(20.6 / 3.6 - 1)


def test_every_network_has_a_source_and_plausible_numbers():
    table = data.load("codesign")
    for row in table["networks"]:
        assert row["source"] in table["sources"] and 50 < row["accuracy"] < 80 and 3e7 < row["macs"] < 1e9
        assert all(3 < ms < 200 for ms in row["ms"].values())


def test_a_wider_network_of_larger_pictures_computes_more_and_is_more_accurate():
    family = [one for one in codesign.networks() if one.family == "MnasNet-A1"]
    by = {tuple(one.name.removeprefix("MnasNet-A1 ").removesuffix(" px").split(", ")): one for one in family}
    for (width, pixels), one in by.items():
        for (wider, more), other in by.items():
            if float(wider) >= float(width) and int(more) >= int(pixels):
                assert other.macs >= one.macs and other.accuracy >= one.accuracy


@pytest.mark.parametrize("call", [lambda: codesign.twins("three"), lambda: mobile.measured("pixel9"),
                                  lambda: mobile.agreement("pixel4-cpu")])  # fmt: skip
def test_names_that_are_not_there_are_answered(call):
    with pytest.raises(KeyError, match="must be one of|unknown|is not"):
        call()
