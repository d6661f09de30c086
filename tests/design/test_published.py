"""Published machines: the zoo, kinds, capacity, edge devices on one charge, figures taken apart."""

from dataclasses import replace
from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.design import pour
from accelerator_course.views.design.forensics import frames
from accelerator_lib import data, design, hardware, llm, roofline
from accelerator_lib.design import capacity, chips_for_weights, forensics, kinds, zoo
from accelerator_lib.design.forensics import Claim, Part, audit
from accelerator_lib.workload import Gemm
from accelerator_lib.workload.models import models

RECORDS = zoo.records()
MACHINES = data.load("machines")


def test_known_records():
    assert len(RECORDS) == 86 == len(hardware.chips()) + len(MACHINES["devices"])
    assert len({row.part for row in RECORDS.values()}) == 75
    nano = "orin-nano-8gb-2"
    assert RECORDS[nano].watts == (7, 15)
    assert zoo.figure(nano, "INT8", "W") == pytest.approx(20.5e12 / 15)
    assert zoo.figure(nano, "INT8", "W", False) == pytest.approx(40e12 / 7)
    assert RECORDS["wormhole-n300"].die_mm2 == 2 * 670  # two chips
    offered = {id: row.offer for id, row in RECORDS.items() if row.offer}
    assert len(offered) == 15 and {"h100-sxm5", "tpu-v6e", "l4"} < set(offered)
    for usd, who, when in offered.values():
        assert usd > 0 and who and when[:4] in ("2025", "2026")


def test_machines_name_their_sources_and_their_numbers_are_positive_or_null():
    for entry in MACHINES["devices"]:
        assert entry["sources"] and set(entry["sources"]) <= set(MACHINES["sources"])
        assert entry["basis"] in {"mixed", "recalled"} and (entry["read"] or entry["basis"] == "recalled")
        assert entry["class"] in zoo.KINDS and entry.get("twin", "a100-80gb-sxm") in hardware.chips()
        assert set(entry["dense"]) <= set(hardware.FORMAT_BYTES)
    used = {name for entry in MACHINES["devices"] for name in entry["sources"]}
    assert used == set(MACHINES["sources"])
    for entry in MACHINES["devices"]:
        for value in (*entry["dense"].values(), entry["die_area_mm2"], entry["sram"]["capacity_mb"]):
            assert value is None or (type(value) in (int, float) and value > 0)
        watts = entry["tdp_w"]
        assert watts is None or (watts[0] <= watts[1] if isinstance(watts, list) else watts > 0)
        assert entry["memory"]["capacity_gb"] is None or entry["memory"]["capacity_gb"] >= 0


def test_of_53_in_the_catalogue_39_have_a_16_bit_peak_and_29_a_power_as_well():
    first = [row for row in RECORDS.values() if row.table == "accelerators"]
    peaks = [row for row in first if zoo.figure(row)]
    both = {row.id: zoo.figure(row, per="W") for row in first if zoo.figure(row, per="W")}
    assert (len(first), len(peaks), len(both)) == (53, 39, 29)
    best, least = max(both, key=both.get), min(both, key=both.get)
    assert (best, least) == ("b100", "tpu-v2")
    assert both[best] == pytest.approx(2.5e12) and both[least] == pytest.approx(0.164e12, rel=2e-3)


@pytest.mark.parametrize("id", list(hardware.chips()))
def test_a_figure_of_the_catalogue_is_the_chips_own_peak(id):
    """Another road: hardware.Chip, which knows nothing of records."""
    chip = hardware.chip(id)
    peaks = [chip.matrix[dtype] for dtype in ("bf16", "fp16") if dtype in chip.matrix]
    assert zoo.figure(id) == (max(peaks) if peaks else None)
    for per, by in (("W", chip.tdp_w), ("mm²", chip.die_mm2)):
        assert zoo.figure(id, "16 bits", per) == (max(peaks) / by if peaks and by else None)


@given(st.sampled_from(sorted(RECORDS)), st.sampled_from(sorted(zoo.FORMATS)), st.sampled_from(zoo.PER))
def test_what_is_printed_is_never_less_than_what_is_equal(id, dtype, per):
    equal, printed = (zoo.figure(id, dtype, per, terms) for terms in (True, False))
    assert equal is None or (printed is not None and printed >= equal * (1 - 1e-12))


