import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import tiling
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.tiling import Budget, square

EDGES = [1, 16, 128, 200, 512]


def test_a_tile_of_512_cannot_keep_its_sums():
    need = tiling.budget(512, 512, 64)
    assert need.accumulator_bytes == 4 * 256 * 1024
    assert tiling.max_square_tile(64) == 240 and tiling.max_square_tile(64, accumulator_bytes=2**30) > 256
    assert tiling.max_square_tile(64, sram_bytes=100) == 0


def test_strips_wait_once_for_every_stage():
    assert tiling.budget(128, 128, 64, "bf16", stages=2).operand_bytes == 2 * (128 + 128) * 64 * 2
    assert tiling.budget(128, 64, 32, "int8", stages=1) == Budget((128 + 64) * 32, 4 * 128 * 64)


def test_an_sm_of_an_a100_has_163_and_256_kib():
    assert tiling.sm_room("sm80") == Budget(163 * 1024, 256 * 1024)
    assert tiling.sm_room("sm90").operand_bytes == 227 * 1024
    with pytest.raises(UnknownName, match="arch 'sm8' is unknown"):
        tiling.sm_room("sm8")


def test_a_budget_holds_operands_of_two_bytes_and_sums_of_four():
    room = tiling.sm_room()
    assert room.words() == 163 * 512 + 256 * 256 and room.words("int8") == 163 * 1024 + 256 * 256
    assert tiling.budget(96, 32, tile_k=1, stages=1).words() == 96 + 32 + 96 * 32


@given(
    st.sampled_from([16, 64, 256]),
    st.integers(1, 5),
    st.integers(1, 10**6),
    st.integers(1, 10**6),
    st.sampled_from([1, 16]),
)
def test_the_largest_square_tile_fits_and_the_next_does_not(tile_k, stages, sram, sums, step):
    edge, room = tiling.max_square_tile(tile_k, "bf16", stages, sram, sums, step), Budget(sram, sums)
    assert edge % step == 0 and (edge == 0 or tiling.budget(edge, edge, tile_k, "bf16", stages).fits(room))
    assert not tiling.budget(edge + step, edge + step, tile_k, "bf16", stages).fits(room)


@pytest.mark.parametrize("tile_m", EDGES)
@pytest.mark.parametrize("tile_n", EDGES)
def test_a_choice_tells_its_traffic_beside_the_bound(tile_m, tile_n):
    product, room, need = square(8192), tiling.sm_room(), tiling.budget(tile_m, tile_n, 64)
    chosen = tiling.Choice(product, tile_m, tile_n, need, room)
    assert chosen.bytes_moved == tiling.gemm_bytes(product, tile_m, tile_n)
    assert chosen.intensity == pytest.approx(product.flops / chosen.bytes_moved)
    assert chosen.edge**2 == pytest.approx(tile_m * tile_n)
    assert chosen.excess > 1


def test_tiles_of_128_move_three_times_the_least_and_fit():
    chosen = tiling.Choice(square(8192), 128, 128, tiling.budget(128, 128, 64), tiling.sm_room())
    assert chosen.fits and chosen.excess == pytest.approx(3.04, abs=0.005)
    assert chosen.least_bytes == pytest.approx(2 * tiling.io_lower_bound_words(square(8192), 148_992))


def test_a_choice_tells_how_full_each_budget_is():
    chosen = tiling.Choice(square(8192), 128, 64, Budget(3 * 2**15, 2**15), Budget(2**17, 2**18))
    assert chosen.shares == {"operands": 0.75, "sums": 0.125}
    large = tiling.Choice(square(8192), 512, 512, tiling.budget(512, 512, 64), tiling.sm_room())
    assert large.shares["sums"] == 4 and not large.fits
    assert large.shares["operands"] == pytest.approx(2 * 1024 * 64 * 2 / (163 * 1024))


def test_either_budget_alone_can_refuse_a_tile():
    need = tiling.budget(128, 128, 64)
    assert need.fits(Budget(need.operand_bytes, need.accumulator_bytes + 4))
    assert not need.fits(need)  # the sums take every register
    assert not need.fits(Budget(need.operand_bytes - 1, 2**20)) and not need.fits(Budget(2**20, 4 * 128 * 128 - 1))
