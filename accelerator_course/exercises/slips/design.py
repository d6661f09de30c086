"""Slips of the exercises of chapter 13."""

from math import ceil, floor


def counts_no_two(row):
    """You counted a multiply-accumulate as one operation. It is two, a multiplication and an addition."""
    return audited(row, two=1)


def links_are_sparse(row):
    """A link has no zeros to skip. Where it shows twice what it sends, both directions were added up."""
    return {"sparse" if test == "two-way" else test for test in audited(row)}


def stops_at_the_first(row):
    """A figure can fail several tests. You stopped at the first one that you found."""
    found = audited(row)
    return (
        {next(test for test in ("sparse", "two-way", "impossible", "format", "mixed") if test in found)}
        if found
        else found
    )


def trusts_the_clock(row):
    """Where no clock is printed, you let the figure pass. Compute the clock that it would need."""
    return audited(row) - {"impossible"}


def audited(row, two=2):
    """The audit, with one thing changed."""
    parts, failed = row["parts"], set()
    value = row["value"] * (row["watts"] or 1)
    if all(part["rate"] or part["clock_hz"] for part in parts):
        rebuilt = sum(part["rate"] or two * part["units"] * part["macs"] * part["clock_hz"] for part in parts)
        if value > 1.5 * rebuilt:
            failed.add("two-way" if row["quantity"] == "link" else "sparse")
    elif value / sum(two * part["units"] * part["macs"] for part in parts) > 3e9:
        failed.add("impossible")
    if any(part["dtype"] != row["dtype"] for part in parts):
        failed.add("format")
    clocks = [clock for clock in (row["reported_hz"], *(part["clock_hz"] for part in parts)) if clock]
    if len(parts) > 1 or len(set(row["chips"])) > 1 or max(clocks, default=0) > 1.03 * min(clocks, default=0):
        failed.add("mixed")
    return failed


def weights_alone(cfg, context, batch, chip):
    """You counted the weights alone. Every user's cache must be held, and read, as well."""
    return planned(cfg, 0, batch, chip)


def keys_alone(cfg, context, batch, chip):
    """Your caches have half their size. They hold keys and values, and each number takes two bytes."""
    return planned(cfg, context / 2, batch, chip)


def all_of_the_memory(cfg, context, batch, chip):
    """You filled the memory to the brim. A tenth of it is left for intermediate results."""
    return planned(cfg, context, batch, chip, share=1.0)


def rounds_down(cfg, context, batch, chip):
    """You rounded down. What does not fit into so many chips needs one more."""
    return planned(cfg, context, batch, chip, whole=floor)


def planned(cfg, context, batch, chip, share=0.9, whole=ceil):
    """The plan, with one thing changed."""
    kept = 2 * cfg["weights"] + 4 * cfg["layers"] * cfg["kv_heads"] * cfg["head_dim"] * context * batch
    return whole(kept / (share * chip["capacity_bytes"])), whole(kept / (chip["bytes_per_s"] * 0.020))
