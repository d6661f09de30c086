"""Proxies: a few workloads that stand for many, chosen by distance on a map of FLOP, bytes and operations.
    distance = sqrt( sum of log10(a / b)^2 )      1.0 is a factor of ten in one of the three numbers of a run
Counted in bf16, compulsory traffic, every operation on its own. Ignored: formats, how irregular accesses are.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from accelerator_lib.checks.signature import Count, OneOf, Record, checked
from accelerator_lib.data import kept
from accelerator_lib.workload import Elementwise, Gemm, models, networks, transformer

COUNTED = "flops", "bytes_moved", "operations"
AXES = {"FLOP, bytes and operations": COUNTED, "FLOP alone": COUNTED[:1], "FLOP and bytes": COUNTED[:2]}
LLAMA = "llama-3-8b"


@dataclass(frozen=True)
class Card:  # one run of a workload: arithmetic [FLOP], traffic [byte], number of operations
    name: str
    flops: float
    bytes_moved: float
    operations: int
    intensity = property(lambda self: self.flops / self.bytes_moved)  # FLOP for each byte


def card(name, works):
    """Card of [(work, copies, times)]: each runs so many times, on so many equal pieces at once."""
    runs = [(work, copies * times) for work, copies, times in works]
    flops, moved = sum(n * work.flops for work, n in runs), sum(n * work.bytes_moved("bf16") for work, n in runs)
    return Card(name, float(flops), float(moved), int(sum(times for _, _, times in works)))


def _vision(name, batch):
    return [(conv, 1, 1) for _, conv in networks.convolutions(name, batch)]


def _language(rows, context, users):
    shape = models.model(LLAMA)
    layer = transformer.layer(rows, shape.d_model, shape.d_ff, shape.kv_width)
    rows_each, heads = rows // users * shape.heads // shape.kv_heads, users * shape.kv_heads
    meets = [(Gemm(rows_each, *edges), heads) for edges in ((context, shape.head_dim), (shape.head_dim, context))]
    works = [*((work, 1) for work in layer.values()), *meets]
    last = Gemm(rows, shape.vocab, shape.d_model), 1, 1
    return [(work, copies, shape.layers) for work, copies in works] + [last]


def _recommender(batch=2048, tables=26, width=128):  # declared: 26 lookups for each visitor, three small products
    products = ((512, 13 + tables * width), (256, 512), (1, 256))
    return [(Elementwise(batch * width, 0), tables, 1), *((Gemm(batch, n, k), 1, 1) for n, k in products)]


def _diffusion(tokens=4096, width=1152, layers=28):  # declared: one step of a transformer that paints
    norm, heads = Elementwise(tokens * width, 5, 2), 16
    products = [Gemm(tokens, n * width, k * width) for n, k in ((3, 1), (1, 1), (4, 1), (1, 4))]
    parts = (*products, norm, norm, Elementwise(4 * tokens * width))
    scores, values = Gemm(tokens, tokens, width // heads), Gemm(tokens, width // heads, tokens)
    meets = (scores, Elementwise(tokens * tokens, 5, 2), values)
    return [*((part, 1, layers) for part in parts), *((part, heads, layers) for part in meets)]


def _rendering(rays=1920 * 1080, samples=16, levels=16):  # declared: eight corners of each level, a tiny network
    points = rays * samples
    lookups, blend = Elementwise(points * levels * 8 * 2, 2, 1, 0.125), Elementwise(points * 4, 4, 1, 1 / samples)
    network = [Gemm(points, 64, 32), Gemm(points, 64, 64), Gemm(points, 4, 64)]
    return [(work, 1, 1) for work in (lookups, *network, blend)]


WORKLOADS = {
    "ResNet-50, one image": lambda: _vision("resnet-50", 1),
    "ResNet-50, 64 images": lambda: _vision("resnet-50", 64),
    "MobileNet v1, one image": lambda: _vision("mobilenet-v1", 1),
    "Llama 3 8B, a prompt": lambda: _language(2048, 2048, 1),
    "Llama 3 8B, one user": lambda: _language(1, 4096, 1),
    "Llama 3 8B, 64 users": lambda: _language(64, 4096, 64),
    "recommender": _recommender,
    "diffusion, one step": _diffusion,
    "neural rendering, a frame": _rendering,
}
NAMES = tuple(WORKLOADS)


@kept
def cards():
    """Every workload of the map, by name."""
    return {name: card(name, work()) for name, work in WORKLOADS.items()}


@checked
def distance(one: Record(Card), other: Record(Card), by: OneOf(AXES) = "FLOP, bytes and operations"):
    """Between two Cards: 1.0 is a factor of ten in one number."""
    steps = [np.log10(getattr(one, axis) / getattr(other, axis)) for axis in AXES[by]]
    return float(np.linalg.norm(steps))


@dataclass(frozen=True)
class Choice:  # proxies for all cards: which were chosen, who speaks for whom, and how far the farthest is
    cards: tuple
    chosen: tuple  # names
    nearest: dict  # name: the name of its proxy
    by: str

    @property
    def apart(self):
        """{name: distance in all three numbers to its proxy}."""
        by_name = {one.name: one for one in self.cards}
        return {name: distance(by_name[name], by_name[proxy]) for name, proxy in self.nearest.items()}

    farthest = property(lambda self: max(self.apart, key=self.apart.get))  # from its proxy, in all three


@checked
@cache
def choose(count: Count(high=4) = 3, by: OneOf(AXES) = "FLOP, bytes and operations"):
    """Choice of `count` proxies that leave the farthest card as near as possible, of all sets there are."""
    every = tuple(cards().values())
    apart = np.array([[distance(one, other, by) for other in every] for one in every])
    sets = combinations(range(len(every)), count)
    best = min(sets, key=lambda few: (apart[:, few].min(1).max(), apart[:, few].sum()))
    speaks = {one.name: every[best[int(apart[i, list(best)].argmin())]].name for i, one in enumerate(every)}
    return Choice(every, tuple(every[i].name for i in best), speaks, by)
