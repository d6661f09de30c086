import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import systolic
from accelerator_lib.systolic import floorplan
from accelerator_lib.workload import Gemm

PRICES = floorplan.Prices(0.6, 0.002, 0.2, 4.0)
edges = st.sampled_from([8, 16, 32, 64, 128, 256])
areas, shares, lanes = st.floats(1e3, 1e6), st.floats(0, 1), st.floats(0, 50)
rows = st.lists(st.integers(1, 4096), min_size=1, max_size=4)


def serve(edge, jobs, sram=0.3, lane=8, bytes_per_s=1e12, watts=300, size=2048, prices=PRICES):
    plan = floorplan.floorplan(edge, 4e5, sram, lane)
    return floorplan.served(plan, jobs, size, prices, 1e9, bytes_per_s, watts)


@given(edges, areas, shares, lanes)
def test_the_area_adds_up_and_no_further_array_fits(edge, area, sram, lane):
    plan = floorplan.floorplan(edge, area, sram, lane)
    assert plan.pes + plan.lanes + plan.sram + plan.spare == pytest.approx(area)
    assert -1e-6 * area <= plan.spare < edge**2 + 2 * edge * lane
    assert plan.pes == plan.arrays * edge * edge


def test_four_large_arrays_by_hand():
    """280,000 PEs of area beside the SRAM; an array of 256 takes 65,536 and 512 lanes of 8."""
    plan = floorplan.floorplan(256, 400_000, 0.3, 8)
    assert (plan.arrays, plan.pes, plan.lanes) == (4, 262_144, 16_384)
    assert plan.sram == pytest.approx(120_000) and plan.spare == pytest.approx(280_000 - 278_528)


@given(edges, rows, st.floats(0.01, 0.9), st.floats(1e11, 1e14), st.floats(10, 2000))
def test_nothing_is_delivered_beyond_a_limit(edge, jobs, sram, bytes_per_s, watts):
    made = serve(edge, jobs, sram, bytes_per_s=bytes_per_s, watts=watts)
    assert 0 <= made.utilization <= 1 + 1e-9 and made.watts <= watts * (1 + 1e-9)
    assert made.delivered <= min(made.by_area, made.by_watts) * (1 + 1e-9) and len(made.limits) == len(jobs)


@given(st.integers(1, 4096), st.integers(3, 7))
def test_smaller_arrays_have_more_edge_in_area_and_in_traffic(m, power):
    small, large = (floorplan.floorplan(edge, 4e5, 0.3, 8) for edge in (2**power, 2 ** (power + 1)))
    assert small.lanes / small.pes == pytest.approx(2 * large.lanes / large.pes)
    crossed = [systolic.traffic(Gemm(m, 2048, 2048), plan.edge, plan.edge, "ws").total for plan in (small, large)]
    assert crossed[0] > crossed[1]


def test_a_mix_of_small_batches_prefers_small_arrays_unless_the_memory_is_what_it_waits_for():
    fast = {edge: serve(edge, (8, 64), bytes_per_s=1e15, watts=1e4).delivered for edge in (16, 64, 256)}
    assert fast[16] > fast[64] > fast[256]
    slow = {edge: serve(edge, (8, 64), bytes_per_s=5e11) for edge in (64, 128, 256)}
    assert max(one.delivered for one in slow.values()) == pytest.approx(slow[256].delivered, rel=1e-3)
    assert all(set(one.limits) == {"the memory"} for one in slow.values())


def test_long_streams_prefer_large_arrays_where_the_watts_are_short():
    made = [serve(edge, (512, 4096)).delivered for edge in (16, 32, 64, 128, 256)]
    assert made == sorted(made)


def test_one_job_by_hand():
    """One array of 2 x 2 and a product of 4 x 4 x 4: 4 folds of 4 cycles, the last one 4 + 4: 20 cycles, 128 FLOP."""
    plan = floorplan.floorplan(2, 4, 0, 0)
    made = floorplan.served(plan, (4,), 4, floorplan.Prices(1e-6, 0, 0, 0), 1.0, 1e9, 1.0)
    cycles = systolic.cycles(Gemm(4, 4, 4), 2, 2, "ws", overlap=True).total
    assert made.delivered == pytest.approx(128 / cycles) and made.by_area == 8 and made.limits == ("the arrays",)


@pytest.mark.parametrize(
    "price, paid",
    [
        ("mac", 4 * 4 * 4),
        # 64 operands passed on; each of 4 columns loads two folds of two rows: 1 + 2 steps and one more each, 40 in all
        ("flip_flop", 8 * (2 * (64 + 2 * 4 * (1 + 2 + 2)) + 4 * 64)),
        ("sram", 8 * (2 * (4 * 4 * 2 + 4 * 4) + 4 * (2 * 16 + 16))),  # inputs twice, weights once, sums out, back, out
        ("dram", 8 * 2 * (2 * 64 - 2)),  # the lower bound of a store of one word
    ],
)
def test_what_one_job_pays_by_hand(price, paid):
    plan = floorplan.floorplan(2, 4, 0, 0)
    prices = floorplan.Prices(**{"mac": 1e-9, "flip_flop": 0, "sram": 0, "dram": 0, price: 1})  # pJ each, or a bit
    made = floorplan.served(plan, (4,), 4, prices, 1.0, 1e9, 1.0)
    seconds = systolic.cycles(Gemm(4, 4, 4), 2, 2, "ws", overlap=True).total
    assert made.watts * seconds == pytest.approx(paid * 1e-12)


def test_what_cannot_be_is_said():
    plan = floorplan.floorplan(512, 1000, 0.5, 8)
    assert plan.arrays == 0 and floorplan.served(plan, (1,), 64, PRICES, 1e9, 1e12, 100).delivered == 0
    with pytest.raises(TypeError, match="need Floorplan, not int"):
        floorplan.served(3, (1,), 64, PRICES, 1e9, 1e12, 100)
    with pytest.raises(TypeError, match="rows must be a list"):
        floorplan.served(plan, 8, 64, PRICES, 1e9, 1e12, 100)
    with pytest.raises(ValueError, match="sram"):
        floorplan.floorplan(64, 1e5, 1.5, 8)
