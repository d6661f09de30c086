import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, energy, hardware, ladder, power, systolic
from accelerator_lib.hardware import chip
from accelerator_lib.workload import Gemm

A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


def test_the_check_block_of_the_curriculum():
    memory, arithmetic = energy.memory_watts(A100.bytes_per_s, "hbm2_low"), energy.compute_watts(312e12, "fp16")
    assert memory == pytest.approx(63.71875) and arithmetic == pytest.approx(78.0)
    g = Gemm(1, 4096, 4096)
    maths, moves = energy.gemm_joules(g, "fp16"), energy.access_pj(4096 * 4096 * 2, "hbm2_low") * 1e-12
    assert maths == pytest.approx(8.388608e-06) and moves == pytest.approx(1.048576e-03)
    assert energy.layer(g).arithmetic_share == pytest.approx(maths / (maths + moves))
    point = energy.dvfs(1.0 / 1.41)
    assert point.power == pytest.approx(0.3567324873779128) and point.speed_per_watt == pytest.approx(1.9881)


@pytest.mark.parametrize(
    ("selection", "mean", "rows"),
    [("with the DDR row", 2.62, 12), ("without it", 2.86, 11), ("without DDR and 1 MB SRAM", 2.61, 10)],
)
def test_three_ways_to_average_the_ratios(selection, mean, rows):
    found, geometric = ladder.ratios(ladder.SELECTIONS[selection])
    assert geometric == pytest.approx(mean, abs=0.005) and len(found) == rows


def test_the_ladder_spans_five_decades_and_every_row_has_its_source():
    rows = ladder.ladder(7)
    assert max(r.pj for r in rows) / min(r.pj for r in rows) > 1e5
    sources = data.load("energy")["sources"]
    for node in ladder.NODES:
        for row in ladder.ladder(node):
            assert row.source in sources and row.basis and row.pj > 0
    assert ladder.access("ddr", 45).pj == ladder.access("ddr", 7).pj


def test_an_access_is_charged_by_the_byte_whatever_its_width_in_the_table():
    assert energy.access_pj(8, "sram_8kb") == 7.5 and energy.access_pj(1, "sram_8kb") == 7.5 / 8
    assert energy.access_pj(4, "register", 45) == 1.0
    assert energy.access_pj(1, "hbm3e_skhynix") == pytest.approx(8 * 3.44)
    assert np.allclose(energy.access_pj(np.array([8, 16]), "hbm2_low"), [250, 500])


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (
            lambda: energy.mac_pj("bf16", 45),
            "no mult in 'bf16' at 45 nm is published; there are fp16, fp32, int32, int8",
        ),
        (lambda: energy.mac_pj("fp16", 5), "node = 5 is not tabulated; allowed: 45 or 7 nm"),
        (lambda: energy.access_pj(1, "register"), "register at 7 nm is not published; it is at 45 nm"),
        (lambda: energy.access_pj(1, "hbm2"), "did you mean"),
        (lambda: energy.access_pj(-1, "ddr"), "bytes_moved = -1 is outside"),
        (lambda: energy.gemm_joules(3, "fp16"), "gemm must be a product"),
        (lambda: power.capped_clock(100, 100, 300), "no clock is slow enough"),
        (lambda: power.battery_hours(10, 0), "device_watts = 0"),
        (lambda: power.sanity("tpu-v4"), "tdp_w of Google TPU v4 is unknown"),
    ],
)
def test_what_cannot_be_answered_is_said_in_one_line(call, line):
    with pytest.raises((ValueError, KeyError, TypeError), match=line):
        call()


def test_a_link_or_a_vendors_claim_is_no_memory_level():
    assert not {"hbm2_io_both_ends", "hbm3_host_phy", "hbm3e_micron_ratio"} & set(energy.levels())
    for level in energy.levels():
        one_node = {"register": [45], "hbm2_low": [7], "hbm2_high": [7], "gddr6_low": [7], "gddr6_high": [7]}
        for node in one_node.get(level, ladder.NODES):
            assert ladder.access(level, node).pj_per_byte > 0


