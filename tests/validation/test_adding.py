"""Steps as they are stored: whole, in order, and what the dots show is what the table says."""

from itertools import pairwise
from math import exp

import numpy as np
import pytest

from accelerator_lib import data
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.validation import adding, report, rows
from accelerator_lib.validation.adding import BOUND, IDEAL, OWN, STRANGE
from accelerator_lib.validation.fitting import FAR


@pytest.fixture(params=adding.KINDS)
def steps(request):
    return list(adding.steps(request.param))


def test_from_the_bound_to_a_set_for_each_publisher(steps):
    assert [step.added for step in (*steps[:2], *steps[-2:])] == [BOUND, IDEAL, OWN, STRANGE]
    assert [step.place for step in steps] == list(range(len(steps)))
    free = [step.free for step in steps if step.added in adding.WORDS]
    assert free == list(range(1, len(free) + 1)) and steps[0].free == steps[1].free == 0


def test_the_dots_are_the_rows_that_count_and_their_mean_is_the_error(steps):
    counted = {row.id for row in rows.every() if row.kind == steps[0].kind and row.fitted}
    for step in steps:
        assert set(step.off) <= counted and len(step.off) > 0.9 * len(counted) and set(step.off) <= set(step.names)
        mean = sum(min(abs(off), FAR) for off in step.off.values()) / len(step.off)
        assert mean == pytest.approx(step.seen if step.unseen is None else step.unseen, abs=2e-3)
        assert step.on_seen == exp(step.seen) and len(step.before) == step.place + 1


def test_more_constants_fit_no_worse(steps):
    seen = [step.seen for step in steps if step.added in adding.WORDS or step.added == IDEAL]
    assert all(after <= before + 1e-3 for before, after in pairwise(seen))
    assert steps[-2].seen == steps[-1].seen < steps[1].seen < steps[0].seen


def test_no_bound_is_below_what_was_measured(steps):
    assert min(steps[0].off.values()) >= -1e-3


def test_the_bound_is_off_by_what_the_report_says():
    step = adding.step("gemm", 0)
    for row in rows.every():
        if row.id in step.off:
            assert exp(step.off[row.id]) == pytest.approx(1 / row.reached, rel=2e-3)


def test_a_place_beyond_the_last_is_the_last():
    assert adding.step("gemm", 20).added == STRANGE and adding.step("gemm").added == BOUND
    assert adding.step("gemm", 20).on_unseen == exp(adding.step("gemm", 20).unseen)
    assert next(step for step in adding.steps("gemm") if step.added == OWN).on_unseen is None


def test_own_values_for_families_lose_a_little_and_by_one_publisher():
    """Second road: which rows change at all, and a draw of publishers one by one."""
    three, families = adding.step("gemm", 4), adding.step("gemm", 5)
    changed = {}
    for id in three.off:
        name = data.publisher(data.published("gemm")[id]["source"])
        changed.setdefault(name, []).append(abs(families.off[id]) - abs(three.off[id]))
    assert [name for name, more in changed.items() if any(more)] == ["ml-engineering"] and len(changed) == 3
    rng, means = np.random.default_rng(1), []
    for _ in range(4000):
        means.append(np.mean([each for name in rng.choice(sorted(changed), 3) for each in changed[name]]))
    assert adding.drawn(families, three) == pytest.approx(np.quantile(means, (0.05, 0.95)), abs=2e-3)


def test_sets_of_their_own_are_no_better_away_than_common_ones_and_in_training_worse():
    common, own, away = (adding.step("gemm", place) for place in (4, 6, 7))
    assert own.seen < common.seen and away.unseen == pytest.approx(common.unseen, abs=0.01)
    *_, common, _, _, away = adding.steps("training")
    assert away.unseen > 1.5 * common.unseen


def test_a_kind_without_steps_is_named():
    with pytest.raises(UnknownName, match="did you mean"):
        list(adding.steps("link_bandwidth"))


def test_the_last_honest_step_is_near_what_judging_finds():
    """Of the same constants, fitted the other way round: as in the report, within a few percent."""
    steps = [step for step in adding.steps("gemm") if step.added not in (OWN, STRANGE)]
    told = report.report()["gemm"]["publisher"]
    mean = sum(abs(each.off) for each in told.counted) / len(told.counted)
    assert steps[-1].unseen == pytest.approx(mean, abs=0.05)
