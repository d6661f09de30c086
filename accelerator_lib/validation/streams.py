"""Bandwidth of memories: what a kernel reads and writes in a second, as a share of the published rate.

achieved = share x rate          the share is that of a family of chips; caches by their own published rate
"""

from accelerator_lib.inputs import NotAvailable
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate

FREE = {"share": (0.5, 0.9, 1.0)}  # name -> (least, start, most)
BY_FAMILY = ("share",)


def estimate(row, constants):
    """Estimate of a row of kind memory_bandwidth [GB/s]. Raises NotAvailable."""
    if row["metric"] != "bandwidth" or row["unit"] != "GB/s":
        raise NotAvailable(f"{row['metric']} in {row['unit']} is no bandwidth in GB/s")
    chip, family = named(row["device"])
    if "L2" in row["workload"] or "cache" in row["workload"]:
        raise NotAvailable("no cache's rate")
    share = constants("share", family)
    rate = chip.need("bytes_per_s") / 1e9
    return Estimate(share * rate, rate, "memory bandwidth", f"{share:.0%} of {rate:,.0f} GB/s.")
