"""Fusion: several steps in one kernel, by hand and by the compiler, and what that saves.

    chain_bytes(n, ops)         element-wise steps: 2 n b for each apart (read, write), 2 n b once fused
    report(function, shape)     Report(kernels, bytes_before, bytes_after, flops)

The function is lowered and compiled for this device with JAX; its kernels are read from the compiled program (HLO):
every fusion with the operations inside it. Bytes before are those of every operation on its own, bytes after those
of the compiled program, both counted by XLA itself.
"""

import re
from dataclasses import dataclass
from functools import cache

from accelerator_lib.checks.inputs import NotAvailable, described
from accelerator_lib.checks.signature import Count, Given, Switch, Whole, checked
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.recorded import or_recorded
from accelerator_lib.workload.xla import cost

QUIET = {"parameter", "constant", "broadcast", "bitcast", "tuple", "get-tuple-element", "convert", "iota", "reshape"}


@checked
def chain_bytes(n: Whole(), ops: Whole(high=10**6), dtype: Format = "fp16", fused: Switch = False):
    """Traffic [byte] of `ops` element-wise steps on n elements: each reads and writes, or only the ends when fused."""
    return 2 * n * (1 if fused else ops) * format_bytes(dtype)


@dataclass(frozen=True)
class Kernel:
    """One step of the compiled program: its operations in order, and whether it ends in a reduction."""

    name: str
    operations: tuple


@dataclass(frozen=True)
class Report:
    """What the compiler made of a function: its kernels, and the traffic without and with them."""

    kernels: tuple
    bytes_before: float
    bytes_after: float
    flops: float

    @property
    def saved(self):
        """How many times less traffic."""
        return self.bytes_before / self.bytes_after

    @property
    def steps(self):
        """Operations in all kernels together."""
        return sum(len(kernel.operations) for kernel in self.kernels)


def _function(given):
    if not callable(given):
        raise TypeError(f"function must be one of an array, such as lambda x: x + 1, not {described(given)}")
    hash(given)  # what cannot be hashed cannot be kept: a TypeError
    return given


@checked
def report(
    function: Given("a function of an array", _function), rows: Count(high=10**5) = 2048, cols: Count(high=10**5) = 2048
):
    """Report of a function of one fp32 array [rows, cols]; nothing is allocated or run. Kept for the same function.

    Raises NotAvailable where XLA does not count for this device.
    """
    return _report(function, rows, cols)


@or_recorded
@cache
def _report(function, rows, cols):
    import jax

    try:
        lowered = jax.jit(function).lower(jax.ShapeDtypeStruct((rows, cols), "float32"))
    except Exception as error:  # whatever the reader's function does
        first = str(error).strip().partition("\n")[0][:200]
        raise ValueError(f"JAX cannot trace the function: {type(error).__name__}: {first}") from None
    compiled = lowered.compile()
    before, after = cost(lowered), cost(compiled)
    if not (before and after):
        raise NotAvailable("XLA does not count the bytes of a program on this device, before and after compilation")
    return Report(kernels(compiled.as_text()), before["bytes"], after["bytes"], before["flops"])


def kernels(text):
    """The Kernels of a compiled program, in the order of its entry computation."""
    bodies = dict(re.findall(r"^%?([\w.-]+) \([^\n]*\{\n(.*?)^\}", text, re.M | re.S))
    entry = re.search(r"^ENTRY [^\n]*\{\n(.*?)^\}", text, re.M | re.S)[1]
    found = []
    for line in entry.splitlines():
        operation = _operation(line)
        if operation == "fusion":
            called = re.search(r"calls=%?([\w.-]+)", line)[1]
            inside = tuple(filter(None, map(_shown, bodies.get(called, "").splitlines())))
            found.append(Kernel(called, inside or ("copy",)))
        elif operation and operation not in QUIET:
            found.append(Kernel(operation, (operation,)))
    return tuple(found)


def _operation(line):
    """The HLO operation of a line such as  %add.0 = f32[8]{0} add(%a, %b)."""
    match = re.search(r"= (?:\([^)]*\)|\S+) ([\w-]+)\(", line)
    return match[1] if match else None


def _shown(line):
    operation = _operation(line)
    return None if operation is None or operation in QUIET else operation
