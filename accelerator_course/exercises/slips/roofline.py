"""Slips of the exercises of chapter 3."""

from functools import partial
from operator import add

from accelerator_lib.hardware import format_bytes


def took(flops, bytes_moved, peak, bandwidth, overhead, join=max, starts=True):
    """The time of one kernel, with one thing changed."""
    return join(flops / peak, bytes_moved / bandwidth) + (overhead if starts else 0)


both_times_added = partial(took, join=add)
the_shorter_time = partial(took, join=min)
overhead_forgotten = partial(took, starts=False)


def overhead_hidden(flops, bytes_moved, peak, bandwidth, overhead):
    return max(flops / peak, bytes_moved / bandwidth, overhead)


def apart(kernel, chip, measured, join=max, choose=min, longer="compute", shorter="memory"):
    """Bound, limit and loss, with one thing changed; `choose` takes one of the losses that are enough."""
    arithmetic, fetching = kernel.flops / chip.peak, kernel.bytes_moved / chip.bytes_per_s
    bound, limit = join(arithmetic, fetching), longer if arithmetic > fetching else shorter
    times = {"none": bound, "start": bound + 5e-6, "rates": bound / 0.8, "turns": arithmetic + fetching}
    enough = [name for name, time in times.items() if time >= 0.95 * measured]
    return bound, limit, choose(enough, key=times.get) if enough else "more"


times_that_overlap_added = partial(apart, join=add)
first_loss_that_is_enough = partial(apart, choose=lambda enough, key: enough[0])
turned_round = partial(apart, longer="memory", shorter="compute")


def bits_for_bytes(params, dtype, seconds):
    return 8 * params * format_bytes(dtype) / seconds


def always_two_bytes(params, dtype, seconds):
    return 2 * params / seconds


def multiplied_by_the_time(params, dtype, seconds):
    return params * format_bytes(dtype) * seconds
