"""Page judge: what must hold of page tables when requests start, grow, fork and end, event by event.

    ("start", name)   ("token", name)   ("fork", name, child)   ("end", name)

Tables are {name: [block, ...]}. A child begins with the blocks of its parent; whoever then writes into a block that
another one holds gets a copy first. `broken` is the judge, `in_use` counts without any tables, `trace` throws dice.
"""

from collections import Counter

import numpy as np

from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.data import kept


@checked
def trace(seed: Count(0, 2**31), size: Count(1, 1024), count: Count(1, 10_000) = 500):
    """(events, most blocks in use at once, size): requests that start, fork, grow and end, by chance."""
    draw, events, living, born = np.random.default_rng(seed), [], [], 0
    while len(events) < count or living:
        more, what = len(events) < count, draw.random()
        one = living[int(draw.integers(len(living)))] if living else ""
        if not living or (more and len(living) < 4 and what < 0.03):
            living.append(f"r{born}")
            events += [("start", living[-1]), *[("token", living[-1])] * int(draw.integers(10 * size, 40 * size))]
            born += 1
        elif more and len(living) < 6 and what < 0.06:
            living.append(f"r{born}")
            events.append(("fork", one, living[-1]))
            born += 1
        elif what > (0.98 if more else 0.7):
            living.remove(one)
            events.append(("end", one))
        else:
            events.append(("token", one))
    return events, max(count for count, _ in in_use(events, size)), size


def in_use(events, size):
    """[(blocks, tokens in them)] that must be held after each event; a block is named by the event that made it."""
    parts, made, used = {}, Counter(), []
    for at, (kind, request, *child) in enumerate(events):
        if kind == "start":
            parts[request], made[request] = [], 0
        elif kind == "fork":
            parts[child[0]], made[child[0]] = list(parts[request]), made[request]
        elif kind == "end":
            del parts[request]
        else:
            others = {part for name, held in parts.items() if name != request for part in held[-1:]}
            if made[request] % size == 0:
                parts[request].append(at)
            elif parts[request][-1] in others:
                parts[request][-1] = at
            made[request] += 1
        filled = {}
        for name, held in parts.items():
            filled |= {part: min(size, made[name] - size * place) for place, part in enumerate(held)}
        used.append((len(filled), sum(filled.values())))
    return used


def useful(events, size):
    """Share of the slots of all blocks in use that hold a token, on average after each event of a trace."""
    return float(np.mean([tokens / (count * size) for count, tokens in in_use(events, size) if count]))


def tally(event, made):
    """Bring {name: tokens} of the living requests up to date with one event."""
    kind, request, *child = event
    if kind == "end":
        del made[request]
    elif kind == "fork":
        made[child[0]] = made[request]
    else:
        made[request] = made.get(request, 0) + (kind == "token")


def broken(event, before, tables, made, blocks, size):
    """What one event broke, in words; "" if nothing. `made`: tokens of each living request after it (`tally`)."""
    kind, request, *child = event
    if set(tables) != set(made):
        alive, named = (", ".join(sorted(names)) or "none" for names in (made, tables))
        return f"the requests alive are {alive}; your tables name {named}."
    for name, table in tables.items():
        if len(table) != -(-made[name] // size):
            return f"{name} has {made[name]} tokens in pages of {size}, and {len(table)} blocks."
        outside = [block for block in table if not 0 <= block < blocks]
        if outside:
            return (
                f"block {outside[0]} is not in the pool, which has 0 to {blocks - 1}: is one lost that nobody holds "
                "any more?"
            )
        if name not in (request, *child) and table != before[name]:
            return f"the table of {name} changed, and it did nothing."
    if kind == "fork" and tables[child[0]] != tables[request]:
        return "a child begins with the very blocks of its parent: nothing is copied yet."
    return _of_token(request, before, tables, made, size) if kind == "token" else ""


def _of_token(request, before, tables, made, size):
    old, new = before[request], tables[request]
    held = {block for name, table in before.items() if name != request for block in table}
    if new[-1] in {block for name, table in tables.items() if name != request for block in table}:
        return f"{request} writes into block {new[-1]}, which another request holds too: two would share one text."
    full = (made[request] - 1) % size == 0
    if new[: len(new) - 1] != old[: len(new) - 1]:
        return f"only the last block of {request} is written to; the others stay."
    if not full and old[-1] not in held and new[-1] != old[-1]:
        return f"{request} alone holds block {old[-1]}, so it need not be copied."
    return ""


FORKS = [("start", "a"), *[("token", "a")] * 3, ("fork", "a", "b"), ("token", "b"), ("token", "a"), ("token", "b")]
FORKS += [("end", "a"), ("start", "c"), ("token", "c"), ("token", "b"), ("end", "b"), ("end", "c")]


@kept
def traces():
    """{name: (events, blocks in the pool, tokens of a block)}: the pool has not a block to spare."""
    chance = {f"a random trace (seed {seed})": trace(seed, size) for seed, size in ((1, 4), (2, 3), (3, 8))}
    one = [("start", "a"), *[("token", "a")] * 5, ("end", "a")]
    return {"one request of 5 tokens, pages of 2": (one, 3, 2), "a fork, pages of 2": (FORKS, 4, 2), **chance}
