"""Collectives: sums and copies between chips of one node, and all-reduces over several nodes.

The switch adds up where the row says so, or where it is silent and the chip's switches can: libraries choose it.
The bound is the wire alone: every byte at the link's full rate, no step takes time.
"""

import re
from math import log2

from accelerator_lib.checks.inputs import NotAvailable, shown
from accelerator_lib.network import protocols
from accelerator_lib.units import binary, si
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import TABLES, Estimate, first, free, is_number, stated

FREE, BY_FAMILY = free("collective")
LARGE = 2**34  # bytes: so large that steps no longer count
SIZES = {"": 0, "K": 10, "M": 20, "G": 30}


def estimate(row, constants):
    """Estimate of a row of kind collective: bus or algorithm bandwidth [GB/s], time [µs]. Raises NotAvailable."""
    chip, _ = named(row["device"])
    ranks = row["n_devices"] or row["conditions"].get("ranks")
    if not isinstance(ranks, int) or ranks < 2:
        raise NotAvailable(f"a collective needs 2 devices or more, not {shown(ranks)}")
    rate, size = chip.need("link_bytes_per_s"), message_bytes(row)
    kind = first("collectives", row["workload"].lower())
    if kind is None:
        raise NotAvailable(f"{row['workload'][:60]!r} is none of the collectives {', '.join(TABLES['collectives'])}")
    share, steps = constants("link_share"), [constants(f"{each}_step_us") / 1e6 for each in ("flag", "bulk")]
    joined, start = protocols.chips_of_a_node(chip), protocols.start_seconds()
    if ranks > joined:
        inner, out = _nodes(row, chip, ranks, joined)
        switch, limit, shape = False, "links between nodes", (size, inner, ranks // inner)
        found = protocols.over_nodes(*shape, share * rate, share * out, *steps, kind, start)
        if row["conditions"].get("in_switch_reduction") is True:
            out *= 2  # a network that adds up carries a sum once, where a ring carries it twice
        least = protocols.over_nodes(*shape, rate, out, kind=kind).bulk
    else:
        switch, limit = kind == "all-reduce" and _in_the_switch(row, chip), "links"
        found = protocols.collective(size, ranks, share * rate, *steps, kind, switch, start)
        least = protocols.collective(size, ranks, rate, kind=kind, switch=switch).bulk
    seconds, sent = float(found.seconds), found.sent
    limit = limit if least / seconds > share / 2 else "latency of steps"
    why = f"At the links' full {si(rate, 'B/s')} one way, {ranks} chips with {binary(size)} each need {si(least, 's')}"
    why += f"{', since the switch adds up' if switch else ''}; at the rate that programs reach, with the steps that "
    why += f"small messages wait for, {si(seconds, 's')}."
    return Estimate(*(_asked(row, each, size, sent) for each in (seconds, least)), limit, why)


def message_bytes(row):
    """The size of a message: stated in bytes, or printed; 134 MB stands for the power of two behind it."""
    given = row["conditions"].get("message_bytes", row["conditions"].get("bytes"))
    given = stated(row, "message", "message_size", "size", "buffer") if given is None else given
    if is_number(given):
        return float(given)
    if re.search(r"large|max|peak|asymptot", str(given).lower()):
        return float(LARGE)
    found = re.fullmatch(r"([\d.,]+)\s*([kmg]?)(i?)(?:b|bytes?)?", str(given).strip().lower())
    if not found:
        raise NotAvailable(f"no size can be read from {shown(given)}")
    number, power = float(found[1].replace(",", "")), SIZES[found[2].upper()]
    if found[3]:
        return number * 2.0**power
    plain = number * 10.0 ** (3 * power // 10)
    near = 2.0 ** round(log2(plain))
    return near if abs(plain / near - 1) < 0.08 else plain


def _in_the_switch(row, chip):
    said, way = row["conditions"].get("in_switch_reduction"), str(row["conditions"].get("algorithm", "")).lower()
    said = said if isinstance(said, bool) else not re.search("ring|tree|direct", way)
    return said and protocols.adds_in_the_switch(chip)


def _nodes(row, chip, ranks, joined):
    """(chips of a node, B/s of each out of it): as stated, or as such chips are usually built in."""
    inner = row["conditions"].get("gpus_per_node") or joined
    if not isinstance(inner, int) or ranks % inner:
        raise NotAvailable(f"{ranks} ranks are no whole number of nodes of {shown(inner)}")
    said = [it for name, it in row["conditions"].items() if re.search(r"network|nic|inter.?node|fabric", name)]
    found = re.search(r"(\d+)\s*(?:g|gb|gbit|gbps)?\b", str(said[0]).lower() if said else "")
    if found is None:
        return inner, protocols.way_out(chip)
    rate = int(found[1]) * 1e9 / 8
    return inner, rate / (inner if rate > 100e9 else 1)  # 3,200 Gbit/s are those of a node


def _asked(row, seconds, size, sent):
    metric = row["metric"].lower()
    if row["unit"] == "µs":
        return seconds * 1e6
    if row["unit"] == "GB/s" and re.search("alg|bus|bandwidth|bw|throughput", metric):
        return (size if "alg" in metric else sent) / seconds / 1e9
    raise NotAvailable(f"{row['metric']} in {row['unit']} is no bandwidth and no time of a collective")
