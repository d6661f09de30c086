"""Utilization: the share of a machine that a model uses, and what a faster part of it is worth.

    MFU     = FLOP the model needs / (seconds x peak)
    MBU     = bytes the step has to move / (seconds x bandwidth)
    Amdahl  = 1 / (1 - fraction + fraction / speedup)

Source of MFU: A. Chowdhery et al., "PaLM", 2022; of the last: G. Amdahl, AFIPS 1967.
"""

from accelerator_lib.inputs import real, share


def mfu(params, tokens_per_s, n_chips, peak, flops_per_param=6):
    """Model FLOP utilisation: FLOP/s the model needs / peak of all chips; training takes 6 a parameter and token."""
    needed = (
        real("flops_per_param", flops_per_param) * real("params", params) * real("tokens_per_s", tokens_per_s, low=0)
    )
    return needed / (real("n_chips", n_chips) * real("peak", peak, unit="FLOP/s"))


def mbu(bytes_per_step, seconds, bytes_per_s):
    """Memory bandwidth utilisation: bytes a step has to move / seconds it took / bandwidth [B/s]."""
    moved = real("bytes_per_step", bytes_per_step, low=0, unit="B")
    return moved / real("seconds", seconds, unit="s") / real("bytes_per_s", bytes_per_s, unit="B/s")


def amdahl(fraction, speedup):
    """Speed-up of the whole when `fraction` of its time runs `speedup` times faster; scalars or arrays."""
    part = share("fraction", fraction)
    return 1 / (1 - part + part / real("speedup", speedup))
