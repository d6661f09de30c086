"""Power: from energies to watts of a chip, the best clock, a cap, a battery, a rack; and TOPS/W on equal terms.

    power at clock f   = static + dynamic x f^(1 + 2e)              f: ratio to the nominal clock, voltage f^e
    energy for a job   = power / f                                  least at f = (static / (2 e dynamic))^(1 / (1 + 2e))
    chip estimate      = bandwidth x pJ/byte + peak / 2 x pJ/MAC    against its TDP

Every chip is charged with the 7 nm table, whatever its node: an order of magnitude. Facts: data/energy.yaml.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data, energy, hardware
from accelerator_lib.inputs import NotAvailable, number, share

HOURS = 8760
KINDS = (  # how the data name a memory -> the level that is charged for it, most special name first
    ("SRAM", "sram_1mb"),
    ("HBM3e", "hbm3e_skhynix"),
    ("HBM2e", "hbm2e_skhynix"),
    ("HBM3", "hbm2_low"),  # no figure is published: the HBM2 value is usual
    ("HBM2", "hbm2_low"),
    ("HBM", "hbm1"),
    ("GDDR6X", "gddr6x_micron"),
    ("GDDR6", "gddr6_low"),
    ("LPDDR", "lpddr4"),
    ("DDR", "ddr"),
)
FORMATS = ("fp16", "bf16", "int8")


@dataclass(frozen=True)
class Sanity:
    """An estimate of a chip at its peaks [W], beside its TDP."""

    chip: str
    memory_w: float
    compute_w: float
    tdp_w: float
    level: str
    dtype: str

    @property
    def share(self):
        return (self.memory_w + self.compute_w) / self.tdp_w


def level_of(memory):
    """The level of energy.access that a kind of memory is charged with. Raises NotAvailable."""
    for kind, level in KINDS:
        if kind in (memory or ""):
            return level
    raise NotAvailable(f"no energy is published for memory of the kind {memory!r}")


def sanity(chip):
    """Sanity of a chip: its whole bandwidth and its 16-bit peak with fp32 sums (else int8 with int32 sums).

    Raises NotAvailable where a value is not published.
    """
    chip = hardware.chip(chip)
    dtype = next((name for name in FORMATS if name in chip.matrix), None)
    if dtype is None:
        raise NotAvailable(f"{chip.name} has no matrix peak in {', '.join(FORMATS)}")
    level = level_of(chip.memory)
    memory, tdp = energy.memory_watts(chip.need("bytes_per_s"), level), chip.need("tdp_w")
    wide = "int32" if dtype == "int8" else "fp32"
    return Sanity(chip.id, memory, energy.compute_watts(chip.peak(dtype), dtype, 7, wide), tdp, level, dtype)


def checked():
    """(estimates of all chips that allow one, {id: why not} of the others)."""
    found, missing = [], {}
    for id, chip in hardware.chips().items():
        try:
            found.append(sanity(chip))
        except NotAvailable as reason:
            missing[id] = str(reason)
    return found, missing


def watts(frequency, static, dynamic, voltage_exponent=1.0):
    """Power [W] at a clock [ratio], from static and dynamic power [W] at the nominal clock; scalars or arrays."""
    static, dynamic = number("static", static, low=0, unit="W"), number("dynamic", dynamic, unit="W")
    return static + dynamic * energy.dvfs(frequency, voltage_exponent).power


def gain(frequency, static, dynamic, voltage_exponent=1.0):
    """Work for each joule at a clock, as a multiple of that at the nominal clock."""
    return (
        frequency * watts(1.0, static, dynamic, voltage_exponent) / watts(frequency, static, dynamic, voltage_exponent)
    )


def best_clock(static, dynamic, voltage_exponent=1.0, low=0.3, high=1.3):
    """The clock [ratio] of the least energy for a job, within the range of clocks."""
    static, dynamic = number("static", static, low=0, unit="W"), number("dynamic", dynamic, unit="W")
    exponent = number("voltage_exponent", voltage_exponent, low=0, high=5)
    if exponent == 0:
        return high if static else low  # without a voltage to lower, only the static part counts
    return float(np.clip((static / (2 * exponent * dynamic)) ** (1 / (1 + 2 * exponent)), low, high))


def capped_clock(cap, static, dynamic, voltage_exponent=1.0):
    """The highest clock [ratio], at most 1, with which a chip stays under a cap [W]. Raises ValueError if none does."""
    cap, static = number("cap", cap, unit="W"), number("static", static, low=0, unit="W")
    if cap <= static:
        raise ValueError(f"a cap of {cap:g} W is not above the static power of {static:g} W: no clock is slow enough")
    room = (cap - static) / number("dynamic", dynamic, unit="W")
    return min(1.0, room ** (1 / (1 + 2 * number("voltage_exponent", voltage_exponent, low=0, high=5))))


def per_watt(dtype="fp16"):
    """{Chip: dense OP/s for each watt of TDP} in one format, best first; chips without a published TDP are left out."""
    found = {
        chip: chip.peak(dtype) / chip.tdp_w for chip in hardware.chips().values() if chip.tdp_w and dtype in chip.matrix
    }
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def battery_hours(watt_hours, device_watts, duty=1.0, sleep_watts=0.0):
    """Hours on a battery [Wh] of a device that works a share of the time and sleeps the rest."""
    duty = share("duty", duty)
    mean = duty * number("device_watts", device_watts, unit="W") + (1 - duty) * number(
        "sleep_watts", sleep_watts, low=0
    )
    return number("watt_hours", watt_hours) / number("mean power", mean, unit="W")


@dataclass(frozen=True)
class Year:
    """A year of a machine: energy drawn from the grid [kWh], its cost, and the part that is cooling."""

    kwh: float
    cost: float
    cooling_kwh: float


def year(chip_watts, chips=1, overhead=1.3, price_per_kwh=0.15, load=1.0):
    """Year of so many chips; overhead: power of the building / power of the machines (PUE), price in any currency."""
    it = (
        number("chip_watts", chip_watts, unit="W")
        * number("chips", chips, high=1e9)
        * share("load", load)
        * HOURS
        / 1000
    )
    total = it * number("overhead", overhead, low=1, high=10)
    return Year(total, total * number("price_per_kwh", price_per_kwh, low=0, high=1e3), total - it)


def overhead_share(operations, operation_pj, overhead_pj):
    """Share of an instruction's energy that is not its operations [pJ each]; scalars or arrays."""
    work = number("operations", operations, low=1) * number("operation_pj", operation_pj)
    return number("overhead_pj", overhead_pj, low=0) / (overhead_pj + work)


def instructions():
    """[(record, pJ for each operation, share of overhead)] of GPU instructions, from one operation to many."""
    found = []
    for row in data.load("energy")["gpu_instruction_energy"]:
        count, each, overhead = row["ops"], row["op_energy_pj"] / row["ops"], row["overhead_pj"]
        found.append((row, each + overhead / count, overhead_share(count, each, overhead)))
    return found
