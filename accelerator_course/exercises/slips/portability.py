"""Slips of chapter 12b that are written out."""

from functools import partial


def ranked(ops, worth=lambda calls, seconds, months: calls * seconds / months, needs=True):
    """The operation that is worth most, among those that can be written now, again and again."""
    found = []
    while len(found) < len(ops):
        ready = [name for name in ops if name not in found and not (needs and set(ops[name][3]) - set(found))]
        found.append(max(ready, key=lambda name: worth(*ops[name][:3])))
    return found


by_calls = partial(ranked, worth=lambda calls, seconds, months: calls)
by_time_alone = partial(ranked, worth=lambda calls, seconds, months: calls * seconds)
shortest_first = partial(ranked, worth=lambda calls, seconds, months: -months)
needs_forgotten = partial(ranked, needs=False)
greedy = partial(ranked)
