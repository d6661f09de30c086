"""Dies on a wafer, the defects that fall on them, their yield, spare units."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from accelerator_course.frames import silicon as frames
from accelerator_lib import silicon
from accelerator_lib.silicon import salvage, wafer, yields
from accelerator_lib.silicon.falling import GOOD, SALVAGED, SCRAP


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


def test_points_on_a_wafer():
    made = silicon.cut(800, 1.2)
    assert list(made.die_of(made.centres)) == list(range(len(made.centres)))
    inner = made.corners + 0.001
    assert list(made.die_of(inner)) == list(range(len(made.centres)))
    assert (made.die_of(made.corners - 0.01) == -1).all()  # in the scribe
    assert list(made.die_of([(149.9, 0), (-200, 0)])) == [-1, -1]
    made = wafer.cut(46225)
    assert not len(made.centres) and made.used == 0 and not made.fits
    assert list(made.die_of([(0, 0)])) == [-1]


RNG = np.random.default_rng(9)
DRAWS = {  # densities around a mean of one
    "poisson": lambda n, alpha: np.ones(n),
    "murphy": lambda n, alpha: RNG.triangular(0, 1, 2, n),
    "seeds": lambda n, alpha: RNG.exponential(1, n),
    "negative_binomial": lambda n, alpha: RNG.gamma(alpha, 1 / alpha, n),
}
models = st.sampled_from(yields.MODELS)
areas, densities, alphas = st.floats(1, 2000), st.floats(0, 1), st.floats(0.3, 50)


@pytest.mark.parametrize(
    "model, printed",  # the worked rows of the reference: 858 mm² at 0.1, 814 at 0.2, 400 at 0.05
    [
        ("poisson", (0.4240, 0.1963, 0.8187)),
        ("murphy", (0.4507, 0.2437, 0.8215)),
        ("seeds", (0.5382, 0.3805, 0.8333)),
        ("negative_binomial", (0.4702, 0.2724, 0.8240)),
    ],
)
def test_worked_rows(model, printed):
    pairs = (858, 0.1), (814, 0.2), (400, 0.05)
    assert [silicon.die_yield(*pair, model) for pair in pairs] == pytest.approx(printed, abs=5e-5)
    areas, defects = np.array(pairs).T
    assert silicon.die_yield(areas, defects, model) == pytest.approx(printed, abs=5e-5)


@pytest.mark.parametrize("model", yields.MODELS)
def test_a_yield_is_a_mean_over_densities(model):
    n, area, d0, alpha = 400_000, 800, 0.1, 2.0
    counted = np.exp(-area / 100 * d0 * DRAWS[model](n, alpha)).mean()
    assert silicon.die_yield(area, d0, model, alpha) == pytest.approx(counted, abs=2e-3)


@given(models, areas, densities, alphas)
@example("negative_binomial", 1592.0, 1.0, 0.375)
def test_nodes_and_weights_give_the_closed_form(model, area, d0, alpha):
    factors, weights = yields.densities(model, 1.0 if model == "seeds" else alpha)
    assert weights.sum() == pytest.approx(1) and weights @ factors == pytest.approx(1)
    mean = weights @ np.exp(-area * d0 / 100 * factors)
    close = 2e-6 if alpha >= 0.5 else 2e-4  # a gamma distribution that is all peak and tail asks more of 128 nodes
    assert mean == pytest.approx(silicon.die_yield(area, d0, model, alpha), abs=close)


@pytest.mark.parametrize("model", yields.MODELS)
@pytest.mark.parametrize("spare", [1, 3, 12])
def test_dice_agree_with_the_salvaged_yield(model, spare):
    n, area, d0, count, unit, alpha = 200_000, 814, 0.15, 100, 5.0, 2.0
    density = d0 / 100 * DRAWS[model](n, alpha)
    outside = RNG.poisson(density * (area - count * unit)) == 0
    bad = RNG.binomial(count, -np.expm1(-density * unit))
    counted = (outside & (bad <= spare)).mean()
    assert silicon.harvested_yield(area, d0, count, spare, unit, model, alpha) == pytest.approx(counted, abs=4e-3)


@given(models, areas, densities, st.integers(1, 256), st.floats(0, 1), alphas)
def test_spare_units_only_help(model, area, d0, count, share, alpha):
    unit, spares = share * area / count, (0, 1, 4, count)
    rates = [silicon.harvested_yield(area, d0, count, spare, unit, model, alpha) for spare in spares]
    assert rates[0] == silicon.die_yield(area, d0, model, alpha)
    assert all(low <= high + 2e-5 for low, high in pairwise(rates))  # the sum over densities is good to 2e-5
    outside = max(area * (1 - share), 1e-3)
    assert rates[-1] == pytest.approx(silicon.die_yield(outside, d0, model, alpha), abs=1e-4)


@given(st.floats(1, 500), densities)
def test_the_models_in_their_order(area, d0):
    rates = [silicon.die_yield(area, d0, model) for model in ("poisson", "murphy", "negative_binomial", "seeds")]
    assert all(0 < low <= high + 1e-12 <= 1 + 1e-12 for low, high in pairwise(rates))
    assert silicon.die_yield(area, d0, "negative_binomial", 1e4) == pytest.approx(rates[0], abs=1e-3)
    assert silicon.die_yield(area, d0, "negative_binomial", 1) == pytest.approx(rates[-1])


@given(models, areas, st.floats(0.001, 1), alphas)
def test_a_density_from_a_yield_and_back(model, area, d0, alpha):
    share = silicon.die_yield(area, d0, model, alpha)
    assert silicon.density_of(share, area, model, alpha) == pytest.approx(d0, rel=1e-6)


def test_yields_by_hand():
    factors, weights = yields.densities("murphy")
    assert weights @ (factors - 1) ** 2 == pytest.approx(1 / 6)
    for d0 in (0.02, 0.1, 0.2):
        pair = [silicon.die_yield(800, d0, *model) for model in (("murphy",), ("negative_binomial", 6))]
        assert pair[0] == pytest.approx(pair[1], abs=0.008)
    assert silicon.density_of(0.5, 100, "poisson") == pytest.approx(np.log(2))
    assert silicon.density_of(0.5, 100, "seeds") == pytest.approx(1)
    assert silicon.density_of(0.8, 17.92) == pytest.approx(1.27, abs=0.005)


@given(st.integers(1, 256), st.floats(0.01, 1), st.floats(5, 40), st.floats(5, 40))
def test_units_are_equal_lie_on_the_die_and_do_not_overlap(count, share, width, height):
    unit = share * width * height / count
    made = salvage.units(width, height, count, unit)
    boxes = made.boxes()
    assert made.count == len(boxes) == count
    assert boxes[:, 2] * boxes[:, 3] == pytest.approx(np.full(count, unit))
    assert (boxes[:, :2] >= -1e-9).all() and (boxes[:, :2] + boxes[:, 2:] <= [width + 1e-6, height + 1e-6]).all()
    middles = boxes[:, :2] + boxes[:, 2:] / 2
    assert list(made.of(middles)) == list(range(count))


def test_spare_units_by_hand():
    made = salvage.units(26, 33, 144, 3.4)
    points = np.random.default_rng(1).random((40_000, 2)) * [26, 33]
    assert (made.of(points) >= 0).mean() == pytest.approx(144 * 3.4 / 858, abs=0.01)
    found = silicon.spares(814, 0.1, 144, 3, 3.4)
    assert [found.yields[n] for n in (0, 1, 3, 12)] == pytest.approx([0.47, 0.67, 0.728, 0.729], abs=0.004)
    assert found.ceiling == pytest.approx(silicon.die_yield(814 - 144 * 3.4, 0.1)) and found.here == found.yields[3]
    assert found.enough == 3 and silicon.spares(814, 3.0, 250, 0, 3.0).enough is None
    assert (found.needed, silicon.spares(800, 0.1, 4, 16, 8.0).needed) == (141, 0)
    assert silicon.spares(800, 0.1, 100, 0, 8.0).ceiling == 1
    coarse, fine = silicon.spares(814, 0.1, 4, 0, 122.0), silicon.spares(814, 0.1, 64, 0, 122.0 / 16)
    assert fine.yields[1] < coarse.yields[1] < fine.yields[16]


def fallen(**how):
    *_, state = silicon.fall(**how)
    return state


def test_defects_and_clusters():
    runs = [list(silicon.defects(seed, 0.1)) for seed in range(200)]
    counts = np.array(list(map(len, runs)))
    expected = 0.1 * np.pi * 15**2
    assert counts.mean() == pytest.approx(expected, rel=0.03) and counts.var() == pytest.approx(expected, rel=0.25)
    assert all(np.hypot(*point) <= 150 for run in runs for point in run)
    assert list(silicon.defects(3, 0.1)) == runs[3] != runs[4] and not list(silicon.defects(3, 0.0))
    counts = [[len(list(silicon.defects(seed, 0.1, alpha))) for seed in range(200)] for alpha in (None, 1, 0.2)]
    means, spreads = np.mean(counts, 1), np.std(counts, 1)
    assert means == pytest.approx([70.7] * 3, rel=0.06) and spreads[0] < spreads[1] < spreads[2]


@pytest.mark.parametrize("alpha", [None, 3, 1])
@pytest.mark.parametrize("spare", [0, 3])
def test_many_wafers_have_the_yield_of_the_formula(alpha, spare):
    sold = [fallen(alpha=alpha, spare=spare, seed=seed).sold for seed in range(150)]
    formula = fallen(alpha=alpha, spare=spare).formula
    assert np.mean(sold) == pytest.approx(formula, abs=0.015)  # three standard errors
    assert 0.035 < np.std(sold) < 0.08  # one wafer scatters by 6 points


@pytest.mark.parametrize("d0, none, three", [(0.02, 0.85, 0.86), (0.5, 0.02, 0.08)])
def test_at_equal_density_clusters_raise_the_yield(d0, none, three):
    assert [next(silicon.fall(800, d0, alpha)).formula for alpha in (None, 3)] == pytest.approx(
        [none, three], abs=0.005
    )


@settings(max_examples=25)
@given(st.floats(50, 858), st.floats(0, 0.5), st.sampled_from([None, 1, 3]), st.integers(0, 16), st.integers(0, 9))
def test_each_defect_can_only_spoil(area, d0, alpha, spare, seed):
    states = list(silicon.fall(area, d0, alpha, spare, seed=seed))
    assert len(states) == states[0].most + 1 and states[0].counts == (len(states[0].cut.centres), 0, 0)
    before = None
    for n, state in enumerate(states):
        assert len(state.points) == n and sum(state.counts) == len(state.cut.centres)
        if before is not None:
            assert (state.states >= before.states).all() and (state.states != before.states).sum() <= 1
        before = state


@pytest.mark.parametrize("spare", [0, 2])
def test_dies_counted_one_defect_at_a_time(spare):
    state = fallen(defects_per_cm2=0.4, spare=spare, seed=7)
    for die in range(len(state.cut.centres)):
        bad, dead = set(), False
        for x, y in state.points:
            dx, dy = x - state.cut.corners[die][0], y - state.cut.corners[die][1]
            if 0 <= dx <= state.cut.width and 0 <= dy <= state.cut.height:
                boxes = state.units.boxes()
                hit = [i for i, (a, b, w, h) in enumerate(boxes) if a <= dx < a + w and b <= dy < b + h]
                bad.update(hit)
                dead = dead or not hit
        want = SCRAP if dead or len(bad) > spare else SALVAGED if bad else GOOD
        assert state.states[die] == want and state.bad_units[die] == len(bad)
        points, units = state.within(die)
        assert len(points) == len(units) and set(units[units >= 0]) == bad


def test_rain_on_two_wafers():
    states = list(frames.rain(area=600, seed=7))
    assert [state.fallen for state in states] == [*range(0, states[-1].fallen, 3), states[-1].fallen]
    assert states[-1].ended and not states[-2].ended
    for state in states:
        small, large = state.wafers
        assert np.array_equal(small.points, large.points)
        assert (small.cut.area, large.cut.area) == (pytest.approx(400), pytest.approx(600))
        for one, usd in zip(state.wafers, state.usd, strict=True):
            hit = {die for die in one.cut.die_of(one.points) if die >= 0}
            assert one.saleable == len(one.cut.centres) - len(hit) and usd == 17000 / one.saleable
        assert state.times == state.usd[1] / state.usd[0]
    assert states[0].many_times == pytest.approx(
        silicon.cost_per_good_die(1, 600, 0.1) / silicon.cost_per_good_die(1, 400, 0.1)
    )
    assert states[0].most == max(usd for state in states for usd in state.usd)
    *_, end = frames.rain(defects_per_cm2=5.0)
    assert end.usd[1] is None and end.times is None and end.most > 0


@pytest.mark.parametrize("aspect", [1, 1.2, 33 / 26, 1.5, 2, 5])
def test_the_largest_die_of_a_shape_is_the_last_that_fits(aspect):
    found = silicon.largest(aspect)
    assert silicon.fits_field(*silicon.sides(found.area_mm2 * 0.9999, aspect))
    assert not silicon.fits_field(*silicon.sides(found.area_mm2 * 1.0001, aspect))
    width, height = silicon.sides(found.area_mm2, aspect)
    assert (width, height)[("width", "height").index(found.side)] == pytest.approx((26, 33)[found.side == "height"])
