import pytest

from accelerator_lib import data
from accelerator_lib.design import prices

ROWS = data.load("prices")


def test_every_row_has_a_seller_a_date_a_source_and_a_basis():
    for row in (*ROWS["hours"], *ROWS["ranges"]):
        assert row["source"] in ROWS["sources"] and row["basis"] in {"seen", "seen_secondary", "recalled"}
        assert row["as_of"] and row.get("provider", row.get("seller"))
    for row in ROWS["hours"]:
        assert 0.1 < row["usd_per_hour"] < 50 and row["n"] >= 1
    assert all(0 < row["low"] < row["high"] for row in ROWS["ranges"])
    for table in ("design", "converters"):
        assert all(row["source"] in ROWS["sources"] and 0 < row["low"] <= row["high"] for row in ROWS[table])


def test_no_row_is_lost():
    found = [row for name in prices.accelerators() for row in prices.offers(name).rows]
    assert len(ROWS["hours"]) == 37 and len(found) == 37 + len(ROWS["ranges"]) == 46


@pytest.mark.parametrize("name", prices.accelerators())
def test_offers_are_sorted_and_span_from_the_lowest_end_to_the_highest(name):
    found = prices.offers(name)
    assert [row.high for row in found.rows] == sorted(row.high for row in found.rows)
    assert found.low <= min(row.low for row in found.rows) and found.high == found.rows[-1].high
    assert found.span >= 1


def test_an_h100_spans_six_times():
    assert prices.offers("H100").span == pytest.approx(6.18, abs=0.01)


def test_a_name_that_is_not_there_is_one_line():
    with pytest.raises(KeyError, match="did you mean 'H100'"):
        prices.offers("h100")
