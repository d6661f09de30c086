"""Software stack, mapping and co-design: what stands between a formula and a fast kernel.

mobile        networks for phones: accuracy, work, time       nas         a reward, a front, a search among them
loopnest      the face of the next: orders of a product, their traffic, a search for the best
nest          words of a loop nest, in closed form    walking       the same step by step, in buffers (buffers)
mapspace      every mapping, and the energy of each   search        four ways to look for a good one; race
tiles         settings of a tiled kernel that fit             graphs      operations that share a kernel
funnel        from a formula to instructions                  coverage    what a chip's software lacks
lazy          computed at once, or on demand                  porting     what becomes of a program elsewhere
hlo           a program, pass by pass                     program       and how its text is read
autotune      choices timed on this machine               kernels       what is tuned
paying        when work before the first run pays         recompiles    a compilation for every new shape
traces        what waits for what                         ladder        seven versions of one product
detector      from 30 ms to 10                            bench         a device to time on
proxies       a few workloads that stand for many             worksheet   co-design in four steps
"""

from accelerator_lib.codesign import (
    autotune,
    bench,
    buffers,
    coverage,
    detector,
    funnel,
    graphs,
    hlo,
    kernels,
    ladder,
    lazy,
    loopnest,
    mobile,
    nas,
    nest,
    paying,
    porting,
    proxies,
    race,
    recompiles,
    traces,
    walking,
    worksheet,
)
from accelerator_lib.codesign.coverage import covered
from accelerator_lib.codesign.graphs import bytes_moved, fused
from accelerator_lib.codesign.mobile import agreement, networks, twins
from accelerator_lib.codesign.nas import nas_reward, pareto, winner
from accelerator_lib.codesign.paying import best_buckets, break_even_runs
from accelerator_lib.codesign.porting import detect, ledger
from accelerator_lib.codesign.tiles import legal_tiles, tile_counts

__all__ = [
    "agreement",
    "autotune",
    "bench",
    "best_buckets",
    "break_even_runs",
    "buffers",
    "bytes_moved",
    "coverage",
    "covered",
    "detect",
    "detector",
    "funnel",
    "fused",
    "graphs",
    "hlo",
    "kernels",
    "ladder",
    "lazy",
    "ledger",
    "legal_tiles",
    "loopnest",
    "mobile",
    "nas",
    "nas_reward",
    "nest",
    "networks",
    "pareto",
    "paying",
    "porting",
    "proxies",
    "race",
    "recompiles",
    "tile_counts",
    "traces",
    "twins",
    "walking",
    "winner",
    "worksheet",
]
