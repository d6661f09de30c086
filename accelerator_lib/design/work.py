"""Jobs: real work as products [m, k] x [k, n], and what else a step stores and moves.
A layer of a language model is four products: (m, d + 2 kv, d), (m, d, d), (m, 2 d_ff, d), (m, d, d_ff). Attention adds
(T, T, 128) and (T, 128, T) in m/T x d/256 groups: d/128 heads, half of every table masked. Equal layers are told once,
with a count. Ignored: optimizers' own arithmetic, embeddings that are looked up once.
"""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from accelerator_lib import data
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Count, Given, checked
from accelerator_lib.workload.models import AModel
from accelerator_lib.workload.networks import convolutions
from accelerator_lib.workload.transformer import params

SIZES = ("m", "n", "k", "count", "groups")
HEAD, GATED = 128, 2  # elements of an attention head; products side by side into a gated MLP


class Product(NamedTuple):
    """[m, k] x [k, n], `count` times in a row, each in `groups` equal ones; `fused`: attention, all on chip."""

    name: str
    m: float
    n: float
    k: float
    count: float = 1.0
    groups: float = 1.0
    fused: bool = False
    macs = property(lambda self: self.m * self.n * self.k * self.groups * self.count)


@dataclass(frozen=True)
class Job:
    """One step of work. Counts are of elements; a step yields `amount` of `unit`."""

    name: str
    unit: str
    amount: float
    products: tuple
    weights: float
    cached: float = 0.0  # keys and values that are stored
    cache_read: float = 0.0  # of them read in a step
    looked_up: float = 0.0  # elements read from tables in a step
    layers: float = 0.0
    d_model: float = 0.0
    d_ff: float = 0.0
    tokens: float = 0.0
    talk: str = "none"  # "layers": two all-reduces in each; "tables": rows to whom they belong; "gradients"

    def __post_init__(self):
        floats = (one._replace(**{size: float(getattr(one, size)) for size in SIZES}) for one in self.products)
        object.__setattr__(self, "products", tuple(floats))  # whole numbers overflow the 32 bits of JAX

    training = property(lambda self: self.talk == "gradients")
    macs = property(lambda self: sum(product.macs for product in self.products) * (3 if self.training else 1))


def _layers(model, m):
    d, kv, ff, count = model.d_model, model.kv_width, model.d_ff, float(model.layers)
    return (
        Product("queries, keys, values", m, d + 2 * kv, d, count),
        Product("attention's output", m, d, d, count),
        Product("MLP, two ways up", m, GATED * ff, d, count),
        Product("MLP, down", m, d, ff, count),
    )


def _attention(d, m, context, count):
    groups = m / context * d / (2 * HEAD)  # half of every table is masked
    return (
        Product("scores", context, context, HEAD, count, groups, fused=True),
        Product("mix of values", context, HEAD, context, count, groups, fused=True),
    )


Tokens = Count(high=10**8)


def _language(name, model, m, products, **more):
    sizes = {size: float(getattr(model, size)) for size in ("layers", "d_model", "d_ff")}
    return Job(name, "tokens", float(m), products, float(params(model)), **sizes, tokens=float(m), **more)


@checked
def decode(model: AModel = "llama-3-8b", batch: Tokens = 32, context: Tokens = 4096):
    """Job: one token for each of `batch` users, each of whom has `context` tokens in the cache."""
    products = *_layers(model, batch), Product("word list", batch, model.vocab, model.d_model)
    cached = 2.0 * model.layers * model.kv_width * batch * context
    return _language("decode", model, batch, products, cached=cached, cache_read=cached, talk="layers")


@checked
def prefill(model: AModel = "llama-3-8b", tokens: Tokens = 8192):
    """Job: one prompt of so many tokens; only its last one meets the word list."""
    attention = _attention(model.d_model, tokens, tokens, float(model.layers))
    products = *_layers(model, tokens), *attention, Product("word list", 1.0, model.vocab, model.d_model)
    cached = 2.0 * model.layers * model.kv_width * tokens
    return _language("prefill", model, tokens, products, cached=cached, talk="layers")


@checked
def training(model: AModel = "llama-2-70b", tokens: Tokens = 4096):
    """Job: one training step over so many tokens on each chip, one sequence."""
    attention = _attention(model.d_model, tokens, tokens, float(model.layers))
    head = Product("word list", tokens, model.vocab, model.d_model)
    return _language("training", model, tokens, (*_layers(model, tokens), *attention, head), talk="gradients")


@checked
def vision(batch: Tokens = 32):
    """Job: ResNet-50 on so many images, its convolutions as products."""
    layers, found = convolutions("resnet-50", batch), {}
    for name, conv in layers:
        count = float(sum(name == other for other, _ in layers))
        found[name] = Product(name, conv.gemm.m, conv.gemm.n, conv.gemm.k, count)
    weights = sum(product.n * product.k * product.count for product in found.values())
    return Job("vision", "images", float(batch), tuple(found.values()), float(weights), tokens=float(batch))


@checked
def recommender(queries: Tokens = 2048):
    """Job: DLRM-DCNv2 for so many queries: rows of large tables, then small products."""
    known = data.load("design")["dlrm"]
    stacks = [("bottom", known["bottom"], 1), ("cross", known["cross"], known["crosses"]), ("top", known["top"], 1)]
    sizes = ((name, k, n, times) for name, widths, times in stacks for k, n in pairwise(widths))
    products = tuple(Product(f"{name}, {k:,} to {n:,}", queries, n, k, float(times)) for name, k, n, times in sizes)
    weights = known["rows"] * known["width"] + sum(p.n * p.k * p.count for p in products)
    amount, read = float(queries), float(known["lookups"] * known["width"] * queries)
    return Job("recommender", "queries", amount, products, float(weights), looked_up=read, tokens=amount, talk="tables")


@cache
def jobs():
    """{name: Job}: the five of this chapter."""
    made = (decode(), prefill(), training(), vision(), recommender())
    return MappingProxyType({job.name: job for job in made})


def job(given):
    """A Job as it is, or one of the five by its name. Raises TypeError, UnknownName."""
    return given if isinstance(given, Job) else jobs()[one_of("job", given, jobs())]


AJob = Given("a job or its name", job)


def training_like(name, layers, d_model, sequence, micro_batch, vocab=50368):
    """Job: one training step of a decoder with a plain MLP of 4 d, as in published runs; T = batch x sequence."""
    m, d, count = float(sequence * micro_batch), float(d_model), float(layers)
    products = (
        Product("queries, keys, values", m, 3 * d, d, count),
        Product("attention's output", m, d, d, count),
        Product("MLP, up", m, 4 * d, d, count),
        Product("MLP, down", m, d, 4 * d, count),
        *_attention(d, m, float(sequence), count),
        Product("word list", m, float(vocab), d),
    )
    weights = 12 * count * d**2 + vocab * d
    return Job(name, "tokens", m, products, weights, layers=count, d_model=d, d_ff=4 * d, tokens=m, talk="gradients")
