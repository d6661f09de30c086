"""Codes: what a piece of a kernel becomes, a function to run and the instructions that it costs."""

from dataclasses import dataclass

import numpy as np

MOST_OPS = 20_000


@dataclass
class Op:
    """One instruction of the kernel's text: its kind, its line, the register it sets and those it waits for."""

    kind: str  # alu, load, store, shared load, shared store, atomic, shared atomic, shuffle, barrier
    line: int
    dst: object
    srcs: tuple
    place: str = ""


@dataclass(frozen=True)
class Code:
    """An expression, ready to run."""

    run: object  # (frame, mask) -> a number or [warps, 32]
    kind: str  # "int", "float" or "bool"
    regs: tuple = ()  # registers that must be there before its value is
    op: int | None = None  # the instruction that gives the value
    value: object = None  # where it is a constant
    leaf: bool = False  # a value that 32 bits hold


def as_number(code, kind=None):
    """The same as a whole number or real; "float" makes it a real."""
    if code.value is not None and kind == "float":
        made = np.float32(code.value)
        return Code(lambda f, m: made, "float", value=float(code.value), leaf=True)
    if code.kind == "float" or (code.kind == "int" and kind != "float"):
        return code
    to = np.float32 if kind == "float" else np.int64
    return Code(lambda f, m: to(code.run(f, m)), "float" if kind == "float" else "int", code.regs, code.op, None, True)
