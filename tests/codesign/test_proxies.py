from itertools import combinations

import numpy as np
import pytest

from accelerator_lib import llm
from accelerator_lib.codesign import proxies
from accelerator_lib.hardware import chip
from accelerator_lib.workload import Gemm


def test_a_frame_is_rendered_from_16_points_on_each_of_two_million_rays():
    """By hand: 33,177,600 points in full HD, each through a network of 32, 64, 64 and 4 numbers."""
    products = [work for work, _, _ in proxies._rendering() if isinstance(work, Gemm)]
    assert sum(work.flops for work in products) == 2 * 33_177_600 * (32 * 64 + 64 * 64 + 64 * 4)


@pytest.mark.parametrize("name, users", [("Llama 3 8B, one user", 1), ("Llama 3 8B, 64 users", 64)])
def test_a_token_on_the_map_is_the_token_of_the_chapter_on_language_models(name, users):
    one, step = proxies.cards()[name], llm.decode_step("llama-3-8b", chip("h100-sxm5"), users, 4096)
    assert one.flops == pytest.approx(step.flops, rel=0.01)
    assert one.bytes_moved == pytest.approx(step.bytes_moved, rel=0.05)


def test_64_images_compute_64_times_as_much_and_move_less_than_that():
    one, many = (proxies.cards()[f"ResNet-50, {n}"] for n in ("one image", "64 images"))
    assert many.flops == 64 * one.flops and many.operations == one.operations == 53
    assert one.bytes_moved < many.bytes_moved < 64 * one.bytes_moved


@pytest.mark.parametrize("by", proxies.AXES)
def test_a_distance_is_a_distance(by):
    every = list(proxies.cards().values())
    for a, b in combinations(every, 2):
        assert proxies.distance(a, a, by) == 0 and proxies.distance(a, b, by) == pytest.approx(
            proxies.distance(b, a, by)
        )
        for c in every[:3]:
            assert proxies.distance(a, b, by) <= proxies.distance(a, c, by) + proxies.distance(c, b, by) + 1e-12


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("by", proxies.AXES)
def test_no_other_set_leaves_the_farthest_nearer(count, by):
    found, every = proxies.choose(count, by), list(proxies.cards().values())
    reach = lambda few: max(min(proxies.distance(one, proxy, by) for proxy in few) for one in every)  # noqa: E731
    chosen = [one for one in every if one.name in found.chosen]
    assert reach(chosen) == pytest.approx(min(reach(few) for few in combinations(every, count)))
    for one in every:
        assert found.nearest[one.name] in found.chosen


def test_every_proxy_more_brings_the_farthest_nearer():
    far = [max(proxies.choose(count).apart.values()) for count in (1, 2, 3, 4)]
    assert (np.diff(far) < 0).all()


def test_the_nearest_of_a_card_is_itself():
    for one in proxies.cards().values():
        assert proxies.nearest(one.flops, one.bytes_moved, one.operations) == (one, 0.0)
    assert proxies.bytes_apart("Llama 3 8B, one user", "recommender") > 300


def test_what_is_no_card_or_no_count_is_answered():
    with pytest.raises(TypeError, match="a Card was expected"):
        proxies.distance("ResNet", "Llama")
    with pytest.raises(ValueError, match="count = 5"):
        proxies.choose(5)
