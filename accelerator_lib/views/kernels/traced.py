"""Where a kernel goes wrong: the threads that meet there, the place at which they meet, and what lies beyond an array."""

import numpy as np

from accelerator_lib.gpu.arch import WARP_LANES
from accelerator_lib.views.stage import arrows, boxes, lines, texts

BOX, GAP, TALL = 152, 20, 26  # of a thread: how broad, to the next, how high
HEADS = {"race": "a race: two threads at one place", "bounds": "outside of the array", "wrong": "a wrong number",
         "deadlock": "a barrier that not all reach", "unset": "nobody has written there"}  # fmt: skip


def blamed(state):
    """The lanes of this warp that the fault names."""
    here = [touch for touch in state.step.fault.touches if touch.block == state.block and touch.thread is not None]
    return [touch.thread % WARP_LANES for touch in here if touch.thread // WARP_LANES == state.step.warp]


def ringed(state, left, lane, top, high):
    """A ring around each of these lanes."""
    marked = np.array(blamed(state), int)
    return boxes("blamed", marked, left + lane * marked - 2, top - 3, lane + 2, high + 6, "bad line")


def met(state, left, top):
    """The threads of a fault, each a box with its line, and arrows to the place."""
    fault = state.step.fault
    many = np.arange(len(fault.touches))
    x, y = left + (BOX + GAP) * many, top + 28
    who = [touch.who for touch in fault.touches]
    says = [f"line {touch.line}: {touch.way} {touch.place}" for touch in fault.touches]
    middle, place = max(left + 100, left + ((BOX + GAP) * len(many) - GAP) / 2), top + 124
    return [
        texts("stopped", [0], [left], [top], [f"✘ {HEADS.get(fault.kind, 'here it stops')}"], "bad bold start"),
        boxes("threads met", many, x, y, BOX, TALL, "bad tint", who, 13, who, says),
        texts("ways met", many, x + BOX / 2, y + TALL + 14, [f"line {touch.line} {touch.way}" for touch in fault.touches],
              "ink", 12),
        arrows("arrows met", many, x + BOX / 2, y + TALL + 26, middle + (x + BOX / 2 - middle) / 4, place - 4, "bad"),
        boxes("place met", [0], [middle - 100], [place], 200, TALL, "bad line", [fault.touches[0].place]),
    ]  # fmt: skip


def beyond(state, left, lane, lanes, top, high):
    """The array as a bar, what lies beyond it dashed, and a line from each lane at work to where it asks."""
    name, length, _ = state.step.fault.asked
    asked = state.step.index[state.step.mask]
    first, last = min(int(asked.min()), length - 1, 0 if asked.min() < 0 else length), max(int(asked.max()) + 1, 0)
    first = max(first - 8, min(first, 0)) if asked.min() >= 0 else first
    wide = lane * WARP_LANES / max(last - first, 1)
    at = lambda place: left + wide * (np.clip(place, first, last) - first)  # noqa: E731
    inside = at(length) - at(0)
    outer = boxes("outside", [0], [left], [top], [lane * WARP_LANES], high, "bad tint dashed")
    inner = boxes("inside", [0], [at(0)], [top], [max(inside, 3)], high, "memory tint",
                  [name] if inside > 90 else [""], 12)  # fmt: skip
    ends = [f"{name}: 0 to {length - 1:,}; asked for: {int(asked.min()):,} to {int(asked.max()):,}"]
    told = texts("place", [0], [left], [top + high + 14], ends, "ink start", 12)
    works = state.lanes
    threads = lines("asked", works, left + lane * (works + 0.5), lanes, at(asked) + wide / 2, top, "compute faint", 0.8,
                    who=[f"lane {lane}" for lane in works])  # fmt: skip
    marked = [(number, place) for number, place in zip(works, asked, strict=True) if number in blamed(state)]
    number = np.array([number for number, _ in marked], int)
    places = np.array([place for _, place in marked], int)
    stopped = lines("asked wrong", number, left + lane * (number + 0.5), lanes, at(places) + wide / 2, top, "bad", 2)
    return [outer, inner, told, threads, stopped]
