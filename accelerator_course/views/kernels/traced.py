"""Where a kernel goes wrong: the threads that meet there, the place at which they meet, what lies beyond an array."""

import numpy as np

from accelerator_course.views.stage import arrows, boxes, lines, texts

BOX, GAP, TALL = 152, 20, 26  # of a thread: how broad, to the next, how high
NEAR = 8  # places of the array that are shown beside its end, where none of them is asked for
HEADS = {"race": "a race: two threads at one place", "bounds": "outside of the array", "wrong": "a wrong number",
         "deadlock": "a barrier that not all reach", "unset": "nobody has written there"}  # fmt: skip


def ringed(state, left, lane, top, high):
    """A ring around each of these lanes."""
    marked = state.blamed
    return boxes("blamed", marked, left + lane * marked - 2, top - 3, lane + 2, high + 6, "bad line")


def met(state, left, top):
    """The threads of a fault, each a box with its line, and arrows to the place."""
    fault = state.step.fault
    many = np.arange(len(fault.touches))
    x, y = left + (BOX + GAP) * many, top + 28
    who = [touch.who for touch in fault.touches]
    says = [f"line {touch.line}: {touch.way} {touch.place}" for touch in fault.touches]
    ways = [f"line {touch.line} {touch.way}" for touch in fault.touches]
    middle, place = max(left + 100, left + ((BOX + GAP) * len(many) - GAP) / 2), top + 124
    return [
        texts("stopped", [0], [left], [top], [f"✘ {HEADS.get(fault.kind, 'here it stops')}"], "bad bold start"),
        boxes("threads met", many, x, y, BOX, TALL, "bad tint", who, 13, who, says),
        texts("ways met", many, x + BOX / 2, y + TALL + 14, ways, "ink", 12),
        arrows("arrows met", many, x + BOX / 2, y + TALL + 26, middle + (x + BOX / 2 - middle) / 4, place - 4, "bad"),
        boxes("place met", [0], [middle - 100], [place], 200, TALL, "bad line", [fault.touches[0].place]),
    ]  # fmt: skip


def beyond(state, left, lane, lanes, top, high):
    """The array as a bar, what lies beyond it dashed, and a line from each lane at work to where it asks."""
    name, length, _ = state.step.fault.asked
    asked = state.step.index[state.step.mask]
    low, most = int(asked.min()), int(asked.max())
    first, last = low if low < 0 else max(min(low, length - 1) - NEAR, 0), max(most + 1, NEAR)
    whole = lane * len(state.step.mask)
    wide = whole / max(last - first, 1)
    at = lambda place: left + wide * (np.clip(place, first, last) - first)  # noqa: E731
    inside = at(length) - at(0)
    outer = boxes("outside", [0], [left], [top], [whole], high, "bad tint dashed")
    inner = boxes("inside", [0], [at(0)], [top], [max(inside, 3)], high, "memory tint",
                  [name] if inside > 90 else [""], 12)  # fmt: skip
    ends = [f"{name}: 0 to {length - 1:,}; asked for: {low:,} to {most:,}"]
    told = texts("place", [0], [left], [top + high + 14], ends, "ink start", 12)
    works = state.lanes
    threads = lines("asked", works, left + lane * (works + 0.5), lanes, at(asked) + wide / 2, top, "compute faint", 0.8,
                    who=[f"lane {lane}" for lane in works])  # fmt: skip
    number = state.blamed
    places = state.step.index[number]
    stopped = lines("asked wrong", number, left + lane * (number + 0.5), lanes, at(places) + wide / 2, top, "bad", 2)
    return [outer, inner, told, threads, stopped]
