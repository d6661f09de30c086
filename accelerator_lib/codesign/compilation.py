"""Compilation: when work before the first run pays, and into how many lengths to compile.
    runs until tuning pays   tune / (before - after)
    n equal buckets          R t (1 + 1/n) + n compile seconds, best n = sqrt(R t / compile)     lengths uniform, padded
t: mean time of a request without padding. Ignored: short runs are less efficient, some lengths come more often.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Number, OneOf, Seconds, Single, Whole, checked

JIT, KEPT = "just in time", "kept from last time"
WHEN = (JIT, "ahead of time", KEPT)
Some = Whole(high=10**12)
Free = Number(low=0, high=1e12, unit="s")
Few, Many, Time, When = Single(Whole(high=4096)), Single(Some), Single(Seconds), OneOf(WHEN)


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
    useful = property(lambda self: self.requests * self.seconds)
    padding = property(lambda self: self.useful / self.buckets)
    compiling = property(lambda self: 0.0 if self.when == KEPT else self.buckets * self.compile_seconds)
    total = property(lambda self: self.useful + self.padding + self.compiling)
    first = property(lambda self: self.compile_seconds if self.when == JIT else 0.0)  # who comes first waits for it
    longest_wait = property(lambda self: 2 * self.seconds + self.first)  # the longest request takes twice the mean


@checked
def buckets(n: Few = 5, requests: Many = 10_000, seconds: Time = 0.005, compile_seconds: Time = 2.0, when: When = JIT):
    """The Buckets of such a day."""
    return Buckets(n, requests, seconds, compile_seconds, when)
