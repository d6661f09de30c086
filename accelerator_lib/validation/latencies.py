"""Latency of a pointer chase: what others measured of single accesses to the same die, at the clock of the row.

Caches take as many cycles at every clock, memory as many nanoseconds; beyond the near partition of an L2 comes a walk,
the longer way and the translation of addresses. Of several values for the memory the largest counts: a small buffer
lies in the L2. Values of the benchmark whose rows are foretold do not count. Bound: the level before it on the way.
"""

import re
from statistics import median

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.data import load
from accelerator_lib.memory import levels
from accelerator_lib.units import number, si
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, free
from accelerator_lib.validation.streams import levelled

FREE, BY_FAMILY = free("memory_latency")
SAME = "gpu-benches"  # the source of most rows
WORDS = load("validation")["latencies"]  # level -> kind, how a row names it, how its values are told from others
BEFORE = {"L1": "shared memory", "L2": "L1", "far L2": "L2", "L3": "L2", "memory": "L2"}


def estimate(row, constants):
    """Estimate of a row of kind memory_latency [cycles or ns]. Raises NotAvailable."""
    if row["unit"] not in ("cycles", "ns"):
        raise NotAvailable(f"{row['metric']} in {row['unit']} is no latency")
    chip, die = part(row["device"])
    level, hertz = level_of(row), clock(row, chip)
    single = cycles(die, level, hertz)
    walk = constants("walk_ns") * 1e-9 * hertz if level in ("far L2", "memory") else 0.0
    least = min(single, cycles(die, BEFORE[level], hertz)) if level in BEFORE else single / 2
    one = 1.0 if row["unit"] == "cycles" else 1e9 / hertz
    more = f" and {number(walk)} of the way beyond the near partition" if walk else ""
    why = f"Others measured {number(single)} cycles at {si(hertz, 'Hz')} for one access to this die's {level}{more}."
    return Estimate((single + walk) * one, least * one, f"latency of the {level}", why)


def part(device):
    """(chip, id of its die in data/memory_levels.yaml); no chip where its rates are not published but its die is."""
    try:
        chip = named(device)[0]
    except NotAvailable:
        die = next((id for name, id in load("validation")["dies"].items() if name in device.lower()), None)
        if die is None:
            raise
        return None, die
    return chip, levelled(chip)


def level_of(row):
    """The level that a row chases through. Raises NotAvailable."""
    said = str(row["conditions"].get("level") or row["workload"]).lower()
    for name, (_, pattern, _) in WORDS.items():
        if re.search(pattern, said):
            return name
    raise NotAvailable(f"{row['id']} does not state level: one of {', '.join(WORDS)}")


def clock(row, chip):
    """The clock of a row [Hz]: stated, or the chip's own."""
    for name, hertz in (("clock_mhz", 1e6), ("clock_ghz", 1e9)):
        if isinstance(row["conditions"].get(name), (int, float)) and row["conditions"][name] > 0:
            return row["conditions"][name] * hertz
    if chip is None or chip.clock_hz is None:
        raise NotAvailable(f"{row['id']} does not state clock_mhz; that of the part is not published")
    return chip.clock_hz


def cycles(die, level, hertz):
    """Published cycles of a level at a clock [Hz], the median of several. Raises NotAvailable."""
    kind, _, told = WORDS[level]
    found = [value for each in levels.of(die) if each.kind == kind for value in each.latency]
    found = [value for value in found if re.search(told, value.what)]
    found = [value for value in found if SAME not in value.sources] or found
    if not found:
        raise NotAvailable(f"no latency of the {level} of {levels.name(die)} is published")
    rows = levels.CHIPS[die]["levels"]
    own = {row["seconds"]: row.get("cycles") for entry in rows for row in entry.get("latency", ())}
    if kind == "dram" or any(own[value.value] is None for value in found):
        return max(value.value for value in found) * hertz
    return float(median(own[value.value] for value in found))
