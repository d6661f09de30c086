"""The floor plan of a design: every part on its place, to scale."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course.league.floor import floor
from accelerator_lib import design
from accelerator_lib.silicon.hbm import hbm_sites

designs = st.builds(
    design.Design,
    edge=st.sampled_from((16, 64, 256, 512)),
    arrays=st.integers(1, 600),
    sram_mb=st.sampled_from((8, 64, 1024)),
    stacks=st.integers(0, 12),
    clock_hz=st.just(1e9),
    link_bytes_per_s=st.just(1e11),
    node=st.sampled_from((7, 5)),
)


@given(designs)
@settings(max_examples=80, deadline=None)
def test_parts_fill_the_die_and_lie_apart(mine):
    plan = floor(mine)
    assert plan.area == pytest.approx(design.area_mm2(mine)) == pytest.approx(plan.wide * plan.high)
    assert sum(plan.shares) == pytest.approx(1)
    assert plan.sram[2] * plan.sram[3] == pytest.approx(plan.areas[1])
    assert plan.interfaces[:, 2].sum() * plan.high == pytest.approx(plan.areas[2], abs=1e-9)
    assert len(plan.cells) * plan.each >= mine.arrays > (len(plan.cells) - 1) * plan.each and len(plan.cells) <= 120
    x, y, wide, deep = plan.cells.T
    side, tall = plan.sram[:2]
    assert x.min() >= side - 1e-9 and (x + wide).max() <= plan.wide - side + 1e-6
    assert y.min() >= 0 and (y + deep).max() <= tall + 1e-6  # above the SRAM
    assert len(np.unique(np.round(np.column_stack([x, y]), 6), axis=0)) == len(x)


@given(designs)
@settings(max_examples=80, deadline=None)
def test_stacks_stand_at_the_edges_as_far_as_there_is_room(mine):
    plan = floor(mine)
    room = hbm_sites(min(max(plan.area / 26, 0.1), 1e4))
    assert plan.placed.sum() == min(mine.stacks, room) and len(plan.stacks) == mine.stacks
    for x, y, wide, high in plan.stacks[plan.placed]:
        assert (x + wide <= 0 or x >= plan.wide) and y >= 0 and y + high <= plan.high
    outside = plan.stacks[~plan.placed]
    assert (outside[:, 1] > plan.high).all()


def test_of_two_dies_one_is_drawn():
    plan = floor("b200")
    assert plan.area == pytest.approx(design.area_mm2("b200") / 2) and len(plan.stacks) == 4
