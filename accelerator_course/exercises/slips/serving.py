"""Slips of the exercises of chapter 10b."""

from functools import partial


def planned(running, waiting, free, budget, prompts_first=False, joins=True, keeps=True):
    """A step with one thing changed."""
    step, room = {}, free - sum(one.need for one in running if keeps)
    reading = [one for one in running if one.left]
    for one in waiting if joins or not running else ():
        need = one.need if keeps else one.left
        if need > room:
            break
        reading.append(one)
        room -= need
    writing = [one for one in running if not one.left]
    for one in reading + writing if prompts_first else writing + reading:
        tokens = min(one.left or 1, budget)
        if tokens:
            step[one.name] = tokens
            budget -= tokens
    return step


prompts_first = partial(planned, prompts_first=True)
whole_batches = partial(planned, joins=False)
no_room_kept = partial(planned, keeps=False)
