import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import silicon
from accelerator_lib.silicon import wafer


def counted(width, height, radius, pitch, shift):
    """Dies of one grid by two loops over its cells: all four corners inside."""
    found = 0
    for i in range(-400, 401):
        if abs(i * pitch[0]) > radius + pitch[0]:
            continue
        for j in range(-400, 401):
            x, y = (i + shift[0]) * pitch[0], (j + shift[1]) * pitch[1]
            corners = [(x + a * pitch[0] / 2, y + b * pitch[1] / 2) for a in (-1, 1) for b in (-1, 1)]
            found += all(np.hypot(*corner) <= radius for corner in corners)
    return found


@pytest.mark.parametrize("width, height, dies", [(20, 20, 148), (26, 33, 64), (33, 26, 64)])
def test_real_placement(width, height, dies):
    assert len(silicon.wafer_map(width, height)) == dies


@pytest.mark.parametrize(
    "width, height, edge, scribe", [(26, 33, 3, 0.1), (20, 20, 3, 0.1), (40, 12, 0, 0.2), (75, 75, 5, 0)]
)
def test_the_best_of_four_centrings(width, height, edge, scribe):
    pitch = width + scribe, height + scribe
    counts = [counted(width, height, 150 - edge, pitch, (a, b)) for a in (0, 0.5) for b in (0, 0.5)]
    assert len(silicon.wafer_map(width, height, 300, edge, scribe)) == max(counts)


sizes = st.floats(15, 120)


@given(sizes, sizes, st.floats(0, 5), st.floats(0, 0.2))
def test_dies_lie_inside_and_apart(width, height, edge, scribe):
    centres = silicon.wafer_map(width, height, edge_mm=edge, scribe_mm=scribe)
    corners = np.abs(centres) + np.array([width + scribe, height + scribe]) / 2
    assert (np.hypot(*corners.T) <= 150 - edge + 1e-9).all()
    apart = np.abs(centres[:, None] - centres[None]) + 1e-6 >= [width + scribe, height + scribe]
    assert (apart.any(2) | np.eye(len(centres), dtype=bool)).all()
    assert len(centres) * width * height <= np.pi * (150 - edge) ** 2 + 1e-6


@given(sizes, sizes)
def test_a_turned_die_and_a_wider_edge(width, height):
    assert len(silicon.wafer_map(width, height)) == len(silicon.wafer_map(height, width))
    assert len(silicon.wafer_map(width, height, edge_mm=5)) <= len(silicon.wafer_map(width, height, edge_mm=0))


def test_the_formula_is_near_what_is_placed():
    for area in (50, 100, 200, 400):
        side = area**0.5
        placed = len(silicon.wafer_map(side, side, edge_mm=0, scribe_mm=0))
        assert placed == pytest.approx(silicon.dies_per_wafer(area), rel=0.06)
    several = silicon.dies_per_wafer(np.array([100.0, 858.0]))
    assert several == pytest.approx([640.2151, 59.6328], rel=1e-5)
    assert silicon.dies_per_wafer(46225) == 0


@pytest.mark.parametrize("sides, fits", [((26, 33), True), ((33, 26), True), ((27, 27), False), ((26, 33.1), False)])
def test_the_field_is_a_rectangle(sides, fits):
    assert silicon.fits_field(*sides) is fits


@pytest.mark.parametrize("aspect, largest", [(1, 676), (1.2, 811.2), (33 / 26, 858), (2, 544.5)])
def test_the_largest_die_of_a_shape(aspect, largest):
    assert silicon.fits_field(*silicon.sides(largest * 0.9999, aspect))
    assert not silicon.fits_field(*silicon.sides(largest * 1.0001, aspect))


def test_where_points_lie():
    made = silicon.cut(800, 1.2)
    assert list(made.die_of(made.centres)) == list(range(len(made.centres)))
    inner = made.corners + 0.001
    assert list(made.die_of(inner)) == list(range(len(made.centres)))
    assert (made.die_of(made.corners - 0.01) == -1).all()  # in the scribe
    assert list(made.die_of([(149.9, 0), (-200, 0)])) == [-1, -1]


@given(st.floats(50, 858), st.integers(0, 2**31))
def test_where_points_lie_by_looking_at_every_die(area, seed):
    made = silicon.cut(area, 1.3)
    points = np.random.default_rng(seed).uniform(-150, 150, (20, 2))
    for point, found in zip(points, made.die_of(points), strict=True):
        inside = (np.abs(point - made.centres) <= [made.width / 2, made.height / 2]).all(1)
        assert found == (np.flatnonzero(inside)[0] if inside.any() else -1)


@pytest.mark.parametrize("area, aspect", [(100, 1), (400, 2), (858, 33 / 26)])
def test_the_used_share_is_that_of_the_points_that_lie_in_a_die(area, aspect):
    """Second road: a fine grid of points over the whole wafer, each asked for its die."""
    made, line = silicon.cut(area, aspect), np.linspace(-150, 150, 601)
    points = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    points = points[np.hypot(*points.T) <= 150]
    assert made.used == pytest.approx((made.die_of(points) >= 0).mean(), abs=0.005)


def test_a_wafer_without_dies():
    made = wafer.cut(46225)
    assert not len(made.centres) and made.used == 0 and not made.fits
    assert list(made.die_of([(0, 0)])) == [-1]


@pytest.mark.parametrize(
    "call",
    [
        lambda: silicon.wafer_map(0, 20),
        lambda: silicon.wafer_map(0.01, 0.01),
        lambda: silicon.wafer_map(float("nan"), 20),
        lambda: silicon.wafer_map([20, 20], 20),
        lambda: silicon.wafer_map(20, 20, edge_mm=-1),
        lambda: silicon.dies_per_wafer(-5),
        lambda: silicon.sides(800, 0.5),
        lambda: silicon.fits_field("a", 3),
    ],
)
def test_what_is_no_size_is_refused(call):
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    assert "\n" not in str(error.value)
