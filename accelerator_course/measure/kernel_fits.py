"""Fitting the laws of single kernels, way by way, and judging them: on other rows, devices, families and frameworks.

Each half of the shapes judges constants of the other, on all devices; those kept are of every second row. A device
(family, framework) is foretold by what never saw it; how far off, by time, makes the intervals of what is not known.
"""

import json

import numpy as np

from accelerator_course.measure import kernel_maps
from accelerator_lib import data
from accelerator_lib.data.kernels import NUMBERS, recorded, timed
from accelerator_lib.validation.profile import products, rows, ways

FILES = {"product": ("gemm",), "prompt": ("context_attention", "encoder_attention")}
FILES |= {"decode": ("generation_attention",), "exchange": ("nccl",)}
MOST = 500  # rows that fit a way
STEPS = (1.0, 0.5, 0.25, 0.12, 0.06, 0.03)  # by which logs of constants move, round by round
STARTS, SPREAD, ROUNDS = 8, 0.8, 10  # of a descent: the law's own, others by so much in logs; of one size of step
FAR = 1.5  # a miss beyond costs no more
LAUNCHES = (0.5, 2, 8, 30, 80, 200, 350)  # µs, tried first: launches differ by a thousand
TAIL = 0.1  # of the rows on either side of an interval
KNOTS = (30, 200), (5, 2000)  # of an interval, and rows of one, whose tenth is known to 2 %; strangers' miss together
PARTS = 10  # of the rows that judge, and of all by time
FEW = 20  # rows of a way that has constants of its own
LEAST_OFF = 0.02  # no way is surer of itself


