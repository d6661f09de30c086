import pytest

from accelerator_lib import data
from accelerator_lib.gpu import arch


def test_a_warp_has_32_lanes_and_a_block_at_most_1024_threads():
    assert (arch.WARP_LANES, arch.MOST_THREADS, arch.MOST_REGISTERS, arch.MOST_WARPS) == (32, 1024, 255, 64)
    assert (arch.SECTOR_BYTES, arch.BANKS, arch.BANK_BYTES, arch.MOST_LOAD_BYTES) == (32, 32, 4, 16)


def test_the_register_file_is_256_kib_in_every_generation_of_the_table():
    assert {record["registers"] * arch.REGISTER_BYTES for record in arch.LIMITS.values()} == {256 * 1024}


def test_an_h100_has_more_shared_memory_than_an_a100_and_an_engine_that_copies_tiles():
    assert arch.limits("sm90")["shared_kib"] == 228 > arch.limits("sm80")["shared_kib"] == 164
    assert arch.has("sm90", "copy_engine") and not arch.has("sm80", "copy_engine")


def test_every_feature_belongs_to_capabilities_of_the_table():
    for record in data.load("gpus")["features"]:
        assert set(record["archs"]) <= set(arch.LIMITS)


def test_an_unknown_capability_is_answered_with_the_nearest():
    with pytest.raises(KeyError, match="did you mean 'sm80'"):
        arch.limits("sm81")
    with pytest.raises(KeyError, match="feature 'copy_machine' is unknown; did you mean 'copy_engine'"):
        arch.has("sm80", "copy_machine")
