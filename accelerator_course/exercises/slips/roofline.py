"""Slips of the exercises of chapter 3."""

from accelerator_lib.hardware import format_bytes


def both_times_added(flops, bytes_moved, peak, bandwidth, overhead):
    return flops / peak + bytes_moved / bandwidth + overhead


def the_shorter_time(flops, bytes_moved, peak, bandwidth, overhead):
    return min(flops / peak, bytes_moved / bandwidth) + overhead


def overhead_hidden(flops, bytes_moved, peak, bandwidth, overhead):
    return max(flops / peak, bytes_moved / bandwidth, overhead)


def overhead_forgotten(flops, bytes_moved, peak, bandwidth, overhead):
    return max(flops / peak, bytes_moved / bandwidth)


def times_that_overlap_added(kernel, chip, measured):
    arithmetic, fetching = kernel.flops / chip.peak, kernel.bytes_moved / chip.bytes_per_s
    return _apart(arithmetic + fetching, arithmetic, fetching, measured)


def first_loss_that_is_enough(kernel, chip, measured):
    arithmetic, fetching = kernel.flops / chip.peak, kernel.bytes_moved / chip.bytes_per_s
    return _apart(max(arithmetic, fetching), arithmetic, fetching, measured, choose=lambda enough: next(iter(enough)))


def turned_round(kernel, chip, measured):
    arithmetic, fetching = kernel.flops / chip.peak, kernel.bytes_moved / chip.bytes_per_s
    bound, limit, loss = _apart(max(arithmetic, fetching), arithmetic, fetching, measured)
    return bound, {"memory": "compute", "compute": "memory"}[limit], loss


def _apart(bound, arithmetic, fetching, measured, choose=lambda enough: min(enough, key=enough.get)):
    """Bound, limit and loss, once the bound is there; `choose` takes one of the losses that are enough."""
    times = {"none": bound, "start": bound + 5e-6, "rates": bound / 0.8, "turns": arithmetic + fetching}
    enough = {name: time for name, time in times.items() if time >= 0.95 * measured}
    return bound, "compute" if arithmetic > fetching else "memory", choose(enough) if enough else "more"


def bits_for_bytes(params, dtype, seconds):
    return 8 * params * format_bytes(dtype) / seconds


def always_two_bytes(params, dtype, seconds):
    return 2 * params / seconds


def multiplied_by_the_time(params, dtype, seconds):
    return params * format_bytes(dtype) * seconds
