"""Slips of the exercise of chapter 10."""

from functools import partial

from accelerator_lib.llm import experts_read


def query_heads(model, chip, promise):
    return batch(model, chip, promise, heads=model.heads)


def active_experts_stored(model, chip, promise):
    return batch(model, chip, promise, stored=model.active)


def keys_alone(model, chip, promise):
    return batch(model, chip, promise, heads=model.kv_heads / 2)


def one_too_many(model, chip, promise):
    return batch(model, chip, promise) + 1


def met(model, users):
    """Experts that a step reads, on average."""
    return experts_read(model.experts, model.active, users)


def batch(
    model, chip, promise, heads=None, memory=True, pace=True, arithmetic=True, windows=True, read=met, stored=None
):
    """The largest batch, with one thing changed; far beyond the memory it stops."""
    window = min(promise.context, model.window) if windows else promise.context
    rows = (model.layers - model.windowed) * promise.context + model.windowed * window
    cache = 4 * (heads or model.kv_heads) * model.head_dim * rows
    weights = 2 * (model.shared + (stored or model.experts) * model.expert)

    def fits(users):
        reading = (2 * (model.shared + model.expert * read(model, users)) + users * cache) / chip.bytes_per_s
        work = 2 * (model.shared + model.active * model.expert) * users / chip.peak * arithmetic
        return (weights + users * cache <= chip.memory or not memory) and (
            max(reading, work) <= promise.seconds or not pace
        )

    users = 0
    while fits(users + 1) and users < 20_000:
        users += 1
    return users


memory_alone = partial(batch, pace=False)
pace_alone = partial(batch, memory=False)
bytes_alone = partial(batch, arithmetic=False)
window_forgotten = partial(batch, windows=False)
all_experts_read = partial(batch, read=lambda model, users: model.experts)
