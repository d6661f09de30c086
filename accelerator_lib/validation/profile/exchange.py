"""Collectives, timed alone: steps that wait for a word, and bytes at the rate that a protocol keeps; the fastest one.

    seconds = launch + the least of three: start + steps x step + sent / (share x link)

As NCCL's protocols, though fitted ones need not be these: LL, a flag beside every word (`flag`, its start part of the
launch); LL128, one in every 128 bytes (`mid`); Simple, which waits for whole pieces (`bulk`).

Steps: 2 (n - 1) of an all-reduce, n - 1 of the others, as a ring takes them; sent: bytes that leave each chip. Chips on
PCIe share their way to memory: of four each gets less (`shared`), of eight less again (`crossed`). On NVLink more chips
keep more links busy: both are below 1. The bound: what has to leave a chip, at the link's full rate; a switch that
adds up sends a sum once.
"""

import numpy as np

STEPS = {"all_reduce": 2, "all_gather": 1, "reduce_scatter": 1, "alltoall": 1}
FREE = {"launch_us": (0.5, 5.0, 50.0), "flag_us": (0.01, 0.8, 10.0), "flag_share": (0.005, 0.3, 1.0)}
FREE |= {"mid_us": (0.1, 5.0, 100.0), "mid_step_us": (0.01, 1.0, 20.0), "mid_share": (0.01, 0.5, 1.0)}
FREE |= {"bulk_us": (0.1, 15.0, 200.0), "bulk_step_us": (0.01, 1.0, 50.0), "bulk_share": (0.1, 0.7, 1.0)}
# how often what crosses PCIe passes the same way, of four chips; how much more of eight, on two processors
FREE |= {"shared": (0.25, 1.0, 16.0), "crossed": (0.25, 1.0, 16.0)}


def work(op, chips, size, chip):
    """What a collective asks of its links: arrays [rows]; size [byte] of the whole message."""
    chips = np.asarray(chips, float)
    steps = np.array([STEPS[each] for each in op]) * (chips - 1)
    sent = steps / chips * size
    least = np.where(np.asarray(op) == "all_reduce", np.minimum(size, sent), sent) / chip["link"]
    return {"steps": steps, "sent": sent / chip["link"], "many": chips > 2, "most": chips > 4, "least": least}


def seconds(work, launch_us, flag_us, flag_share, mid_us, mid_step_us, mid_share, bulk_us, bulk_step_us, bulk_share,
            shared, crossed):  # fmt: skip
    """(time of each collective [s], {limit: the part of it})"""
    sent = work["sent"] * np.where(work["many"], shared, 1.0) * np.where(work["most"], crossed, 1.0)
    protocols = (0.0, flag_us, flag_share), (mid_us, mid_step_us, mid_share), (bulk_us, bulk_step_us, bulk_share)
    waits = np.array([(start + work["steps"] * step) * 1e-6 for start, step, _ in protocols])
    moves = np.array([sent / share for *_, share in protocols])
    fastest, launch = (waits + moves).argmin(0)[None], np.full_like(sent, launch_us * 1e-6)
    wait, moving = (np.take_along_axis(its, fastest, 0)[0] for its in (waits, moves))
    return launch + wait + moving, {"launch": launch, "latency of steps": wait, "links": moving}
