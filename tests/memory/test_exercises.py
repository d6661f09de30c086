"""The keys of the exercises found again on another road."""

import re

from played import NOTEBOOKS

from accelerator_course.exercises import find
from accelerator_course.exercises import memory as own


def test_no_row_length_that_solves_the_padding_stands_in_the_chapter():
    book = (NOTEBOOKS / "02_memory.ipynb").read_text()
    tried = {int(length) for length in re.findall(r"leading=(\d+)", book)}
    assert tried and all(own._misses(length) > 4200 for length in tried)


def test_classes_of_misses_by_hand():
    """Five lines of one set of four ways, in a cache of 16 places: all but first uses are conflicts."""
    name, trace, *shape = next(iter(own._traces()))
    assert own.classify(trace, *shape) == ["first use"] * 5 + ["conflict"] * 10, name


def test_every_kind_comes_and_slips_differ_from_the_solution():
    kinds = [kind for _, trace, *shape in own._traces() for kind in own.classify(trace, *shape)]
    assert set(kinds) == set(own.KINDS) and min(map(kinds.count, own.KINDS)) > 30
    for slip in map(find("02.4").wrong.get, ("full_itself", "blind_to_hits", "all_conflicts")):
        assert any(slip(trace, *shape) != own.classify(trace, *shape) for _, trace, *shape in own._traces())
