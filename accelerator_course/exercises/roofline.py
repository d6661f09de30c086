"""Exercises of chapter 3."""

import random

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, number, shown
from accelerator_course.exercises.slips import roofline as slips
from accelerator_lib import hardware, roofline
from accelerator_lib.hardware import format_bytes
from accelerator_lib.workload.transformer import layer as transformer_layer

# Keys worked by hand. (FLOP, bytes, peak, bandwidth, overhead, seconds) of a kernel:
KERNELS = (
    (2e12, 1e9, 1e15, 2e12, 5e-6, 2.005e-3),  # 2 ms of arithmetic, 0.5 ms of traffic, 5 µs to start
    (1e9, 8e9, 1e15, 2e12, 0, 4e-3),  # 1 µs of arithmetic, 4 ms of traffic
)
PROJECTIONS, MLP = ("query", "key", "value", "output"), ("gate", "up", "down")
STEPS = ("attention norm", "mlp norm", "attention residual", "mlp residual", "activation")
# Batch m -> what is compute-bound on an H100, whose ridge is 989.4 / 3.35 = 295.3 FLOP/byte. The steps stay below 1;
# a projection has 1 / (1 / m + 2 / 4096) FLOP/byte, a product of the MLP 1 / (1 / m + 1 / 4096 + 1 / 11008):
COMPUTE_BOUND = {
    1: (),  # 1.0 and 1.0
    16: (),  # 15.9 and 15.9
    64: (),  # 62.1 and 62.7
    336: MLP,  # 288.6 and 302.0: the batch is above the ridge, and the projections are not
    512: (*PROJECTIONS, *MLP),  # 409.6 and 437.0
}
# (parameters, format, seconds, bytes/s); the first is Llama 3 8B
READS = (
    (8_030_261_248, "bf16", 0.025, 642_420_899_840),  # two bytes each, 40 times a second
    (8_030_261_248, "int8", 0.025, 321_210_449_920),
    (8_030_261_248, "int4", 0.01, 401_513_062_400),  # half a byte each, 100 times a second
    (1_000_000_000, "fp32", 2.0, 2_000_000_000),
)


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
    draw, cases = random.Random(31), list(KERNELS)
    for _ in range(50):  # made from its answer: first the longer time and a shorter one, then what takes so long
        longer, overhead = 10 ** draw.uniform(-7, 0), draw.choice([0, 5e-6])
        arithmetic, traffic = draw.sample((longer, longer * draw.random()), 2)
        peak, bandwidth = 10 ** draw.uniform(12, 16), 10 ** draw.uniform(10, 13)
        cases.append((arithmetic * peak, traffic * bandwidth, peak, bandwidth, overhead, longer + overhead))
    for flops, moved, peak, bandwidth, overhead, want in cases:
        where = (
            f"{flops:.3g} FLOP, {moved:.3g} bytes, peak {peak:.3g}, bandwidth {bandwidth:.3g}, overhead {overhead:g}"
        )
        yield number(function, (flops, moved, peak, bandwidth, overhead), want, where)
    return "right on 52 kernels. The larger of two times, never their mean."


def _check_classify(function):
    chip = hardware.chip("h100-sxm5")
    names = (*PROJECTIONS, *MLP, *STEPS)
    for batch, compute in COMPUTE_BOUND.items():
        wants = {name: "compute" if name in compute else "memory" for name in names}

        def judge(got, batch=batch, wants=wants):
            if not isinstance(got, dict) or set(got) != set(wants):
                raise Wrong(f"At batch {batch} return a dict with one entry for each of: {', '.join(wants)}.")
            for name, bound in wants.items():
                if got[name] != bound:
                    raise Wrong(f"At batch {batch} you call {name} {got[name]!r}-bound; it is {bound}-bound.")

        given = f"a transformer layer on an H100, batch {batch}"
        call = lambda batch=batch: function(transformer_layer, chip, batch)  # noqa: E731
        yield case(given, _bounds(wants), call, judge, _bounds)
    return (
        "right. At batch 1 everything waits for memory; at 512 the four projections and the MLP are compute-bound, "
        "and norms, residuals and activation still wait for memory."
    )


def _bounds(found):
    """Which operations are compute-bound, in a few words."""
    if not isinstance(found, dict):
        return shown(found)
    named = [str(name) for name, bound in found.items() if bound == "compute"]
    return f"{len(found)} operations, compute-bound: {', '.join(named) or 'none'}"


def _check_bandwidth_needed(function):
    for params, dtype, seconds, want in READS:
        where = f"{params:,} parameters in {dtype} every {seconds} s"
        yield number(function, (params, dtype, seconds), want, where)
    return f"right: Llama 3 8B in bf16 at 25 ms a token needs {READS[0][-1] / 1e9:.1f} GB/s for its weights alone."


EXERCISES = [
    Exercise(
        "03.1",
        "X3.1",
        "the time of one kernel in seconds, from its FLOP, its bytes, the chip's peak and bandwidth, and the overhead.",
        "Arithmetic takes one time, traffic another, and they overlap. Which of the two decides? Then the overhead.",
        _check_kernel_time,
        kernel_time,
        (slips.both_times_added, slips.the_shorter_time, slips.overhead_hidden, slips.overhead_forgotten),
    ),
    Exercise(
        "03.2",
        "X3.2",
        'a dict {name: "memory" or "compute"} that says which limit binds each operation of a layer at a batch.',
        "Call layer_ops(batch), then place every operation on the chip: roofline.place(work, chip).bound.",
        _check_classify,
        classify,
        (slips.all_as_the_batch, slips.peak_and_bytes_of_fp32, slips.turned_round),
    ),
    Exercise(
        "03.3",
        "X3.3",
        "the bandwidth in bytes per second that one token in so many seconds needs, if all weights are read for each.",
        "How many bytes are all the weights? They must arrive within the time of one token.",
        _check_bandwidth_needed,
        bandwidth_needed,
        (slips.bits_for_bytes, slips.always_two_bytes, slips.multiplied_by_the_time),
    ),
]
