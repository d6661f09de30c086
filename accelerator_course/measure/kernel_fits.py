"""Fitting the laws of single kernels, way by way, and judging them: on other rows, devices, families and frameworks.

Every second row fits, the others judge. A device (family, framework) is foretold by constants that never saw a row of
it; how far off such rows are, by how long they take, makes the intervals of what is not known yet.
"""

import json

import numpy as np

from accelerator_course.measure import kernel_maps, strangers
from accelerator_lib import data
from accelerator_lib.data.kernels import recorded
from accelerator_lib.validation.profile import rows, ways

FILES = {"product": ("gemm",), "prompt": ("context_attention", "encoder_attention")}
FILES |= {"decode": ("generation_attention",), "exchange": ("nccl",)}
MOST = 500  # rows that fit a way
STEPS = (1.0, 0.5, 0.25, 0.12, 0.06, 0.03)  # by which logs of constants move, round by round
FAR = 1.5  # a miss beyond costs no more
LAUNCHES = (0.5, 2, 8, 30, 80, 200, 350)  # µs, tried first: launches differ by a thousand
TAIL = 0.1  # of the rows on either side of an interval
BINS, FEWEST = 10, 40  # of an interval, by time; rows of a bin
FEW = 20  # rows of a way that has constants of its own
LEAST_OFF = 0.02  # no way is surer of itself


