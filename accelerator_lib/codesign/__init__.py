"""Software stack, mapping and co-design: what stands between a formula and a fast kernel.
mobile        networks for phones; a reward, a front  loopnest      words of a loop nest, in closed form and in buffers
mapspace      every mapping, and its energy           search        four ways to look for a good one
graphs        operations that share a kernel          hlo           a program, pass by pass
kernels       what is tuned: real kernels             autotune      choices timed on this machine
compilation   when work before the first run pays
traces        what waits for what                     coverage      what a chip's software lacks
porting       what becomes of a program elsewhere     proxies       a few workloads that stand for many
worksheet     what one change brings to a model       bench         a device to time on
"""

from accelerator_lib.codesign import autotune, bench, hlo, proxies, search, traces, worksheet
from accelerator_lib.codesign.compilation import best_buckets, break_even_runs
from accelerator_lib.codesign.coverage import covered
from accelerator_lib.codesign.graphs import bytes_moved, fused
from accelerator_lib.codesign.mobile import nas_reward, networks, pareto, twins, winner
from accelerator_lib.codesign.porting import ledger
