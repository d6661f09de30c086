"""System: what the operating system says about the caches of this machine. It may say nothing."""

from pathlib import Path

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
FACTORS = {"K": 2**10, "M": 2**20, "G": 2**30}


def caches(folder=CACHES):
    """{"L1": bytes, "L2": ...}: data caches of one core, as the operating system reports them; {} where it does not."""
    found = {}
    for index in sorted(folder.glob("index*")):
        try:
            kind, level, size = ((index / name).read_text().strip() for name in ("type", "level", "size"))
        except OSError:
            continue
        if kind != "Instruction":
            found[f"L{level}"] = int(size.rstrip("KMG")) * FACTORS.get(size[-1:], 1)
    return found


def cache_bytes(folder=CACHES):
    """Size [byte] of the largest cache that the operating system reports; None where it does not say."""
    return max(caches(folder).values(), default=None)
