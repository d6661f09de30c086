"""Fitting: the few constants of a kind, so that its predictions are least wrong on the rows at hand.

    wrong = sum of |log(predicted / measured)| + a little for each constant of a family that leaves the common one
Coordinate by coordinate, on a lattice that gets finer and finer. A constant for which no row at hand asks stays where
it starts, set by hand by readers of the rows: a publisher is not judged blind where it alone asks for a constant.
"""

from collections import Counter
from math import exp, fsum, inf, log
from types import SimpleNamespace

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation.constants import Constants, Listening
from accelerator_lib.validation.devices import recalled
from accelerator_lib.validation.door import guarded, model_of, whole

SHRINK = 0.05  # what it costs a family to be a factor e away from the rest, in rows
FEWEST = 3  # rows of a family that earn it a constant of its own
STRIDES, REACH = (27, 9, 3, 1), 4  # steps of the lattice in each round, and how many to either side
FAR = 3.0  # a miss beyond a factor of 20 costs no more: one row does not carry a fit
DIGITS = 9  # of sums that are compared: else the last bit of a logarithm chooses, and not on every machine the same
FITTED = ("seen",)  # bases of rows that are fitted; the others are only predicted


def fittable(row):
    """Whether a row may shape a constant: read in its source, measured, no claim, of a part whose rates were read."""
    claim = (row.get("conditions") or {}).get("claim")
    return row.get("basis") in FITTED and not claim and row.get("value") is not None and not recalled(row.get("device"))


def miss(predicted, measured):
    """log(predicted / measured); two zeros are no miss, one is an infinite one."""
    if predicted == measured:
        return 0.0
    return log(predicted / measured) if predicted > 0 and measured > 0 else inf


def wrong(off):
    """Sum of |log(predicted / measured)|, none beyond FAR."""
    return round(fsum(min(abs(each), FAR) for each in off), DIGITS)


class Ground:
    """The rows of a kind that can be predicted and are fittable, and how far off each is."""

    def __init__(self, kind, rows, start=1.0):
        """`start`: what every starting value is multiplied by, within its range."""
        self.kind, self.module = kind, model_of(kind)
        if start != 1:
            self.module = _moved(self.module, start)
        start = Constants({name: start for name, (_, start, _) in self.module.FREE.items()})
        self.rows, self.fits, self.memory = {}, {}, {}
        for row in (row for row in rows if fittable(row)):
            asked = whole(row)
            try:
                guarded(self.module, asked, start)
            except NotAvailable:
                continue
            self.rows[row["id"]] = asked, row["value"] * asked["scale"]
            self.memory[row["id"]] = {}

    def off(self, id, constants):
        """(log(predicted / measured), constants that the row asked for); computed once for the same answers."""
        for asked, known in self.memory[id].items():
            found = known.get(tuple(constants(*key) for key in asked))
            if found is not None:
                return found, asked
        row, measured = self.rows[id]
        ask = Listening(constants.values)
        found = miss(self.module.estimate(row, ask).value, measured)
        asked = tuple(ask.asked)
        self.memory[id].setdefault(asked, {})[tuple(ask.asked.values())] = found
        return found, asked

    def errors(self, values, ids):
        """{id: log(predicted / measured)}"""
        constants = Constants(values)
        return {id: self.off(id, constants)[0] for id in ids if id in self.rows}

    def asked(self, ids):
        """{row: names of the constants that it asks for}, of families by the common name."""
        start = Constants({name: start for name, (_, start, _) in self.module.FREE.items()})
        return {id: {name for name, _ in self.off(id, start)[1]} for id in ids if id in self.rows}

    def fit(self, ids=None):
        """{name: value} from some of the rows (all); the same rows are fitted once."""
        ids = frozenset(self.rows if ids is None else ids) & frozenset(self.rows)
        if ids not in self.fits:
            self.fits[ids] = self._fit(sorted(ids))
        return dict(self.fits[ids])

    def _fit(self, ids):
        places = dict.fromkeys(self.module.FREE, 0)
        if ids:
            self._descend(ids, places, list(places))
            own = {f"{name}.{family}": places[name] for name, family in self._earned(ids, places)}
            places |= own
            self._descend(ids, places, list(own))
        return {name: float(f"{value:.4g}") for name, value in self._values(places).items()}

    def _values(self, places):
        """{constant: its value} at places of their lattices, within their ranges; 0 is where they start."""
        found = {}
        for name, place in places.items():
            least, start, most = self.module.FREE[name.partition(".")[0]]
            found[name] = min(max(start * exp(log(most / least) / (2 * REACH * STRIDES[0]) * place), least), most)
        return found

    def _earned(self, ids, places):
        """(constant, family) that enough rows asked for, where a family may have its own."""
        constants = Constants(self._values(places))
        asked = Counter(key for id in ids for key in self.off(id, constants)[1])
        keys = sorted(key for key in asked if key[0] in self.module.BY_FAMILY and key[1] is not None)
        return [key for key in keys if asked[key] >= FEWEST]

    def _descend(self, ids, places, names):
        for stride in STRIDES:
            for name in names:
                now = Constants(self._values(places))
                touched = [id for id in ids if name in map(now.name, self.off(id, now)[1])]
                tried = [places[name] + stride * hop for hop in sorted(range(-REACH, REACH + 1), key=abs)]
                places[name] = min(tried, key=lambda place: self._wrong(touched, places | {name: place}, name))

    def _wrong(self, ids, places, name):
        """How wrong the rows are that a constant touches, and what it costs it to leave the common one."""
        values = self._values(places)
        constants = Constants(values)
        total = wrong(self.off(id, constants)[0] for id in ids)
        return round(total + SHRINK * abs(log(values[name] / values[name.partition(".")[0]])), DIGITS)


def _moved(module, factor):
    free = {name: (low, min(max(factor * at, low), high), high) for name, (low, at, high) in module.FREE.items()}
    return SimpleNamespace(FREE=free, BY_FAMILY=module.BY_FAMILY, estimate=module.estimate)


def fit(kind, rows):
    """{name: value} of a kind, from the rows that are fittable."""
    return Ground(kind, rows).fit()
