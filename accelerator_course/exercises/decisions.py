"""Decisions: what an answer must be that is a choice, one out of each of a few lists, before it can be judged.

slots, chunk = chosen("a load of 18", got, slots=(8, 16, 32), chunk=(None, 256))
"""

from accelerator_course.exercises.cases import Wrong, shown


def chosen(where, got, /, **lists):
    """The choice as a tuple, if it is one out of each list. Raises Wrong, with the lists."""
    names, told = ", ".join(lists), "; ".join(f"{name} out of {_listed(each)}" for name, each in lists.items())
    if len(set(lists.values())) == 1:
        told = f"each out of {_listed(next(iter(lists.values())))}"
    pairs = zip(got, lists.values(), strict=True) if isinstance(got, (tuple, list)) and len(got) == len(lists) else None
    if pairs is None or not all(any(one is each or one == each for each in all_of) for one, all_of in pairs):
        raise Wrong(f"For {where} return ({names}): {told}; you returned {shown(got)}.")
    return tuple(got)


def _listed(values):
    return ", ".join(map(str, values))
