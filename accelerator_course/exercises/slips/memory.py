"""Slips of the exercises of chapter 2."""

from functools import partial


def addresses_for_lines(addresses, sets, line_bytes):
    places, hits = {}, 0
    for address in addresses:
        place = address % sets
        hits += places.get(place) == address // line_bytes
        places[place] = address // line_bytes
    return hits


def fully_associative(addresses, sets, line_bytes):
    seen, hits = set(), 0
    for address in addresses:
        hits += address // line_bytes in seen
        seen.add(address // line_bytes)
    return hits


def misses_counted(addresses, sets, line_bytes):
    places, misses = {}, 0
    for address in addresses:
        line = address // line_bytes
        misses += places.get(line % sets) != line
        places[line % sets] = line
    return misses


def unchanged():
    return 256


def twice_as_long():
    return 512


def _judged(trace, sets, ways, line_bytes, kind):
    """The word for each access, where `kind(own)` tells the two kinds of a later miss apart."""
    own, seen, kinds = [[] for _ in range(sets)], set(), []
    for address in trace:
        line = address // line_bytes
        lines = own[line % sets]
        hit = line in lines
        kinds.append("hit" if hit else kind(own) if line in seen else "first use")
        if hit:
            lines.remove(line)
        elif len(lines) == ways:
            del lines[0]
        lines.append(line)
        seen.add(line)
    return kinds


all_conflicts = partial(_judged, kind=lambda own: "conflict")


def full_itself(trace, sets, ways, line_bytes):

    def kind(own):
        return "capacity" if sum(map(len, own)) == sets * ways else "conflict"

    return _judged(trace, sets, ways, line_bytes, kind)


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
