import pytest

from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.workload import networks


def test_resnet_50_has_the_multiply_adds_it_is_known_for():
    total = sum(conv.flops for _, conv in networks.convolutions("resnet-50")) / 2
    assert total == pytest.approx(3.8e9, rel=0.02)  # the paper prints 3.8 x 10^9 multiply-adds
    total = sum(conv.flops for _, conv in networks.convolutions("mobilenet-v1")) / 2
    assert total == pytest.approx(569e6, rel=0.01)  # the paper prints 569 million mult-adds


def test_the_stages_of_a_network_add_up_to_the_network():
    for name in ("resnet-50", "mobilenet-v1"):
        stages, convs = networks.stages(name), [conv for _, conv in networks.convolutions(name)]
        assert stages.flops == sum(conv.flops for conv in convs)
        assert stages.weights == sum(conv.groups * conv.gemm.k * conv.gemm.n for conv in convs)
        assert stages.outputs == sum(conv.gemm.m * conv.out_channels for conv in convs)
    small, large = (networks.stages(pixels=p).flops for p in (224, 448))
    assert large / small == pytest.approx(4, rel=1e-9)
    assert [s.weights for s in networks.stages(pixels=448)] == [s.weights for s in networks.stages()]


@pytest.mark.parametrize("pixels", [223, 225, 230, 250])
def test_images_of_any_size_shrink_as_their_convolutions_leave_them(pixels):
    """Second road: let the image pass the first layer, the pooling and the four steps of half the size, rounded up."""
    sizes = {conv.height for _, conv in networks.convolutions("resnet-50", pixels=pixels)}
    passed, halves = {pixels}, -(-pixels // 2)
    for _ in range(4):
        halves = -(-halves // 2)
        passed.add(halves)
    assert sizes == passed


def test_a_batch_multiplies_outputs_and_work_but_no_weights():
    for one, many in zip(networks.stages("resnet-50"), networks.stages("resnet-50", batch=8), strict=True):
        assert (many.flops, many.outputs, many.weights) == (8 * one.flops, 8 * one.outputs, one.weights)


def test_the_first_stages_hold_outputs_and_the_last_ones_weights():
    stages = networks.stages("resnet-50")
    assert [s.name for s in stages] == ["first", "56 px", "28 px", "14 px", "7 px"]
    assert stages.with_more_outputs == ["first", "56 px", "28 px"]
    assert stages[0].weights == 7 * 7 * 3 * 64 and stages[0].outputs == 112 * 112 * 64  # by hand


def test_a_network_that_is_not_listed_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="network 'resnet50' is unknown; did you mean 'resnet-50'"):
        networks.convolutions("resnet50")
