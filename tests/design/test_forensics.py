"""Twelve printed figures, and what does not hold in them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.design import forensics
from accelerator_lib.design.forensics import Claim, Part, audit

CLAIMS = forensics.claims()


def test_the_tests_find_the_verdict_that_the_data_states():
    assert len(CLAIMS) == 12
    assert {id: audit(id) for id in CLAIMS} == {id: claim.verdict for id, claim in CLAIMS.items()}
    assert {test for claim in CLAIMS.values() for test in claim.verdict} == set(forensics.TESTS)
    assert [id for id, claim in CLAIMS.items() if not claim.verdict] == ["a100", "tpu-v4"]
    assert [id for id, claim in CLAIMS.items() if claim.doctored] == ["doctored"]


def test_every_figure_names_sources_that_are_listed():
    known = set(data.load("accelerators")["sources"]) | set(data.load("machines")["sources"])
    table = data.load("forensics")
    for row in (*table["rows"], *table["units"]):
        assert row["sources"] and set(row["sources"]) <= known
        assert row["basis"] in {"datasheet", "paper", "press", "recalled", "derived"}
    assert len({row["id"] for row in table["rows"]}) == 12


@pytest.mark.parametrize(
    ("id", "chip", "group", "dtype"),
    [("a100", "a100-80gb-sxm", "dense", "bf16"), ("tpu-v4", "tpu-v4", "dense", "bf16"), ("h100", "h100-sxm5", "sparse", "fp16"),
     ("b300", "b300", "sparse", "fp16"), ("orin-nano", "orin-nano-8gb", "sparse", "int8"), ("groq", "groq-lpu", "dense", "int8"),
     ("tpu-v6e", "tpu-v6e", "dense", "bf16"), ("gaudi3", "gaudi3", "dense", "bf16"), ("wse-3", "wse-3", "sparse", "fp16")],
)  # fmt: skip
def test_the_figures_are_those_of_the_catalogue(id, chip, group, dtype):
    known = hardware.chip(chip)
    peak = (known.matrix if group == "dense" else known.sparse)[dtype]
    assert CLAIMS[id].value == pytest.approx(peak, rel=1e-3)
    if group == "sparse" and dtype in known.matrix:
        assert CLAIMS[id].rebuilt == pytest.approx(known.matrix[dtype], rel=0.07)


def test_factors_by_hand():
    assert CLAIMS["a100"].rebuilt == 432 * 256 * 2 * 1.41e9
    assert CLAIMS["h100"].rebuilt == pytest.approx(989.42976e12)
    assert CLAIMS["agx-orin"].rebuilt == pytest.approx(64 * 512 * 2 * 1.3e9 + 52.5e12)
    assert CLAIMS["nvlink"].rebuilt == 450e9 == hardware.chip("h100-sxm5").link_bytes_per_s
    assert CLAIMS["tpu-v6e"].rebuilt is None and CLAIMS["tpu-v6e"].needed_hz == pytest.approx(3.50189208984375e9)
    assert CLAIMS["doctored"].rebuilt == pytest.approx(0.512e12 / 0.05) == CLAIMS["doctored"].value
    gaudi = CLAIMS["gaudi3"]
    assert gaudi.rebuilt * gaudi.reported_hz / gaudi.parts[0].clock_hz == pytest.approx(1678e12, rel=1e-3)


def test_no_matrix_unit_of_the_catalogue_clocks_as_high_as_the_limit():
    clocks = [chip.clock_hz for chip in hardware.chips().values() if chip.clock_hz and chip.kind != "cpu"]
    assert max(clocks) < forensics.CLOCK_HZ < CLAIMS["tpu-v6e"].needed_hz


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


def test_bad_input_is_one_clear_line():
    with pytest.raises(UnknownName, match="did you mean"):
        audit("h10")
