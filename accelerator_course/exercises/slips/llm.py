"""Slips of the exercise of chapter 10."""

from accelerator_course.exercises.llm import largest_batch
from accelerator_course.exercises.slips import changed

one_too_many = changed(largest_batch, "return users", "return users + 1")
query_heads = changed(largest_batch, "model.kv_heads", "model.heads")
keys_alone = changed(largest_batch, "4 * model.kv_heads", "2 * model.kv_heads")
memory_alone = changed(largest_batch, "seconds > promise.seconds", "False")
pace_alone = changed(largest_batch, "stored + (users + 1) * cache <= chip.memory", "users < 20_000")
bytes_alone = changed(largest_batch, "2 * met * (users + 1) / chip.peak", "0")
window_forgotten = changed(largest_batch, "min(promise.context, model.window)", "promise.context")
all_experts_read = changed(largest_batch, "experts_read(model.experts, model.active, users + 1)", "model.experts")
active_experts_stored = changed(largest_batch, "model.experts * model.expert", "model.active * model.expert")
