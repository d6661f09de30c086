"""Many chips: links, collectives, and how a model is spread over them.
links         a message, four all-reduces                     collectives   the same with numbers on every rank
tiers         inside a node, then between nodes               topology      torus and mesh, beside a switch
hops          a message hop by hop, then all pairs            gradients     DataParallel against DDP
devices       JAX on eight simulated devices (worker)         hlo           collectives in a program's text
pipeline      three schedules of a pipeline                   stragglers    the slowest of n, and waiting for it
parallel      tensor x pipeline x data, every way tried       overlap       talk that hides behind arithmetic
decode        one token on n chips                            toll          what links to chips and hosts take
published     the models beside what was measured             runs          failures, and one long run
experts       all to all in a mixture of experts              protocols     flags for small messages, bulk for large
training      a token of a training run, part by part
"""

from accelerator_lib.network.collectives import all_reduce
from accelerator_lib.network.decode import tokens
from accelerator_lib.network.devices import compiled, mapped
from accelerator_lib.network.experts import routed
from accelerator_lib.network.gradients import reduce
from accelerator_lib.network.hlo import Collective
from accelerator_lib.network.hops import travel
from accelerator_lib.network.links import (
    ALGORITHMS,
    all_reduce_counts,
    all_reduce_seconds,
    hierarchical_all_reduce_seconds,
    message_seconds,
    ring_all_gather_seconds,
    ring_all_reduce_seconds,
)
from accelerator_lib.network.overlap import hiding_tokens
from accelerator_lib.network.parallel import split, splits, table, zero_bytes
from accelerator_lib.network.pipeline import pipeline_bubble, schedule
from accelerator_lib.network.protocols import collective
from accelerator_lib.network.published import by_ranks, by_size
from accelerator_lib.network.runs import best_useful, kept, mtbf_seconds, useful_share, young_seconds
from accelerator_lib.network.stragglers import expected_maximum, slowest, waited
from accelerator_lib.network.tiers import flat_ring_seconds
from accelerator_lib.network.toll import host_link, talking
from accelerator_lib.network.topology import Torus, compare, torus

__all__ = ["ALGORITHMS", "Collective", "Torus", "all_reduce", "all_reduce_counts", "all_reduce_seconds"]
__all__ += ["best_useful", "by_ranks", "by_size", "collective", "compare", "compiled", "expected_maximum"]
__all__ += ["flat_ring_seconds", "hiding_tokens", "hierarchical_all_reduce_seconds", "host_link", "kept", "mapped"]
__all__ += ["message_seconds", "mtbf_seconds", "pipeline_bubble", "reduce", "ring_all_gather_seconds"]
__all__ += ["ring_all_reduce_seconds", "routed", "schedule", "slowest", "split", "splits", "table", "talking"]
__all__ += ["tokens", "torus", "travel", "useful_share", "waited", "young_seconds", "zero_bytes"]
