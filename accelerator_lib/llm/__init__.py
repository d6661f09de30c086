"""Language models on accelerators: what is stored, what a step moves, how many users that serves.

counts        parameters, bytes of cache, experts met      steps         decode and prefill by the roofline
room          the largest batch, pages                     serving       a scheduler, step by step
speculation   drafting tokens and checking them

Shapes are facts (data/models.yaml, workload/models.py): llm.model("llama-3-70b").layers is 80.
"""

from accelerator_lib.llm.counts import experts_read, kv_bytes_per_token, param_count
from accelerator_lib.llm.room import kv_utilization, max_batch
from accelerator_lib.llm.steps import critical_batch, decode_step, prefill
from accelerator_lib.workload.models import model

__all__ = [
    "critical_batch",
    "decode_step",
    "experts_read",
    "kv_bytes_per_token",
    "kv_utilization",
    "max_batch",
    "model",
    "param_count",
    "prefill",
]
