"""Wrong solutions of the exercises, and their keys found again on another road."""

import re

from played import NOTEBOOKS

from accelerator_course.exercises import memory as own
from accelerator_course.exercises.slips import memory as slips


def no_first_copy_in_the_sum(n, t_copy, t_compute):
    return t_copy + t_compute + (n - 1) * max(t_copy, t_compute), t_copy + n * t_compute


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "02.1": [
        (slips.addresses_for_lines, "64 sets of 64 bytes"),
        (slips.fully_associative, "sets of "),
        (slips.misses_counted, "a walk of 8 KiB, twice"),
    ],
    "02.2": [
        (slips.unchanged, "With rows of 256 elements"),
        (slips.twice_as_long, "With rows of 512 elements"),
        (lambda: 384, "With rows of 384 elements"),
        (lambda: 272.0, "you returned 272.0"),
    ],
    "02.3": [
        (slips.each_chunk_takes_the_slower, "8 chunks, copy 0.002 s, work 0.003 s, overlapped"),
        (slips.ends_counted_twice, "8 chunks, copy 0.002 s, work 0.003 s, overlapped"),
        (slips.the_wrong_way_round, "8 chunks, copy 0.002 s, work 0.003 s, overlapped"),
        (no_first_copy_in_the_sum, "one after the other"),
    ],
}


def test_no_row_length_that_solves_the_padding_stands_in_the_chapter():
    book = (NOTEBOOKS / "02_memory.ipynb").read_text()
    tried = {int(length) for length in re.findall(r"leading=(\d+)", book)}
    assert tried and all(own._misses(length) > 4200 for length in tried)
