import pytest

from accelerator_lib import data
from accelerator_lib.energy import table
from accelerator_lib.hardware import chip

A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


def test_the_ladder_spans_five_decades_and_every_row_has_its_source():
    rows = table.rows(7)
    assert max(r.pj for r in rows) / min(r.pj for r in rows) > 1e5
    sources = data.load("energy")["sources"]
    for node in table.NODES:
        for row in table.rows(node):
            assert row.source in sources and row.basis and row.pj > 0
    assert table.access("ddr", 45).pj == table.access("ddr", 7).pj


def test_a_link_or_a_vendors_claim_is_no_memory_level():
    assert not {"hbm2_io_both_ends", "hbm3_host_phy", "hbm3e_micron_ratio"} & set(table.names())
    for level in table.names():
        one_node = {"register": [45], "hbm2_low": [7], "hbm2_high": [7], "gddr6_low": [7], "gddr6_high": [7]}
        for node in one_node.get(level, table.NODES):
            assert table.access(level, node).pj_per_byte > 0


def test_the_rungs_of_the_ladder_rise_and_stand_beside_the_other_node():
    rungs = table.compared(7)
    cheapest = [min(pj for pj in (rung.pj, rung.other_pj) if pj) for rung in rungs.values()]
    assert cheapest == sorted(cheapest)
    assert {name for name, rung in rungs.items() if rung.pj} == {row.name for row in table.rows(7)}
    assert rungs["int8 add"].shrink == table.operation("add", "int8", 45).pj / table.operation("add", "int8", 7).pj
    assert rungs["ddr"].shrink == 1 and rungs["register"].shrink is None


def test_a_rung_knows_the_other_node():
    assert {rung.other_node for rung in table.compared(7).values()} == {45}
    assert {rung.other_node for rung in table.compared(45).values()} == {7}


def test_a_row_has_a_price_for_each_bit_and_each_byte_unless_it_is_an_operation():
    row = table.access("sram_8kb")
    assert row.pj_per_bit == row.pj / 64 and row.pj_per_byte == row.pj / 8
    assert table.operation("add", "int8").pj_per_bit is None


def test_an_access_for_each_byte_is_an_eighth_of_one_of_64_bits_on_both_nodes():
    whole, byte = table.compared(45), table.compared(45, per_byte=True)
    assert (
        byte["sram_1mb"].pj == whole["sram_1mb"].pj / 8 and byte["sram_1mb"].other_pj == whole["sram_1mb"].other_pj / 8
    )
    assert byte["hbm2_low"].pj is None and byte["hbm2_low"].unit == "pJ per byte"  # published at 7 nm alone
    assert byte["int8 add"].pj == whole["int8 add"].pj and byte["int8 add"].unit == "pJ"
    assert byte["sram_1mb"].shrink == pytest.approx(whole["sram_1mb"].shrink)
