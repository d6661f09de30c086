"""Experts: what all chips send to all in one layer of a mixture of experts, whose experts are dealt out over them.
Each token goes to `chosen` of the experts, drawn evenly; real routers are less even. A chip gets a token once, however
many of its experts it holds. With `most_nodes`, a token's experts lie in so many nodes at most. Sending out (dispatch)
takes a byte for each of `width` numbers, the way back (combine) two, as in DeepSeek-V3.
"""

from dataclasses import dataclass
from math import comb

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Count, Number, Single, checked

EXPERTS, CHOSEN, WIDTH, LAYERS = 256, 8, 7168, 58
OUT, BACK = 1, 2  # bytes of a number
NODE, MOST_DRAWN = 8, 10_000  # chips of a node; tokens
Width, Visited = Count(high=10**6), Single(Number(low=0, high=10**4))
Bytes8, Some = Single(Number(low=0.5, high=8)), Count(high=10**4)


@dataclass(frozen=True, eq=False)
class Routed:  # one layer: `loads`, the tokens that each chip gets; the `way` of the first token, in chips
    chips: int
    tokens: int  # of each chip
    loads: np.ndarray
    way: tuple
    visited: float  # chips that a token visits, in the mean of those drawn
    nodes: float  # nodes, the same
    node: int = NODE  # chips of a node
    layers: int = LAYERS
    mean = property(lambda self: float(self.loads.mean()))  # tokens that a chip gets in the mean
    busiest = property(lambda self: int(self.loads.max()))  # tokens of the busiest chip
    uneven = property(lambda self: self.busiest / self.mean)  # tokens of the busiest chip, over the mean
    token_bytes = property(lambda self: token_bytes(WIDTH, self.visited, LAYERS))  # out and back


@checked
def token_bytes(width: Width, visited: Visited, layers: Some, out: Bytes8 = OUT, back: Bytes8 = BACK):
    """Bytes that a token sends to `visited` chips and gets back, in so many layers."""
    return visited * width * layers * (out + back)


@checked
def visited(chips: Some):
    """Mean number of chips on which the chosen experts of a token lie, if each chip has equally many of them."""
    missed = comb(EXPERTS - EXPERTS // chips, CHOSEN) / comb(EXPERTS, CHOSEN)
    return chips * (1 - missed)


@checked
def routed(chips: Count(high=EXPERTS) = 32, tokens: Some = 16, most_nodes: Count(high=64) = 64):
    """Routed of `tokens` on each of so many chips. Raises ValueError where the experts or the nodes do not come out."""
    if EXPERTS % chips or (chips > NODE and chips % NODE):
        raise ValueError(f"chips must divide {EXPERTS} experts and fill nodes of {NODE}: 8, 16, 32, ...; not {chips}")
    affordable("tokens", chips * tokens, MOST_DRAWN, "chips or tokens")
    draw, nodes, own, many = np.random.default_rng(11), max(chips // NODE, 1), EXPERTS // chips, chips * tokens
    score = draw.random((many, EXPERTS))
    if most_nodes < nodes:  # the experts of the other nodes are out
        allowed = np.argsort(draw.random((many, nodes)), axis=1)[:, :most_nodes]
        inside = np.zeros((many, nodes), bool)
        inside[np.arange(many)[:, None], allowed] = True
        score[~np.repeat(inside, EXPERTS // nodes, axis=1)] = -1
    picked = np.argpartition(score, -CHOSEN, axis=1)[:, -CHOSEN:] // own  # chips
    met = np.zeros((many, chips), bool)
    met[np.arange(many)[:, None], picked] = True
    met_nodes = met.reshape(many, nodes, -1).any(axis=2).sum(axis=1).mean()
    way, mean = tuple(int(chip) for chip in np.flatnonzero(met[0])), float(met.sum(axis=1).mean())
    return Routed(chips, tokens, met.sum(axis=0), way, mean, float(met_nodes))


@checked
def busiest_expert(tokens: Some = 512):
    """Tokens of the busiest of 256 experts, in the mean of some draws."""
    draw = np.random.default_rng(11)
    loads = [np.bincount(np.argsort(draw.random((tokens, EXPERTS)))[:, :CHOSEN].ravel()) for _ in range(50)]
    return float(np.mean([load.max() for load in loads]))
