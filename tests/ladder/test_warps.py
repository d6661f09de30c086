"""Warps: eight rungs run lane by lane; cost is in cycles even where bytes are scored."""

from accelerator_course import ladder

RUNGS = [rung for rung in ladder.rungs().values() if rung.machine == "warp"]


def test_cost_is_in_cycles():
    copy = ladder.rung("copy")
    assert copy.scored == "bytes" and copy.cost(copy.best) == copy.best.timed.cycles != copy.score(copy.best)
    assert len(RUNGS) == 8 and all(rung.cost(rung.best) == rung.best.timed.cycles for rung in RUNGS)


def test_bytes_are_whole_sectors_and_more_than_the_arrays():
    for rung in RUNGS:
        case = rung.cases()[1]
        read = sum(4 * value.size for name, value in case.arguments.items() if hasattr(value, "size"))
        assert rung.least_bytes(case) % 32 == 0 and rung.least_bytes(case) >= read
