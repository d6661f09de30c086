"""Workload: how much arithmetic a piece of a network needs, and how few bytes it can move.

work          Gemm, Conv, Elementwise: FLOP, bytes, intensity
networks      the layers of vision networks            transformer   the FLOP of a transformer's parts
mixture       experts: sparse weights                  profile       where the time of a step goes
strassen      fewer products, more traffic             xla           what the compiler counts
"""

from accelerator_lib.workload import mixture, networks, profile, strassen, transformer, xla
from accelerator_lib.workload.transformer import train_flops
from accelerator_lib.workload.work import Conv, Elementwise, Gemm, Work, intensity, relative_rate

__all__ = [
    "Conv",
    "Elementwise",
    "Gemm",
    "Work",
    "intensity",
    "mixture",
    "networks",
    "profile",
    "relative_rate",
    "strassen",
    "train_flops",
    "transformer",
    "xla",
]
