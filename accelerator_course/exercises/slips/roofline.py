"""Slips of the exercises of chapter 3."""

from accelerator_lib.hardware import format_bytes


def both_times_added(flops, bytes_moved, peak, bandwidth, overhead):
    """You added arithmetic and memory, as if one waited for the other. They overlap: only the longer one counts."""
    return flops / peak + bytes_moved / bandwidth + overhead


def the_shorter_time(flops, bytes_moved, peak, bandwidth, overhead):
    """You took the shorter of the two times. A kernel is done when both are done: the longer one counts."""
    return min(flops / peak, bytes_moved / bandwidth) + overhead


def overhead_hidden(flops, bytes_moved, peak, bandwidth, overhead):
    """You let the overhead overlap with the work. Before the kernel has been started nothing runs: it is added."""
    return max(flops / peak, bytes_moved / bandwidth, overhead)


def overhead_forgotten(flops, bytes_moved, peak, bandwidth, overhead):
    """You left the overhead out: the time it takes to start the kernel comes on top."""
    return max(flops / peak, bytes_moved / bandwidth)


def times_that_overlap_added(kernel, chip, measured):
    """You added fetching and multiplying to get the bound. They overlap: the bound is the longer time alone. That they
    take turns is one of the losses."""
    arithmetic, fetching = kernel.flops / chip.peak, kernel.bytes_moved / chip.bytes_per_s
    return _apart(arithmetic + fetching, arithmetic, fetching, measured)


def first_loss_that_is_enough(kernel, chip, measured):
    """You took the first loss of the list that is enough. The cheapest is the one with the shortest time."""
    arithmetic, fetching = kernel.flops / chip.peak, kernel.bytes_moved / chip.bytes_per_s
    return _apart(max(arithmetic, fetching), arithmetic, fetching, measured, choose=lambda enough: next(iter(enough)))


def turned_round(kernel, chip, measured):
    """You have the two limits the wrong way round: the longer time is the limit."""
    arithmetic, fetching = kernel.flops / chip.peak, kernel.bytes_moved / chip.bytes_per_s
    bound, limit, loss = _apart(max(arithmetic, fetching), arithmetic, fetching, measured)
    return bound, {"memory": "compute", "compute": "memory"}[limit], loss


def _apart(bound, arithmetic, fetching, measured, choose=lambda enough: min(enough, key=enough.get)):
    """Bound, limit and loss, once the bound is there; `choose` takes one of the losses that are enough."""
    times = {"none": bound, "start": bound + 5e-6, "rates": bound / 0.8, "turns": arithmetic + fetching}
    enough = {name: time for name, time in times.items() if time >= 0.95 * measured}
    return bound, "compute" if arithmetic > fetching else "memory", choose(enough) if enough else "more"


def bits_for_bytes(params, dtype, seconds):
    """You counted bits. hardware.format_bytes gives bytes already, and bandwidths are in bytes per second."""
    return 8 * params * format_bytes(dtype) / seconds


def always_two_bytes(params, dtype, seconds):
    """You took two bytes for every weight. That is bf16; the size of a weight depends on `dtype`."""
    return 2 * params / seconds


def multiplied_by_the_time(params, dtype, seconds):
    """You multiplied by the time. Bytes each second are bytes divided by seconds."""
    return params * format_bytes(dtype) * seconds
