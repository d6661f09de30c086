"""Kernels timed for this course: the tables hold together, the stored verdict is today's, no bound is beaten."""

from pathlib import Path

import pytest
import strangers

from accelerator_course.measure import kernel_fits, kernel_maps
from accelerator_lib import data, hardware, network, numerics, validation
from accelerator_lib.data.kernels import recorded, timed
from accelerator_lib.validation.profile import ways

SHAPE = {"m": 512, "n": 4096, "k": 4096}
ROW = {"id": "mine", "kind": "gemm", "metric": "time", "unit": "µs", "device": "H100 SXM"}


def test_strangers_are_told_about_as_well_as_rows_of_the_profiles_and_no_bound_is_beaten():
    found = strangers.judged()
    assert sum(rows for rows, *_ in found.values()) > 700 and not any(beaten for *_, beaten in found.values())
    assert found["products, bfloat16"][1] < 0.15 and found["one token, cudnn"][1] < 0.2
    assert all(f"| {name} | {rows} | {median:.1%} |" in strangers.table() for name, (rows, median, *_) in found.items())


def test_rows_of_results_that_are_no_multiple_of_sixteen_bytes_cost_on_an_h200_what_they_did_on_an_h100():
    times = data.load("kernel_times")["uneven"]["hopper"]
    assert kernel_fits.uneven(ways.fitted("product"), data.load("kernel_times")["families"]) == {"hopper": dict(times)}
    (median,) = (its[1] for name, its in strangers.judged().items() if "not a multiple" in name)
    assert times[1] > times[4] > 2 and median < 0.15
    words = f"{times[4]:.1f} times as long where they are a multiple of 4, {times[1]:.1f} times where"
    assert words in " ".join((Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    same = [validation.predict(ROW | {"conditions": SHAPE | {"n": n, "dtype": "bf16"}}).value for n in (4096, 4097)]
    assert same[1] > 3 * same[0]


def test_scales_that_are_known_beforehand_cost_no_pass_of_their_own():
    """One device alone was profiled with static scales; others take what they need for the same product in FP8."""
    known, scaled = (
        validation.predict(ROW | {"conditions": SHAPE | {"dtype": each}}) for each in ("fp8_static", "fp8")
    )
    assert 0.5 * scaled.value < known.value < scaled.value


def test_a_table_is_chosen_by_its_columns_and_a_wrong_name_is_answered():
    table = timed("products", system="h100_sxm", n=28672, k=8192, gemm_dtype="bfloat16", operands="in turn")
    assert len(set(map(len, table.values()))) == 1 and len(table["m"]) == 50
    bound = 28672 * 8192 * 2 / hardware.chip("h100-sxm5").bytes_per_s * 1e6
    assert table["latency_us"].min() > bound
    assert len(timed("products", system="nowhere")["m"]) == 0
    with pytest.raises(KeyError, match="no table 'product' was timed; there are products, attention"):
        timed("product")


@pytest.mark.parametrize("machine", ["h100-sxm5", "b200"])
def test_all_reduces_of_machines_are_those_of_the_profile(machine):
    found = network.published.by_size(0.0, 2e-6, 450e9, machine)
    rows = recorded("nccl")
    own = (rows["system"] == network.published.PROFILED[machine]) & (rows["op_name"] == "all_reduce")
    assert {one.measured for one in found} <= set(rows["latency_us"][own] / 1e6)
    assert [one.bytes_moved for one in found] == sorted(one.bytes_moved for one in found)
    assert len(found) == 18 and found[0].model == pytest.approx(14 * 2e-6, rel=1e-3)


def test_pairs_of_fp4_and_bf16_are_of_one_program_and_shape():
    ground = kernel_fits.Ground("product")
    assert kernel_maps.pairs(ground) == [list(row) for row in data.load("kernel_times")["fp4"]]
    rows, _, ratios = numerics.published.fp4_pairs()
    assert len(rows) == 114 and ratios.max() < 4


def test_the_transposes_of_chapter_15_are_those_that_were_timed():
    names = {"copy": "copy", "straight": "naive", "tile": "tile", "padded": "pad"}
    row, table = data.load("transposes")["rows"][1], timed("transposes", system="h100_sxm", block="32x8", n=8192)
    rates = dict(zip(table["how"].tolist(), (table["bytes"] / table["us"] / 1e3).tolist(), strict=True))
    assert {way: row[way] for way in names} == {way: pytest.approx(rates[how], abs=0.05) for way, how in names.items()}
