"""Worksheet: a model on a chip, operation by operation, and which one change helps most.
    seconds = sum over operations of copies x times x max(FLOP / peak, bytes / bandwidth)
What falls back takes `fallback` x its time on the chip as it is. Ignored: launches, overlap, caches, accuracy of FP8.
"""

from dataclasses import dataclass, replace

from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Count, Given, Number, OneOf, Single, checked
from accelerator_lib.hardware import AChip, Chip
from accelerator_lib.roofline.roof import binding
from accelerator_lib.workload.work import Elementwise, Gemm, Work

NOW = "as it is"
CHANGES = NOW, "the missing operation runs on the chip", "attention in one kernel", "products in FP8"
CHANGES += "twice the bandwidth", "twice the peak"
MEETING = ("scores", "softmax", "weighted sum")  # what one kernel of attention replaces
MISSING = "positions in space and time"
HEADS, HEAD = 16, 128


@dataclass(frozen=True)
class Operation:  # one operation of a model: its work, how often it runs, and what it takes on the chip [s]
    name: str
    flops: float
    bytes_moved: float
    seconds: float
    bound: str  # "memory", "compute", or "host"
    intensity = property(lambda self: self.flops / self.bytes_moved)


@dataclass(frozen=True)
class Sheet:  # a model on a chip, filled in
    chip: Chip
    operations: tuple
    fallback: float
    lacks: tuple
    seconds = property(lambda self: sum(one.seconds for one in self.operations))


@checked
def video(tokens: Count(1, 2**17) = 8192, layers: Count(high=1000) = 24, width: Count(high=2**16) = HEADS * HEAD):
    """{name: (work, copies, times)} of a model that paints videos: a transformer whose positions are threefold."""
    rows = tokens
    return {
        "queries, keys, values": (Gemm(rows, 3 * width, width), 1, layers),
        MISSING: (Elementwise(2 * rows * width, 6, 2), 1, layers),
        "scores": (Gemm(rows, rows, HEAD), HEADS, layers),
        "softmax": (Elementwise(rows * rows, 5, 2), HEADS, layers),
        "weighted sum": (Gemm(rows, HEAD, rows), HEADS, layers),
        "output": (Gemm(rows, width, width), 1, layers),
        "MLP": (Gemm(rows, 4 * width, width), 1, 2 * layers),
        "GELU": (Elementwise(4 * rows * width), 1, layers),
        "norms": (Elementwise(rows * width, 5, 2), 1, 2 * layers),
        "sums": (Elementwise(rows * width, 1, 2), 1, 2 * layers),
    }


def _model(value):
    if not isinstance(value, dict) or not value:
        raise TypeError(f"a model is {{name: (work, copies, times)}}, not {value!r}"[:120])
    for name, entry in value.items():
        good = isinstance(entry, tuple) and len(entry) == 3 and isinstance(entry[0], Work)
        if not (good and all(type(count) is int and 1 <= count <= 10**9 for count in entry[1:])):
            wanted = "(work, copies, times) such as (Gemm(8, 8, 8), 1, 24)"
            raise TypeError(f"{name!r} must be {wanted}, not {entry!r}"[:150])
    return value


AModel = Given("{name: (work, copies, times)}", _model)


def _lacks(value):
    if not isinstance(value, (tuple, list, set)) or not all(isinstance(name, str) for name in value):
        raise TypeError(f"lacks must be names of operations, such as ('softmax',), not {value!r}"[:120])
    return tuple(value)


Lacks = Given("names of operations", _lacks)
Times, Change, Tokens = Single(Number(low=1, high=1e4)), OneOf(CHANGES), Count(low=128, high=2**17)


@checked
def fill(model: AModel, chip: AChip = "h100-sxm5", lacks: Lacks = (), fallback: Times = 20.0, change: Change = NOW):
    """Sheet of a model in bf16 after a change; what it `lacks` runs on the host. Raises UnknownName, NotAvailable."""
    for name in lacks:
        one_of("lacks", name, model)
    lacks = () if change == CHANGES[1] else lacks
    rows = [_row(name, entry, chip, name in lacks, fallback, change) for name, entry in model.items()]
    sheet = Sheet(chip, tuple(rows), fallback, lacks)
    return _one_kernel(sheet, model) if change == "attention in one kernel" else sheet


def _row(name, entry, chip, away, fallback, change):
    work, copies, times = entry
    rate, peak = chip.need("bytes_per_s"), chip.peak("bf16")
    small = change == "products in FP8" and isinstance(work, Gemm) and not away
    moved = copies * times * (work.bytes_moved("fp8", "fp8", "bf16") if small else work.bytes_moved("bf16"))
    flops = copies * times * work.flops
    if away:
        return Operation(name, flops, moved, fallback * max(flops / peak, moved / rate), "host")
    compute = flops / (chip.peak("fp8") if small else peak) / (1 + (change == "twice the peak"))
    memory = moved / rate / (1 + (change == "twice the bandwidth"))
    return Operation(name, flops, moved, max(compute, memory), binding(compute=compute, memory=memory))


def _one_kernel(sheet, model):
    from accelerator_lib.tiling.attention import attention_bytes

    inside = [one for one in sheet.operations if one.name in MEETING and one.bound != "host"]
    if len(inside) < len(MEETING):
        return sheet
    work, copies, times = model["scores"]
    moved = copies * times * attention_bytes(work.m, work.k, algorithm="flash", block_rows=128, kv_cached=True)
    flops = sum(one.flops for one in inside)
    compute, memory = flops / sheet.chip.peak("bf16"), moved / sheet.chip.bytes_per_s
    one = Operation("attention", flops, moved, max(compute, memory), binding(compute=compute, memory=memory))
    return replace(sheet, operations=(*(op for op in sheet.operations if op.name not in MEETING), one))


@checked
def what_helps(tokens: Tokens = 8192, chip: AChip = "h100-sxm5", fallback: Times = 20.0):
    """{change: seconds} of the video model, its positions missing at first; what a chip cannot do is left out."""
    model, found = video(tokens), {}
    for change in CHANGES:
        if change == "products in FP8" and chip.matrix.get("fp8") is None:
            continue
        found[change] = fill(model, chip, (MISSING,), fallback, change).seconds
    return found


@checked
def time(change: Change = NOW, tokens: Tokens = 8192, chip: AChip = "h100-sxm5"):
    """Time [s] of the video model after one change; its positions fall back."""
    return fill(video(tokens), chip, (MISSING,), 20.0, change).seconds
