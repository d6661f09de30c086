"""Recompilation: a jitted function is traced and compiled anew for every shape that it has not met before.

    for request in serve(lengths, "to powers of two"): request.compiled, request.programs

The counter is real: JAX runs the Python body of a function only while it traces it. Each request has a length; it is
padded as told and given to a jitted function of its own. Ignored here: what the padding itself costs (paying.py).
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Given, OneOf, checked
from accelerator_lib.recorded import or_recorded

LONGEST = 128
PADDED = {
    "as they come": lambda length: length,
    "to powers of two": lambda length: 1 << (length - 1).bit_length(),
    "to multiples of 32": lambda length: -(-length // 32) * 32,
    "all to the longest": lambda length: LONGEST,
}


@dataclass(frozen=True)
class Request:
    """A request has been served: all lengths so far with the shapes they ran in, and the programs in the cache."""

    lengths: tuple
    padded: tuple
    compiled: tuple  # for each request, whether it had to wait for the compiler
    planned: int

    @property
    def programs(self):
        """Shapes in the cache, in the order in which they came."""
        return tuple(shape for shape, new in zip(self.padded, self.compiled, strict=True) if new)

    @property
    def padding(self):
        """Share of what has been computed that was padding."""
        return 1 - sum(self.lengths) / sum(self.padded) if self.padded else 0.0


def _lengths(given):
    if not isinstance(given, (tuple, list)) or len(given) > 200:
        raise TypeError(f"lengths must be up to 200 whole numbers such as (7, 9), not {given!r}"[:120])
    return tuple(Count(high=LONGEST)("a length", one) for one in given)


@checked
def draw(requests: Count(high=200) = 16, seed: Count(0, 2**31) = 0):
    """Lengths of requests, short ones more often than long ones, up to 128."""
    shares = np.random.default_rng(seed).beta(1.2, 2.5, requests)
    return tuple(int(length) for length in np.ceil(shares * LONGEST).clip(1, LONGEST))


@checked
def serve(lengths: Given("lengths of requests", _lengths), how: OneOf(PADDED) = "as they come"):
    """Yield a Request before the first and after each; every run begins with an empty cache. The same is kept."""
    return iter(_known[lengths, how]) if (lengths, how) in _known else _kept(lengths, how)


_known = {}  # runs that have ended: what was compiled then would be compiled again


def _kept(lengths, how):
    states = []
    for state in _serve(lengths, how):
        states.append(state)
        yield state
    _known[lengths, how] = tuple(states)


def _serve(lengths, how):
    padded, compiled = (), ()
    yield Request((), (), (), len(lengths))
    for served, waited in enumerate(_waits(lengths, how), 1):
        padded, compiled = (*padded, PADDED[how](lengths[served - 1])), (*compiled, waited)
        yield Request(lengths[:served], padded, compiled, len(lengths))


@or_recorded
def _waits(lengths, how):
    """Whether each request in its turn has to wait for the compiler."""
    import jax

    traced = []

    @jax.jit
    def answer(x):
        traced.append(x.shape)  # Python's part: run while JAX traces, never again for the same shape
        return x + 1

    for length in lengths:
        before = len(traced)
        answer(np.zeros(PADDED[how](length), np.float32))
        yield len(traced) > before
