import pytest

from accelerator_course.frames import roofline as frames
from accelerator_lib import roofline
from accelerator_lib.workload import Gemm


def layer(rows):
    return roofline.place(Gemm(rows, 28672, 8192), "h100-sxm5")


@pytest.mark.parametrize("rows", [1, 128, 310, 512])
def test_a_race_runs_evenly_and_ends_with_the_longer_time(rows):
    placed, run = layer(rows), list(frames.race(layer(rows)))
    assert [now.done for now in run] == [False] * (len(run) - 1) + [True]
    assert [now.seconds for now in run[:-1]] == pytest.approx([20e-6 * i for i in range(len(run) - 1)])
    assert run[-1].seconds == placed.seconds and run[-1].seconds - run[-2].seconds <= 20e-6
    assert run[-1].fetched == run[-1].multiplied == 1 and run[0].fetched_bytes == 0 and run[0].slowdown == 20_000
    for now in run:
        assert now.fetched_bytes == pytest.approx(min(now.bytes_moved, now.seconds * 3.35e12))
        assert now.multiplied == pytest.approx(min(1, now.seconds * 989.4e12 / placed.work.flops))


def test_a_roof_is_drawn_part_by_part_and_carries_what_was_measured():
    assert [frames.Roof(layer(1), drawn=part).parts for part in frames.PARTS] == [1, 2, 3, 4]
    found = roofline.products("a100-80gb-sxm")
    for place, row in enumerate(found.rows):
        here = frames.Roof(roofline.place(Gemm(*found.shapes[place]), "a100-80gb-sxm"), found=found, chosen=place)
        assert here.measured == pytest.approx(row["value"] * 1e12)
        assert here.measured_share == pytest.approx(row["value"] / 312)
        assert here.in_turns(here.placed.ridge_point) == pytest.approx(156e12)
