"""Profile: where the time of a training step goes, by class, against where the FLOP are.

    rate of a class = its FLOP / its time; two classes compare as the ratio of their rates

Published shares (data/measured.yaml, kind operator_classes): a BERT-large training step on a V100.
What fusion brought the same authors: kind fused_training.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import Number, OneOf, Share, checked

CLASSES = {"tensor contraction": "matrix products", "statistical normalisation": "norms and softmax"}
CLASSES |= {"element-wise": "element-wise steps"}


@checked
def published(metric: OneOf(("flop_share", "runtime_share"))):
    """{class: share of one} of the profiled step."""
    rows = [row for row in data.rows("operator_classes").values() if row["metric"] == metric]
    by_class = {row["conditions"]["operator_class"]: row["value"] / 100 for row in rows}
    return {plain: by_class[name] for name, plain in CLASSES.items()}


def achieved():
    """{part: how many times as fast} training became with better fusion and data layouts, against other frameworks."""
    return {row["conditions"]["part"]: row["value"] for row in data.rows("fused_training").values()}


@dataclass(frozen=True)
class Profile:
    """Shares of FLOP and of time before, and times after a change, in units of the step before."""

    flops: dict
    before: dict
    after: dict

    seconds = property(lambda self: sum(self.after.values()))  # time after, as a share of the time before
    # what is not matrix products, as a share of the time after
    rest = property(lambda self: 1 - self.after["matrix products"] / self.seconds)


@checked
def after(speedup: Number(low=1e-3, high=1e6) = 1.0, fused: Share = 0.0):
    """Profile with matrix products `speedup` times as fast and a share of the norms' and softmaxes' time fused away."""
    before = published("runtime_share")
    matmul, norms, steps = before.values()
    changed = [matmul / speedup, norms * (1 - fused), steps]
    return Profile(published("flop_share"), before, dict(zip(before, changed, strict=True)))
