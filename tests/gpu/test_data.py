from accelerator_lib import data, hardware
from accelerator_lib.memory import levels


def test_what_gpus_have_in_common_agrees_with_their_limits():
    table = data.load("gpus")
    common, archs = table["common"], {entry["id"] for entry in table["sm_limits"]}
    for feature in table["features"]:
        assert set(feature["archs"]) <= archs
    for entry in table["tensor"]:
        assert entry["chip"] in hardware.chips() and (entry.get("arch") in archs or entry["generation"] == "Blackwell")
    for limit in table["sm_limits"]:
        assert limit["max_warps"] * common["warp_lanes"] >= common["max_threads_per_block"]
        assert limit["registers"] >= common["max_registers_per_thread"] * common["warp_lanes"]
    shared = next(level for level in levels.of("a100-80gb-sxm") if level.kind == "shared").parts
    assert (shared["banks"], shared["bank_bytes"]) == (common["shared_banks"], common["bank_bytes"])
