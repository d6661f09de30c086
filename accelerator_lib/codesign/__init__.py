"""Software stack, mapping and co-design: what stands between a formula and a fast kernel.

mobile        networks for phones: accuracy, work, time       nas         a reward, a front, a search among them
tiles         settings of a tiled kernel that fit             graphs      operations that share a kernel
funnel        from a formula to instructions                  coverage    what a chip's software lacks
lazy          computed at once, or on demand                  porting     what becomes of a program elsewhere
proxies       a few workloads that stand for many             worksheet   co-design in four steps
"""

from accelerator_lib.codesign.coverage import covered
from accelerator_lib.codesign.graphs import bytes_moved, fused
from accelerator_lib.codesign.mobile import agreement, networks, twins
from accelerator_lib.codesign.nas import nas_reward, pareto, winner
from accelerator_lib.codesign.porting import detect, ledger
from accelerator_lib.codesign.tiles import legal_tiles, tile_counts

__all__ = [
    "agreement",
    "bytes_moved",
    "covered",
    "detect",
    "fused",
    "ledger",
    "legal_tiles",
    "nas_reward",
    "networks",
    "pareto",
    "tile_counts",
    "twins",
    "winner",
]
