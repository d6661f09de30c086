import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.gpu import wave_by_wave
from accelerator_lib import gpu


@given(st.integers(1, 3000), st.integers(1, 3000), st.sampled_from([64, 128, 256]), st.integers(1, 200))
def test_waves_are_counted_by_dealing_out_tiles(m, n, tile, sms):
    tiles = [(i, j) for i in range(0, m, tile) for j in range(0, n, tile)]
    rounds = [tiles[start : start + sms] for start in range(0, len(tiles), sms)]
    found = gpu.waves(m, n, tile, tile, sms)
    assert (found.tiles, found.waves) == (len(tiles), len(rounds))
    assert found.efficiency == pytest.approx(m * n / (len(rounds) * sms * tile * tile))


def test_the_saw_tooth_of_the_curriculum():
    sizes = [128, 1408, 1472, 2304, 8192]
    shares = [round(gpu.waves(size, size).efficiency, 3) for size in sizes]
    assert shares == pytest.approx([0.0076, 0.917, 0.501, 0.818, 0.97], abs=0.003)
    assert gpu.waves(np.array(sizes), np.array(sizes)).efficiency == pytest.approx(shares, abs=0.001)


def test_one_tile_too_many_halves_the_speed():
    assert gpu.waves(108 * 128, 128, sms=108).efficiency == pytest.approx(1)
    assert gpu.waves(109 * 128, 128, sms=108).efficiency == pytest.approx(109 / 216)


@given(st.integers(1, 100_000), st.integers(1, 1024))
def test_a_launch_gives_every_element_a_thread_and_no_block_is_empty(elements, threads):
    made = gpu.launch(elements, threads)
    blocks = [range(start, min(start + threads, elements)) for start in range(0, elements, threads)]
    assert made.blocks == len(blocks)
    assert made.idle_threads == threads - len(blocks[-1])
    assert made.last_share == pytest.approx(len(blocks[-1]) / threads) and made.last_share > 0
    assert made.warps == len(range(0, threads, 32)) and made.empty_lanes == made.warps * 32 - threads


def test_a_launch_worked_by_hand():
    made = gpu.launch(10_000, 256)
    assert (made.blocks, made.idle_threads, made.warps, made.empty_lanes) == (40, 240, 8, 0)
    assert made.last_share == pytest.approx(1 / 16)
    assert gpu.launch(10_000, 16).empty_lanes == 16


def test_a_block_of_more_than_1024_threads_is_refused():
    with pytest.raises(ValueError, match="threads = 1025 is outside the allowed range, 1 to 1024"):
        gpu.launch(10_000, 1025)


@given(st.integers(1, 3000), st.integers(1, 3000), st.sampled_from([64, 128, 256]), st.integers(1, 160))
def test_every_tile_has_its_turn_in_as_many_waves_as_the_formula_says(m, n, tile, sms):
    *_, last = run = list(wave_by_wave(m, n, tile, tile, sms))
    known = gpu.waves(m, n, tile, tile, sms)
    assert [tile for wave in run for tile in wave.working] == list(range(known.tiles))
    assert len(run) - 1 == last.number == last.waves == known.waves and last.tiles == known.tiles
    assert last.efficiency == pytest.approx(known.wave_efficiency)
    assert last.filled[0] * last.filled[1] == pytest.approx(known.tile_efficiency)


def test_before_the_first_wave_no_tile_is_on_an_sm():
    first, *_ = wave_by_wave(256, 256)
    assert len(first.working) == 0 and first.efficiency is None


def test_more_waves_than_one_can_step_through_are_refused_before_the_first():
    with pytest.raises(ValueError, match="10,000,000,000 waves are more .*at most 10,000.*lower m or n"):
        wave_by_wave(10**5, 10**5, 1, 1, 1)
