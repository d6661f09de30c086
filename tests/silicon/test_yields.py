from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from accelerator_lib import silicon
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.silicon import yields

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
    rates = [
        silicon.harvested_yield(area, d0, count, spare, share * area / count, model, alpha)
        for spare in (0, 1, 4, count)
    ]
    assert rates[0] == silicon.die_yield(area, d0, model, alpha)
    assert all(low <= high + 1e-5 for low, high in pairwise(rates))  # the sum over densities is good to 1e-5
    outside = max(area * (1 - share), 1e-3)
    assert rates[-1] == pytest.approx(silicon.die_yield(outside, d0, model, alpha), abs=1e-4)


@given(st.floats(1, 500), densities)
def test_the_models_in_their_order(area, d0):
    rates = [silicon.die_yield(area, d0, model) for model in ("poisson", "murphy", "negative_binomial", "seeds")]
    assert all(0 < low <= high + 1e-12 <= 1 + 1e-12 for low, high in pairwise(rates))
    assert silicon.die_yield(area, d0, "negative_binomial", 1e4) == pytest.approx(rates[0], abs=1e-3)
    assert silicon.die_yield(area, d0, "negative_binomial", 1) == pytest.approx(rates[-1])


def test_murphys_triangle_spreads_like_a_gamma_of_six():
    factors, weights = yields.densities("murphy")
    assert weights @ (factors - 1) ** 2 == pytest.approx(1 / 6)
    for d0 in (0.02, 0.1, 0.2):
        pair = [silicon.die_yield(800, d0, *model) for model in (("murphy",), ("negative_binomial", 6))]
        assert pair[0] == pytest.approx(pair[1], abs=0.008)


@given(models, areas, st.floats(0.001, 1), alphas)
def test_a_density_from_a_yield_and_back(model, area, d0, alpha):
    share = silicon.die_yield(area, d0, model, alpha)
    assert silicon.density_of(share, area, model, alpha) == pytest.approx(d0, rel=1e-6)


def test_a_density_from_a_yield_in_closed_form():
    assert silicon.density_of(0.5, 100, "poisson") == pytest.approx(np.log(2))
    assert silicon.density_of(0.5, 100, "seeds") == pytest.approx(1)
    assert silicon.density_of(0.8, 17.92) == pytest.approx(1.27, abs=0.005)


def test_arrays():
    got = silicon.die_yield(np.array([0.5, 400.0]), 0.1)
    assert got == pytest.approx([0.9995001, 0.6793054])
    assert silicon.die_yield(400, 0) == 1


def test_what_is_refused():
    with pytest.raises(NotAvailable, match=r"256 units of 3\.4 mm² need 870 mm², more than the die's 814"):
        silicon.harvested_yield(814, 0.1, 256, 3, 3.4)
    with pytest.raises(UnknownName, match="did you mean 'poisson'"):
        silicon.die_yield(814, 0.1, "poison")
    for call in (
        lambda: silicon.die_yield(-1, 0.1),
        lambda: silicon.die_yield(100, float("inf")),
        lambda: silicon.die_yield(100, 0.1, "negative_binomial", 0),
        lambda: silicon.harvested_yield(814, 0.1, 0, 0, 3.4),
        lambda: silicon.harvested_yield(814, 0.1, 144, 1.5, 3.4),
        lambda: silicon.harvested_yield(814, [0.1, 0.2], 144, 1, 3.4),
    ):
        with pytest.raises((ValueError, TypeError)):
            call()
