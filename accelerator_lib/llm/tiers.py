"""Tiers: a cache that has no room on the chip waits in the host's memory, or is thrown away and computed again.
swap  2 x cache bytes / link           in pieces  2 x (pieces x start + cache bytes / link), a copy for each page,
again prefill of all its tokens                   layer, and K or V; a copy runs beside other users' steps
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import BytesPerS, Number, Whole, checked
from accelerator_lib.hardware import AChip
from accelerator_lib.llm.counts import of
from accelerator_lib.llm.steps import prefill
from accelerator_lib.memory.hostlink import PCIE_5, START_SECONDS
from accelerator_lib.memory.transfer import Waited, transfer_seconds
from accelerator_lib.workload.models import AModel


@dataclass(frozen=True, eq=False)
class Aside:  # one user's cache that makes room for others, and comes back; arrays where `tokens` are
    tokens: int
    cache_bytes: float
    pieces: int
    starts_seconds: float  # of one way: what starting the copies of all pieces takes
    swap_seconds: float
    pieces_seconds: float
    again_seconds: float


@checked
def put_aside(
    model: AModel = "llama-3-8b",
    chip: AChip = "h100-sxm5",
    tokens: Whole(high=10**7) = 4096,
    block: Whole(high=10**6) = 16,
    link_bytes_per_s: BytesPerS = PCIE_5,
    start_seconds: Waited = START_SECONDS,
    mfu: Number(low=0.01, high=1) = 0.5,
):
    """Aside of a cache with `tokens` [tokens] in pages of `block`, each with its keys and values of every layer."""
    cache, pieces = tokens * of(model).kv_bytes("bf16"), -(-tokens // block) * 2 * model.layers
    way, starts = transfer_seconds(cache, link_bytes_per_s), pieces * start_seconds
    return Aside(tokens, cache, pieces, starts, 2 * way, 2 * (starts + way), prefill(model, chip, tokens, mfu=mfu)[1])
