"""Ladder: the levels of an A100-like chip rebuilt from their parts, and how far apart they are.

gap("bandwidth", lanes, operands, clock_hz, sms)        bandwidth of a level = units x bytes per clock x clock

Latencies and energies are as published: they do not follow from parts.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Hertz, OneOf, Positive, Single, checked
from accelerator_lib.memory import levels
from accelerator_lib.memory.flow import level_bytes_per_s, operand_bytes_per_s

CHIP = "a100-80gb-sxm"
CLOCK_HZ = levels.CHIPS[CHIP]["clock_hz"]
LEVELS = tuple(level for level in levels.of(CHIP) if level.kind != "link")
REGISTERS, SHARED, L2, MAIN = LEVELS
SMS, FP32_LANES, OPERANDS = (REGISTERS.parts[name] for name in ("units", "lanes", "operands"))
ONE_SCOPE = "tenlessons2021"  # the source of energies that names all levels: one process, device and interface


@dataclass(frozen=True)
class Rung:
    """One level of a ladder; low and high differ where the sources do."""

    name: str
    low: float
    high: float


@dataclass(frozen=True)
class Gap:
    """A ladder of Rungs, nearest level first."""

    quantity: str
    unit: str
    rungs: tuple

    @property
    def ratios(self):
        """Each rung against the last one, as (least, most): how many times better, in this quantity, it is."""
        last = self.rungs[-1]
        better = self.quantity == "bandwidth"  # elsewhere less is nearer: a shorter time, less energy, fewer bytes
        found = [
            (rung.low / last.high, rung.high / last.low) if better else (last.low / rung.high, last.high / rung.low)
            for rung in self.rungs[:-1]
        ]
        return (*found, (1.0, 1.0))

    @property
    def ratio(self):
        """Nearest level against the last one, as (least, most)."""
        return self.ratios[0]


@checked
def gap(
    quantity: OneOf(levels.QUANTITIES) = "bandwidth",
    lanes: Count() = FP32_LANES,
    operands: Single(Positive) = OPERANDS,
    clock_hz: Single(Hertz) = CLOCK_HZ,
    sms: Count(high=10_000) = SMS,
):
    """The Gap of an A100-like chip: bandwidths and capacities from its parts, latencies and energies as published."""
    if quantity == "bandwidth":
        registers = operand_bytes_per_s(sms, lanes, clock_hz, operands, REGISTERS.parts["operand_bytes"])
        shared = level_bytes_per_s(sms, SHARED.parts["bytes_per_clock"], clock_hz)
        second = level_bytes_per_s(L2.parts["units"], L2.parts["bytes_per_clock"], clock_hz)
        found = [[registers], [shared], [second], [MAIN.bandwidth[0].value]]
    elif quantity == "latency":  # published in cycles: a faster clock shortens what is on the chip, not the memory
        on_chip = [[row.value * CLOCK_HZ / clock_hz for row in level.latency] for level in LEVELS[:-1]]
        found = [*on_chip, [row.value for row in MAIN.latency]]
    elif quantity == "energy":
        found = [[row.value for row in level.energy if ONE_SCOPE in row.sources] for level in LEVELS]
    else:  # what lies in the SMs grows with their number
        grown = [sms / SMS if level.parts and level.parts["unit"] == "SM" else 1 for level in LEVELS]
        found = [[level.capacity[0].value * factor] for level, factor in zip(LEVELS, grown, strict=True)]
    rungs = tuple(Rung(level.name, float(min(row)), float(max(row))) for level, row in zip(LEVELS, found, strict=True))
    return Gap(quantity, levels.UNITS[quantity], rungs)


def pairs():
    """{what is compared: ratio}: every gap of the A100 at its widest, and one ratio that mixes two quantities."""
    dram, addition = data.load("memory_levels")["mixed"]
    return {
        "registers / main memory, bandwidth": gap("bandwidth").ratio[1],
        "main memory / registers, latency": gap("latency").ratio[1],
        "main memory / registers, energy": gap("energy").ratio[1],
        "main memory / registers, capacity": gap("capacity").ratio[1],
        f"{dram['what']} / {addition['what']}, 45 nm": dram["pj"] / addition["pj"],
    }
