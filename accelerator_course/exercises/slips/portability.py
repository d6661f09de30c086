"""Slips of the exercise of chapter 12b."""


def by_calls(ops):
    """You ranked by how often an operation is called. A thousand short calls may take less than eight long ones."""
    return ranked(ops, lambda calls, seconds, months: calls)


def by_time_alone(ops):
    """You ranked by time alone. An operation that takes long to write delays the others. Divide by its months."""
    return ranked(ops, lambda calls, seconds, months: calls * seconds)


def shortest_first(ops):
    """You wrote the quickest operations first. They may serve hardly any time."""
    return ranked(ops, lambda calls, seconds, months: -months)


def needs_forgotten(ops):
    """You ranked by time for each month, but some operations need others that were not there yet."""
    return sorted(ops, key=lambda name: -ops[name][0] * ops[name][1] / ops[name][2])


def greedy(ops):
    """You took what brings most now. An operation that brings little may be needed by one that brings much."""
    return ranked(ops, lambda calls, seconds, months: calls * seconds / months)


def ranked(ops, worth):
    """The operation that is worth most, among those that can be written now, again and again."""
    found = []
    while len(found) < len(ops):
        ready = [name for name in ops if name not in found and set(ops[name][3]) <= set(found)]
        found.append(max(ready, key=lambda name: worth(*ops[name][:3])))
    return found
