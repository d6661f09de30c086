import pytest

from accelerator_lib import data, silicon

FACTS = data.load("silicon")
PRICES = FACTS["wafer_prices"]


def test_every_price_carries_a_date_a_basis_and_its_source():
    for group in PRICES.values():
        assert group["what"] and group["basis"] and group["source"] in FACTS["sources"]
        assert all(row["usd"] > 0 and row["date"] for row in group["rows"])
        assert len({row["node"] for row in group["rows"]}) == len(group["rows"])
    for row in (*FACTS["part_costs"], FACTS["hbm_over_ddr5"], FACTS["split_die"], FACTS["ported"]):
        assert row["date"] and row["basis"] and row["source"] in FACTS["sources"]


def test_what_follows_from_other_facts():
    nodes = FACTS["nodes"]
    assert nodes["N3E"]["logic"] == pytest.approx(nodes["N5"]["logic"] * 1.6)
    assert nodes["N5"]["bitcell_um2"] == nodes["N3E"]["bitcell_um2"]
    assert nodes["N2"]["bitcell_um2"] / nodes["N5"]["bitcell_um2"] == pytest.approx(1 - 0.17, abs=0.005)
    h100, unit = FACTS["salvaged"]["h100"], FACTS["salvaged"]["h100_unit"]["mm2"]
    assert h100["units"] * unit < h100["area_mm2"] < h100["units"] * 6  # the source's 6 mm² a unit cannot hold
    wse = FACTS["salvaged"]["wse_3"]
    assert wse["area_mm2"] / wse["cores"] == pytest.approx(wse["core_mm2"], rel=0.06)


def test_a_price_that_is_modelled_lies_between_those_that_are_rumoured():
    """Two roads to the price of a wafer: within a tenth for 7 nm and 5 nm."""
    rumoured = {row["node"]: row["usd"] for row in PRICES["unofficial"]["rows"]}
    modelled = {row["node"]: row["usd"] for row in PRICES["modelled"]["rows"]}
    assert modelled["7 nm"] == pytest.approx(rumoured["N7"], rel=0.1)
    assert modelled["5 nm"] == pytest.approx(rumoured["N5"], rel=0.1)


def test_the_first_test_chip_and_the_volume_that_followed():
    chip, later = FACTS["test_chip"], FACTS["defects"][1]
    first = silicon.density_of(chip["mean_yield"], chip["area_mm2"])
    assert first == pytest.approx(1.27, abs=0.01) and later["between"][0] < later["value"] < later["between"][1] < first
    assert silicon.die_yield(100, first) == pytest.approx(0.32, abs=0.005)


def test_a_wafer_as_one_chip():
    wse = FACTS["salvaged"]["wse_3"]
    assert wse["area_mm2"] / 100 * 0.1 == pytest.approx(46, abs=0.5)
    assert 1e-21 < silicon.die_yield(wse["area_mm2"], 0.1, "poisson") < 1e-19
    core = wse["area_mm2"] / wse["cores"]
    assert silicon.harvested_yield(wse["area_mm2"], 0.1, wse["cores"], 80, core, "poisson") > 0.999
