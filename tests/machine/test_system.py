from accelerator_lib.machine import system


def reported(folder, *caches):
    for place, (kind, level, size) in enumerate(caches):
        index = folder / f"index{place}"
        index.mkdir()
        for name, text in (("type", kind), ("level", level), ("size", size)):
            (index / name).write_text(f"{text}\n")
    return folder


def test_data_caches_are_read_in_bytes_and_instruction_caches_left_out(tmp_path):
    folder = reported(
        tmp_path, ("Data", 1, "48K"), ("Instruction", 1, "32K"), ("Unified", 2, "2M"), ("Unified", 3, "1G")
    )
    assert system.caches(folder) == {"L1": 48 * 2**10, "L2": 2 * 2**20, "L3": 2**30}
    assert system.cache_bytes(folder) == 2**30


def test_a_cache_without_a_size_is_left_out_and_no_caches_are_unknown(tmp_path):
    folder = reported(tmp_path, ("Data", 1, "32768"))
    (folder / "index9").mkdir()
    assert system.caches(folder) == {"L1": 32768}
    assert system.caches(tmp_path / "nowhere") == {} and system.cache_bytes(tmp_path / "nowhere") is None


def test_the_largest_cache_is_read_from_the_operating_system_or_unknown():
    size = system.cache_bytes()
    assert size is None or size > 2**14
