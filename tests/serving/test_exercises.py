"""The server that judges the policies of the exercise."""

import pytest

from accelerator_course import exercises as course
from accelerator_course.exercises import serving as exercises
from accelerator_course.exercises.cases import Wrong


@pytest.mark.parametrize("name", exercises.LOADS)
def test_a_good_policy_serves_everybody_and_no_place_is_counted_twice(name):
    load, room = exercises.LOADS[name], []

    def watched(running, waiting, free, budget):
        room.append(free)
        assert budget == 256 and free >= sum(one.need for one in running)
        assert not {one.name for one in running} & {one.name for one in waiting}
        return exercises.next_step(running, waiting, free, budget)

    jobs = exercises.play(watched, load)
    assert max(room) == load.room and min(room) >= 0
    for job in jobs:
        assert job.read == job.prompt and job.made == job.output and job.first > job.arrival
        assert job.last >= job.first and job.cached == job.prompt + job.output - 1
    assert sum(job.kept for job in jobs) / len(jobs) > 0.95


def test_a_long_prompt_stops_those_who_write_if_it_goes_first():
    first, second = (
        exercises.play(policy, exercises.LOADS["a load with long prompts"])
        for policy in (exercises.next_step, course.find("10b.1").wrong["prompts_first"])
    )
    assert max(job.gap for job in first) < 0.01 < 0.2 < max(job.gap for job in second)


def test_a_step_that_cannot_be_done_is_refused():
    with pytest.raises(Wrong, match="can be computed"):
        exercises.play(lambda running, waiting, free, budget: {waiting[0].name: 5000}, exercises.LOADS["a quiet load"])
