"""Silicon: kernels that were timed on chips, run on the warp machine; its ratios of times beside theirs.

`python -m accelerator_course.measure.silicon` prints for each set how many pairs are in order, and the median miss.
Constants were chosen on some sources, the others judge. Rows: recorded/kernels/timed.json.gz, microbenchmarks.yaml.
"""

from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from accelerator_lib import data, hardware, kernels
from accelerator_lib.data.kernels import timed
from accelerator_lib.kernels import chips

TEXTS = data.parse(Path(__file__).with_suffix(".yaml"))
CLEARLY = 1.1  # a pair is judged where its times differ by more
SYSTEMS = {"h100_sxm": "h100-sxm5", "h200_sxm": "h200-sxm"}


def chip(name):
    """Sm of a chip; an H200 is an H100 with another memory."""
    if name in chips.KNOWN:
        return chips.of(name)
    h100, faster = chips.of("h100-sxm5"), hardware.chip(name).bytes_per_s / hardware.chip("h100-sxm5").bytes_per_s
    return replace(h100, chip=name, dram_bytes=h100.dram_bytes * faster)


@cache
def cycles(name, variant, on):
    """Cycles of a variant of a set on a chip by name."""
    its = TEXTS["sets"][name]
    given = {"it": variant, **its["all"], **its.get("with", {}), **its["variants"][variant]}
    blocks, threads = (tuple(each) if isinstance(each, list) else each for each in (given["blocks"], given["threads"]))
    arguments = {array: _filled(*shape) for array, shape in given["arrays"].items()}
    arguments |= {"n": given["n"]} if "n" in given else {}
    return kernels.run(given["text"].format(**given), arguments, blocks, threads, chip(on)).timed.cycles


def _filled(rows, cols=0, share=None):
    if share is None:
        return np.ones((rows, cols) if cols else rows, np.float32)
    draw = np.random.default_rng(1)
    return np.where(draw.random(rows) < share, cols // 2, draw.integers(0, cols, rows))


def measured():
    """Yield (set, source, chip, {variant: time, in a unit of its own}) of what was timed."""
    for name, its in TEXTS["sets"].items():
        for (system, on), wanted in ((each, dict(rows)) for each in SYSTEMS.items() for rows in its.get("timed", ())):
            by, table = wanted.pop("by"), timed(wanted.pop("table"), system=system, **wanted)
            names = table[by].tolist()
            if "and" in its:
                names = [f"{one} {two}" for one, two in zip(names, table[its["and"]].tolist(), strict=True)]
            times = zip(names, table["us" if "us" in table else "cycles"].tolist(), strict=True)
            yield name, system, on, {v: us * (v if "each" in its else 1) for v, us in times if v in its["variants"]}
    for row in data.load("microbenchmarks")["rows"]:
        power = -1 if row["unit"].endswith("/s") else 1
        yield row["set"], row["id"], row["chip"], {variant: value**power for variant, value in row["values"].items()}


def judged():
    """Yield (set, source, whether constants were chosen on it, {variant: (model's ratio, measured one)})."""
    for name, source, on, times in measured():
        ref = TEXTS["sets"][name]["ref"]
        ref = ref if ref in times else min(times, key=times.get)
        least = cycles(name, ref, on)
        ratios = {variant: (cycles(name, variant, on) / least, time / times[ref]) for variant, time in times.items()}
        yield name, source, source in TEXTS["chosen_on"], ratios


def figures(found):
    """(pairs in order, pairs, median miss of the ratios) of many {variant: (model's ratio, measured one)}."""
    pairs = [(a, b) for each in found for a, b in combinations(each.values(), 2)]
    pairs = [(a, b) for a, b in pairs if max(a[1], b[1]) > CLEARLY * min(a[1], b[1])]
    off = [abs(np.log(model / real)) for each in found for model, real in each.values() if (model, real) != (1, 1)]
    return sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in pairs), len(pairs), float(np.expm1(np.median(off)))


def table():
    """[(set or "all", sources, pairs in order, pairs, median miss)], those that constants were chosen on first."""
    found, lines = list(judged()), []
    for seen in (True, False):
        here = [(name, ratios) for name, _, chosen, ratios in found if chosen == seen]
        for group in [*dict.fromkeys(name for name, _ in here), "all"]:
            its = [ratios for name, ratios in here if group in (name, "all")]
            lines.append((group, "chosen on" if seen else "kept apart", *figures(its)))
    return lines


if __name__ == "__main__":
    for line in table():
        print("{:36} {:10} {:4} of {:4} pairs in order, median miss {:.1%}".format(*line))
