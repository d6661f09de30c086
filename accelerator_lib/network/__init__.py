"""Many chips: links, collectives, and how a model is spread over them.

links         a message, an all-gather, four all-reduces: bytes and latency
collectives   the same with numbers on every rank           tiers       inside a node, then between nodes
topology      torus and mesh                                hops        a message hop by hop, then all pairs
gradients     DataParallel against DDP                      devices     JAX on eight simulated devices
extremes      the slowest of n                              stragglers    and what waiting for it costs
pipeline      three schedules of a pipeline                 gantt         one of them, moment by moment
parallel      tensor x pipeline x data, one training step   overlap       talk that hides behind arithmetic
decode        one token on n chips                          reliability   how often to save the work
failures      a long run, event by event
"""

from accelerator_lib.network.extremes import expected_maximum
from accelerator_lib.network.links import (
    ALGORITHMS,
    all_reduce_counts,
    all_reduce_seconds,
    hierarchical_all_reduce_seconds,
    message_seconds,
    ring_all_gather_seconds,
    ring_all_reduce_seconds,
)
from accelerator_lib.network.pipeline import pipeline_bubble
from accelerator_lib.network.topology import Torus, torus

__all__ = [
    "ALGORITHMS",
    "Torus",
    "all_reduce_counts",
    "all_reduce_seconds",
    "expected_maximum",
    "hierarchical_all_reduce_seconds",
    "message_seconds",
    "pipeline_bubble",
    "ring_all_gather_seconds",
    "ring_all_reduce_seconds",
    "torus",
]
