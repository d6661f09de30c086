"""Slips of the exercise of chapter 12b."""

from functools import partial


def needs_forgotten(ops):
    return sorted(ops, key=lambda name: -ops[name][0] * ops[name][1] / ops[name][2])


def ranked(ops, worth):
    """The operation that is worth most, among those that can be written now, again and again."""
    found = []
    while len(found) < len(ops):
        ready = [name for name in ops if name not in found and set(ops[name][3]) <= set(found)]
        found.append(max(ready, key=lambda name: worth(*ops[name][:3])))
    return found


by_calls = partial(ranked, worth=lambda calls, seconds, months: calls)
by_time_alone = partial(ranked, worth=lambda calls, seconds, months: calls * seconds)
shortest_first = partial(ranked, worth=lambda calls, seconds, months: -months)
greedy = partial(ranked, worth=lambda calls, seconds, months: calls * seconds / months)
