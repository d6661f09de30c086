"""Language models on accelerators: what is stored, what a step moves, how many users that serves.

counts        parameters, bytes of cache, experts met      steps         decode and prefill by the roofline
reading       what one step reads, for how many users
room          what fits, the largest batch                 boards        one piece of memory each, or blocks
phases        a prompt and an answer on one chip           experts       which of them a step reads
tiny          a small transformer that really runs         writing       it writes, with a cache and without
serving       a scheduler, step by step, and its clock     goodput       its answers in time, under a load
prefixes      caches that share their beginning            split         prompts and answers on other chips
speculation   drafting tokens and checking them            drafting      the small transformer with a draft
published     measurements beside the models               tiers         what no longer fits
passes        one run of tokens through all layers, kernel by kernel

Shapes are facts (data/models.yaml, workload/models.py): llm.model("llama-3-70b").layers is 80.
"""

from accelerator_lib.llm import (
    boards,
    drafting,
    experts,
    goodput,
    passes,
    phases,
    published,
    reading,
    room,
    serving,
    speculation,
    split,
    tiers,
    timelines,
    tiny_xla,
    writing,
)
from accelerator_lib.llm.counts import experts_read, kv_bytes_per_token, param_count
from accelerator_lib.llm.room import kv_utilization, max_batch
from accelerator_lib.llm.steps import critical_batch, decode_step, prefill
from accelerator_lib.workload.models import model

__all__ = [
    "boards",
    "critical_batch",
    "decode_step",
    "drafting",
    "experts",
    "experts_read",
    "goodput",
    "kv_bytes_per_token",
    "kv_utilization",
    "max_batch",
    "model",
    "param_count",
    "passes",
    "phases",
    "prefill",
    "published",
    "reading",
    "room",
    "serving",
    "speculation",
    "split",
    "tiers",
    "timelines",
    "tiny_xla",
    "writing",
]
