import pytest

from accelerator_lib import hardware
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.network import host


def test_like_is_compared_with_like():
    assert [round(host.coherent_ratio(kind), 1) for kind in host.RATES] == [14.3, 7.1, 3.9]
    coherent, pcie = host.host_link(host.COHERENT), host.host_link(host.PCIE)
    assert coherent.printed == 2 * coherent.one_way and pcie.printed == pcie.one_way
    assert coherent.measured / coherent.one_way < 0.5 < pcie.measured / pcie.one_way


def test_seconds_by_hand():
    read = host.reading(126e9)
    assert read.seconds == (pytest.approx(2.0), pytest.approx(0.28))
    assert host.reading(51e9, "measured").seconds[0] == pytest.approx(1.0)


def test_the_memory_of_the_gpu_itself_is_faster_than_any_link():
    assert all(host.host_link(id).printed < hardware.chip("a100-80gb-sxm").bytes_per_s for id in host.LINKS)


def test_unknown_names_get_a_line():
    with pytest.raises(UnknownName, match="pcie-5"):
        host.host_link("pcie5")
    with pytest.raises(UnknownName, match="one way"):
        host.reading(1.0, "oneway")
    with pytest.raises(ValueError, match="outside the allowed range"):
        host.reading(0)
