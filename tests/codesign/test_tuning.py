"""Kernels, tiles that fit, a tuner on a machine whose clock is known and on recorded times, a device to time on."""

from dataclasses import replace
from itertools import pairwise
from math import inf

import numpy as np
import pytest
from refused import refused

from accelerator_lib.codesign import autotune, bench, kernels
from accelerator_lib.codesign.bench import Device
from accelerator_lib.codesign.kernels import Built, Kernel


@pytest.fixture
def brief(monkeypatch):
    monkeypatch.setenv("ACCELERATOR_COURSE_SHORT", "1")


@pytest.mark.parametrize("name", kernels.NAMES)
def test_small_and_large_blocks_give_what_numpy_gives(name, brief):
    kernel = kernels.kernel(name)
    for choice in (kernel.configurations[0], kernel.configurations[7], kernel.configurations[-1]):
        built = kernels.compiled(kernel, choice)
        assert built.right() and built.compile_seconds > 0


@pytest.mark.parametrize("short", [True, False])
@pytest.mark.parametrize("name", kernels.NAMES)
def test_every_block_divides_the_largest_which_is_the_whole(name, short, monkeypatch):
    monkeypatch.setenv("ACCELERATOR_COURSE_SHORT", "1" if short else "")
    kernel = kernels.kernel(name)
    for sizes in (kernel.rows, kernel.cols):
        assert all(max(sizes) % size == 0 for size in sizes) and sorted(set(sizes)) == list(sizes)


@pytest.mark.parametrize(("rows", "cols"), [(4, 8), (8, 4), (16, 16)])
def test_the_functions_themselves(rows, cols):
    q, k, v = np.random.default_rng(1).standard_normal((3, 16, 64)).astype(np.float32)
    scores = np.exp(q @ k.T / 8)
    wanted = scores / scores.sum(1, keepdims=True) @ v
    assert np.allclose(kernels.blocked_attention(q, k, v, rows, cols), wanted, atol=1e-5)
    a, b = np.random.default_rng(2).standard_normal((2, 16, 16)).astype(np.float32)
    assert np.allclose(kernels.tiled_product(a, b, rows, cols), a @ b, atol=1e-4)


def test_a_wrong_result_is_noticed_and_an_unknown_kernel():
    build = kernels._builder(lambda a, r, c: a + 1, (np.ones(3),), np.ones(3))
    kernel = kernels.Kernel("off", ("", ""), (1,), (1,), build)
    assert not kernels.compiled(kernel, (1, 1)).right()
    import time

    assert kernels.timed(lambda: time.sleep(0.02)) >= 0.02


def test_what_has_been_compiled_is_kept(brief):
    kernel = kernels.kernel("product")
    assert kernels.compiled(kernel, (8, 8)) is kernels.compiled(kernel, (8, 8))
    assert kernels.kernel("product") is kernel and kernel.most_seconds == kernels.BRIEF


def test_tuning_a_real_kernel_ends_with_a_choice_that_is_right(brief):
    kernel = replace(kernels.kernel("product"), rows=(64, 128), cols=(128,), most_seconds=inf)
    states = list(autotune.run(kernel, "halving", 60, 3))
    end = states[-1]
    assert states[0].doing == "" and end.doing == "done" and end.best in end.times and not end.wrong
    assert all(seconds > 0 for times in end.times.values() for seconds in times)
    assert sorted(map(len, end.times.values())) == [1, 1] and len(end.out) == 1


SIZES = (16, 64, 256)


class Fake:
    """A machine whose clock goes on only when it works: what a choice takes is known."""

    def __init__(self, compile_seconds=0.5, noise=None, wrong=()):
        self.now, self.compile_seconds, self.noise, self.wrong, self.log = 0.0, compile_seconds, noise, wrong, []

    def clock(self):
        return self.now

    def truth(self, choice):
        return 0.01 + abs(np.log2(choice[0] / 64)) * 0.01 + abs(np.log2(choice[1] / 256)) * 0.003

    def work(self, choice, kind):
        noise = 0.0 if self.noise is None else float(self.noise.exponential(0.02))
        self.now += self.truth(choice) + noise
        self.log.append((kind, choice))

    def build(self, choice):
        self.now += self.compile_seconds / 2
        yield
        self.now += self.compile_seconds / 2
        self.log.append(("compile", choice))

        def right():
            self.work(choice, "check")
            return choice not in self.wrong

        return Built(self.compile_seconds, lambda: self.work(choice, "run"), right)

    @property
    def kernel(self):
        return Kernel("fake", ("rows", "columns"), SIZES, SIZES, self.build)


def last(fake, *given, **more):
    *_, end = autotune.run(fake.kernel, *given, clock=fake.clock, **more)
    return end


def test_every_strategy_finds_the_best_and_each_choice_is_compiled_checked_timed():
    for strategy in autotune.STRATEGIES:
        fake = Fake()
        end = last(fake, strategy, 100, 5)
        assert end.best == (64, 256) == min(fake.kernel.configurations, key=fake.truth)
        assert end.doing == "done" and end.median(end.best) == pytest.approx(0.01) and end.spread(end.best) < 1e-9
        assert len(end.compiled) == 9 and end.spent[0] == pytest.approx(9 * 0.5)
    assert replace(end, times={(64, 256): (0.02, 0.03, 0.06, 0.05)}).spread((64, 256)) == pytest.approx(1)
    fake = Fake()
    last(fake, "halving", 100, 8)
    for choice in fake.kernel.configurations:
        kinds = [kind for kind, one in fake.log if one == choice]
        assert kinds[:3] == ["compile", "check", "run"] and kinds.count("compile") == kinds.count("check") == 1


