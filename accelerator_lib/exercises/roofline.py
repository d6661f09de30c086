"""Exercises of chapter 3."""

import random

from accelerator_lib import hardware, roofline
from accelerator_lib.exercises import Exercise, Wrong, expect
from accelerator_lib.hardware import format_bytes
from accelerator_lib.workload.transformer import layer as transformer_layer


def kernel_time(flops, bytes_moved, peak, bandwidth, overhead):
    """Time [s] of one kernel: the slower of arithmetic and memory, plus what it costs to start it."""
    return max(flops / peak, bytes_moved / bandwidth) + overhead


def classify(layer_ops, chip, batch):
    """{name: "memory" or "compute"} for every operation of a layer at a batch."""
    return {name: roofline.place(work, chip).bound for name, work in layer_ops(batch).items()}


def bandwidth_needed(params, dtype, seconds):
    """Bandwidth [B/s] that reads all weights once within so many seconds."""
    return params * format_bytes(dtype) / seconds


def _check_kernel_time(function):
    draw = random.Random(31)
    for _ in range(50):
        flops, moved = 10 ** draw.uniform(6, 15), 10 ** draw.uniform(4, 12)
        peak, bandwidth = 10 ** draw.uniform(12, 16), 10 ** draw.uniform(10, 13)
        overhead = draw.choice([0, 5e-6])
        want = kernel_time(flops, moved, peak, bandwidth, overhead)
        where = (
            f"{flops:.3g} FLOP, {moved:.3g} bytes, peak {peak:.3g}, bandwidth {bandwidth:.3g}, overhead {overhead:g}"
        )
        expect(function(flops, moved, peak, bandwidth, overhead), want, where)
    return "right on 50 random kernels. The larger of two times, never their mean."


def _check_classify(function):
    chip = hardware.chip("h100-sxm5")
    for batch in (1, 16, 512):
        want, got = classify(transformer_layer, chip, batch), function(transformer_layer, chip, batch)
        if not isinstance(got, dict) or set(got) != set(want):
            raise Wrong(f"At batch {batch} return a dict with one entry for each of: {', '.join(want)}.")
        for name, bound in want.items():
            if got[name] != bound:
                raise Wrong(f"At batch {batch} you call {name} {got[name]!r}-bound; it is {bound}-bound.")
    return (
        "right. At batch 1 everything waits for memory; at 512 the four projections and the MLP are compute-bound, "
        "and norms, residuals and activation still wait for memory."
    )


def llama_3_8b_params():
    """Parameters from the model's shape: 32 layers, width 4096, 8 key-value heads of 128, MLP 14336, 128256 words."""
    layers, width, kv, hidden, words = 32, 4096, 8 * 128, 14336, 128_256
    per_layer = 2 * width**2 + 2 * width * kv + 3 * width * hidden + 2 * width
    return layers * per_layer + width + 2 * words * width


def _check_bandwidth_needed(function):
    params = llama_3_8b_params()
    for dtype, seconds in (("bf16", 0.025), ("int8", 0.025), ("int4", 0.01), ("bf16", 0.1)):
        want = bandwidth_needed(params, dtype, seconds)
        expect(function(params, dtype, seconds), want, f"{params:,} parameters in {dtype} every {seconds} s")
    need = bandwidth_needed(params, "bf16", 0.025)
    return f"right: Llama-3-8B in bf16 at 25 ms a token needs {need / 1e9:.1f} GB/s for its weights alone."


EXERCISES = [
    Exercise(
        "03.1",
        "X3.1",
        "Return the time of one kernel: max of arithmetic and memory time, plus the overhead.",
        _check_kernel_time,
        kernel_time,
    ),
    Exercise(
        "03.2",
        "X3.2",
        'Call layer_ops(batch), place every operation on the chip, return {name: "memory" or "compute"}.',
        _check_classify,
        classify,
    ),
    Exercise(
        "03.3",
        "X3.3",
        "Turn the roofline around: which bandwidth reads all weights once within the time of one token?",
        _check_bandwidth_needed,
        bandwidth_needed,
    ),
]