class Ground:
    """All rows of a kind, the work of each, and the ways in which they were run."""

    def __init__(self, kind):
        self.kind, self.law, self.table = kind, rows.LAWS[kind], rows.read(kind, recorded(*FILES[kind]))
        self.keys = list(zip(*(self.table[name] for name in ways.NAMES), strict=True))
        self.measured = self.table["latency_us"] * 1e-6
        shape = (NUMBERS | {"op_name", "nccl_dtype", "file"}) - {"latency_us"} & {*self.table}
        shape = [np.unique(self.table[name], return_inverse=True)[1] for name in sorted(shape)]
        self.shape, self.memory = np.unique(shape, axis=1, return_inverse=True)[1].ravel(), {}

    def where(self, key):
        return np.array([n for n, each in enumerate(self.keys) if each == key])

    def work(self, chosen):
        return rows.prepared(self.kind, {name: column[chosen] for name, column in self.table.items()})

    def fit(self, chosen):
        """{way: Way} from some of the rows."""
        chosen = np.asarray(chosen)
        groups = sorted(self._grouped(chosen).items())
        return tuple(self._fitted(key, chosen[its]) for key, its in groups if len(its) >= FEW)

    def _grouped(self, chosen, words=True):
        found = {}
        for place, n in enumerate(chosen):
            family, framework, *_, kind = self.keys[n]
            found.setdefault(self.keys[n] if words else (family, framework, "", "", kind), []).append(place)
        return found

    def _fitted(self, key, own):
        which = key, own.tobytes()  # the same rows, whatever else was left out
        if which not in self.memory:
            kept = own[:: -(-len(own) // MOST)]
            constants, _ = descend(self.law, self.work(kept), np.log(self.measured[kept]))
            off = np.abs(np.log(self.law.seconds(self.work(own), **constants)[0] / self.measured[own]))
            self.memory[which] = ways.Way(key, len(own), max(round(float(np.median(off)), 4), LEAST_OFF), constants)
        return self.memory[which]

    def scaled(self, chosen, told, off):
        """log(measured / predicted), in what misses are measured in."""
        return np.log(self.measured[chosen] / told) / off

    def foretold(self, chosen, known, families, words=True, timed=True):
        """(predicted [s], what misses are measured in, level) of rows by what ways tell; `words`: whether their
        version and kernel are known; `timed`: whether their device is."""
        chosen, found = np.asarray(chosen), np.zeros((3, len(chosen)))
        for key, places in self._grouped(chosen, words).items():
            told, _, *more = ways.foretold(self.law, self.work(chosen[places]), key, known, families, timed)
            found[:, places] = np.broadcast_arrays(told, *more)
        return found


def descend(law, work, logs):
    """({constant: value}, mean |log|): coordinate by coordinate, in steps that get smaller; the best of some starts."""
    shifts = np.random.default_rng(1).normal(0, SPREAD, (STARTS, len(law.FREE))) * (np.arange(STARTS) > 0)[:, None]
    return min((_down(law, work, logs, np.exp(each)) for each in shifts), key=lambda found: found[1])


def _down(law, work, logs, shift):
    least, start, most = np.array(list(law.FREE.values())).T
    found = dict(zip(law.FREE, np.clip(start * shift, least, most).tolist(), strict=True))

    def wrong(constants):
        return float(np.minimum(np.abs(np.log(law.seconds(work, **constants)[0]) - logs), FAR).mean())

    found = min(({**found, "launch_us": us} for us in LAUNCHES), key=wrong)
    best = wrong(found)
    for step in STEPS:
        for _ in range(ROUNDS):
            before = best
            for name, (least, _, most) in law.FREE.items():
                for factor in (np.exp(step), np.exp(-step)):
                    tried = {**found, name: float(min(max(found[name] * factor, least), most))}
                    if (now := wrong(tried)) < best - 1e-6:
                        best, found = now, tried
            if best == before:
                break
    return {name: float(f"{value:.4g}") for name, value in found.items()}, best


def knots(predicted, scaled, names=None):
    """[[time, low, high], ...]: between which multiples of a way's median miss the logs of rows about there lie.
    `names` of what was left out: each is as heavy; the next may miss the other way, so it is as far up as down."""
    order, found = np.argsort(predicted), []
    most, fewest = KNOTS[names is not None]
    for part in np.array_split(order, max(1, min(most, len(order) // fewest))):
        if names is None:
            beyond = TAIL * (len(part) + 1) / len(part) - 1 / (2 * len(part))  # as for the next row, not for these
            low, high = np.quantile(scaled[part], (beyond, 1 - beyond))
        else:
            high = _quantile(np.abs(scaled[part]), names[part])
            low = -high
        ends = min(round(float(low), 3), -0.001), max(round(float(high), 3), 0.001)  # what is told lies within
        found.append([float(f"{np.median(predicted[part]):.4g}"), *ends])
    return found


def _quantile(far, names):
    """Which of the distances so many lie within, where all rows of a name weigh as much as those of another."""
    order, (_, own, counts) = np.argsort(far), np.unique(names, return_inverse=True, return_counts=True)
    heavy = np.cumsum((1 / counts[own])[order])
    return far[order][np.searchsorted(heavy, (1 - 2 * TAIL) * heavy[-1])]


def widths(predicted, scaled, chips):
    """(knots of all devices, {device: how many times as wide its own intervals are})"""
    typical = {name: np.median(np.abs(scaled[own])) for name, own in _groups(chips)}
    scaled, found = scaled / np.array([typical[name] for name in chips]), {}
    shape = knots(predicted, scaled)
    for name, own in _groups(chips):
        low, high = ways.ends(shape, predicted[own])
        share = min(1, (1 - 2 * TAIL) * (1 + 1 / own.sum()))  # as for the next row
        wide = np.quantile(np.maximum(scaled[own] / low, scaled[own] / high), share)
        found[name] = round(float(typical[name] * wide), 3)
    return shape, found


def within(shape, scaled, predicted, wide=1.0):
    """Whether each row lies in its interval."""
    low, high = ways.ends(shape, predicted)
    return (scaled >= wide * low) & (scaled <= wide * high)


def left_out(ground, by, fitting, families):
    """(row numbers, predicted, what misses are measured in), each by what never saw its device, family or framework.
    Of devices only those with a sister in the family count: without it, the family is left out."""
    column, parts = ground.table[by], []
    for name in sorted(set(column)):
        own = np.flatnonzero(column == name)
        inside = [n for n in fitting if column[n] != name]
        known, family = ground.fit(inside), ground.table["family"]
        if known and (by != "system" or family[own[0]] in family[inside]):
            parts.append((own, *ground.foretold(own, known, families, timed=by != "system")))
    return tuple(np.concatenate(each) for each in zip(*((own, told, off) for own, told, off, _ in parts), strict=True))


def report(ground, families):
    """(ways, {what: numbers}) of a kind: fitted on every second row; each half of the shapes is judged by the other,
    and all by what never saw their device, family, framework."""
    every, found = np.arange(len(ground.measured)), np.zeros((3, len(ground.measured)))
    halves = [np.flatnonzero(ground.shape % 2 == half) for half in (0, 1)]
    for kept, fitting in (halves, halves[::-1]):
        found[:, kept] = ground.foretold(kept, ground.fit(fitting), families)
    kept, known = every[1::2], ground.fit(fitting := every[::2])
    chip, held = np.array([rows.facts(each)["chip"] for each in ground.table["system"]]), np.zeros(len(every), bool)
    told, scaled = found[0], ground.scaled(every, *found[:2])
    seen, devices = widths(told, scaled, chip)
    intervals, judged = {"seen": seen, "devices": devices}, {"seen": figures(ground, every, told)}
    for part in range(PARTS):  # each is judged by what the others tell
        own = ground.shape % PARTS == part
        seen, devices = widths(told[~own], scaled[~own], chip[~own])
        held[own] = within(seen, scaled[own], told[own], np.array([devices[name] for name in chip[own]]))
    judged |= {"held": round(float(held.mean()), 3), "held_by_decile": by_decile(ground.measured, held)}
    judged["held_by_device"] = {name: round(float(held[own].mean()), 3) for name, own in _groups(chip)}
    for column, name in (("system", "device"), ("family", "family"), ("framework", "framework")):
        if len(set(ground.table[column])) > 1:
            chosen, told_of, off_of = left_out(ground, column, fitting, families)
            scaled_of, named = ground.scaled(chosen, told_of, off_of), ground.table[column][chosen]
            intervals[name], held_of = knots(told_of, scaled_of, named), np.zeros(len(chosen), bool)
            for _, own in _groups(named):
                its = knots(told_of[~own], scaled_of[~own], named[~own])
                held_of[own] = within(its, scaled_of[own], told_of[own])
            each = [round(float(held_of[own].mean()), 3) for _, own in _groups(named)]
            judged[f"held without {name}"] = [min(each), max(each)]
            judged[f"tenths without {name}"] = by_decile(ground.measured[chosen], held_of)
            judged[f"without {name}"] = figures(ground, chosen, told_of)
    intervals.setdefault("framework", intervals["device"])
    told, off, _ = ground.foretold(kept, known, families, words=False)
    wide = np.array([intervals["devices"][name] for name in chip[kept]])
    intervals["words"] = knots(told, ground.scaled(kept, told, off) / wide)
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
    return [round(float(held[part].mean()), 3) for part in np.array_split(np.argsort(measured), PARTS)]


def uneven(known, families):
    """{family: {multiple: how many times as long tiles take whose rows are no multiple of more}}: our H100's."""
    table = rows.read("product", timed("products", system="h100_sxm", set="aligned", operands="in turn"))
    key = tuple(str(table[name][0]) for name in ways.NAMES)
    work = rows.prepared("product", table | {"family": np.full(len(table["n"]), "")})
    times = table["latency_us"] * 1e-6 / products.seconds(work, **ways.of(key, known, families)[0])[0]
    multiple = table["n"] & -table["n"]
    found = {int(each): float(f"{times[multiple == each].mean():.3g}") for each in set(multiple[multiple < 8])}
    return {key[0]: dict(sorted(found.items()))}


def main():
    import yaml

    path, laws = data.FOLDER / "kernel_times.yaml", {}
    families = data.parse(path)["families"]
    for kind in rows.LAWS:
        ground = Ground(kind)
        known, intervals, judged = report(ground, families)
        print(kind, judged, flush=True)
        if kind == "product":
            found = {"uneven": uneven(known, families), "regions": kernel_maps.made(ground, known)}
            found["fp4"] = kernel_maps.pairs(ground)
        names = list(ground.law.FREE)
        told = [[*way.key, way.rows, way.off, [way.constants[n] for n in names]] for way in known]
        laws[kind] = {"constants": names, "ways": told, "intervals": intervals, "judged": judged}
    head = path.read_text(encoding="utf-8").partition("\nuneven:")[0].rstrip()
    found["laws"] = json.loads(json.dumps(laws))  # tuples as lists
    body = yaml.safe_dump(found, sort_keys=False, width=118, default_flow_style=None)
    path.write_text(f"{head}\n\n{body}", encoding="utf-8")


NAMES = {"product": "products", "prompt": "prompts", "decode": "one token", "exchange": "collectives"}
HEADS = ("law", "rows", "ways", "constants", "median", "90 %", "held", "in each tenth by time", "on each device")
OUT = "device", "family", "framework"
HEADS += *(head for part in OUT for head in (f"{part} left out", "held", "in each tenth")), "bounds beaten"


def judged(law):
    """{what was judged: numbers} of a law: product, prompt, decode or exchange."""
    return data.load("kernel_times")["laws"][law]["judged"]


def markdown(heads, lines):
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *lines]
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in lines)


def table():
    """Markdown: rows that fitted nothing, medians of |log(predicted / measured)|, shares of the intervals that held."""
    lines = []
    for law, name in NAMES.items():
        entry, found = data.load("kernel_times")["laws"][law], judged(law)
        rows, median, most = found["seen"]
        without = []
        for what in (f"without {part}" for part in OUT):
            ranges = [_range(found.get(f"{share} {what}")) for share in ("held", "tenths")]
            without += [f"{found[what][1]:.1%}" if what in found else "-", *ranges]
        cells = [name, f"{rows:,}", len(entry["ways"]), f"{len(entry['constants'])} each"]
        cells += [f"{median:.1%}", f"{most:.1%}", f"{found['held']:.0%}", _range(found["held_by_decile"])]
        lines.append([*cells, _range(found["held_by_device"].values()), *without, found["beaten"]])
    return markdown(HEADS, lines)


def _range(shares):
    return f"{min(shares):.0%} to {max(shares):.0%}" if shares else "-"


if __name__ == "__main__":
    main()
