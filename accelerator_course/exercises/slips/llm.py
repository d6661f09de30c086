"""Slips of the exercise of chapter 10."""

from functools import partial

from accelerator_lib.llm import experts_read


def one_too_many(model, chip, promise):
    return batch(model, chip, promise) + 1


def batch(model, chip, promise, heads="kv_heads", parts=2, ignores=(), windows=True, reads_all=False, stored="experts"):
    """The largest batch, with one thing changed; far beyond the memory it stops."""
    window = min(promise.context, model.window) if windows else promise.context
    rows = (model.layers - model.windowed) * promise.context + model.windowed * window
    cache = 2 * parts * getattr(model, heads) * model.head_dim * rows
    weights = 2 * (model.shared + getattr(model, stored) * model.expert)

    def fits(users):
        read = model.experts if reads_all else experts_read(model.experts, model.active, users)
        room = weights + users * cache <= chip.memory
        pace = (2 * (model.shared + model.expert * read) + users * cache) / chip.bytes_per_s <= promise.seconds
        work = 2 * (model.shared + model.active * model.expert) * users / chip.peak <= promise.seconds
        return all(kept for limit, kept in {"room": room, "pace": pace, "work": work}.items() if limit not in ignores)

    users = 0
    while fits(users + 1) and users < 20_000:
        users += 1
    return users


query_heads = partial(batch, heads="heads")
memory_alone = partial(batch, ignores=("pace", "work"))
pace_alone = partial(batch, ignores=("room",))
bytes_alone = partial(batch, ignores=("work",))
window_forgotten = partial(batch, windows=False)
all_experts_read = partial(batch, reads_all=True)
active_experts_stored = partial(batch, stored="active")
keys_alone = partial(batch, parts=1)
