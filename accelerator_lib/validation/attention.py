"""Attention: scores through memory step by step, or kept on chip at a share of the peak that waves and softmax leave.

    step by step   tiling.eager_bytes / bandwidth
    flash          FLOP / (share x peak x waves)           one block for each head, from the 2nd on for each 128 rows
    share          clock under load x clocks of the products of a score / (these + clocks of its softmax)
    either         no faster than its launches follow one another    roofline.losses.launched_step, one of many in a row

Clocks of a score on one SM: 4 x head_dim / FLOP per clock of products, and what exponential, maximum, sums (and random
numbers) cost beyond what is hidden; that is fitted for each generation of the kernel. Kernels written for Ampere use
Hopper's units at the rate of Ampere's. A causal mask halves the work, and its count. The clock under load is that of
the chip's best published product of matrices, another kind of row: power slows both alike (an MI300X by half).

One paper alone has rows of launches, of the first generation and of dropout: with it left out, these constants stay
where they start. Starts are counts of instructions, but made by who had read that paper: they are no blind foresight.
The 40 us of a launch from Python are a guess, which the paper's rows correct to 60 us.
"""

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.roofline import losses
from accelerator_lib.units import percent, si
from accelerator_lib.validation.heads import heads
from accelerator_lib.validation.record import Estimate

FREE = {
    "bandwidth": (0.5, 0.87, 1.0),
    "launch_us": (5.0, 40.0, 200.0),
    "softmax1_clocks": (0.05, 1 / 16 + 7 / 64, 1.0),  # an exponential, and some seven instructions on 64 lanes
    "softmax2_clocks": (0.02, 1 / 16, 0.5),  # the exponential alone: 16 a clock
    "softmax3_clocks": (0.01, 1 / 32, 0.3),  # half of it behind the products of another block
    "dropout_clocks": (0.02, 1 / 16, 0.5),  # four instructions for a number and its comparison
}
BY_FAMILY = ()
UNITS = {"ms": 1e3, "s": 1.0, "TFLOP/s": 1e-12}


def estimate(row, constants):
    """Estimate of a row of kind attention [ms, TFLOP/s, % of the peak, GB, GB/s]. Raises NotAvailable."""
    job, unit = heads(row), row["unit"]
    if unit == "GB/s" and job.version:
        share = constants("bandwidth")
        why = f"Reading keys and values takes {percent(share)} of {si(job.rate, 'B/s')}."
        return Estimate(share * job.rate / 1e9, job.rate / 1e9, "memory bandwidth", why)
    if unit == "GB" and job.moved:
        why = f"{job.which}: {si(job.moved, 'B')}, of which {si(job.compulsory, 'B')} are operands and results, once."
        return Estimate(job.moved / 1e9, job.compulsory / 1e9, "traffic", why)
    one = 100 / job.peak if unit == "%" else UNITS.get(unit)
    if one is None:
        raise NotAvailable(
            f"{row['id'] or 'the row'}: {row['metric']} in {unit} is no time, rate or traffic of one layer"
        )
    if job.flops is None and unit in ("ms", "s"):
        raise NotAvailable(f"{row['id'] or 'the row'} does not state seq, head_dim, heads and batch")
    if job.flops is None:
        flops_per_s, limit, why = plateau(job, constants)
        return Estimate(flops_per_s * one, job.peak * one, limit, why)
    seconds, limit, why = timed(job, constants)
    if unit in ("ms", "s"):
        return Estimate(seconds * one, job.least_seconds * one, limit, why)
    return Estimate(job.flops / seconds * one, job.flops / job.least_seconds * one, limit, why)


def kept(job, constants):
    """Share of the peak that the softmax of the scores leaves to the products."""
    clocks = constants(f"softmax{job.version}_clocks") + (constants("dropout_clocks") if job.dropout else 0.0)
    return job.product_clocks / (job.product_clocks + clocks)


def timed(job, constants):
    """(seconds, limit, why)"""
    launch, rate = constants("launch_us") * 1e-6, constants("bandwidth") * job.rate
    if job.version:
        share = kept(job, constants)
        work = max(job.flops / (share * job.loaded * job.usable * job.full), job.compulsory / rate)
        limit = "memory bandwidth" if work == job.compulsory / rate else "arithmetic"
        why = (
            f"Beside the softmax, products keep {percent(share)} of the {si(job.loaded * job.usable, 'FLOP/s')} that "
            f"these instructions reach under load; blocks fill the waves to {percent(job.full)}"
        )
    else:
        work, limit = max(job.moved / rate, job.flops / job.peak), "memory bandwidth"
        why = f"Scores and operands, {si(job.moved, 'B')}, go through memory at {si(rate, 'B/s')}"
    seconds = float(losses.launched_step(job.kernels, launch, work).steady_seconds)
    if job.kernels * launch > work:
        many = f"{job.kernels} launches of {si(launch, 's')} each take" if job.kernels > 1 else "one launch takes"
        return seconds, "launch", f"The work itself needs {si(work, 's')}, but its {many} {si(seconds, 's')}."
    return seconds, limit, f"{why}: that takes {si(seconds, 's')}."


def plateau(job, constants):
    """(FLOP/s, limit, why) of a long sequence, where a row does not state its shape."""
    if job.version:
        share = kept(job, constants)
        why = (
            f"Beside the softmax, products keep {percent(share)} of the {si(job.loaded * job.usable, 'FLOP/s')} that "
            "these instructions reach under load, if the shape fills all waves."
        )
        return share * job.loaded * job.usable, "arithmetic", why
    rate = constants("bandwidth") * job.rate
    found = min(job.peak, job.plain_intensity / job.passes * rate)
    why = f"{job.passes:g} passes over the scores in memory, at {si(rate, 'B/s')}, leave {si(found, 'FLOP/s')}."
    return found, "memory bandwidth", why
