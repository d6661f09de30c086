"""Experts: what all chips send to all in one layer of a mixture of experts, whose experts are dealt out over them.
A chip gets a token once, however many of its experts it holds; a token enters a node (or a rack) once, and is passed
on inside. With `most_nodes`, its experts lie in so many nodes at most, drawn at random; a router takes the best ones.
    wanted     all experts "alike"; or "uneven": log-normal, spread as published counts; or "copied": the most wanted
               have copies on other chips, so that all chips expect about equally many tokens
    bytes      one for each of `width` numbers on the way out (dispatch), two on the way back (combine)
    seconds    the longer of   busiest chip's / inner rate,   those that enter the busiest node / its chips / outer rate
"""

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import BytesPerS, Count, Number, OneOf, Single, checked
from accelerator_lib.llm.experts import busiest
from accelerator_lib.network.parallel import INNER, NODE, OUTER

EXPERTS, CHOSEN, WIDTH, LAYERS = 256, 8, 7168, 58
OUT, BACK = 1, 2  # bytes of a number
COPIES, MOST_DRAWN = 32, 20_000  # copies of experts, or as many more as fill all chips equally; tokens
Width, Visited = Count(high=10**6), Single(Number(low=0, high=10**4))
Bytes8, Some, Chips, Rate = Single(Number(low=0.5, high=8)), Count(high=10**4), Count(high=512), Single(BytesPerS)


@dataclass(frozen=True, eq=False)
class Routed:  # one layer: `loads`, the tokens that each chip gets; the `way` of the first token, in chips
    chips: int
    tokens: int  # of each chip
    loads: np.ndarray
    way: tuple
    visited: float  # chips that a token visits, in the mean of those drawn
    nodes: float  # nodes, the same
    crossed: float  # nodes that it enters from outside, the same
    entered: float  # tokens that enter the busiest node from outside, for each of its chips
    node: int  # chips of a node
    inner: float  # B/s of a chip, one way, inside a node
    outer: float  # and out of it
    layers: int = LAYERS
    kind = property(lambda self: "node" if self.node == NODE else "rack")
    mean = property(lambda self: float(self.loads.mean()))  # tokens that a chip gets in the mean
    busiest = property(lambda self: int(self.loads.max()))  # tokens of the busiest chip
    uneven = property(lambda self: self.busiest / self.mean)  # tokens of the busiest chip, over the mean
    token_bytes = property(lambda self: token_bytes(WIDTH, self.visited, LAYERS))  # to its chips and back
    crossed_bytes = property(lambda self: token_bytes(WIDTH, self.crossed, LAYERS))  # of these between nodes
    # of one layer's exchange, out and back; starts are ignored
    seconds = property(lambda self: WIDTH * (OUT + BACK) * max(self.busiest / self.inner, self.entered / self.outer))


@checked
def token_bytes(width: Width, visited: Visited, layers: Some, out: Bytes8 = OUT, back: Bytes8 = BACK):
    """Bytes that a token sends to `visited` chips and gets back, in so many layers."""
    return visited * width * layers * (out + back)


@checked
def visited(chips: Some):
    """Mean number of chips on which the chosen of equally wanted experts lie, dealt out as evenly as possible."""
    held, more = divmod(EXPERTS, chips)
    met = [1 - comb(max(EXPERTS - each, 0), CHOSEN) / comb(EXPERTS, CHOSEN) for each in (held, held + 1)]
    return (chips - more) * met[0] + more * met[1]


@cache
def _dealt(chips, wanted, seed=7):
    """(logarithm of how much each expert is wanted; the chips that hold it, -1 where it has no more)."""
    spread = 0.0 if wanted == "alike" else np.log(data.load("network")["expert_counts"]["counts"]).std(ddof=1)
    log = spread * np.random.default_rng(seed).standard_normal(EXPERTS)
    if wanted != "copied":
        return log, (np.arange(EXPERTS) * chips // EXPERTS)[:, None]
    many, each = np.ones(EXPERTS, int), -(-(EXPERTS + COPIES) // chips)  # experts that a chip holds
    for _ in range(each * chips - EXPERTS):  # a copy for the expert whose copies are busiest
        many[np.argmax(np.exp(log) / many)] += 1
    homes, room, load = np.full((EXPERTS, many.max()), -1), np.full(chips, each), np.zeros(chips)
    for expert in np.argsort(-np.exp(log) / many):  # where there is room and least to do
        for copy in range(many[expert]):
            free = (room > 0) & ~np.isin(np.arange(chips), homes[expert])
            chip = np.argmin(np.where(free, load, np.inf))
            homes[expert, copy], room[chip] = chip, room[chip] - 1
            load[chip] += np.exp(log[expert]) / many[expert]
    chip = np.argsort(np.arange(chips) % NODE, kind="stable")  # neighbours in this order lie in different nodes
    return log, np.where(homes < 0, -1, chip[homes])


@checked
def routed(
    chips: Chips = 32,
    tokens: Some = 32,
    most_nodes: Chips = 512,
    wanted: OneOf(("alike", "uneven", "copied")) = "alike",
    node: Count(high=512) = NODE,
    inner: Rate = INNER,
    outer: Rate = OUTER,
    seed: Count(low=0) = 7,
):
    """Routed of `tokens` on each of so many chips; rates [B/s] of a chip, one way. Raises ValueError if too many."""
    many, (log, homes) = chips * tokens, _dealt(chips, wanted, seed)
    affordable("tokens", many, MOST_DRAWN, "chips or tokens")
    draw, token, place = np.random.default_rng(11), np.arange(many)[:, None], np.arange(chips) // node
    size, (expert, copy) = np.bincount(place), np.nonzero(homes >= 0)  # chips of each node
    holds = np.zeros((EXPERTS, len(size)), np.float32)
    holds[expert, place[homes[expert, copy]]] = 1
    score = log + draw.gumbel(size=(many, EXPERTS))
    allowed = draw.random((many, len(size))).argsort(axis=1).argsort(axis=1) < most_nodes
    score[allowed @ holds.T == 0] = -np.inf
    if np.isneginf(score).sum(axis=1).max() > EXPERTS - CHOSEN:
        raise ValueError(f"most_nodes = {most_nodes}: so few nodes may hold fewer than {CHOSEN} experts")
    there = homes[np.argpartition(score, -CHOSEN, axis=1)[:, -CHOSEN:]]  # chips of every copy of the chosen
    fits = (there >= 0) & allowed[token[..., None], place[there]]
    copy = np.where(fits, draw.random(there.shape), -1).argmax(axis=2)[..., None]
    met = np.zeros((many, chips), bool)
    met[token, np.take_along_axis(there, copy, 2)[..., 0]] = True
    entered = np.logical_or.reduceat(met, range(0, chips, node), axis=1)
    nodes, way = entered.sum(axis=1).mean(), tuple(np.flatnonzero(met[0]).tolist())
    entered[token, place[token // tokens]] = False  # it was there already
    crossed, most = entered.sum(axis=1).mean(), (entered.sum(axis=0) / size).max()
    means = (float(one) for one in (met.sum(axis=1).mean(), nodes, crossed, most))
    return Routed(chips, tokens, met.sum(axis=0), way, *means, node, inner, outer)


@checked
def busiest_expert(tokens: Some = 512):
    """Tokens of the busiest of 256 experts, in the mean of some draws. Raises ValueError if too many."""
    return busiest(EXPERTS, CHOSEN, tokens)[0]
