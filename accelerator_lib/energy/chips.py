"""Chips: an estimate of a whole chip at its peaks, beside its TDP; and TOPS/W on equal terms.

    estimate = bandwidth x pJ/byte + peak / 2 x pJ/MAC

Every chip is charged with the 7 nm table, whatever its node: an order of magnitude.
"""

from dataclasses import dataclass

from accelerator_lib import hardware
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import BytesPerS, FlopsPerS, NonNegative, Positive, checked
from accelerator_lib.energy.costs import PJ, compute_watts, memory_watts
from accelerator_lib.energy.table import label
from accelerator_lib.hardware import AChip, Chip, Format

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

    chip: Chip
    memory_w: float
    compute_w: float
    level: str
    dtype: str

    @property
    def watts(self):
        return self.memory_w + self.compute_w

    @property
    def share(self):
        """Of the TDP."""
        return self.watts / self.chip.tdp_w

    @property
    def memory_share(self):
        """Of the TDP."""
        return self.memory_w / self.chip.tdp_w

    @property
    def compute_share(self):
        """Of the TDP."""
        return self.compute_w / self.chip.tdp_w

    @property
    def charged(self):
        """The words for the memory that was charged."""
        return label(self.level)


@checked
def parts(
    bytes_per_s: BytesPerS, word_pj: Positive, flops_per_s: FlopsPerS, mac_pj: Positive, overhead: NonNegative = 0.0
):
    """{part: W} of a chip that moves so many bytes, 64 bits for `word_pj`, and does so many FLOP, two for `mac_pj`.

    The overhead is a share of the other two.
    """
    arithmetic, memory = flops_per_s / 2 * mac_pj * PJ, bytes_per_s / 8 * word_pj * PJ
    return {"arithmetic": arithmetic, "memory": memory, "overhead": overhead * (arithmetic + memory)}


def level_of(memory):
    """The level of energy.access that a kind of memory is charged with. Raises NotAvailable."""
    for kind, level in KINDS:
        if kind in (memory or ""):
            return level
    raise NotAvailable(f"no energy is published for memory of the kind {memory!r}")


@checked
def sanity(chip: AChip):
    """Sanity of a chip: its whole bandwidth and its 16-bit peak with fp32 sums (else int8 with int32 sums).

    Raises NotAvailable where a value is not published.
    """
    dtype = next((name for name in FORMATS if name in chip.matrix), None)
    if dtype is None:
        raise NotAvailable(f"{chip.name} has no matrix peak in {', '.join(FORMATS)}")
    level, wide = level_of(chip.memory), "int32" if dtype == "int8" else "fp32"
    memory = memory_watts(chip.need("bytes_per_s"), level)
    chip.need("tdp_w")
    return Sanity(chip, memory, compute_watts(chip.peak(dtype), dtype, 7, wide), level, dtype)


def estimates():
    """({id: Sanity} of all chips that allow one, {id: why not} of the others)."""
    found, missing = {}, {}
    for id, chip in hardware.chips().items():
        try:
            found[id] = sanity(chip)
        except NotAvailable as reason:
            missing[id] = str(reason)
    return found, missing


@checked
def per_watt(dtype: Format = "fp16"):
    """{Chip: dense OP/s for each watt of TDP} in one format, best first; chips without a published TDP are left out."""
    chips = [chip for chip in hardware.chips().values() if chip.tdp_w and dtype in chip.matrix]
    return {chip: chip.peak(dtype) / chip.tdp_w for chip in sorted(chips, key=lambda c: -c.peak(dtype) / c.tdp_w)}


@dataclass(frozen=True)
class Ranking:
    """All chips by OP/s for each watt in one format, and one of them; None where it publishes no such rate."""

    table: dict  # Chip -> dense OP/s/W, best first
    chip: Chip
    dtype: str
    own: float | None
    sparse: float | None  # the rate quoted with sparsity

    @property
    def place(self):
        return list(self.table).index(self.chip) + 1 if self.own else None


@checked
def ranking(dtype: Format = "fp16", chip: AChip = "h100-sxm5"):
    """Ranking of the chips in one format, with the place of one."""
    table = per_watt(dtype)
    sparse = chip.sparse[dtype] / chip.tdp_w if chip.tdp_w and dtype in chip.sparse else None
    return Ranking(table, chip, dtype, table.get(chip), sparse)
