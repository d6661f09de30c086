"""Training: how fast one chip of many trains, as MFU, HFU, FLOP/s or tokens a second.

What rows do not say: runs.py. Bound: full rates, nothing to wait for but the schedule, and of attention what the mask
needs.
"""

import re

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.network import training
from accelerator_lib.units import percent, si
from accelerator_lib.validation.record import Estimate, free, one
from accelerator_lib.validation.runs import count, read_run, whole

FREE, BY_FAMILY = free("training")


def estimate(row, constants):
    """Estimate of a row of kind training. Raises NotAvailable."""
    said = tuple(sorted((key, tuple(it) if isinstance(it, list) else it) for key, it in row["conditions"].items()))
    source = row["source"] if isinstance(row.get("source"), str) else None
    run = read_run(row["device"], row["n_devices"], row["workload"], row["metric"].lower(), said, source)
    product = constants("product_share", run.family) * run.product
    shares = product, min(constants("attention_share") * run.attention / product, 1.0)
    talk = constants("talk_exposed") * run.talk
    asked = *shares, constants("traffic_share"), talk, run.idle, run.late
    real = training.token_seconds(run.work, run.chip, run.dtype, *asked)
    part = percent(real.products / (real.seconds / real.idle))
    why = f"{run.counts}; that takes one chip {si(real.seconds, 's')}, {part} of it in products of matrices."
    return Estimate(*(_asked(row, run, each) for each in (real.seconds, _least(run))), real.most, why)


def _least(run):
    """Seconds of a token at full rates: the mask's half of the scores, forward and backward once each."""
    products = (run.work.layers + run.work.head) / run.peak
    return (products + run.work.scores * 6 / 7 / training.wide_peak(run.chip)) * (1 + run.idle)


def _asked(row, run, seconds):
    metric, unit, n = row["metric"].lower(), row["unit"], run.chips or 1
    each = re.search(r"per_?(gpu|chip|device|accelerator|core)|/(gpu|chip)", metric)
    again = run.work.hfu_over_mfu if metric == "hfu" or re.search("recomput", count(row).lower()) else 1.0
    rate = again * run.work.credited / seconds
    if unit == "%":
        peak = one(row, "peak_tflops")
        return 100 * rate / (peak * 1e12 if isinstance(peak, (int, float)) and peak else run.peak)
    if unit == "TFLOP/s":
        return rate / 1e12 * (n if re.search("total|aggregate|system", metric) else 1)
    if unit == "tokens/s":
        return (1 if each else n) / seconds
    batch = whole(row, "batch", "global_batch")
    if unit == "s" and re.search("step|iteration", metric) and batch and run.chips:
        return seconds * batch * run.context / n
    raise NotAvailable(f"{row['metric']} in {unit} is no rate of training, or the row states too little for it")
