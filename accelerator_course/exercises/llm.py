"""Exercise of chapter 10."""

import random
from dataclasses import dataclass

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import number
from accelerator_lib.llm import experts_read


@dataclass(frozen=True)
class Model:
    """What a model card says; weights, keys and values are numbers of 2 bytes."""

    layers: int
    heads: int  # of queries
    kv_heads: int
    head_dim: int  # numbers in a key, and in a value
    shared: float  # weights that every token meets
    expert: float = 0  # weights of one expert, over all layers
    experts: int = 1
    active: int = 1  # experts that a token picks
    windowed: int = 0  # layers that look back at most `window` tokens
    window: int = 0


@dataclass(frozen=True)
class Chip:
    memory: float  # bytes for weights and caches
    bytes_per_s: float
    peak: float  # FLOP/s


@dataclass(frozen=True)
class Promise:
    context: int  # tokens of text of each user
    seconds: float  # a token at least so often


H100 = Chip(72e9, 3.35e12, 989e12)
DENSE = Model(32, 32, 8, 128, 8e9)  # 131,072 bytes a token
MIXED = Model(32, 32, 8, 128, 2e9, 4e9, 8, 2)  # 34 billion weights
SLIDING = Model(32, 32, 8, 128, 8e9, windowed=24, window=1024)
# Keys worked by hand: 16 GB read in 4.78 ms; at 4,096 tokens a cache is 0.537 GB and takes 0.160 ms.
GIVEN = (
    ("a dense model, 20 ms", (DENSE, H100, Promise(4096, 0.020)), 94),  # the pace: (67.0 - 16) GB / 0.537 GB
    ("a dense model, 40 ms", (DENSE, H100, Promise(4096, 0.040)), 104),  # the memory: (72 - 16) GB / 0.537 GB
    ("a dense model, 4 ms", (DENSE, H100, Promise(4096, 0.004)), 0),  # the weights alone take longer
    ("a dense model, short texts", (DENSE, H100, Promise(64, 0.010)), 618),  # the arithmetic: 16 GFLOP a user
    ("experts", (MIXED, H100, Promise(4096, 0.040)), 7),  # the memory: (72 - 68) GB / 0.537 GB
    ("experts, 14 ms", (MIXED, H100, Promise(4096, 0.014)), 3),  # 4.6 of 8 experts are read; with 4 users 5.5, 14.9 ms
    ("experts, short texts", (MIXED, Chip(172e9, 8e12, 3.01e14), Promise(64, 0.010)), 150),  # 20 GFLOP a user
    ("sliding windows", (SLIDING, H100, Promise(4096, 0.040)), 238),  # 8 layers keep 4,096 tokens, 24 keep 1,024
)


def largest_batch(model, chip, promise):
    """The most users whose caches fit, and whose step takes no longer than was promised."""
    rows = (model.layers - model.windowed) * promise.context + model.windowed * min(promise.context, model.window)
    cache = 4 * model.kv_heads * model.head_dim * rows  # a key and a value, 2 bytes a number
    stored = 2 * (model.shared + model.experts * model.expert)
    met = model.shared + model.active * model.expert
    users = 0
    while stored + (users + 1) * cache <= chip.memory:
        read = model.shared + model.expert * experts_read(model.experts, model.active, users + 1)
        seconds = max((2 * read + (users + 1) * cache) / chip.bytes_per_s, 2 * met * (users + 1) / chip.peak)
        if seconds > promise.seconds:
            break
        users += 1
    return users


def _drawn(draw):
    """A hidden model, chip and promise, and the key: three inequalities; the experts met are a bisection."""
    kv = draw.choice([4, 8])
    heads, layers = kv * draw.choice([4, 8]), draw.choice([24, 32, 40])
    several = draw.random() < 0.4
    shared = draw.uniform(1e9, 3e9) if several else draw.uniform(4e9, 14e9)
    experts, active = (draw.choice([(8, 2), (16, 2), (64, 4)])) if several else (1, 1)
    expert = draw.uniform(8e9, 24e9) / experts if several else 0.0
    windowed, window = (layers * 3 // 4, draw.choice([1024, 4096])) if draw.random() < 0.4 else (0, 0)
    model = Model(layers, heads, kv, 128, shared, expert, experts, active, windowed, window)
    chip = Chip(draw.choice([72e9, 126e9, 172e9]), draw.uniform(2e12, 8e12), draw.uniform(3e14, 2e15))
    promise = Promise(draw.choice([256, 2048, 8192, 20000]), draw.uniform(8e-3, 40e-3))
    return model, chip, promise


def most(model, chip, promise):
    """The key: bytes that fit, FLOP in time, and a bisection over the bytes that are read in time."""
    kept = sum(min(promise.context, model.window) for _ in range(model.windowed))
    kept += (model.layers - model.windowed) * promise.context
    cache = kept * 4 * model.kv_heads * model.head_dim
    fit = (chip.memory - 2 * model.shared - 2 * model.experts * model.expert) // cache
    met = 2 * (model.shared + model.active * model.expert)
    low, high = 0, int(max(0, min(fit, promise.seconds * chip.peak // met)))
    while low < high:
        middle = (low + high + 1) // 2
        missed = (1 - model.active / model.experts) ** middle
        read = 2 * model.shared + 2 * model.expert * model.experts * (1 - missed) + middle * cache
        low, high = (middle, high) if read <= promise.seconds * chip.bytes_per_s else (low, middle - 1)
    return low


def _check_largest_batch(function):
    for where, given, want in GIVEN:
        yield number(function, given, want, where)
    draw = random.Random(10)
    for n in range(1, 31):
        given = _drawn(draw)
        yield number(function, given, most(*given), f"hidden model {n}, {given[2].context:,} tokens each")
    return "right for 38 models. Sometimes the memory is the limit, sometimes the pace."


EXERCISES = [Exercise("10.5", _check_largest_batch, largest_batch)]
