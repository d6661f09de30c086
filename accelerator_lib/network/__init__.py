"""Many chips: links, collectives, and how a model is spread over them.
links         a message, four all-reduces                     collectives   the same with numbers on every rank
tiers         inside a node, then between nodes               topology      torus and mesh
pipeline      three schedules of a pipeline                   stragglers    the slowest of n, and waiting for it
gradients     DataParallel against DDP
parallel      tensor x pipeline x data, every way tried       overlap       talk that hides behind arithmetic
decode        one token on n chips                            published     the models beside what was measured
runs          failures, and one long run                      experts       all to all in a mixture of experts
protocols     flags for small messages, bulk for large        training      a token of a training run, part by part
"""

from accelerator_lib.network import decode, gradients, published
from accelerator_lib.network.collectives import all_reduce
from accelerator_lib.network.experts import routed
from accelerator_lib.network.links import (
    ALGORITHMS,
    all_reduce_counts,
    all_reduce_seconds,
    hierarchical_all_reduce_seconds,
    host_link,
    message_seconds,
    ring_all_gather_seconds,
    ring_all_reduce_seconds,
)
from accelerator_lib.network.overlap import hiding_tokens
from accelerator_lib.network.parallel import split, splits, table, zero_bytes
from accelerator_lib.network.pipeline import pipeline_bubble, schedule
from accelerator_lib.network.protocols import collective
from accelerator_lib.network.runs import kept, mtbf_seconds, useful_share, young_seconds
from accelerator_lib.network.stragglers import expected_maximum, waited
from accelerator_lib.network.tiers import flat_ring_seconds
from accelerator_lib.network.topology import Torus, torus
