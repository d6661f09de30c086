"""Exercise of chapter 10b."""

from accelerator_course.exercises import Exercise, scheduling
from accelerator_course.exercises.cases import Wrong, case
from accelerator_course.exercises.slips import serving as slips
from accelerator_lib.units import percent

ENOUGH = 0.9  # of the users of a load get what was promised


def next_step(running, waiting, free, budget):
    """Tokens of each request in the next step: those who write first, then prompts; a place is kept for all to come."""
    step = {one.name: 1 for one in running if not one.left}
    budget -= len(step)
    room = free - sum(one.need for one in running)
    reading = [one for one in running if one.left]
    for one in waiting:
        if one.need > room:
            break
        reading.append(one)
        room -= one.need
    for one in reading:
        tokens = min(one.left, budget)
        if tokens:
            step[one.name] = tokens
            budget -= tokens
    return step


def _check_next_step(function):
    for name, load in scheduling.LOADS.items():

        def kept(load=load):
            """The share of users who get the promise, or why the server could not go on."""
            try:
                jobs = scheduling.play(function, load)
            except Wrong as problem:
                return str(problem)
            return round(sum(job.kept for job in jobs) / len(jobs), 3)

        def judge(got, name=name):
            if isinstance(got, str):
                raise Wrong(f"For {name}: {got}")
            if got < ENOUGH:
                raise Wrong(f"For {name} {percent(got)} of the users get what was promised, not {percent(ENOUGH)}.")

        def said(got):
            return got if isinstance(got, str) else percent(got)

        yield case(name, f"at least {percent(ENOUGH)} kept", kept, judge, said)
    return "right for four loads. Requests that write go first, prompts fill the rest, and nobody enters without room."


EXERCISES = [
    Exercise(
        "10b.1",
        "X10b.1",
        "a dict {name: tokens} for the next step of a server.",
        "A request that writes needs one token a step. What is left of the budget goes to prompts. Before you let a "
        "request in, ask how many places the running ones may still take.",
        _check_next_step,
        next_step,
        (slips.prompts_first, slips.whole_batches, slips.no_room_kept),
    )
]
