"""Choices: every way to split a training step over so many chips, tried; the key of a decision."""

from itertools import product

from accelerator_lib.checks.inputs import NotAvailable, affordable, count, described
from accelerator_lib.checks.signature import Bytes, Given, Single, checked
from accelerator_lib.hardware import AChip
from accelerator_lib.network.parallel import INNER, NODE, OUTER, Rate, Ways, split
from accelerator_lib.workload.models import AModel

MOST_TRIED = 20_000  # of some 50 us each


def _several(given):
    if not isinstance(given, (list, tuple, range)) or not 1 <= len(given) <= 64:
        raise TypeError(f"need a tuple of up to 64 whole numbers such as (1, 2, 4), not {described(given)}")
    return tuple(count("each", one, 1, 2**20) for one in given)


Several = Given("a tuple of whole numbers", _several)


@checked
def splits(
    model: AModel, chip: AChip, chips: Ways, sequences: Ways, tokens: Ways, capacity_bytes: Single(Bytes),
    ways: Several = (1, 2, 4, 8, 16), micros: Several = (1,), interleaves: Several = (1,),
    inner_bytes_per_s: Rate = INNER, outer_bytes_per_s: Rate = OUTER, domain: Ways = NODE,
):  # fmt: skip
    """Every Split of so many chips that divides and fits, the fastest first: tp and pp out of `ways`, and so on."""
    affordable("splits", len(ways) ** 2 * len(micros) * len(interleaves), MOST_TRIED, "the number of ways or micros")
    links, found = (inner_bytes_per_s, outer_bytes_per_s, domain), []
    for tp, pp, micro, interleave in product(ways, ways, micros, interleaves):
        if chips % (tp * pp):
            continue
        try:
            one = split(model, chip, tp, pp, chips // (tp * pp), sequences, tokens, micro, interleave, *links)
        except NotAvailable:
            continue
        if one.bytes_per_chip <= capacity_bytes:
            found.append(one)
    return tuple(sorted(found, key=lambda one: one.seconds))


@checked
def table(
    model: AModel, chip: AChip, chips: Ways, sequences: Ways, tokens: Ways, capacity_bytes: Single(Bytes),
    tps: Several = (1, 2, 4, 8, 16, 32, 64), pps: Several = (1, 2, 4, 8, 16), interleaves: Several = (1,),
    inner_bytes_per_s: Rate = INNER, outer_bytes_per_s: Rate = OUTER, domain: Ways = NODE,
):  # fmt: skip
    """{(tp, pp): (Split, whether it fits)}, (None, False) where nothing divides; with the best of the interleaves.

    Of those that fit the fastest is taken, where none fits the smallest.
    """
    affordable("splits", len(tps) * len(pps) * len(interleaves), MOST_TRIED, "the number of tps or pps")
    found, links = {}, (inner_bytes_per_s, outer_bytes_per_s, domain)
    for tp, pp in product(tps, pps):
        made = []
        for interleave in interleaves if chips % (tp * pp) == 0 else ():
            try:
                made.append(split(model, chip, tp, pp, chips // (tp * pp), sequences, tokens, 1, interleave, *links))
            except NotAvailable:
                continue
        fits = [one for one in made if one.bytes_per_chip <= capacity_bytes]
        best = min(fits, key=lambda one: one.seconds, default=None)
        found[tp, pp] = best or min(made, key=lambda one: one.bytes_per_chip, default=None), bool(fits)
    return found
