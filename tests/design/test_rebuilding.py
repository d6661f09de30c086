"""The figures multiplied out, frame by frame."""

from itertools import pairwise

import pytest

from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.design import forensics, rebuilding

FRAMES = list(rebuilding.steps())


def test_every_factor_is_shown_alone_and_every_figure_is_judged():
    assert len(FRAMES) == sum(len(rebuilding.factors(claim)) + 2 for claim in forensics.claims().values()) == 71
    for before, after in pairwise(FRAMES):
        if before.number == after.number:
            assert len(after.factors) - len(before.factors) == (0 if after.found is not None else 1)
        else:
            assert before.found is not None and after.factors == () and after.done[-1] == (before.claim, before.found)
    assert [frame.number for frame in FRAMES if frame.found is not None] == list(range(1, 13))


@pytest.mark.parametrize(
    "frame", [frame for frame in FRAMES if frame.found is not None], ids=lambda frame: frame.claim.id
)
def test_the_last_products_give_what_the_claim_rebuilds(frame):
    """The product of the factors, part by part, is the closed form."""
    claim, ends = frame.claim, {}
    for factor in frame.factors:
        if factor.what != "watts":
            ends[factor.part] = factor.product
    if None not in ends.values():
        assert sum(ends.values()) / (claim.watts or 1) == pytest.approx(claim.rebuilt)
    assert frame.rebuilt == claim.rebuilt and frame.found == forensics.audit(claim)


def test_nothing_is_judged_before_its_factors_are_known():
    assert all(frame.found is None or len(frame.factors) == len(rebuilding.factors(frame.claim)) for frame in FRAMES)
    assert all(frame.rebuilt is None for frame in FRAMES if len(frame.factors) < len(rebuilding.factors(frame.claim)))


def test_one_figure_alone_is_its_frames_of_the_whole():
    alone = list(rebuilding.steps("h100"))
    whole = [frame for frame in FRAMES if frame.claim.id == "h100"]
    assert [(f.factors, f.found) for f in alone] == [(f.factors, f.found) for f in whole]
    assert {(f.number, f.of) for f in alone} == {(1, 1)}


def test_an_unknown_figure_is_one_clear_line():
    with pytest.raises(UnknownName, match="did you mean"):
        list(rebuilding.steps("h10"))
