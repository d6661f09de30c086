"""Exercises of chapter 10."""

from functools import cache

import numpy as np

from accelerator_course.exercises import Exercise, paging
from accelerator_course.exercises.cases import Wrong, case, number, shown
from accelerator_course.exercises.decisions import chosen
from accelerator_course.exercises.slips import llm as slips
from accelerator_lib import llm
from accelerator_lib.llm import goodput

SHAPES = {  # layers, width, query heads, KV heads, width of an MLP, vocabulary, experts; all weights, as published
    "Llama 2 7B": (32, 4096, 32, 32, 11008, 32000, 1, 6_738_415_616),
    "Llama 2 13B": (40, 5120, 40, 40, 13824, 32000, 1, 13_015_864_320),
    "Llama 2 70B": (80, 8192, 64, 8, 28672, 32000, 1, 68_976_648_192),
    "Llama 3 8B": (32, 4096, 32, 8, 14336, 128256, 1, 8_030_261_248),
    "Mixtral 8x7B": (32, 4096, 32, 8, 14336, 32000, 8, 46_702_792_704),
}
NAMES = ("layers", "d_model", "heads", "kv_heads", "d_ff", "vocab", "experts")
CHIP = {"bytes_per_s": 3.35e12, "flops_per_s": 989.4e12, "usable_bytes": 72e9}  # an H100, nine tenths of its memory
PROMISES = (  # context, milliseconds for a token
    (4096, 20),
    (4096, 30),
    (1024, 8),
    (128, 10),
    (128, 60),
    (8192, 5),
    (4096, 4),
)


def param_count(cfg):
    """All weights of a model: projections, experts, router, norms, the table at each end."""
    d, narrow = cfg["d_model"], cfg["d_model"] // cfg["heads"] * cfg["kv_heads"]
    attention = 2 * d * d + 2 * d * narrow
    router = cfg["experts"] * d if cfg["experts"] > 1 else 0
    layer = attention + cfg["experts"] * 3 * d * cfg["d_ff"] + router + 2 * d
    return cfg["layers"] * layer + d + 2 * cfg["vocab"] * d


def largest_batch(context, seconds):
    """The most users whose tokens come at least every `seconds`, and whose caches fit."""
    batches = np.arange(1, llm.max_batch("llama-3-8b", "h100-sxm5", context) + 1)
    steps = llm.decode_step("llama-3-8b", "h100-sxm5", batches, context)
    return int((steps.seconds <= seconds).sum())


def _check_param_count(function):
    for name, (*shape, want) in SHAPES.items():
        yield number(function, (dict(zip(NAMES, shape, strict=True)),), want, name)
    return "right for five models, to the last weight: grouped heads and experts included."


@cache
def most_users(context, seconds):
    """The key of X10.2 from three inequalities: bytes that fit, bytes in time, FLOP in time; one model, one chip."""
    weights, table, token = 8_030_261_248, 128_256 * 4096, 131_072  # of the table of inputs one row is looked up
    flops = 2 * (weights - table) + 4 * 32 * 4096 * context
    fit = (CHIP["usable_bytes"] - 2 * weights) / (context * token)
    read = (CHIP["bytes_per_s"] * seconds - 2 * (weights - table)) / (context * token)
    computed = CHIP["flops_per_s"] * seconds / flops
    return max(0, int(min(fit, read, computed)))


def _check_largest_batch(function):
    for context, ms in PROMISES:
        where = f"{context:,} tokens each, {ms} ms"
        yield number(function, (context, ms / 1e3), most_users(context, ms / 1e3), where)
    return (
        "right for seven promises. Sometimes the memory ends first, sometimes the bandwidth, with short contexts the "
        "arithmetic; and some promises cannot be kept at all."
    )


NEEDED = {0: 27, 128: 15}  # {overhead: requests a second that a choice must stand}


def choose(overhead):
    """(slots, chunk) for an overhead [tokens] of every step with a prompt."""
    return 32, 256


def _check_choose(function):
    for overhead, least in NEEDED.items():
        where = f"an overhead of {overhead} tokens"

        def judge(got, overhead=overhead, least=least, where=where):
            slots, chunk = chosen(where, got, slots=goodput.SLOTS, chunk=goodput.CHUNKS)  # None: whole prompts
            rate = goodput.highest_rate(slots, chunk, overhead)
            if rate < least:
                raise Wrong(
                    f"For {where} your choice, {shown((slots, chunk))}, stands {rate} requests a second; {least} are "
                    "wanted."
                )

        yield case(where, f"stands {least} requests/s", lambda o=overhead: function(o), judge)
    return (
        "right for both engines. Enough slots for all who write at once, few enough that a step stays short; chunks as "
        "large as the pace allows, since every piece has its price."
    )


EXERCISES = [
    Exercise(
        "10.1",
        "X10.1",
        "the number of weights of a model, from its shape.",
        "Which matrices has one layer, how wide are keys and values? What stands once, before and after all layers?",
        _check_param_count,
        param_count,
        (
            slips.all_heads_alike,
            slips.two_matrices,
            slips.one_expert,
            slips.no_expert,
            slips.one_table,
            slips.no_norms,
            slips.no_last_norm,
            slips.no_norms_in_layers,
            slips.one_norm_a_layer,
            slips.no_router,
        ),
    ),
    Exercise(
        "10.2",
        "X10.2",
        "the largest number of users whose tokens come in time and whose caches fit; 0 where there is none.",
        "llm.max_batch says how many fit. How long does a step with so many take, and with fewer?",
        _check_largest_batch,
        largest_batch,
        (slips.time_alone, slips.memory_alone, slips.one_too_many, slips.bytes_alone),
    ),
    Exercise(
        "10.3",
        "X10.3",
        "a list with one dict after each event: the blocks of every living request, in order.",
        "Keep a list of free blocks, and for each block how many requests hold it. What must happen before a write "
        "into a block that two of them hold?",
        paging.check_page_tables,
        paging.page_tables,
        (slips.written_by_two, slips.freed_too_early, slips.never_freed, slips.copied_at_once, slips.copied_always),
    ),
    Exercise(
        "10.4",
        "P10",
        "a tuple (slots, chunk) that keeps the promise at the loads that are wanted, for an overhead in tokens.",
        "The panel has the same four controls. Where the dots leave the box above, steps are too long; where they "
        "leave it to the right, requests wait for a slot or for their prompt.",
        _check_choose,
        choose,
        (slips.whole_prompts, slips.smallest_chunks, slips.few_slots),
    ),
]
