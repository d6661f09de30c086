"""Exercise of chapter 12b."""

from itertools import permutations

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.ordering import check_order
from accelerator_course.exercises.slips import portability as slips


def order(ops):
    """Of all orders in which each operation comes after what it needs, the one that serves most time."""

    def value(names):
        now, total = 0, 0.0
        for name in names:
            calls, seconds, months, _ = ops[name]
            now += months
            total -= calls * seconds * now
        return total

    able = [
        names
        for names in permutations(ops)
        if all(set(ops[name][3]) <= set(names[:at]) for at, name in enumerate(names))
    ]
    return max(able, key=value)


EXERCISES = [
    Exercise(
        "12b.1",
        "X12b.1",
        "the order in which to write software for a chip, so that as much time as possible is served early.",
        "What does an operation bring for each month of work? What does it need before it? How many orders are there?",
        check_order,
        order,
        (slips.by_calls, slips.by_time_alone, slips.shortest_first, slips.needs_forgotten, slips.greedy),
    ),
]
