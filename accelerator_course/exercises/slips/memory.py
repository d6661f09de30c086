"""Slips of the exercises of chapter 2."""


def addresses_for_lines(addresses, sets, line_bytes):
    """You took the set from the address itself. A whole line shares one set: divide by line_bytes first."""
    places, hits = {}, 0
    for address in addresses:
        place = address % sets
        hits += places.get(place) == address // line_bytes
        places[place] = address // line_bytes
    return hits


def fully_associative(addresses, sets, line_bytes):
    """You keep every line that was ever read. Here a set holds one line, and a newcomer throws the old one out."""
    seen, hits = set(), 0
    for address in addresses:
        hits += address // line_bytes in seen
        seen.add(address // line_bytes)
    return hits


def misses_counted(addresses, sets, line_bytes):
    """You counted the misses; the hits are wanted."""
    places, misses = {}, 0
    for address in addresses:
        line = address // line_bytes
        misses += places.get(line % sets) != line
        places[line % sets] = line
    return misses


def unchanged():
    """That is the row as it is: all lines of a column lie in four sets. Store it a little longer."""
    return 256


def twice_as_long():
    """Twice the length leads a column to two sets instead of four. A longer power of two never spreads it over more."""
    return 512


def each_chunk_takes_the_slower(n, t_copy, t_compute):
    """You let every chunk take the slower of the two. The first copy and the last step have nothing to hide behind."""
    return n * max(t_copy, t_compute), n * (t_copy + t_compute)


def ends_counted_twice(n, t_copy, t_compute):
    """You added the first copy and the last step to all n chunks; between the two only n - 1 steps remain."""
    return t_copy + t_compute + n * max(t_copy, t_compute), n * (t_copy + t_compute)


def the_wrong_way_round(n, t_copy, t_compute):
    """You have the two times the wrong way round: overlapped comes first."""
    return n * (t_copy + t_compute), t_copy + t_compute + (n - 1) * max(t_copy, t_compute)
