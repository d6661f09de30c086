"""Slips of the exercise of chapter 10."""

from accelerator_lib.llm import experts_read


def query_heads(model, chip, promise):
    """You stored a key and a value for each query head. Only KV heads are stored."""
    return batch(model, chip, promise, heads=model.heads)


def memory_alone(model, chip, promise):
    """You took all users that fit. In some cases a step then takes longer than promised."""
    return batch(model, chip, promise, pace=False)


def pace_alone(model, chip, promise):
    """You checked only how long a step takes. Weights and caches must also fit into the memory."""
    return batch(model, chip, promise, memory=False)


def bytes_alone(model, chip, promise):
    """You timed the bytes alone. With short texts and many users the arithmetic takes longer."""
    return batch(model, chip, promise, arithmetic=False)


def window_forgotten(model, chip, promise):
    """You kept the whole text in every layer. A layer with a window keeps at most `window` tokens."""
    return batch(model, chip, promise, windows=False)


def all_experts_read(model, chip, promise):
    """You let each step read all experts. It reads only those that its tokens pick, though all are stored."""
    return batch(model, chip, promise, read=lambda model, users: model.experts)


def active_experts_stored(model, chip, promise):
    """You stored only the experts that one token picks. All experts lie in memory."""
    return batch(model, chip, promise, stored=model.active)


def keys_alone(model, chip, promise):
    """Your caches are half as large as they should be: each token leaves a key and a value, with 2 bytes per number."""
    return batch(model, chip, promise, heads=model.kv_heads / 2)


def one_too_many(model, chip, promise):
    """You returned the first batch that is too large. Return the last one that is not."""
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