class Ground:
    """All rows of a kind, the work of each, and the ways in which they were run."""

    def __init__(self, kind):
        self.kind, self.law = kind, rows.LAWS[kind]
        self.table = rows.read(kind, recorded(*FILES[kind]))
        self.keys = list(zip(*(self.table[name] for name in ways.NAMES), strict=True))
        self.measured = self.table["latency_us"] * 1e-6
        self.memory = {}

    def where(self, key):
        return np.array([n for n, each in enumerate(self.keys) if each == key])

    def work(self, chosen):
        return rows.prepared(self.kind, {name: column[chosen] for name, column in self.table.items()})

    def fit(self, chosen):
        """{way: Way} from some of the rows."""
        chosen = np.asarray(chosen)
        groups = [(key, its) for key, its in sorted(self._grouped(chosen).items()) if len(its) >= FEW]
        return tuple(self._fitted(key, chosen[places]) for key, places in groups)

    def _grouped(self, chosen, words=True):
        found = {}
        for place, n in enumerate(chosen):
            family, framework, *_, kind = self.keys[n]
            found.setdefault(self.keys[n] if words else (family, framework, "", "", kind), []).append(place)
        return found

    def _fitted(self, key, own):
        if (key, len(own)) not in self.memory:  # the same rows, whatever else was left out
            self.memory[key, len(own)] = self._fit(key, own)
        return self.memory[key, len(own)]

    def _fit(self, key, own):
        kept = own[:: -(-len(own) // MOST)]
        constants, _ = descend(self.law, self.work(kept), np.log(self.measured[kept]))
        told = self.law.seconds(self.work(own), **constants)[0]
        off, parts = np.abs(np.log(told / self.measured[own])), np.searchsorted(ways.TIMES, told)
        offs = [off[parts == part] if (parts == part).sum() >= FEWEST else off for part in range(len(ways.TIMES) + 1)]
        offs = tuple(max(round(float(np.median(its)), 4), LEAST_OFF) for its in offs)
        return ways.Way(key, len(own), offs, constants)

    def scaled(self, chosen, told, off):
        """log(measured / predicted), in median misses of the way."""
        return np.log(self.measured[chosen] / told) / off

    def foretold(self, chosen, known, alike, words=True):
        """(predicted [s], median miss of such rows of the way, level) of rows by what ways tell; `words`: whether their
        version and kernel are known."""
        chosen, found = np.asarray(chosen), np.zeros((3, len(chosen)))
        for key, places in self._grouped(chosen, words).items():
            constants, off, level = ways.of(key, known, alike)
            told = self.law.seconds(self.work(chosen[places]), **constants)[0]
            found[0, places], found[1, places], found[2, places] = told, ways.at(told, off), level
        return found


def descend(law, work, logs):
    """({constant: value}, mean |log|): coordinate by coordinate, in steps that get smaller."""
    found = {name: start for name, (_, start, _) in law.FREE.items()}

    def wrong(constants):
        return float(np.minimum(np.abs(np.log(law.seconds(work, **constants)[0]) - logs), FAR).mean())

    found = min(({**found, "launch_us": us} for us in LAUNCHES), key=wrong)
    best = wrong(found)
    for step in STEPS:
        for _ in range(3):
            before = best
            for name, (least, _, most) in law.FREE.items():
                for factor in (np.exp(step), np.exp(-step)):
                    tried = {**found, name: float(min(max(found[name] * factor, least), most))}
                    if (now := wrong(tried)) < best - 1e-6:
                        best, found = now, tried
            if best == before:
                break
    return {name: float(f"{value:.4g}") for name, value in found.items()}, best


def bins(predicted, scaled):
    """[[time up to which, low, high], ...]: between which multiples of a way's median miss the logs of rows lie."""
    order, found = np.argsort(predicted), []
    for part in np.array_split(order, min(BINS, len(order) // FEWEST)):
        beyond = TAIL * (len(part) + 1) / len(part) - 1 / (2 * len(part))  # as for the next row, not for these
        low, high = np.quantile(scaled[part], (beyond, 1 - beyond))
        ends = min(round(float(low), 3), 0.0), max(round(float(high), 3), 0.0)  # what is told lies within
        found.append([float(f"{predicted[part].max():.4g}"), *ends])
    found[-1][0] = 1e9
    return found


def within(table, scaled, predicted):
    """Whether each row lies in its interval."""
    ends, low, high = (np.array(each) for each in zip(*table, strict=True))
    at = np.searchsorted(ends, predicted)
    return (scaled >= low[at]) & (scaled <= high[at])


def left_out(ground, by, fitting, alike):
    """(row numbers, predicted, miss of the way) of rows, each by what never saw its device, family or framework. Of
    devices only those with a sister in the family count: without it, the family is left out."""
    column, parts = ground.table[by], []
    for name in sorted(set(column)):
        own = np.flatnonzero(column == name)
        inside = [n for n in fitting if column[n] != name]
        known, family = ground.fit(inside), ground.table["family"]
        if known and (by != "system" or family[own[0]] in family[inside]):
            parts.append((own, *ground.foretold(own, known, alike)))
    return tuple(np.concatenate(each) for each in zip(*((own, told, off) for own, told, off, _ in parts), strict=True))


def report(ground, fitting, alike):
    """(ways, {what: numbers}) of a kind: fitted on every second row, judged on the others and on what was left out."""
    every = np.arange(len(ground.measured))
    known, kept = ground.fit(fitting), np.setdiff1d(every, fitting)
    told, off, _ = ground.foretold(kept, known, alike)
    chip = np.array([rows.facts(each)["chip"] for each in ground.table["system"]])
    intervals, judged = {"devices": {}}, {"seen": figures(ground, kept, told)}
    held = np.zeros(len(kept), bool)
    scaled = ground.scaled(kept, told, off)
    for name, own in _groups(chip[kept]):
        intervals["devices"][name] = bins(told[own], scaled[own])
        halves = np.flatnonzero(own)[::2], np.flatnonzero(own)[1::2]
        for half, other in (halves, halves[::-1]):  # each is judged by what the other tells
            held[half] = within(bins(told[other], scaled[other]), scaled[half], told[half])
    judged["held"] = round(float(held.mean()), 3)
    judged["held_by_decile"] = by_decile(ground.measured[kept], held)
    judged["held_by_device"] = {name: round(float(held[own].mean()), 3) for name, own in _groups(chip[kept])}
    for column, name in (("system", "device"), ("family", "family"), ("framework", "framework")):
        if len(set(ground.table[column])) > 1:
            chosen, told_of, off_of = left_out(ground, column, fitting, alike)
            scaled_of, named = ground.scaled(chosen, told_of, off_of), ground.table[column][chosen]
            intervals[name] = bins(told_of, scaled_of)
            held_of = [(own, bins(told_of[~own], scaled_of[~own])) for _, own in _groups(named)]
            held_of = [within(its, scaled_of[own], told_of[own]).mean() for own, its in held_of]
            judged[f"held without {name}"] = [round(float(share), 3) for share in (min(held_of), max(held_of))]
            judged[f"without {name}"] = figures(ground, chosen, told_of)
    intervals.setdefault("framework", intervals["device"])
    told, off, _ = ground.foretold(kept, known, alike, words=False)
    intervals["words"] = bins(told, ground.scaled(kept, told, off))
    judged["without words"] = figures(ground, kept, told)
    judged["beaten"] = int((ground.work(every)["least"] > ground.measured).sum())
    return known, intervals, judged


def _groups(names):
    return [(str(name), names == name) for name in sorted(set(names))]


def figures(ground, chosen, told):
    """[rows, median |log|, 90 % of |log|]"""
    off = np.abs(np.log(told / ground.measured[chosen]))
    return [len(chosen), round(float(np.median(off)), 3), round(float(np.quantile(off, 0.9)), 3)]


def by_decile(measured, held):
    """Share of rows held, in each tenth of the rows by the time that they took."""
    return [round(float(held[part].mean()), 3) for part in np.array_split(np.argsort(measured), BINS)]


def main():
    path, laws, maps, fp4 = data.FOLDER / "kernel_times.yaml", {}, {}, []
    table = data.parse(path)
    for kind in rows.LAWS:
        ground = Ground(kind)
        known, intervals, judged = report(ground, np.arange(0, len(ground.measured), 2), table["alike"])
        print(kind, judged, flush=True)
        maps = maps or kernel_maps.made(ground, known)  # of products, the first
        fp4 = fp4 or kernel_maps.pairs(ground)
        names = list(ground.law.FREE)
        told = [[*way.key, way.rows, way.off, [way.constants[n] for n in names]] for way in known]
        laws[kind] = {"constants": names, "ways": told, "intervals": intervals, "judged": judged}
    head = path.read_text(encoding="utf-8").partition("\nregions:")[0].partition("\nlaws:")[0].rstrip()
    written(path, head, {"regions": maps, "fp4": fp4, "laws": laws})
    for cached in (data.load, ways.fitted):
        cached.cache_clear()
    written(path, head, {"regions": maps, "fp4": fp4, "laws": laws, "strangers": strangers.judged()})


def written(path, head, found):
    import yaml

    body = yaml.safe_dump(json.loads(json.dumps(found)), sort_keys=False, width=118, default_flow_style=None)
    path.write_text(f"{head}\n\n{body}", encoding="utf-8")


NAMES = {"product": "products", "prompt": "prompts", "decode": "one token", "exchange": "collectives"}
HEADS = ("law", "rows", "ways", "constants", "median", "90 %", "held", "in each tenth by time", "on each device")
HEADS += ("device unseen", "held", "family unseen", "held", "framework unseen", "held", "bounds beaten")


def judged(law):
    """{what was judged: numbers} of a law: product, prompt, decode or exchange."""
    return data.load("kernel_times")["laws"][law]["judged"]


def table():
    """Markdown: rows that fitted nothing, medians of |log(predicted / measured)|, shares of the intervals that held."""
    lines = [HEADS, ["---", *["---:"] * (len(HEADS) - 1)]]
    for law, name in NAMES.items():
        entry, found = data.load("kernel_times")["laws"][law], judged(law)
        rows, median, most = found["seen"]
        unseen = []
        for what in (f"without {part}" for part in ("device", "family", "framework")):
            unseen += [f"{found[what][1]:.1%}", _range(found[f"held {what}"])] if what in found else ["-", "-"]
        cells = [name, f"{rows:,}", len(entry["ways"]), f"{len(entry['constants'])} each"]
        cells += [f"{median:.1%}", f"{most:.1%}", f"{found['held']:.0%}"]
        cells += [_range(found["held_by_decile"]), _range(found["held_by_device"].values())]
        lines.append([*cells, *unseen, found["beaten"]])
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in lines)


def _range(shares):
    return f"{min(shares):.0%} to {max(shares):.0%}"


if __name__ == "__main__":
    main()
