"""Slips of the exercises of chapter 10b."""

from functools import partial


def whole_batches(running, waiting, free, budget):
    return planned(running, () if running else waiting, free, budget)


def planned(
    running, waiting, free, budget, order=lambda reading, writing: [*writing, *reading],
    room=lambda running, free: free - sum(one.need for one in running), need=lambda one: one.need,
):  # fmt: skip
    """A step with one thing changed."""
    step, room = {}, room(running, free)
    reading = [one for one in running if one.left]
    for one in waiting:
        if need(one) > room:
            break
        reading.append(one)
        room -= need(one)
    for one in order(reading, [one for one in running if not one.left]):
        tokens = min(one.left or 1, budget)
        if tokens:
            step[one.name] = tokens
            budget -= tokens
    return step


prompts_first = partial(planned, order=lambda reading, writing: [*reading, *writing])
no_room_kept = partial(planned, room=lambda running, free: free, need=lambda one: one.left)
