import pytest

from accelerator_lib import hardware, roofline
from accelerator_lib.workload import Elementwise, Gemm, networks

H100 = hardware.chip("h100-sxm5")


def test_the_share_that_waits_by_hand():
    works = {"one row": Gemm(1, 8192, 8192), "many rows": Gemm(1023, 8192, 8192)}
    group = roofline.place_all(works, H100)
    assert group.waiting == ["one row"] and group.waiting_share == pytest.approx(1 / 1024)


def test_a_group_holds_what_each_kernel_is_alone():
    works = {"ReLU": Elementwise(10**6), "product": Gemm(64, 512, 512)}
    for name, placed in roofline.place_all(works, "h100-sxm5", "fp32").kernels:
        alone = roofline.place(works[name], H100, "fp32")
        assert (placed.seconds, placed.bound, placed.intensity) == (alone.seconds, alone.bound, alone.intensity)


def test_most_convolutions_of_one_network_wait_and_few_of_the_other():
    """The claim of the chapter: it depends on the network and the batch."""
    counts = {}
    for network, batch in (("resnet-50", 1), ("resnet-50", 32), ("mobilenet-v1", 32)):
        group = roofline.place_all(networks.convolutions(network, batch), "a100-80gb-sxm")
        counts[network, batch] = len(group.waiting), len(group.kernels)
    assert counts == {("resnet-50", 1): (40, 53), ("resnet-50", 32): (19, 53), ("mobilenet-v1", 32): (19, 27)}


def test_where_nothing_is_calculated_nothing_waits():
    copies = [("copy", Elementwise(10**6, flops_per_element=0))]
    group = roofline.place_all(copies, H100)
    assert group.waiting == ["copy"] and group.waiting_share == 0


@pytest.mark.parametrize("works", [{}, [], 5, "ReLU"])
def test_a_group_needs_named_work(works):
    with pytest.raises(TypeError, match="works must be named work"):
        roofline.place_all(works, H100)


def test_a_format_that_the_chip_lacks_is_said():
    with pytest.raises(KeyError, match="no fp4 peak"):
        roofline.place_all({"product": Gemm(1, 2, 3)}, H100, "fp4")