def test_unknown_is_blank_and_the_best_of_a_kind_come_first():
    for per in zoo.PER:
        for dtype in zoo.FORMATS:
            sight = zoo.look(dtype=dtype, per=per)
            assert len(sight.known) + len(sight.blank) == len(sight.rows) == 86
            assert all(value is None or value > 0 for _, value in sight.rows)
    assert zoo.figure("tpu-v5e", per="W") is None and zoo.figure("ane-m1") is None  # no power; no format stated
    for kind in zoo.KINDS:
        sight = zoo.look(kind, "INT8", "W")
        assert {row.kind for row, _ in (*sight.known, *sight.blank)} == {kind}
        values = [value for _, value in sight.known]
        assert values == sorted(values, reverse=True)


def test_what_the_units_and_the_memories_say():
    found = {one.record.id: one for one in kinds.kinds().machines}
    sram = [one for one in found.values() if one.record.kind == "sram"]
    rest = [one for one in found.values() if one.record.kind != "sram"]
    assert max(one.hunger for one in sram) < 10 < 100 < min(one.hunger for one in rest)
    gpus = [one.unit_macs for one in rest if one.record.kind == "gpu"]
    tpus = [one.unit_macs for one in rest if one.record.kind == "tpu"]
    assert max(gpus) * 10 < min(tpus)
    assert max(one.seconds_to_read for one in sram) < 1e-4 < 1e-2 < min(one.seconds_to_read for one in rest)


@pytest.mark.parametrize("id", ["a100-80gb-sxm", "h100-sxm5", "tpu-v4", "mi300x"])
@pytest.mark.parametrize("rows", [1, 64, 4096])
def test_the_share_is_the_roofs(id, rows):
    """Two roads: rows over the ridge, and chapter 3's place of a wide product of so many rows."""
    one = next(one for one in kinds.kinds(rows).machines if one.record.id == id)
    gemm, chip = Gemm(rows, 10**6, 10**6), hardware.chip(id)
    point = roofline.place(gemm, chip, "bf16")
    assert one.share == pytest.approx(point.flops_per_s / chip.peak("bf16"), rel=0.01)


@pytest.mark.parametrize(
    "row",
    [("ipu-gc200", 1472, 1.33e9), ("h100-sxm5", 528, 1.83e9), ("a100-80gb-sxm", 432, 1.41e9), ("tpu-v4", 8, 1.05e9)],
)
def test_units_times_their_size_is_the_peak(row):
    id, units, clock_hz = row
    one = next(one for one in kinds.kinds().machines if one.record.id == id)
    assert units * one.unit_macs * 2 * clock_hz == pytest.approx(one.record.peak("16 bits"), rel=0.01)


@given(st.integers(1, 10**6))
def test_more_rows_feed_no_machine_less(rows):
    few, more = kinds.kinds(rows), kinds.kinds(min(2 * rows, 10**6))
    for a, b in zip(few.machines, more.machines, strict=True):
        assert 0 < a.share <= b.share <= 1 and a.chips == b.chips


@pytest.mark.parametrize("size, memory, chips", [(2, 230e6, 600), (2, 80e9, 2), (2, 44e9, 4), (0.5, 230e6, 150)])
def test_a_model_of_70_billion(size, memory, chips):
    weights = llm.param_count("llama-2-70b")
    assert design.chips_for_weights(weights, size, memory) == chips
    assert (chips - 1) * memory < weights * size <= chips * memory


MODELS = sorted(id for id, model in models().items() if model.kv_width)


def test_the_rungs_of_llama_2_70b():
    found = capacity.needed("llama-2-70b")
    chips = {rung.record.id: rung.for_weights for rung in found.chips}
    assert (chips["groq-lpu"], chips["a100-80gb-sxm"], chips["wse-3"]) == (600, 2, 4)
    assert {r.record.id: r.for_weights for r in capacity.needed("llama-2-70b", 4).chips}["groq-lpu"] == 150
    assert found.cache_bytes == 0 and all(rung.for_all == rung.for_weights for rung in found.chips)
    found = capacity.needed("llama-2-70b", 16, 4096, 32)
    by_hand = 2 * 80 * 8 * 128 * 2 * 4096 * 32  # keys and values, layers, heads, width, bytes, tokens, requests
    assert found.cache_bytes == by_hand == pytest.approx(42.9e9, rel=2e-3)
    assert {r.record.id: (r.for_weights, r.for_all) for r in found.chips}["groq-lpu"] == (600, 787)
    sizes = [rung.record.memory_bytes for rung in capacity.needed().chips]
    assert sizes == sorted(sizes) and sizes[0] >= 0.1e9 and sizes[-1] <= 300e9
    chips = [rung.for_all for rung in capacity.needed().chips]
    assert chips == sorted(chips, reverse=True) and chips[0] == ceil(llm.param_count("llama-2-70b") * 2 / 230e6)


