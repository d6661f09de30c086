import numpy as np
import pytest

from accelerator_lib import data, hardware, tiling


def test_the_check_block_of_the_curriculum():
    s = tiling.attention_bytes(2048, 128)
    assert (s, tiling.attention_bytes(2048, 128, algorithm="flash")) == (35_651_584, 17_825_792)
    assert s / tiling.attention_bytes(2048, 128, algorithm="flash", kv_cached=True) == 17.0


def test_attention_worked_by_hand():
    """8 tokens of 4 numbers: scores four times through memory, or K and V once for each of two blocks of rows."""
    assert tiling.attention_bytes(8, 4, dtype="int8") == 4 * 8 * 8 + 4 * 8 * 4
    assert tiling.attention_bytes(8, 4, dtype="int8", algorithm="flash", block_rows=4) == 2 * 8 * 4 + 2 * (2 * 8 * 4)
    assert tiling.attention_bytes(8, 4, 3, 5) == 15 * tiling.attention_bytes(8, 4)


def test_small_blocks_of_rows_are_worse_than_no_flash_at_all():
    standard = tiling.attention_bytes(2048, 128)
    assert standard / tiling.attention_bytes(2048, 128, algorithm="flash", block_rows=16) == pytest.approx(
        0.26, abs=0.005
    )
    for n in (128, 1024, 65_536):
        flash = tiling.attention_bytes(n, 128, algorithm="flash", block_rows=128)
        assert tiling.attention_bytes(n, 128) / flash == 2.0
    assert tiling.attention_bytes(2048, 64) / tiling.attention_bytes(2048, 64, algorithm="flash") == pytest.approx(
        3.9, abs=0.05
    )
    assert tiling.attention_bytes(131_072, 128) / tiling.attention_bytes(
        131_072, 128, algorithm="flash", kv_cached=True
    ) == pytest.approx(1025)


@pytest.mark.parametrize("algorithm", tiling.ALGORITHMS)
@pytest.mark.parametrize("kv_cached", [False, True])
def test_a_curve_over_the_tokens_is_its_points(algorithm, kv_cached):
    tokens, settings = np.array([128, 1000, 131_072]), {"algorithm": algorithm, "kv_cached": kv_cached}
    points = [tiling.attention_bytes(int(n), 64, **settings) for n in tokens]
    assert tiling.attention_bytes(tokens, 64, **settings).tolist() == points


def test_time_is_the_longer_of_traffic_and_work():
    chip = hardware.chip("a100-40gb-sxm")
    moved = tiling.attention_bytes(4096, 64, 8, 16) / chip.bytes_per_s
    worked = tiling.attention_flops(4096, 64, 8, 16) / chip.peak("fp16")
    assert tiling.attention_seconds(4096, 64, 8, 16, chip) == pytest.approx(moved) and moved > worked
    slow = tiling.attention_seconds(4096, 64, 8, 16, chip, "flash", reached=0.1)
    assert slow == pytest.approx(10 * worked)


def test_prediction_and_publication_of_attention_agree_to_a_factor_of_two():
    for name, algorithm in (("pytorch", "standard"), ("flashattention", "flash")):
        rows = [row for id, row in data.rows("attention").items() if id.startswith(f"fa1_t18_{name}")]
        assert len(rows) >= 5
        for row in rows:
            tokens = row["conditions"]["seq"]
            predicted = tiling.attention_seconds(tokens, 64, 8, 16, "a100-40gb-sxm", algorithm, reached=0.21)
            if tokens >= 1024:
                assert 0.5 < predicted / (row["value"] / 1e3) < 2


def test_the_papers_traffic_is_that_of_the_published_table():
    rows = data.rows("attention")
    assert rows["fa1_fig2_stand_hbm"]["value"] / rows["fa1_fig2_flash_hbm"]["value"] == pytest.approx(9.2, abs=0.05)
    assert rows["fa1_fig2_flash_gflops"]["value"] > rows["fa1_fig2_stand_gflops"]["value"]
