"""Ways of running a kernel: who compiled it for which family of chips, and the constants of its law that fit it.

A way is (family, framework, version, kernel, format). One that was never fitted takes the constants of those that share
most with it: the same framework's on the same family, on families alike, the format's of other frameworks, and so on.
What a chip waits for by itself counts in its clocks: between families it is longer where the clock is slower. Caches
feed the units that multiply: where these work (products, prompts), what an SM reads of one grows as its FLOP a clock;
where they wait (one token), as the root. Programs that talk are alike where links are (linked), whatever their age.
"""

from functools import cache
from math import exp, log
from typing import NamedTuple

import numpy as np

from accelerator_lib import data
from accelerator_lib.validation.profile.exchange import STEPS

NAMES = ("family", "framework", "version", "kernel", "format")
# what a way has to share with those whose constants it takes, the closest first; "alike": families before and after
SHARED = "family framework version kernel format|family framework kernel format|family framework format"
SHARED += "|alike framework kernel format|alike framework format|family format|alike format|framework kernel format"
SHARED += "|framework format|format|family framework|alike framework|family|"
LEVELS = tuple(tuple(each.split()) for each in SHARED.split("|"))
SISTER = {"fp8_static": "fp8"}  # a format that runs as another does: the same product, without the pass that scales
# a fact of families: the constants that follow it from one to the other, and with which power
SCALED = {"clock_ghz": dict.fromkeys(("launch_us", "fill_us", "add_us"), -1)}
SCALED["flop_a_clock"] = {"cache": 1, "reads": 0.5}


class Way(NamedTuple):
    """Constants of a way, how many rows fitted them, and by how much it misses these (median |log|)."""

    key: tuple
    rows: int
    off: float
    constants: dict


def of(key, ways, families):
    """(constants, median miss, level) that a way takes from fitted ones; level 0: its own. `families`: {family: its
    clock_ghz, flop_a_clock, families alike and linked}. Raises LookupError where none was fitted."""
    asked, near = dict(zip(NAMES, key, strict=True)), families.get(key[0], {})
    alike = near.get("linked" if key[-1] in STEPS else "alike", ())
    if not any((way.key[0], way.key[-1]) == (key[0], key[-1]) for way in ways):
        asked["format"] = SISTER.get(key[-1], key[-1])
    for level, shared in enumerate(LEVELS):
        wanted = [(NAMES.index(name), (asked[name],)) if name in asked else (0, alike) for name in shared]
        if not all(any(values) for _, values in wanted):
            continue
        found = [way for way in ways if all(way.key[at] in values for at, values in wanted)]
        if "framework" in shared and {"family", "alike"} & {*shared}:  # one program: its newest version, usual kernel
            newest = sorted(found, key=lambda way: (way.key[2], way.rows))
            found = list({way.key[0]: way for way in newest}.values())
        if found:
            rows, between = [way.rows for way in found], [_moved(way, key[0], families) for way in found]
            constants = {name: mean(rows, [each[name] for each in between]) for name in between[0]}
            return constants, mean(rows, [way.off for way in found]), level
    raise LookupError("no way was fitted")


def _moved(way, family, families):
    """The constants of a way, in the clocks and with the caches of a family, where both families' are known."""
    found = dict(way.constants)
    for fact, powers in SCALED.items():
        theirs, own = (families.get(name, {}).get(fact) for name in (way.key[0], family))
        if theirs and own:
            found |= {name: found[name] * (own / theirs) ** power for name, power in powers.items() if name in found}
    return found


def foretold(law, work, key, ways, families, timed=True):
    """(times of rows [s], {limit: its part}, what their misses [log] are measured in, level); `timed`: is the device?

    Misses are measured in the median miss of the way; where device, family or framework fitted nothing, in how far
    apart the programs of the format are on each row, moved to this family, and the more the less its memory (its links)
    is like any other. A family that fitted nothing takes the middle between its way and the median of all of them.
    """
    constants, off, level = of(key, ways, families)
    told, parts = law.seconds(work, **constants)
    if timed and {"family", "framework"} <= {*LEVELS[level]}:
        return told, parts, off, level
    among = [way for way in ways if way.key[-1] in (key[-1], SISTER.get(key[-1]))] or ways
    logs = np.log([law.seconds(work, **_moved(way, key[0], families))[0] for way in among])
    fact = "link_gb_s" if key[-1] in STEPS else "memory_a_clock"
    unlike = min(abs(log(families[key[0]][fact] / families[near][fact])) for near in {way.key[0] for way in ways})
    factor = 1.0 if "family" in LEVELS[level] else np.sqrt(np.exp(np.median(logs, 0)) / told)
    parts = {limit: its * factor for limit, its in parts.items()}
    return told * factor, parts, np.maximum(np.std(logs, 0), off) * (1 + unlike), level


def ends(shape, seconds):
    """Between which median misses the logs of such times lie: straight lines between the knots [time, low, high]."""
    times, low, high = np.array(shape).T
    return tuple(np.interp(np.log(seconds), np.log(times), its) for its in (low, high))


def mean(rows, values):
    """What lies between the constants of several ways: their geometric mean, each as heavy as its rows."""
    return exp(sum(weight * log(value) for weight, value in zip(rows, values, strict=True)) / sum(rows))


@cache
def fitted(kind):
    """Every Way of a kind, as  make calibrate  wrote them."""
    entry = data.load("kernel_times")["laws"][kind]
    names, its = entry["constants"], entry["ways"]
    return tuple(Way(tuple(key), rows, off, dict(zip(names, told, strict=True))) for *key, rows, off, told in its)
