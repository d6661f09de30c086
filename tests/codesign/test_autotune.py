from itertools import pairwise

import numpy as np
import pytest

from accelerator_lib.codesign import autotune
from accelerator_lib.codesign.kernels import Built, Kernel

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
    *_, end = autotune.watch(fake.kernel, *given, clock=fake.clock, **more)
    return end


def test_with_time_enough_every_strategy_finds_the_best():
    for strategy in autotune.STRATEGIES:
        fake = Fake()
        end = last(fake, strategy, 100, 5)
        assert end.best == (64, 256) == min(fake.kernel.configurations, key=fake.truth)
        assert end.doing == "done" and end.median(end.best) == pytest.approx(0.01) and end.spread(end.best) < 1e-9
        assert len(end.compiled) == 9 and end.spent[0] == pytest.approx(9 * 0.5)


def test_every_choice_is_compiled_once_then_checked_then_timed():
    fake = Fake()
    last(fake, "halving", 100, 8)
    for choice in fake.kernel.configurations:
        kinds = [kind for kind, one in fake.log if one == choice]
        assert kinds[:3] == ["compile", "check", "run"] and kinds.count("compile") == kinds.count("check") == 1


def test_the_budget_is_what_is_spent_but_for_the_slice_that_ends_it():
    for strategy in autotune.STRATEGIES:
        fake = Fake()
        end = last(fake, strategy, 2.0, 5)
        assert 2.0 <= sum(end.spent) < 2.0 + 0.5 + 0.1
        assert sum(end.spent) == pytest.approx(fake.now)
        assert end.spent[2] == pytest.approx(sum(map(sum, end.times.values())))


def test_however_small_the_budget_one_choice_is_timed_once():
    end = last(Fake(), "random", 0.01, 5)
    assert [len(times) for times in end.times.values()] == [1] and end.best


def test_in_order_a_small_budget_sees_only_the_first_corner():
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
        fake = Fake(noise=np.random.default_rng(seed))
        end = last(fake, "exhaustive", 600, repeats)
        return end.best

    once = [best(1, seed) for seed in range(30)]
    often = [best(31, seed) for seed in range(30)]
    assert len(set(once)) > 2 and often.count((64, 256)) > once.count((64, 256)) + 5
    end = last(Fake(noise=np.random.default_rng(1)), "exhaustive", 600, 20)
    assert len(end.winners()) == 20 and len(set(end.winners())) > 2


def test_a_wrong_kernel_never_wins_and_is_not_timed():
    fake = Fake(wrong=((64, 256),))
    end = last(fake, "random", 100, 3)
    assert end.wrong == ((64, 256),) and (64, 256) not in end.times and end.best != (64, 256)
    assert ("run", (64, 256)) not in fake.log


def test_trials_are_what_the_last_moment_knows():
    for strategy in autotune.STRATEGIES:
        fake, same = Fake(), Fake()
        trials = {t.configuration: t for t in autotune.tune(fake.kernel, strategy, 3.0, 4, clock=fake.clock)}
        end = last(same, strategy, 3.0, 4)
        assert set(trials) == set(end.times)
        for choice, (_, compile_seconds, median, spread) in trials.items():
            assert (compile_seconds, median, spread) == (0.5, end.median(choice), end.spread(choice))


def test_a_run_can_be_left_between_any_two_slices():
    fake = Fake()
    states = autotune.watch(fake.kernel, "random", 100, 5, clock=fake.clock)
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


def test_what_is_spent_only_grows():
    fake = Fake(noise=np.random.default_rng(0))
    states = list(autotune.watch(fake.kernel, "halving", 4.0, 4, clock=fake.clock))
    for one, other in pairwise(states):
        assert sum(one.spent) <= sum(other.spent) + 1e-9
        assert all(other.times[choice][: len(times)] == times for choice, times in one.times.items())


def test_trials_of_one_run_each_have_its_time_and_no_spread():
    fake = Fake()
    trials = list(autotune.tune(fake.kernel, "exhaustive", 100, 1, clock=fake.clock))
    assert {trial[0] for trial in trials} == set(fake.kernel.configurations)
    assert all(trial[2] == pytest.approx(fake.truth(trial[0])) and trial[3] == 0 for trial in trials)


def test_bad_input_is_one_line():
    with pytest.raises(KeyError, match="did you mean 'halving'"):
        autotune.watch("attention", "halfing")
    with pytest.raises(KeyError, match="kernel|name"):
        autotune.watch("attenshun")
    with pytest.raises(ValueError, match="outside the allowed range"):
        autotune.watch("product", budget_s=0)
    with pytest.raises(ValueError, match="repeats"):
        list(autotune.tune("product", repeats=0))
