"""Misses: how far off, row by row, as factors; how many intervals held what was measured.

off = log(predicted / measured speed): a factor of two too fast is as far off as one of two too slow.
"""

from dataclasses import dataclass
from math import copysign, exp, floor, log

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.validation import profile
from accelerator_lib.validation.door import predict, whole
from accelerator_lib.validation.judging import SHARE
from accelerator_lib.validation.report import Report
from accelerator_lib.validation.rows import KINDS as WORDS
from accelerator_lib.validation.rows import Kind, every

WIDTH = log(1.05)  # of a bin
EDGE = 15  # bins to either side; what is farther off lies in the last one
LEFT_OUT = {"publisher": "each publisher", "source": "each file of a publisher"}
APART = {"publisher": "publisher", "source": "file"}


@dataclass(frozen=True)
class Misses:
    """The rows of a kind that count, each in its bin, those of a bin in order; and the Report that they make."""

    kind: str
    by: str  # what was left out: publisher, source
    rows: tuple  # (row, off, bin, place in the bin)
    report: Report

    @property
    def factors(self):
        """(median, 90th percentile) of how far off, as factors."""
        return exp(self.report.median), exp(self.report.worst_tenth)

    @property
    def apart(self):
        return "within one source" if self.report.within else f"{APART[self.by]} left out"

    @property
    def held(self):
        return sum(row.held for row, *_ in self.rows)

    @property
    def held_share(self):
        return self.held / len(self.rows)

    wanted, width = SHARE, exp(WIDTH)  # of intervals that shall hold; the factor from bin to bin


def bin_of(off):
    """The bin of a log, 0 in the middle; those at both ends hold all that lies beyond."""
    return int(copysign(min(floor(abs(off) / WIDTH + 0.5), EDGE), off))


@checked
def spread(kind: Kind = "all", by: OneOf(tuple(LEFT_OUT)) = "publisher"):
    """Misses of a kind, each row by constants that never saw its publisher, or its file. Raises NotAvailable."""
    counted = [row for row in every(by) if row.fitted and kind in ("all", row.kind)]
    if not counted:
        raise NotAvailable(f"of {WORDS[kind]} no row counts")
    off = sorted(((row, row.lead) for row in counted), key=lambda pair: (not pair[0].held, abs(pair[1])))
    stacks, placed = {}, []
    for row, miss in off:
        bin = bin_of(miss)
        stacks[bin] = stacks.get(bin, -1) + 1
        placed.append((row, miss, bin, stacks[bin]))
    return Misses(kind, by, tuple(placed), Report(kind, by, tuple(counted)))


def added(own):
    """{kind: ((intervals that held, rows) without a reader's rows, the same with them)}. Raises as predict does, and
    NotAvailable where no row of the kind counts."""
    found = {}
    for row in own:
        told, law = predict(row), profile.law(whole(row))
        if law:
            judged = data.load("kernel_times")["laws"][law]["judged"]
            before = round(judged["held"] * judged["seen"][0]), judged["seen"][0]
        else:
            before = (known := spread(row["kind"])).held, len(known.rows)
        name = f"single kernels, {law}" if law else WORDS[row["kind"]]
        first, (held, rows) = found.get(name, (before, before))
        found[name] = first, (held + (told.low <= row["value"] <= told.high), rows + 1)
    return found