@given(st.sampled_from(MODELS), st.sampled_from(capacity.BITS), st.integers(1, 200_000), st.integers(0, 512))
def test_so_many_chips_hold_it_and_one_less_does_not(model, bits, context, batch):
    found = capacity.needed(model, bits, context, batch)
    needed = llm.param_count(model) * bits / 8 + batch * context * llm.kv_bytes_per_token(model)
    assert found.needed_bytes == pytest.approx(needed)
    for rung in found.chips:
        each = rung.record.memory_bytes
        assert (rung.for_all - 1) * each < needed * (1 + 1e-12) and needed <= rung.for_all * each * (1 + 1e-12)
        assert rung.for_weights == chips_for_weights(llm.param_count(model), bits / 8, each) <= rung.for_all


CLAIMS = forensics.claims()


def test_verdicts_are_those_of_the_data_whose_sources_are_listed():
    assert len(CLAIMS) == 12
    assert {id: audit(id) for id in CLAIMS} == {id: claim.verdict for id, claim in CLAIMS.items()}
    assert {test for claim in CLAIMS.values() for test in claim.verdict} == set(forensics.TESTS)
    assert [id for id, claim in CLAIMS.items() if not claim.verdict] == ["a100", "tpu-v4"]
    assert [id for id, claim in CLAIMS.items() if claim.doctored] == ["doctored"]
    known = set(data.load("accelerators")["sources"]) | set(data.load("machines")["sources"])
    table = data.load("forensics")
    for row in (*table["rows"], *table["units"]):
        assert row["sources"] and set(row["sources"]) <= known
        assert row["basis"] in {"datasheet", "paper", "press", "recalled", "derived"}
    assert len({row["id"] for row in table["rows"]}) == 12


@pytest.mark.parametrize(
    ("id", "chip", "group", "dtype"),
    [
        ("a100", "a100-80gb-sxm", "dense", "bf16"),
        ("tpu-v4", "tpu-v4", "dense", "bf16"),
        ("h100", "h100-sxm5", "sparse", "fp16"),
        ("b300", "b300", "sparse", "fp16"),
        ("orin-nano", "orin-nano-8gb", "sparse", "int8"),
        ("groq", "groq-lpu", "dense", "int8"),
        ("tpu-v6e", "tpu-v6e", "dense", "bf16"),
        ("gaudi3", "gaudi3", "dense", "bf16"),
        ("wse-3", "wse-3", "sparse", "fp16"),
    ],
)
def test_the_figures_are_those_of_the_catalogue(id, chip, group, dtype):
    known = hardware.chip(chip)
    peak = (known.matrix if group == "dense" else known.sparse)[dtype]
    assert CLAIMS[id].value == pytest.approx(peak, rel=1e-3)
    if group == "sparse" and dtype in known.matrix:
        assert CLAIMS[id].rebuilt == pytest.approx(known.matrix[dtype], rel=0.07)


def test_figures_by_hand():
    assert CLAIMS["a100"].rebuilt == 432 * 256 * 2 * 1.41e9
    assert CLAIMS["h100"].rebuilt == pytest.approx(989.42976e12)
    assert CLAIMS["agx-orin"].rebuilt == pytest.approx(64 * 512 * 2 * 1.3e9 + 52.5e12)
    assert CLAIMS["nvlink"].rebuilt == 450e9 == hardware.chip("h100-sxm5").link_bytes_per_s
    assert CLAIMS["tpu-v6e"].rebuilt is None and CLAIMS["tpu-v6e"].needed_hz == pytest.approx(3.50189208984375e9)
    assert CLAIMS["doctored"].rebuilt == pytest.approx(0.512e12 / 0.05) == CLAIMS["doctored"].value
    gaudi = CLAIMS["gaudi3"]
    assert gaudi.rebuilt * gaudi.reported_hz / gaudi.parts[0].clock_hz == pytest.approx(1678e12, rel=1e-3)
    clocks = [chip.clock_hz for chip in hardware.chips().values() if chip.clock_hz and chip.kind != "cpu"]
    assert max(clocks) < forensics.CLOCK_HZ < CLAIMS["tpu-v6e"].needed_hz
    assert forensics.true_figures() == 2


