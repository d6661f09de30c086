"""Utilization: the share of a machine that a model uses, and what a faster part of it is worth.

    MFU     = FLOP the model needs / (seconds x peak)
    MBU     = bytes the step has to move / (seconds x bandwidth)
    Amdahl  = 1 / (1 - fraction + fraction / speedup)

Source of MFU: A. Chowdhery et al., "PaLM", 2022; of the last: G. Amdahl, AFIPS 1967.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import BytesPerS, FlopsPerS, Number, Positive, Seconds, Share, checked
from accelerator_lib.hardware import AChip, Format, format_bytes
from accelerator_lib.roofline.roof import binding


@checked
def mfu(params: Positive, tokens_per_s: Number(0), n_chips: Positive, peak: FlopsPerS, flops_per_param: Positive = 6):
    """Model FLOP utilisation: FLOP/s the model needs / peak of all chips; training takes 6 a parameter and token."""
    return flops_per_param * params * tokens_per_s / (n_chips * peak)


@checked
def mbu(bytes_per_step: Number(low=0, unit="B"), seconds: Seconds, bytes_per_s: BytesPerS):
    """Memory bandwidth utilisation: bytes a step has to move / seconds it took / bandwidth [B/s]."""
    return bytes_per_step / seconds / bytes_per_s


@dataclass(frozen=True)
class Gauges:
    """Both shares of one inference step that reads all weights once."""

    mfu: float
    mbu: float

    busier = property(lambda self: binding(compute=self.mfu, memory=self.mbu))  # the limit that the step is nearer to
    honest = property(lambda self: max(self.mfu, self.mbu))  # the share of the busier half
    other = property(lambda self: min(self.mfu, self.mbu))  # the share of the half that waits


@checked
def gauges(params: Positive, tokens: Positive, seconds: Seconds, chip: AChip, dtype: Format = "bf16"):
    """MFU and MBU of a step that makes so many tokens, one for each user; weights alone are counted: Gauges."""
    mfu_ = mfu(params, tokens / seconds, 1, chip.peak(dtype), flops_per_param=2)
    return Gauges(mfu_, mbu(params * format_bytes(dtype), seconds, chip.need("bytes_per_s")))


@checked
def amdahl(fraction: Share, speedup: Positive):
    """Speed-up of the whole when `fraction` of its time runs `speedup` times faster; scalars or arrays."""
    return 1 / (1 - fraction + fraction / speedup)