def test_what_is_spent_only_grows_and_ends_at_the_budget():
    for strategy in autotune.STRATEGIES:
        fake = Fake()
        end = last(fake, strategy, 2.0, 5)
        assert 2.0 <= sum(end.spent) < 2.0 + 0.5 + 0.1
        assert sum(end.spent) == pytest.approx(fake.now)
        assert end.spent[2] == pytest.approx(sum(map(sum, end.times.values())))
    fake = Fake(noise=np.random.default_rng(0))
    states = list(autotune.run(fake.kernel, "halving", 4.0, 4, clock=fake.clock))
    for one, other in pairwise(states):
        assert sum(one.spent) <= sum(other.spent) + 1e-9
        assert all(other.times[choice][: len(times)] == times for choice, times in one.times.items())


def test_what_a_small_budget_sees():
    end = last(Fake(), "random", 0.01, 5)
    assert [len(times) for times in end.times.values()] == [1] and end.best
    fake = Fake()
    end = last(fake, "exhaustive", 1.2, 2)
    assert set(end.times) <= set(fake.kernel.configurations[:3]) and end.best != (64, 256)


def test_halving_runs_the_faster_half_again_as_often():
    fake = Fake()
    end = last(fake, "halving", 100, 8)
    counts = sorted(map(len, end.times.values()), reverse=True)
    assert counts == [8, 8, 4, 2, 2, 1, 1, 1, 1] or (counts[0] == 8 and sum(counts) < 9 * 8 / 2)
    ranked = sorted(end.times, key=fake.truth)
    assert [len(end.times[choice]) for choice in ranked] == counts
    assert set(end.out) == set(ranked[1:])


def test_with_one_repeat_noise_picks_another_winner_and_the_median_of_many_does_not():
    def best(repeats, seed):
        return last(Fake(noise=np.random.default_rng(seed)), "exhaustive", 600, repeats).best

    once = [best(1, seed) for seed in range(30)]
    often = [best(31, seed) for seed in range(30)]
    assert len(set(once)) > 2 and often.count((64, 256)) > once.count((64, 256)) + 5


def test_a_wrong_kernel_never_wins_and_is_not_timed():
    fake = Fake(wrong=((64, 256),))
    end = last(fake, "random", 100, 3)
    assert end.wrong == ((64, 256),) and (64, 256) not in end.times and end.best != (64, 256)
    assert ("run", (64, 256)) not in fake.log


def test_a_run_can_be_left_between_any_two_slices():
    fake = Fake()
    states = autotune.run(fake.kernel, "random", 100, 5, clock=fake.clock)
    assert next(states).doing == "" and fake.now == 0
    before = fake.now
    for state in states:
        assert fake.now - before <= 0.51
        before = fake.now
        if len(state.times) == 2:
            break
    states.close()
    assert len(fake.log) < 20


def test_seeds_give_orders_and_the_same_seed_the_same():
    def order(seed):
        fake = Fake()
        last(fake, "random", 2.0, 1, seed)
        return [choice for kind, choice in fake.log if kind == "compile"]

    assert order(3) == order(3) and len({tuple(order(seed)) for seed in range(5)}) > 1


def runs(device, n, flush=True):
    seconds = []
    for _ in range(n):
        if flush:
            device.flush()
        begin = device.clock()
        device.launch()
        device.wait()
        seconds.append(device.clock() - begin)
    return np.array(seconds)


def test_the_truth_is_what_four_thousand_runs_find():
    for seed in range(3):
        device = Device(0.01, 0.4, 0.5, seed)
        assert np.median(runs(device, 4000)[bench.RAMP :]) == pytest.approx(bench.truth(device), rel=2e-3)


def test_the_clock_goes_on_only_while_something_is_done():
    device = Device()
    assert device.clock() == device.clock() == 0
    device.launch()
    asked = device.clock()
    assert asked == pytest.approx(0.5 + bench.ASK)  # compiled, and asked for; not run
    device.wait()
    assert device.clock() - asked > 0.01
    done = device.clock()
    device.wait()
    assert device.clock() == done
    device.launch()
    assert device.clock() - done == pytest.approx(bench.ASK)


def test_launches_queue_up_and_warm_devices_are_faster():
    cold, warm = runs(Device(seed=3), 800), runs(Device(seed=3), 800, flush=False)
    assert np.median(warm[100:]) / np.median(cold[100:]) == pytest.approx(0.6, rel=0.01)
    assert np.median(cold[1:20]) > 1.5 * np.median(cold[100:])
    assert cold[100:].mean() > 1.15 * np.median(cold[100:])
    one, many = Device(seed=2), Device(seed=2)
    for _ in range(50):
        many.launch()
    many.wait()
    assert many.clock() == pytest.approx(0.5 + runs(one, 50, flush=False).sum() - 0.5, rel=0.01)
    assert np.array_equal(runs(Device(seed=9), 30), runs(Device(seed=9), 30))


def test_bad_input_of_a_device():
    device = Device(seed=1)
    refused(RuntimeError, "launches are enough", runs, device, bench.MOST + 1, flush=False)
