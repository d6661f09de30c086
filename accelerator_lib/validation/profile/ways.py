"""Ways of running a kernel: who compiled it for which family of chips, and the constants of its law that fit it.

A way is (family, framework, version, kernel, format). One that was never fitted takes the constants of those that share
most with it: the same framework's on the same family, on a family alike, the format's of other frameworks, and so on.
"""

from functools import cache
from math import exp, log
from typing import NamedTuple

import numpy as np

from accelerator_lib import data

NAMES = ("family", "framework", "version", "kernel", "format")
# what a way has to share with those whose constants it takes, the closest first; "alike": a family that is built alike
SHARED = "family framework version kernel format|family framework kernel format|family framework format"
SHARED += "|alike framework kernel format|alike framework format|family format|alike format|framework kernel format"
SHARED += "|framework format|format|family framework|alike framework|family|"
LEVELS = tuple(tuple(each.split()) for each in SHARED.split("|"))
SISTER = {"fp8_static": "fp8"}  # a format that runs as another does: the same product, without the pass that scales
TIMES = (12e-6, 30e-6, 100e-6)  # s: kernels up to the first are known best


class Way(NamedTuple):
    """Constants of a way, how many rows fitted them, and by how much (median |log|) it misses rows of each of TIMES."""

    key: tuple
    rows: int
    off: tuple
    constants: dict


def of(key, ways, alike):
    """(constants, median misses, level) that a way takes from fitted ones; level 0: its own. `alike`: {family: another}
    Raises LookupError where none was fitted."""
    asked, other = dict(zip(NAMES, key, strict=True)), alike.get(key[0])
    if not any((way.key[0], way.key[-1]) == (key[0], key[-1]) for way in ways):
        asked["format"] = SISTER.get(key[-1], key[-1])
    for level, shared in enumerate(LEVELS):
        wanted = [(NAMES.index(name if name in asked else "family"), asked.get(name, other)) for name in shared]
        if not all(value for _, value in wanted):
            continue
        found = [way for way in ways if all(way.key[at] == value for at, value in wanted)]
        if found and "framework" in shared and "family" in shared:  # one program: its newest version, its usual kernel
            found = [max(found, key=lambda way: (way.key[2], way.rows))]
        if found:
            rows, between = [way.rows for way in found], [way.constants for way in found]
            constants = {name: mean(rows, [each[name] for each in between]) for name in between[0]}
            return constants, tuple(mean(rows, its) for its in zip(*(way.off for way in found), strict=True)), level
    raise LookupError("no way was fitted")


def at(seconds, off):
    """The miss that goes with a time, of those of TIMES."""
    return np.asarray(off)[np.searchsorted(TIMES, seconds)]


def mean(rows, values):
    """What lies between the constants of several ways: their geometric mean, each as heavy as its rows."""
    return exp(sum(weight * log(value) for weight, value in zip(rows, values, strict=True)) / sum(rows))


@cache
def fitted(kind):
    """Every Way of a kind, as  make calibrate  wrote them."""
    entry = data.load("kernel_times")["laws"][kind]
    return tuple(
        Way(tuple(key), rows, tuple(off), dict(zip(entry["constants"], numbers, strict=True)))
        for *key, rows, off, numbers in entry["ways"]
    )