def claim(value, **more):
    part = Part("units", 100, 1000, 1e9, "bf16")
    return Claim("own", "own", "said", "peak", value, "bf16", (part,), **more)


@given(st.floats(0.5, 8))
def test_only_the_ratio_decides_between_fine_impossible_and_sparse(ratio):
    found = audit(claim(2e14 * ratio))
    assert (
        found == (() if ratio <= 1.03 else ("sparse",) if ratio > 1.5 else ("impossible",)) or abs(ratio - 1.03) < 1e-9
    )


def test_each_fault_alone():
    fine = claim(2e14)
    assert audit(fine) == ()
    assert audit(replace(fine, dtype="fp8")) == ("format",)
    assert audit(replace(fine, reported_hz=0.9e9)) == ("mixed",)
    assert audit(replace(fine, parts=(replace(fine.parts[0], clock_hz=None),), value=1e15)) == ("impossible",)
    link = Claim("l", "l", "said", "link", 600e9, None, (Part("links", 12, each=25e9),))
    assert audit(link) == ("two-way",) and audit(replace(link, value=300e9)) == ()


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_the_last_products_give_what_the_claim_rebuilds(claim):
    """The product of the factors, part by part, is the closed form."""
    ends = {factor.part: factor.product for factor in claim.factors if factor.what != "watts"}
    if None not in ends.values():
        assert sum(ends.values()) / (claim.watts or 1) == pytest.approx(claim.rebuilt)
    assert claim.fails == audit(claim)


def test_every_factor_is_shown_alone_and_every_figure_is_judged():
    found = list(frames(CLAIMS.values()))
    assert len(found) == sum(len(claim.factors) + 2 for claim in CLAIMS.values()) == 71
    for before, after in pairwise(found):
        if before.number == after.number:
            assert len(after.factors) - len(before.factors) == (not after.judged) and not before.judged
        else:
            assert before.judged and after.factors == () and after.done[-1] == before.claim
    for frame in found:
        assert not frame.judged or frame.factors == frame.claim.factors
        assert frame.rebuilt is None or frame.factors == frame.claim.factors
    assert [frame.number for frame in found if frame.judged] == list(range(1, 13))
    assert {(frame.number, frame.of) for frame in frames([CLAIMS["h100"]])} == {(1, 1)}


@given(st.floats(1, 1e4), st.floats(0.1, 1e4))
def test_a_job_is_fed_from_its_ridge_on(rows, ridge):
    share = kinds.share_of_peak(rows, ridge)
    assert share <= 1 and (share == 1) == (rows >= ridge) and share * max(rows, ridge) == pytest.approx(rows)


def test_small_numbers_by_hand():
    assert kinds.kinds().first == "Cerebras WSE-2"
    found = zoo.alike(200, 40, 90, 60)
    assert (found.sparse, found.dense, found.leader, found.best) == (1.25, 1.5, "the second", 1.5)
    assert zoo.alike(400, 40, 90, 60).leader == "the first"
    assert capacity.chips_for(405e9, 0, 1e9, 80e9) == 6 and capacity.chips_for(405e9, 0, 1e9, 230e6) == 1761
    found = capacity.needed("llama-2-70b", 16, 4096, 32)
    assert capacity.chips_for(found.weight_bytes, 32, found.cache_bytes / 32, 230e6) == 787


@pytest.mark.parametrize("model", ["llama-3-8b", "llama-2-70b"])
@pytest.mark.parametrize("bits", capacity.BITS)
def test_what_is_poured_is_all_there_and_never_less(model, bits):
    run = list(pour(model, bits))
    assert run[0].in_large == run[0].in_small == 0 and run[-1].ended
    assert run[-1].small_chips == run[-1].will_need == chips_for_weights(llm.param_count(model), bits / 8, 230e6)
    for before, after in pairwise(run):
        assert before.in_large <= after.in_large and before.in_small <= after.in_small
