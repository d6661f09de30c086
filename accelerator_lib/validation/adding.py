"""Adding: what one number buys. A kind calibrated constant by constant, judged on rows that it saw and on such as not.

    the bound alone        no constant, no model but the roofline
    the model, no losses   what the chapters count, every constant as good as it can be
    + one constant         the one that helps most, fitted with those before it; the others stay as good as can be
    families               a family of chips has a value of its own
    a set for each         every constant anew for every publisher; then each row by the sets of the others, on average

Fitted to all rows, how far off are these on average? Each publisher left out in turn, how far off is it? What came of
it stands in data/validation_steps.yaml (ladders.py, make calibrate).
"""

from dataclasses import dataclass
from functools import cache
from math import exp

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.validation.fitting import FAR
from accelerator_lib.validation.judging import band
from accelerator_lib.validation.rows import every

KINDS = ("memory_bandwidth", "gemm", "attention", "collective", "training", "decode", "prefill", "serving")
WORDS = {  # what the constants stand for
    "share": "share of the rate that is kept up", "turning": "what turning from reads to writes costs",
    "bandwidth": "share of the memory's rate", "launch_us": "time to launch a kernel",
    "softmax1_clocks": "clocks of a softmax, 1st FlashAttention", "softmax2_clocks": "clocks of a softmax, 2nd",
    "softmax3_clocks": "clocks of a softmax, 3rd", "dropout_clocks": "clocks of random numbers",
    "link_share": "share of the link's rate", "flag_step_us": "time of a step, short messages",
    "bulk_step_us": "time of a step, long messages", "product_share": "share of the best product",
    "attention_share": "share of the best attention", "traffic_share": "share of the memory's rate",
    "talk_exposed": "share of the talk that is not hidden", "layer_seconds": "waits of a layer",
    "reduce_seconds": "time before an all-reduce arrives", "eager_seconds": "waits of a layer that is not compiled",
    "sm_rate": "bytes a second of one SM", "weight_steps": "steps for each packed weight",
    "share_8": "share of the peak in 8 bits", "host_seconds": "time of the host for a token",
}  # fmt: skip


@dataclass(frozen=True)
class Step:
    """One more constant. `off`: {row: log(predicted / measured speed)}, in all steps of the same rows."""

    kind: str
    place: int
    added: str
    value: float | None
    free: int  # constants
    seen: float  # mean |log(predicted / measured)| of the rows that it was fitted to
    unseen: float | None  # of rows whose publisher it never saw; None where every publisher has its own
    off: dict
    names: dict  # row -> what it is
    before: tuple = ()  # (added, free, seen, unseen) of the steps so far, this one last

    @property
    def speeds(self):
        """{row: predicted / measured speed}"""
        return {id: exp(off) for id, off in self.off.items()}

    @property
    def factors(self):
        """(on rows that it saw, on others or None) of each step so far, as factors."""
        return tuple((exp(seen), None if unseen is None else exp(unseen)) for *_, seen, unseen in self.before)

    @property
    def on_seen(self):
        """The error on rows that it saw, as a factor."""
        return exp(self.seen)

    @property
    def on_unseen(self):
        return None if self.unseen is None else exp(self.unseen)


@checked
def steps(kind: OneOf(KINDS) = "gemm"):
    """Yield a Step for the bound, the model without losses, each constant, families, and a set for each publisher."""
    entry, names = data.load("validation_steps")[kind], _names(kind)
    before = []
    for place, (added, value, free, seen, unseen) in enumerate(entry["steps"]):
        before.append((added, free, seen, unseen))
        off = {id: numbers[place] for id, numbers in entry["off"].items()}
        yield Step(kind, place, added, value, free, seen, unseen, off, names, tuple(before))


@checked
def step(kind: OneOf(KINDS) = "gemm", place: Count(low=0, high=20) = 0):
    """The Step at a place, 0 the bound alone; the last one for any place beyond."""
    found = list(steps(kind))
    return found[min(place, len(found) - 1)]


def drawn(step, other, draws=4000):
    """(5th, 95th percentile) of how much farther off one Step is than another, publishers drawn anew."""
    found = {}
    for id, off in step.off.items():
        name = data.publisher(data.published(step.kind)[id]["source"])
        found.setdefault(name, []).append(min(abs(off), FAR) - min(abs(other.off[id]), FAR))
    return band(found, draws)


@cache
def _names(kind):
    return {row.id: row.name for row in every() if row.kind == kind}
