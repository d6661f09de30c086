"""Slips of the exercises of chapter 2."""

from functools import partial


def met(addresses, sets, line_bytes, place=lambda address, line, sets: line % sets):
    """Hits, with one thing changed: the place of a line."""
    places, hits = {}, 0
    for address in addresses:
        line = address // line_bytes
        where = place(address, line, sets)
        hits += places.get(where) == line
        places[where] = line
    return hits


addresses_for_lines = partial(met, place=lambda address, line, sets: address % sets)
fully_associative = partial(met, place=lambda address, line, sets: line)


def misses_counted(addresses, sets, line_bytes):
    return len(addresses) - met(addresses, sets, line_bytes)


def unchanged():
    return 256


def twice_as_long():
    return 512


def _judged(trace, sets, ways, line_bytes, by_fill):
    """The word for each access; a later miss is a conflict, or `by_fill` one of capacity where the cache is full."""
    own, seen, kinds = [[] for _ in range(sets)], set(), []
    for address in trace:
        line = address // line_bytes
        lines = own[line % sets]
        hit = line in lines
        full = by_fill and sum(map(len, own)) == sets * ways
        kinds.append("hit" if hit else "first use" if line not in seen else "capacity" if full else "conflict")
        own[line % sets] = [*(other for other in lines if other != line), line][-ways:]
        seen.add(line)
    return kinds


all_conflicts = partial(_judged, by_fill=False)
full_itself = partial(_judged, by_fill=True)


def blind_to_hits(trace, sets, ways, line_bytes):
    own, full, seen, kinds = [[] for _ in range(sets)], [], set(), []
    for address in trace:
        line = address // line_bytes
        lines = own[line % sets]
        if line in lines:
            lines.remove(line)
            kinds.append("hit")
        else:
            kinds.append("first use" if line not in seen else "conflict" if line in full else "capacity")
            full = [*(other for other in full if other != line), line][-sets * ways :]
        own[line % sets] = [*lines, line][-ways:]
        seen.add(line)
    return kinds
