"""Slips of the exercises of chapter 13."""

from functools import partial
from math import ceil, floor


def audited(sheet, two=2, directions=1, setting=max, believes=False, whole=ceil):
    """The audit, with one thing changed."""
    own = sheet["arrays"] * sheet["edge"] ** 2 * two * sheet["clock_hz"]
    used = sheet["printed"]["peak"] if believes else own
    true = {
        "peak": own,
        "link": directions * sheet["links"] * sheet["link_bytes_per_s"],
        "per_watt": used / setting(sheet["watts"]),
        "ridge": used / sheet["bytes_per_s"],
        "chips": whole(140e9 / sheet["memory_bytes"]),
    }
    return {line: true[line] for line, said in sheet["printed"].items() if abs(said / true[line] - 1) > 0.03}


links_both_ways = partial(audited, directions=2)
counts_no_two = partial(audited, two=1)
believes_the_peak = partial(audited, believes=True)
lowest_setting = partial(audited, setting=min)
chips_not_whole = partial(audited, whole=float)


def planned(cfg, context, batch, chip, each=4, share=0.9, whole=ceil):
    """The plan, with one thing changed."""
    kept = 2 * cfg["weights"] + each * cfg["layers"] * cfg["kv_heads"] * cfg["head_dim"] * context * batch
    return whole(kept / (share * chip["capacity_bytes"])), whole(kept / (chip["bytes_per_s"] * 0.020))


weights_alone = partial(planned, each=0)
keys_alone = partial(planned, each=2)
all_of_the_memory = partial(planned, share=1.0)
rounds_down = partial(planned, whole=floor)
