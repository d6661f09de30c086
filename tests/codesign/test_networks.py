"""Networks for phones, their front and reward; workloads that stand for others."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.codesign import arrivals
from accelerator_lib import codesign, data, llm
from accelerator_lib.codesign import mobile, proxies
from accelerator_lib.hardware import chip
from accelerator_lib.workload import Gemm


def test_every_network_was_measured_has_a_source_and_plausible_numbers():
    assert [len(mobile.measured(phone)) for phone in mobile.PHONES] == [30, 6, 6]
    assert len({one.name for one in codesign.networks()}) == len(codesign.networks()) == 32
    assert {one.format for one in codesign.networks()} == set(mobile.FORMATS)
    table = data.load("codesign")
    for row in table["networks"]:
        assert row["source"] in table["sources"] and 50 < row["accuracy"] < 80 and 3e7 < row["macs"] < 1e9
        assert all(3 < ms < 200 for ms in row["ms"].values())


def test_work_and_time_go_together_on_one_phone_by_two_roads():
    found = mobile.measured("pixel1")
    x, y = (np.log([value(one) for one in found]) for value in (lambda n: n.macs, lambda n: n.ms["pixel1"]))
    x, y = x - x.mean(), y - y.mean()
    assert (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()) == pytest.approx(0.985, abs=5e-4)


def test_nearly_equal_work_takes_62_percent_longer_or_a_different_unit():
    pair = codesign.twins()
    assert pair.longer == pytest.approx(183 / 113 - 1) and pair.more_work == pytest.approx(575 / 564 - 1)
    assert pair.macs[0] > pair.macs[1] and pair.seconds[0] < pair.seconds[1]  # less to compute, and slower
    same = codesign.twins("one network, two machines")
    assert same.names[0] == same.names[1] and same.more_work == 0 and same.longer == pytest.approx(20.6 / 3.6 - 1)


def test_a_wider_network_of_larger_pictures_computes_more_and_is_more_accurate():
    family = [one for one in codesign.networks() if one.family == "MnasNet-A1"]
    by = {tuple(one.name.removeprefix("MnasNet-A1 ").removesuffix(" px").split(", ")): one for one in family}
    for (width, pixels), one in by.items():
        for (wider, more), other in by.items():
            if float(wider) >= float(width) and int(more) >= int(pixels):
                assert other.macs >= one.macs and other.accuracy >= one.accuracy


points = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=40)


def brute(pairs):
    """Values of the front: what no other point beats."""
    beats = lambda a, b: a[0] >= b[0] and a[1] <= b[1] and a != b  # noqa: E731
    return {one for one in pairs if not any(beats(other, one) for other in pairs)}


@given(points)
def test_the_front_is_what_nothing_beats(pairs):
    front = codesign.pareto(pairs)
    assert {pairs[i] for i in front} == brute(pairs) and len({pairs[i] for i in front}) == len(front)
    costs, goods = [pairs[i][1] for i in front], [pairs[i][0] for i in front]
    assert costs == sorted(costs) and goods == sorted(goods)


def test_rewards_of_the_paper_and_of_a_limit():
    assert codesign.nas_reward(0.75, 100, 80) == pytest.approx(0.75 * 1.25**-0.07)
    assert codesign.nas_reward(0.7, 60, 80, 0, -1) == 0.7
    assert codesign.nas_reward(0.7, 160, 80, 0, -1) == pytest.approx(0.35)
    line = codesign.nas_reward(np.array([0.7, 0.7]), np.array([60, 160]), 80, 0, -1)
    assert line.tolist() == [0.7, pytest.approx(0.35)]


@given(st.floats(5, 200), st.floats(5, 200), st.floats(-0.5, 0))
def test_with_equal_exponents_the_target_scales_all_alike(one, other, w):
    found = [[codesign.nas_reward(n.accuracy, n.ms["pixel1"], t, w) for n in mobile.measured()] for t in (one, other)]
    ratios = np.divide(*found)
    assert np.allclose(ratios, ratios[0])


@pytest.mark.parametrize("target, accuracy", [(20, 67.5), (40, 73.3), (60, 75.2), (100, 76.1), (150, 77.2)])
def test_a_limit_picks_the_most_accurate_below_it_here(target, accuracy):
    below = max(one.accuracy for one in mobile.measured() if one.ms["pixel1"] <= target)
    assert mobile.winner(target, 0, -1).accuracy == accuracy == below


def test_the_winner_is_known_by_its_time():
    assert codesign.mobile.winning_ms(80) == codesign.mobile.winning_ms(40) == 51.2
    assert codesign.mobile.winning_ms(20, 0, -1) == codesign.winner(20, 0, -1).ms["pixel1"]
    last = list(arrivals("ms on Pixel 1", 80, 0, -1))[-1]
    assert sorted(last.ms[i] for i in last.tied) == [51.2, 78]
    assert mobile.winner(80, 0, -1).ms["pixel1"] == 51.2
    times, work = (list(arrivals(across))[-1] for across in ("ms on Pixel 1", "multiply-adds"))
    assert {times.arrived[i].name for i in times.front} != {work.arrived[i].name for i in work.front}


@pytest.mark.parametrize("across", mobile.ACROSS)
def test_the_front_that_grew_is_the_front_of_all(across):
    states = list(arrivals(across))
    last = states[-1]
    assert len(states) == last.total == len(last.arrived)
    pairs = [(one.accuracy, cost) for one, cost in zip(last.arrived, last.costs, strict=True)]
    assert {pairs[i] for i in last.front} == brute(pairs)
    assert last.rewards[last.best] == max(last.rewards)
    for before, after in pairwise(states):
        newest = len(after.arrived) - 1
        assert set(after.front) == (set(before.front) - set(after.pushed)) | ({newest} & set(after.front))
        assert (after.news == "joins the front") == (newest in after.front)


def test_all_on_the_level_curve_are_as_good_as_the_best():
    state = list(arrivals(target=80, w=-0.1, beta=-1))[-1]
    for ms in (5, 60, 80, 81, 200):
        level = state.level(ms)
        assert codesign.nas_reward(level, ms, 80, -0.1, -1) == pytest.approx(state.rewards[state.best])
    assert state.level(state.ms[state.best]) == pytest.approx(state.arrived[state.best].accuracy)


def test_cards_by_hand():
    """By hand: 33,177,600 points in full HD, each through a network of 32, 64, 64 and 4 numbers."""
    products = [work for work, _, _ in proxies._rendering() if isinstance(work, Gemm)]
    assert sum(work.flops for work in products) == 2 * 33_177_600 * (32 * 64 + 64 * 64 + 64 * 4)
    every = proxies.cards()
    # of each point 16 levels x 8 corners x 2 numbers, 2 FLOP each; 4 results, 4 FLOP each
    rest = every["neural rendering, a frame"].flops - sum(work.flops for work in products)
    assert rest == 33_177_600 * (16 * 8 * 2 * 2 + 4 * 4)
    prompt = proxies.WORKLOADS["Llama 3 8B, a prompt"]()
    met = sum(work.flops * copies * times for work, copies, times in prompt if isinstance(work, Gemm))
    # 2,048 tokens meet all weights but the table and 65 norms; 2,048 x 2,048 scores, and as many products with values
    assert met == 2 * 2048 * (8_030_261_248 - (128_256 + 65) * 4096) + 32 * 4 * 4096 * 2048**2
    one, many = (every[f"ResNet-50, {n}"] for n in ("one image", "64 images"))
    assert many.flops == 64 * one.flops and many.operations == one.operations == 53
    assert one.bytes_moved < many.bytes_moved < 64 * one.bytes_moved
    far = [max(proxies.choose(count).apart.values()) for count in (1, 2, 3, 4)]
    assert (np.diff(far) < 0).all()


@pytest.mark.parametrize("name, users", [("Llama 3 8B, one user", 1), ("Llama 3 8B, 64 users", 64)])
def test_a_token_on_the_map_is_the_token_of_the_chapter_on_language_models(name, users):
    one, step = proxies.cards()[name], llm.decode_step("llama-3-8b", chip("h100-sxm5"), users, 4096)
    assert one.flops == pytest.approx(step.flops, rel=0.01)
    assert one.bytes_moved == pytest.approx(step.bytes_moved, rel=0.05)


@pytest.mark.parametrize("by", proxies.AXES)
def test_a_distance_is_a_distance(by):
    every = list(proxies.cards().values())
    for a, b in combinations(every, 2):
        apart = proxies.distance(a, b, by)
        assert proxies.distance(a, b, "FLOP alone") == pytest.approx(abs(np.log10(a.flops / b.flops)))
        assert proxies.distance(a, a, by) == 0 and apart == pytest.approx(proxies.distance(b, a, by))
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
