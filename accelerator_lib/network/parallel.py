"""Parallel: one training step of a model that is split three ways at once over tp x pp x dp chips; every way tried.
    a micro-batch  micro (6 P s + 6 L d s^2) / (tp pp 0.8 peak) + 4 L / pp all-reduces + 4 v A / (tp rate) if pp > 1
    a step         (m + (pp - 1) / v) of these + an all-reduce of 2 P' over dp     m = sequences / (dp x micro)
    bytes          4 P' + 12 P' / dp + 34 A / tp x L / pp x min(pp, m) x (1 + (pp - 1) / (pp v) if v > 1)
A = micro x tokens x d, P' = P / (tp pp). All-reduces stay inside a node (`inner`) where their chips fit into the
`domain`, as rings or in its `switch`, else partial sums take two tiers, gradients one ring on the links out of a node;
stages hand on inside, unless copies fill it. 0.8: the best published product.
bf16; ZeRO-1; sequence parallelism; 34 bytes of activations (Korthikanti et al., 2022). Ignored: overlap, congestion.
"""

from dataclasses import dataclass
from itertools import product
from math import gcd

from accelerator_lib.checks.inputs import NotAvailable, affordable, count, described
from accelerator_lib.checks.signature import Bytes, BytesPerS, Count, Given, Number, Single, Switch, Whole, checked
from accelerator_lib.hardware import AChip
from accelerator_lib.network.links import all_reduce_seconds, two_tiers
from accelerator_lib.workload.models import AModel
from accelerator_lib.workload.transformer import params

WEIGHT, GRADIENT, OPTIMIZER, ACTIVATION = 2, 2, 12, 34  # bytes
INNER, OUTER, NODE = 450e9, 50e9, 8  # B/s one way inside a node and between nodes, chips of a node
EFFICIENCY, MOST_TRIED = 0.8, 20_000  # share of the peak; splits, of some 20 us each
Ways, Rate, Some = Count(high=2**20), Single(BytesPerS), Single(Number(0.1, 8, unit="B"))


@dataclass(frozen=True)
class Split:
    """One way to split a training step, its time [s] by part, and what a chip must hold."""

    tp: int
    pp: int
    dp: int
    micro: int
    interleave: int
    microbatches: int  # of each copy
    compute_seconds: float
    tensor_seconds: float  # all-reduces of partial sums
    pass_seconds: float  # activations to the next stage
    wait_seconds: float  # of stages for one another
    gradient_seconds: float
    weight_bytes: float  # weights, gradients, optimiser
    activation_bytes: float
    mfu: float  # useful FLOP of the step / (time x peak of all chips)

    @property
    def seconds(self):
        parts = self.compute_seconds + self.tensor_seconds + self.pass_seconds
        return parts + self.wait_seconds + self.gradient_seconds

    bytes_per_chip = property(lambda self: self.weight_bytes + self.activation_bytes)


