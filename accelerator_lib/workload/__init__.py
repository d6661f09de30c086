"""Workload: how much arithmetic a piece of a network needs, and how few bytes it can move.

work      Gemm, Elementwise: FLOP, bytes, intensity        conv          a convolution as a product
models    the shapes of language models (config: a file)   transformer   the FLOP of a transformer's parts
networks  the layers of vision networks
profile   where the time of a step goes                    counted       what a training step is credited with
xla       what the compiler counts                         sums          the format of sums of products
"""

from accelerator_lib.workload import counted, models, networks, profile, transformer, xla
from accelerator_lib.workload.conv import Conv
from accelerator_lib.workload.transformer import train_flops
from accelerator_lib.workload.work import Elementwise, Gemm, Work, intensity, relative_rate
