"""Slips of the exercises of chapter 10b."""


def prompts_first(running, waiting, free, budget):
    """You read prompts before you let users write. Prompts take the whole budget, and the texts of those who stream
    stand still."""
    return planned(running, waiting, free, budget, order=lambda reading, writing: [*reading, *writing])


def whole_batches(running, waiting, free, budget):
    """You let nobody in until all running requests are through (static batching). Places stay
    empty while others wait."""
    return planned(running, () if running else waiting, free, budget)


def no_room_kept(running, waiting, free, budget):
    """You let a request in as soon as its prompt has room. Requests that write need more places
    later, and then none are left."""
    return planned(running, waiting, free, budget, room=lambda running, free: free, need=lambda one: one.left)


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
