import pytest

from accelerator_lib import data, gpu, hardware


def test_an_a100_by_hand():
    found = gpu.squares.published(108)
    shares = dict(zip(found.sizes.tolist(), found.shares, strict=True))
    assert shares == pytest.approx({1024: 119.4 / 312, 2048: 221.8 / 312, 8192: 253.7 / 312})


@pytest.mark.parametrize("sms", [108, 132, 148])
def test_they_are_square_and_of_chips_with_so_many_sms(sms):
    found = gpu.squares.published(sms)
    assert len(found.rows) == len(found.sizes) == len(found.shares) > 0
    for row, size, share in zip(found.rows, found.sizes, found.shares, strict=True):
        given = row["conditions"]
        assert given["M"] == given["N"] == size <= gpu.squares.MOST and 0 < share < 1
        chip = hardware.chip(row["chip"] or "h100-sxm5")
        assert chip.units == sms and share == pytest.approx(row["value"] * 1e12 / chip.peak(given["dtype"].split()[0]))


def test_none_is_forgotten():
    """A second road: the rows as they stand."""
    rows = (row for row in data.published("gemm").values() if row["chip"] == "h200-sxm")
    squares = [
        r["id"] for r in rows if r["conditions"].get("M") == r["conditions"].get("N") and r["conditions"]["M"] <= 8192
    ]
    kept = {row["id"] for row in gpu.squares.published(132).rows}
    assert squares and set(squares) <= kept


def test_of_other_numbers_there_are_none():
    assert gpu.squares.published(20).rows == () and gpu.squares.published(20).sizes.size == 0
    with pytest.raises(ValueError, match="sms"):
        gpu.squares.published(0)
