"""Beside chips: kernels that were timed on chips, run on the warp machine; its ratios of times beside theirs.

`python tests/beside_chips.py` prints for each set how many pairs are in order, and the median miss,
first on sources that constants were chosen on. Rows: recorded/kernels/timed.json.gz, microbenchmarks.yaml.
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


@cache
def cycles(name, variant, on, sms=None):
    """Cycles of a variant of a set on a chip by name, with so many SMs; an H200 is an H100 with another memory."""
    its, sm = TEXTS["sets"][name], chips.of("h100-sxm5" if on == "h200-sxm" else on)
    given = {"it": variant, "n": 0, **its["all"], **its.get("with", {}), **its["variants"][variant]}
    sides = [tuple(given[each]) if isinstance(given[each], list) else given[each] for each in ("blocks", "threads")]
    faster = hardware.chip(on).bytes_per_s / hardware.chip(sm.chip).bytes_per_s
    arguments = {array: _filled(*shape) for array, shape in given["arrays"].items()} | {"n": given["n"]}
    sm = replace(sm, dram_bytes=sm.dram_bytes * faster, sms=sms or sm.sms)
    return kernels.run(given["text"].format(**given), arguments, *sides, sm).timed.cycles


def _filled(rows, cols=0, share=None):
    draw = np.random.default_rng(1)
    if share is None:
        return np.ones((rows, cols) if cols else rows, np.float32)
    return np.where(draw.random(rows) < share, cols // 2, draw.integers(0, cols, rows))


def measured():
    """Yield (set, source, (chip, its SMs), {variant: time, in a unit of its own}) of what was timed."""
    for name, its in TEXTS["sets"].items():
        for (system, on), asked in ((each, dict(asked)) for each in TEXTS["systems"] for asked in its.get("timed", ())):
            by, table = asked.pop("by"), timed(asked.pop("table"), system=system, **asked)
            columns = zip(*(table[column].tolist() for column in by), strict=True)
            names = [each[0] if len(by) == 1 else " ".join(map(str, each)) for each in columns]
            times = table.get("us", table.get("cycles")) / table.get(its.get("each"), 1)
            times = dict(zip(names, times.tolist(), strict=True))
            yield name, system, (on,), {v: times[v] for v in its["variants"] if v in times}
    for row in data.load("microbenchmarks")["rows"]:
        power = -1 if row["unit"].endswith("/s") else 1
        times = {variant: value**power for variant, value in row["values"].items()}
        yield row["set"], row["id"], (row["chip"], row.get("sms")), times


def judged(sets=TEXTS["sets"]):
    """Yield (set, whether constants were chosen on its source, {variant: (model's ratio to one, measured one)})."""
    for name, source, on, times in measured():
        if name in sets:
            ref = TEXTS["sets"][name]["ref"] if TEXTS["sets"][name]["ref"] in times else min(times, key=times.get)
            ratios = {v: (cycles(name, v, *on) / cycles(name, ref, *on), t / times[ref]) for v, t in times.items()}
            yield name, source in TEXTS["chosen_on"], ratios


def figures(found):
    """(pairs in order, pairs, median miss of the ratios) of many {variant: (model's ratio, measured one)}."""
    pairs = [pair for each in found for pair in combinations(each.values(), 2)]
    pairs = [(a, b) for a, b in pairs if max(a[1], b[1]) > CLEARLY * min(a[1], b[1])]
    off = [abs(np.log(model / real)) for each in found for model, real in each.values() if (model, real) != (1, 1)]
    return sum((a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in pairs), len(pairs), float(np.expm1(np.median(off)))


if __name__ == "__main__":
    rows = list(judged())
    for chosen, group in ((chosen, group) for chosen in (True, False) for group in [*TEXTS["sets"], "all"]):
        if its := [ratios for name, seen, ratios in rows if seen == chosen and group in (name, "all")]:
            print(
                f"{'chosen on' if chosen else 'kept apart'}, {group}: {{}} of {{}} pairs, miss {{:.1%}}".format(
                    *figures(its)
                )
            )
