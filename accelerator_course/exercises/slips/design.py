"""Slips of the exercises of chapter 13."""

from math import ceil, floor


def links_both_ways(sheet):
    """You used the sum of both directions as the rate of a link. Formulas need one direction: what a chip sends."""
    return audited(sheet, directions=2)


def counts_no_two(sheet):
    """You counted a multiply-accumulate as one operation. It is two, a multiplication and an addition."""
    return audited(sheet, two=1)


def lowest_setting(sheet):
    """You divided by the lowest power setting. A part reaches its peak at the highest one."""
    return audited(sheet, setting=min)


def believes_the_peak(sheet):
    """You used the printed peak for other lines. It may itself be false. Use the peak that the parts give."""
    return audited(sheet, peak=sheet["printed"]["peak"])


def chips_not_whole(sheet):
    """Your numbers of chips are not whole. What does not fit into that many chips needs one more."""
    return audited(sheet, whole=float)


def audited(sheet, two=2, directions=1, setting=max, peak=None, whole=ceil):
    """The audit, with one thing changed."""
    own = sheet["arrays"] * sheet["edge"] ** 2 * two * sheet["clock_hz"]
    used = peak or own
    true = {
        "peak": own,
        "link": directions * sheet["links"] * sheet["link_bytes_per_s"],
        "per_watt": used / setting(sheet["watts"]),
        "ridge": used / sheet["bytes_per_s"],
        "chips": whole(140e9 / sheet["memory_bytes"]),
    }
    return {line: true[line] for line, said in sheet["printed"].items() if abs(said / true[line] - 1) > 0.03}


def weights_alone(cfg, context, batch, chip):
    """You counted the weights alone. Every user's cache must be held, and read, as well."""
    return planned(cfg, 0, batch, chip)


def keys_alone(cfg, context, batch, chip):
    """Your caches are half as large as they should be. They hold keys and values, and each number takes two bytes."""
    return planned(cfg, context / 2, batch, chip)


def all_of_the_memory(cfg, context, batch, chip):
    """You filled the whole memory. A tenth of it must stay free for intermediate results."""
    return planned(cfg, context, batch, chip, share=1.0)


def rounds_down(cfg, context, batch, chip):
    """You rounded down. What does not fit into that many chips needs one more."""
    return planned(cfg, context, batch, chip, whole=floor)


def planned(cfg, context, batch, chip, share=0.9, whole=ceil):
    """The plan, with one thing changed."""
    kept = 2 * cfg["weights"] + 4 * cfg["layers"] * cfg["kv_heads"] * cfg["head_dim"] * context * batch
    return whole(kept / (share * chip["capacity_bytes"])), whole(kept / (chip["bytes_per_s"] * 0.020))
