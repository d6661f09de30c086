"""Slips of the exercises of chapter 3."""

from accelerator_lib import roofline
from accelerator_lib.hardware import format_bytes
from accelerator_lib.workload import Elementwise


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


def all_as_the_batch(layer_ops, chip, batch):
    """You compared the batch with the ridge, or counted weights alone. Activations move, too: take all the bytes."""
    ridge = chip.peak("bf16") / chip.bytes_per_s
    return {
        name: "memory" if batch < ridge or isinstance(work, Elementwise) else "compute"
        for name, work in layer_ops(batch).items()
    }


def peak_and_bytes_of_fp32(layer_ops, chip, batch):
    """You took the peak of fp32, perhaps its bytes, too; this layer is in bf16."""
    return {name: roofline.place(work, chip, "fp32").bound for name, work in layer_ops(batch).items()}


def turned_round(layer_ops, chip, batch):
    """You have the two words the wrong way round: below the ridge memory sets the pace, above it arithmetic."""
    other = {"memory": "compute", "compute": "memory"}
    return {name: other[roofline.place(work, chip).bound] for name, work in layer_ops(batch).items()}


def bits_for_bytes(params, dtype, seconds):
    """You counted bits. hardware.format_bytes gives bytes already, and bandwidths are in bytes per second."""
    return 8 * params * format_bytes(dtype) / seconds


def always_two_bytes(params, dtype, seconds):
    """You took two bytes for every weight. That is bf16; the size of a weight depends on `dtype`."""
    return 2 * params / seconds


def multiplied_by_the_time(params, dtype, seconds):
    """You multiplied by the time. Bytes each second are bytes divided by seconds."""
    return params * format_bytes(dtype) * seconds
