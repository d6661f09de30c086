import pytest

from accelerator_lib.energy import sources
from accelerator_lib.hardware import chip

A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


@pytest.mark.parametrize(
    ("selection", "mean", "rows"),
    [("with the DDR row", 2.62, 12), ("without it", 2.86, 11), ("without DDR and 1 MB SRAM", 2.61, 10)],
)
def test_three_ways_to_average_the_ratios(selection, mean, rows):
    found, geometric = sources.ratios(sources.SELECTIONS[selection])
    assert geometric == pytest.approx(mean, abs=0.005) and len(found) == rows


@pytest.mark.parametrize("group", sources.GROUPS)
def test_where_sources_disagree_all_are_shown_with_their_names(group):
    rows = sources.published(group)
    assert [value for value, _ in rows] == sorted(value for value, _ in rows)
    assert all(row.source and row.basis for _, row in rows)
