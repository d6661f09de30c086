"""Bandwidth of memories and caches: what kernels read and write in a second, of what units and clock could deliver.

    reached = share x rate x (1 - turning x mixed)     mixed: 0 only reads or only writes, 1 half of each
A DRAM's bus turns between reading and writing, a cache's does not. With few warps: bytes in flight (memory.tank). One
family stands apart: behind the memory of AMD's parts lies a fabric of many dies.
"""

import re

from accelerator_lib import memory
from accelerator_lib.checks.inputs import NotAvailable, shown
from accelerator_lib.data import load
from accelerator_lib.gpu import limits
from accelerator_lib.memory import levels
from accelerator_lib.units import percent, si
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, first, free, one

FREE, BY_FAMILY = free("memory_bandwidth")
OWN = ("cdna",)  # families that may have a share of their own
CACHES = {r"\bl1\b|shared": "shared", r"\bl2\b": "l2", r"\bl3\b": "l3"}


def estimate(row, constants):
    """Estimate of a row of kind memory_bandwidth [GB/s]. Raises NotAvailable."""
    if row["unit"] != "GB/s":
        raise NotAvailable(f"{row['metric']} in {row['unit']} is no bandwidth")
    chip, family = named(row["device"])
    family, words = family if family in OWN else None, row["workload"].lower()
    for pattern, kind in CACHES.items():
        if re.search(pattern, words) and not re.search(r"(above|beyond|outside|larger than)[a-z ]* l", words):
            return _cache(row, chip, kind, constants("share", family))
    if re.search(r"\bcache\b", words):
        raise NotAvailable(f"{row['id']} does not say which cache")
    rate, share, mixed = published(chip), constants("share", family), mix(row)
    reached = share * (1 - constants("turning", family) * mixed) * filled(row, chip)
    turns = f", of which turning between reads and writes takes {percent(constants('turning', family) * mixed)}"
    why = f"{percent(reached)} of the {si(rate, 'B/s')} that the pins could move{turns if mixed else ''}."
    return Estimate(reached * rate / 1e9, rate / 1e9, "memory bandwidth", why)


def published(chip):
    """The rate of a chip's memory [B/s]; where the vendor's is rounded, that of its pins."""
    return load("validation")["pins"].get(chip.id, {}).get("bytes_per_s") or chip.need("bytes_per_s")


def mix(row):
    """0 where a kernel only reads or only writes, 1 where it does both alike; a kernel that is not named reads."""
    stated = row["conditions"]
    said = " ".join(str(stated.get(name, "")) for name in ("access", "bytes_per_element")).lower()
    counts = [re.search(rf"(\d+) {word}", said) for word in ("read", "write")]
    reads, writes = (int(found[1]) if found else 0 for found in counts)
    if not reads + writes:
        words = f"{stated.get('kernel', '')} {row['workload']}".lower()
        mixes = (both for name, both in load("validation")["mixes"].items() if re.search(rf"\b{name}\b", words))
        reads, writes = next(mixes, (1, 0))
    return 2 * min(reads, writes) / (reads + writes)


def filled(row, chip):
    """Share of the bandwidth that the bytes in flight allow: 1 at full occupancy."""
    stated = row["conditions"].get("occupancy", "full")
    found = re.fullmatch(r"(\d+(?:\.\d+)?) *%", str(stated)) if isinstance(stated, str) else None
    part = float(found[1]) / 100 if found else stated
    if part == "full":
        return 1.0
    arch = next((each["arch"] for each in load("gpus")["tensor"] if each["chip"] == chip.id and "arch" in each), None)
    if isinstance(part, (str, bool)) or not 0 < part <= 1 or arch is None:
        raise NotAvailable(f"{row['id']}: occupancy must be full or a share, not {shown(stated)}")
    warps = max(1, round(part * limits(arch)["max_warps"]))
    tank = memory.tank(bytes_per_s=chip.need("bytes_per_s"), bytes_per_thread=8, warps=warps, sms=chip.units)
    return float(tank.share)


def levelled(chip):
    """The id under which data/memory_levels.yaml has the die of a chip. Raises NotAvailable."""
    found = first("levels", chip.id)
    if found is None:
        raise NotAvailable(f"the caches of {chip.name} are not published here")
    return found


def _cache(row, chip, kind, share):
    id = levelled(chip)
    level = next((each for each in levels.of(id) if each.kind == kind), None)
    clock = one(row, "clock_mhz")
    clock = clock * 1e6 if isinstance(clock, (int, float)) else chip.need("clock_hz")
    if level is None or not (level.parts or level.bandwidth):
        raise NotAvailable(f"the bandwidth of this cache of {chip.name} is not published")
    if level.parts:
        rate, made = rate_of(level, chip, clock)
        why = f"{made} at {si(clock, 'Hz')} make {si(rate, 'B/s')}; {percent(share)} of it."
        return Estimate(share * rate / 1e9, rate / 1e9, f"{level.name} bandwidth", why)
    board = "PCIe" if "pcie" in chip.id else "SXM"
    others = [value for value in level.bandwidth if board in value.what] or level.bandwidth
    lanes, _ = rate_of(next(each for each in levels.of(id) if each.kind == "shared"), chip, clock)
    found = max(value.value for value in others)
    why = f"Its width is not published; others measured {si(found, 'B/s')}, the SMs take at most {si(lanes, 'B/s')}."
    return Estimate(found / 1e9, lanes / 1e9, f"{level.name} bandwidth", why)


def rate_of(level, chip, clock):
    """(B/s, what of) of a level: units x bytes per clock; one unit for each SM, or one for the chip."""
    parts = level.parts
    units = chip.units if parts["units"] > 1 and chip.units else parts["units"]
    each = parts["bytes_per_clock"]
    return memory.level_bytes_per_s(units, each, clock), f"{units} x {each} bytes"