@given(st.floats(1, 500), st.floats(10, 900), st.floats(0.2, 1.5))
def test_the_best_clock_is_the_best_of_all_clocks(static, dynamic, exponent):
    best = power.best_clock(static, dynamic, exponent)
    clocks = np.linspace(0.3, 1.3, 500)
    others = power.watts(clocks, static, dynamic, exponent) / clocks
    assert power.watts(best, static, dynamic, exponent) / best <= others.min() * (1 + 1e-9)


def test_the_optimum_of_the_curriculum():
    best = power.best_clock(100, 300)
    assert best == pytest.approx(0.5503, abs=0.0005) and power.gain(best, 100, 300) == pytest.approx(1.4675, abs=0.0005)
    assert power.best_clock(0, 300) == 0.3 and power.best_clock(100, 300, 0) == 1.3
    assert power.best_clock(300, 300) > power.best_clock(100, 300)


@given(st.floats(0.35, 1.0), st.floats(0, 100), st.floats(100, 500))
def test_a_cap_is_kept_exactly_or_does_not_bind(cap, static, dynamic):
    watts = cap * (static + dynamic)
    if watts <= static:
        return
    clock = power.capped_clock(watts, static, dynamic)
    assert clock <= 1 and power.watts(clock, static, dynamic) == pytest.approx(min(watts, static + dynamic), rel=1e-6)


def test_every_chip_is_estimated_or_says_what_is_missing():
    found, missing = power.checked()
    assert {one.chip for one in found} | set(missing) == set(hardware.chips())
    assert len(found) >= 30 and all(missing.values())
    assert [one.chip for one in found if one.share > 1] == ["b100", "b200", "b300"]
    groq = next(one for one in found if one.chip == "groq-lpu")
    assert groq.level == "sram_1mb"  # a machine of SRAM is not charged for HBM


@pytest.mark.parametrize("flow", systolic.DATAFLOWS)
def test_the_energy_of_a_dataflow_follows_the_simulated_edges(flow):
    """Second road: count what crosses the edges in the register-level simulation, and pay for each crossing."""
    m, n, k, edge = 6, 5, 7, 3
    states = list(systolic.steps(np.ones((m, k), int), np.ones((k, n), int), edge, edge, flow, drain=flow == "os"))
    count = {
        side: sum(int((~getattr(s, side).mask).sum()) for s in states)
        for side in ("enters_left", "enters_top", "leaves_bottom")
    }
    found = energy.dataflow(Gemm(m, n, k), edge, flow)
    a, b = ("enters_top", "enters_left") if flow == "is" else ("enters_left", "enters_top")
    byte = energy.access_pj(1, "sram_32kb", 45) * 1e-12
    assert found["inputs"] == pytest.approx(count[a] * byte) and found["weights"] == pytest.approx(count[b] * byte)
    back = count["leaves_bottom"] - m * n  # partial sums that a later fold reads again
    assert found["sums"] == pytest.approx((count["leaves_bottom"] + back) * 4 * byte)


def test_a_thousand_operations_share_one_fetch():
    shares = {row["instruction"]: (each, share) for row, each, share in power.instructions()}
    assert shares["HFMA"][0] / shares["HMMA"][0] == pytest.approx(14.4, abs=0.05)
    assert shares["HFMA"][1] == pytest.approx(0.952, abs=0.001) and shares["IMMA"][1] == pytest.approx(0.158, abs=0.001)


@pytest.mark.parametrize("group", ladder.GROUPS)
def test_where_sources_disagree_all_are_shown_with_their_names(group):
    rows = ladder.published(group)
    assert [value for value, _ in rows] == sorted(value for value, _ in rows)
    assert all(row.source and row.basis for _, row in rows)


def test_a_year_and_a_battery_by_hand():
    year = power.year(1000, 2, overhead=1.5, price_per_kwh=0.2)
    assert (year.kwh, year.cost) == (pytest.approx(26_280), pytest.approx(5256))
    assert year.cooling_kwh == pytest.approx(26_280 / 3)
    assert power.battery_hours(50, 5) == 10 and power.battery_hours(10, 1, 0.1, 0.0) == pytest.approx(100)


def test_a_league_compares_one_format_dense():
    table = power.per_watt("fp16")
    assert list(table.values()) == sorted(table.values(), reverse=True)
    assert table[H100] == pytest.approx(989.4e12 / 700)
    assert all(one.tdp_w for one in table)
