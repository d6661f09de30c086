"""Slips of the exercises of chapter 10."""

from collections import Counter

from accelerator_lib import llm

MODEL, CHIP = "llama-3-8b", "h100-sxm5"


def all_heads_alike(cfg):
    """You made keys and values as wide as queries. With fewer KV heads their projections are narrower."""
    return counted(cfg, narrow=lambda c: c["d_model"])


def two_matrices(cfg):
    """You gave the MLP two matrices. These models are gated: gate, up and down."""
    return counted(cfg, matrices=2)


def one_expert(cfg):
    """You counted one MLP in each layer. All experts lie in memory, whichever a token meets."""
    return counted(cfg, experts=lambda c: 1)


def one_table(cfg):
    """You counted the vocabulary once. There is a table before the first layer and another matrix after the last."""
    return counted(cfg, tables=1)


def no_expert(cfg):
    """You counted one MLP in each layer, and no router. All experts lie in memory, whichever a token meets."""
    return counted(cfg, experts=lambda c: 1, router=0)


def no_norms(cfg):
    """You left out the norms: two vectors in each layer, and one at the end."""
    return counted(cfg, norms=0, last=0)


def no_last_norm(cfg):
    """You left out the norm after the last layer: one vector of d_model."""
    return counted(cfg, last=0)


def no_norms_in_layers(cfg):
    """You left out the norms of the layers: two vectors of d_model in each."""
    return counted(cfg, norms=0)


def one_norm_a_layer(cfg):
    """You counted one norm in each layer. There are two."""
    return counted(cfg, norms=0.5)


def no_router(cfg):
    """You left out the router, which gives every expert of a layer its mark: experts x d_model weights."""
    return counted(cfg, router=0)


def counted(
    cfg, narrow=lambda c: c["d_model"] // c["heads"] * c["kv_heads"], matrices=3, experts=lambda c: c["experts"],
    tables=2, norms=1, last=1, router=1,
):  # fmt: skip
    """All weights, with one thing changed."""
    d = cfg["d_model"]
    layer = 2 * d * d + 2 * d * narrow(cfg) + experts(cfg) * matrices * d * cfg["d_ff"] + int(2 * norms) * d
    layer += router * d * cfg["experts"] * (cfg["experts"] > 1)
    return cfg["layers"] * layer + d * last + tables * cfg["vocab"] * d


def time_alone(context, seconds):
    """The same comes out if nothing asks whether all caches fit in 16 bits: with 4,096 tokens and 30 ms the memory ends
    before the time does."""
    return in_time(context, seconds, 10_000)


def memory_alone(context, seconds):
    """You took all that fit. In most of these cases a step with so many users takes longer than was promised."""
    return llm.max_batch(MODEL, CHIP, context)


def one_too_many(context, seconds):
    """You returned the first batch that is too slow. Wanted is the last one that is not."""
    fit = llm.max_batch(MODEL, CHIP, context)
    return min(fit, in_time(context, seconds, fit) + 1)


def bytes_alone(context, seconds):
    """You asked for the bytes only, or counted the arithmetic too low: with 128 tokens and 10 ms the bytes allow 1,102
    users; two FLOP for each weight and user, and those of attention, at the dense peak only 656."""
    return in_time(context, seconds, llm.max_batch(MODEL, CHIP, context), "memory_seconds")


def in_time(context, seconds, most, which="seconds"):
    """The largest batch up to `most` whose step is in time."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        step = llm.decode_step(MODEL, CHIP, middle, context)
        low, high = (middle, high) if getattr(step, which) <= seconds else (low, middle - 1)
    return low


def written_by_two(events, blocks, size):
    """After a fork you write into a block that both hold. Copy it first, for the one that writes."""
    return paged(events, blocks, size, shared=lambda holders, block: False)


def freed_too_early(events, blocks, size):
    """You gave back all blocks of a request that ended. Those that another one still holds are not free."""
    return paged(events, blocks, size, empty=lambda holders, block: True)


def never_freed(events, blocks, size):
    """With blocks to spare the tables are right; with these the pool runs out. Does every block that nobody holds come
    back, and does the pool begin with all of them?"""
    return paged(events, blocks, size, empty=lambda holders, block: False)


def copied_at_once(events, blocks, size):
    """You copied the blocks at the fork. A child begins with those of its parent; copies are made when one writes."""
    return paged(events, blocks, size, at_once=True)


def copied_always(events, blocks, size):
    """You copy the last block before every write. That is needed only while another request holds it."""
    return paged(events, blocks, size, shared=lambda holders, block: True)


def paged(
    events, blocks, size, shared=lambda holders, block: holders[block] > 1,
    empty=lambda holders, block: not holders[block], at_once=False,
):  # fmt: skip
    """Page tables after each event, with one thing changed."""
    free, holders, tables, made, seen = list(range(blocks)), Counter(), {}, Counter(), []

    def take():
        block = free.pop()
        holders[block] += 1
        return block

    def drop(block):
        holders[block] -= 1
        if empty(holders, block):
            free.append(block)

    for kind, request, *child in events:
        if kind == "start":
            tables[request], made[request] = [], 0
        elif kind == "fork":
            parent = tables[request]
            tables[child[0]], made[child[0]] = [take() for _ in parent] if at_once else list(parent), made[request]
            holders.update([] if at_once else parent)
        elif kind == "token":
            table = tables[request]
            if made[request] % size == 0:
                table.append(take())
            elif shared(holders, table[-1]):
                old, table[-1] = table[-1], take()
                drop(old)
            made[request] += 1
        else:
            for block in tables.pop(request):
                drop(block)
        seen.append({name: tuple(table) for name, table in tables.items()})
    return seen


def whole_prompts(overhead):
    """You left prompts whole. A step with one takes about 30 ms, and without overhead more than half of the time goes
    into them: slots stay taken, and whoever comes next waits for the first token. With the overhead they are enough."""
    return 32, None


def smallest_chunks(overhead):
    """You took the smallest chunks. A step of 148 tokens takes as long as its reads of weights and caches, so there are
    at most some 29,000 tokens a second; 27 requests bring 31,000. Prompts queue, and every piece pays the overhead."""
    return 32, 148


def few_slots(overhead):
    """You took few slots. Each user is served quickly, and the others wait for a slot."""
    return 8, 256
