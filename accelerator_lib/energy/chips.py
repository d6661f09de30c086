"""Chips: an estimate of a whole chip at its peaks, beside its TDP; and TOPS/W on equal terms.

    estimate = bandwidth x pJ/byte + peak / 2 x pJ/MAC

Every chip is charged with the 7 nm table, whatever its node: an order of magnitude.
"""

from dataclasses import dataclass

from accelerator_lib import hardware
from accelerator_lib.energy import costs
from accelerator_lib.inputs import NotAvailable

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
    memory, tdp = costs.memory_watts(chip.need("bytes_per_s"), level), chip.need("tdp_w")
    wide = "int32" if dtype == "int8" else "fp32"
    return Sanity(chip.id, memory, costs.compute_watts(chip.peak(dtype), dtype, 7, wide), tdp, level, dtype)


def estimates():
    """(estimates of all chips that allow one, {id: why not} of the others)."""
    found, missing = [], {}
    for id, chip in hardware.chips().items():
        try:
            found.append(sanity(chip))
        except NotAvailable as reason:
            missing[id] = str(reason)
    return found, missing


def per_watt(dtype="fp16"):
    """{Chip: dense OP/s for each watt of TDP} in one format, best first; chips without a published TDP are left out."""
    found = {
        chip: chip.peak(dtype) / chip.tdp_w for chip in hardware.chips().values() if chip.tdp_w and dtype in chip.matrix
    }
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))
