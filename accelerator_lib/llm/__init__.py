"""Language models on accelerators: what is stored, what a step moves, how many users that serves.
counts        parameters, bytes of cache, experts met      steps         decode and prefill by the roofline
phases        a prompt and an answer on one chip           passes        one run through all layers, kernel by kernel
room          what fits, the largest batch, blocks         tiers         what no longer fits
experts       which of them a step reads                   speculation   drafting tokens and checking them
tiny          two small transformers, trained              writing       it writes: with a cache, without, with a draft
serving       a scheduler, step by step, and its clock     unhindered    its outcome, sooner, where memory is plenty
goodput       its answers in time, under a load            split         prompts and answers on other chips
prefixes      caches that share their beginning
"""

from accelerator_lib.llm import experts, passes, phases, prefixes, speculation, split, tiers, tiny
from accelerator_lib.llm.counts import experts_read, kv_bytes_per_token, param_count
from accelerator_lib.llm.room import kv_utilization, max_batch
from accelerator_lib.llm.steps import critical_batch, decode_step, prefill
from accelerator_lib.llm.writing import write
from accelerator_lib.workload.models import model
