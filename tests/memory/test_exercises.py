"""Wrong solutions of the exercises, and their keys found again on another road."""


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


def each_chunk_takes_the_slower(n, t_copy, t_compute):
    return n * max(t_copy, t_compute), n * (t_copy + t_compute)


def ends_counted_twice(n, t_copy, t_compute):
    return t_copy + t_compute + n * max(t_copy, t_compute), n * (t_copy + t_compute)


def no_first_copy_in_the_sum(n, t_copy, t_compute):
    return t_copy + t_compute + (n - 1) * max(t_copy, t_compute), t_copy + n * t_compute


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "02.1": [
        (addresses_for_lines, "64 sets of 64 bytes"),
        (fully_associative, "sets of "),
        (misses_counted, "a walk of 8 KiB, twice"),
    ],
    "02.2": [
        (lambda: 256, "With rows of 256 elements"),
        (lambda: 512, "With rows of 512 elements"),
        (lambda: 384, "With rows of 384 elements"),
        (lambda: 272.0, "you returned 272.0"),
    ],
    "02.3": [
        (each_chunk_takes_the_slower, "8 chunks, copy 0.002 s, work 0.003 s, overlapped"),
        (ends_counted_twice, "8 chunks, copy 0.002 s, work 0.003 s, overlapped"),
        (no_first_copy_in_the_sum, "one after the other"),
    ],
}
