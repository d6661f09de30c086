"""Compilation: when work before the first run pays, into how many lengths to compile, and what makes JAX compile anew.

    runs until tuning pays   tune / (before - after)
    n buckets of equal width, lengths uniform up to the longest: every request is padded to the end of its bucket
    seconds                  R t (1 + 1/n) + n compile            best n = sqrt(R t / compile)

t is the mean time of a request without padding. Ignored: short runs are less efficient than long ones, and that users
send some lengths more often than others.

    for request in serve(lengths, "to powers of two"): request.compiled, request.programs

A jitted function is traced and compiled anew for every shape that it has not met before. That counter is real: JAX runs
the Python body of a function only while it traces it. Each request has a length; it is padded as told and given to a
jitted function of its own.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Given, Number, OneOf, Seconds, Single, Whole, checked
from accelerator_lib.recorded import or_recorded

WHEN = ("just in time", "ahead of time", "kept from last time")
Some = Whole(high=10**12)
Free = Number(low=0, high=1e12, unit="s")


@checked
def break_even_runs(tune_s: Free, before_s: Seconds, after_s: Seconds):
    """Runs after which tuning has paid for itself; None where it made nothing faster. Numbers or arrays."""
    pays = np.vectorize(lambda tune, saved: tune / saved if saved > 0 else None, otypes=[object])
    return pays(tune_s, np.subtract(before_s, after_s))[()]


@checked
def best_buckets(requests: Some, seconds: Seconds, compile_seconds: Seconds):
    """Into how many buckets to sort so many requests of a mean time; at least one. Not rounded: 4.6 lies between."""
    return np.maximum(1.0, np.sqrt(np.multiply(requests, seconds) / compile_seconds))[()]


@dataclass(frozen=True)
class Buckets:
    """A day of requests in n buckets: seconds that are useful, that pad, that compile, and the longest wait of one."""

    buckets: int
    requests: float
    seconds: float  # of a mean request without padding
    compile_seconds: float
    when: str

    @property
    def useful(self):
        return self.requests * self.seconds

    @property
    def padding(self):
        return self.useful / self.buckets

    @property
    def compiling(self):
        return 0.0 if self.when == "kept from last time" else self.buckets * self.compile_seconds

    @property
    def total(self):
        return self.useful + self.padding + self.compiling

    @property
    def longest_wait(self):
        """Of one request: the longest one takes twice the mean, and just in time it may come first."""
        return 2 * self.seconds + (self.compile_seconds if self.when == "just in time" else 0.0)

    @property
    def ends(self):
        """Where the buckets end, in shares of the longest length."""
        return tuple((i + 1) / self.buckets for i in range(self.buckets))

    @property
    def starts(self):
        return (0.0, *self.ends[:-1])

    @property
    def parts(self):
        """{what it is spent on: seconds}."""
        return {"useful work": self.useful, "padding": self.padding, "compiling": self.compiling}


@checked
def buckets(
    n: Single(Whole(high=4096)) = 5,
    requests: Single(Some) = 10_000,
    seconds: Single(Seconds) = 0.005,
    compile_seconds: Single(Seconds) = 2.0,
    when: OneOf(WHEN) = "just in time",
):
    """The Buckets of such a day."""
    return Buckets(n, requests, seconds, compile_seconds, when)


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
