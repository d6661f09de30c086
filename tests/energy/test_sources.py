import pytest

from accelerator_lib.energy import sources
from accelerator_lib.hardware import chip

A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


@pytest.mark.parametrize(
    ("selection", "mean", "rows"),
    [("with the DDR row", 2.62, 12), ("without it", 2.86, 11), ("without DDR and 1 MB SRAM", 2.61, 10)],
)
def test_three_ways_to_average_the_ratios(selection, mean, rows):
    found = sources.ratios(sources.SELECTIONS[selection])
    assert found.mean == pytest.approx(mean, abs=0.005) and len(found.each) == rows


def test_the_mean_of_ratios_is_the_geometric_one():
    assert sources.Shrink({"a": 2, "b": 8}).mean == pytest.approx(4)


@pytest.mark.parametrize("group", sources.GROUPS)
def test_where_sources_disagree_all_are_shown_with_their_names(group):
    found = sources.published(group)
    values = [row.pj_per_bit for row in found.rows]
    assert values == sorted(values) and found.spread == max(values) / min(values) >= 1
    assert all(row.source and row.basis for row in found.rows)


def test_three_values_for_gddr6_and_how_far_they_lie_apart():
    found = sources.published("GDDR6")
    assert len(found.rows) == 3 and sources.published("across a network").spread == 1
    first, last = found.rows[0], found.rows[-1]
    assert found.spread == pytest.approx(last.pj / last.bits / (first.pj / first.bits)) and found.spread > 1.1