@checked
def split(
    model: AModel,
    chip: AChip,
    tp: Ways,
    pp: Ways,
    dp: Ways,
    sequences: Ways,
    tokens: Ways,
    micro: Ways = 1,
    interleave: Ways = 1,
    inner_bytes_per_s: Rate = INNER,
    outer_bytes_per_s: Rate = OUTER,
    domain: Ways = NODE,
    switch: Switch = False,
):
    """Split of a step; bytes_per_chip need not fit. Raises NotAvailable where something does not divide."""
    m = _microbatches(model, pp, dp, sequences, micro, interleave)
    layers, width, peak = model.layers, model.d_model, chip.peak("bf16")
    weights, moved = params(model), micro * tokens * width  # moved: A
    flops = micro * (6 * params(model, active=True) * tokens + 6 * layers * width * tokens**2)
    compute = flops / (tp * pp * EFFICIENCY * peak)
    inner, outer = inner_bytes_per_s, outer_bytes_per_s

    def summed(size, n, near):  # of two or three chips, a ring sends no more than a switch
        way = "switch" if near and switch and n > 3 else "ring"
        return all_reduce_seconds(size, n, inner if near else outer, 0.0, way)

    copies_near, together = tp * dp <= domain, gcd(tp, domain)
    far = two_tiers(2 * moved, together, tp // together, inner, outer).seconds if tp > domain else None
    tensor = 4 * layers / pp * (far or summed(2 * moved, tp, True))
    near = tp * pp * dp <= domain or (tp * pp <= domain and not copies_near)  # stages share a domain
    passed = 4 * interleave * moved / (tp * (inner if near else outer)) if pp > 1 else 0.0
    own = weights / (tp * pp)
    gradients = summed(GRADIENT * own, dp, copies_near)
    waits = (pp - 1) / interleave
    seconds = (m + waits) * (compute + tensor + passed) + gradients
    kept = min(pp, m) * (1 + (pp - 1) / (pp * interleave) if interleave > 1 else 1)
    times = m * compute, m * tensor, m * passed, waits * (compute + tensor + passed), gradients
    room = (WEIGHT + GRADIENT) * own + OPTIMIZER * own / dp, ACTIVATION * moved / tp * layers / pp * kept
    return Split(tp, pp, dp, micro, interleave, m, *times, *room, m * dp * flops / (seconds * tp * pp * dp * peak))


def _microbatches(model, pp, dp, sequences, micro, interleave):
    """Micro-batches of each copy. Raises NotAvailable in one line where something does not divide."""
    if sequences % (dp * micro):
        raise NotAvailable(f"{sequences} sequences are no whole number of micro-batches of {micro} on {dp} copies")
    m = sequences // (dp * micro)
    if pp * interleave > model.layers:
        raise NotAvailable(f"{pp} stages of {interleave} chunks: {model.name} has only {model.layers} layers")
    if model.layers % (pp * interleave):
        raise NotAvailable(f"{model.layers} layers do not divide into {pp} stages of {interleave} chunks")
    if interleave > 1 and (pp == 1 or m % pp):
        raise NotAvailable(f"interleaving needs 2 stages or more that divide the {m} micro-batches, not {pp}")
    return m


def _several(given):
    if not isinstance(given, (list, tuple, range)) or not 1 <= len(given) <= 64:
        raise TypeError(f"need a tuple of up to 64 whole numbers such as (1, 2, 4), not {described(given)}")
    return tuple(count("each", one, 1, 2**20) for one in given)


Several = Given("a tuple of whole numbers", _several)


@checked
def splits(
    model: AModel,
    chip: AChip,
    chips: Ways,
    sequences: Ways,
    tokens: Ways,
    capacity_bytes: Single(Bytes),
    ways: Several = (1, 2, 4, 8, 16),
    micros: Several = (1,),
    interleaves: Several = (1,),
    inner_bytes_per_s: Rate = INNER,
    outer_bytes_per_s: Rate = OUTER,
    domain: Ways = NODE,
):
    """Every Split of so many chips that divides and fits, the fastest first: tp and pp out of `ways`, and so on."""
    links = inner_bytes_per_s, outer_bytes_per_s, domain
    made = _tried(model, chip, chips, sequences, tokens, ways, ways, micros, interleaves, links)
    return tuple(sorted((one for one in made if one.bytes_per_chip <= capacity_bytes), key=lambda one: one.seconds))


@checked
def table(
    model: AModel,
    chip: AChip,
    chips: Ways,
    sequences: Ways,
    tokens: Ways,
    capacity_bytes: Single(Bytes),
    tps: Several = (1, 2, 4, 8, 16, 32, 64),
    pps: Several = (1, 2, 4, 8, 16),
    interleaves: Several = (1,),
    inner_bytes_per_s: Rate = INNER,
    outer_bytes_per_s: Rate = OUTER,
    domain: Ways = NODE,
    switch: Switch = False,
):
    """{(tp, pp): (fastest Split that fits, else the smallest, whether it fits)}; (None, False) where none divides."""
    links = inner_bytes_per_s, outer_bytes_per_s, domain, switch
    found = dict.fromkeys(product(tps, pps), (None, False))

    def order(one):
        fits = one.bytes_per_chip <= capacity_bytes
        return not fits, one.seconds if fits else one.bytes_per_chip

    for one in _tried(model, chip, chips, sequences, tokens, tps, pps, (1,), interleaves, links):
        old = found[one.tp, one.pp][0]
        if old is None or order(one) < order(old):
            found[one.tp, one.pp] = one, one.bytes_per_chip <= capacity_bytes
    return found


def _tried(model, chip, chips, sequences, tokens, tps, pps, micros, interleaves, links):
    """Yield the Split of every way that divides."""
    way = split.__wrapped__  # what enters has been checked, once for all
    many = len(tps) * len(pps) * len(micros) * len(interleaves)
    affordable("splits", many, MOST_TRIED, "the number of ways")
    for tp, pp, micro, interleave in product(tps, pps, micros, interleaves):
        if chips % (tp * pp) == 0:
            try:
                yield way(model, chip, tp, pp, chips // (tp * pp), sequences, tokens, micro, interleave, *links)
            except NotAvailable:
                continue


@checked
def zero_bytes(weights: Bytes, n: Whole(), stage: Count(low=0, high=3)):
    """Bytes on each of n copies; ZeRO deals out optimiser state (1), gradients too (2), weights too (3), or nothing."""
    return sum(zero_parts(weights, n, stage))


@checked
def zero_parts(weights: Bytes, n: Whole(), stage: Count(low=0, high=3), each: Some = WEIGHT):
    """The same by part: (weights, gradients, optimiser state); `each`: bytes of a weight, its share of scales too."""
    parts = each, GRADIENT, OPTIMIZER
    return tuple(weights * part / (n if place >= 3 - stage else 1) for place, part in enumerate(parts))
