"""Language: the small one that kernels are written in, and what an expression of it is worth in each lane.

Python's notation, of which it keeps only assignments, if, else and while; whole numbers; no calls. A lane that is
masked may hold anything: its division by zero does no harm.
"""

import ast
import operator

import numpy as np

from accelerator_lib.gpu.arch import WARP_LANES

BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip
COMPARE = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip
ALLOWED = "assignments, if, else, while, whole numbers, + - * // % & |, comparisons, and, or, not, a[index]"
LARGEST = 2**53  # of sums and products: far within the 64 bits that hold them
ZERO = "division by zero"
GROWING = {ast.Add: "sum", ast.Sub: "difference", ast.Mult: "product"}
LONGEST = 20_000  # letters of a kernel


def statements(source):
    """The statements of a kernel, as Python reads them. Raises ValueError with the line that is none."""
    if not isinstance(source, str):
        raise TypeError(f"source: a kernel is text in Python's notation, not {type(source).__name__}")
    if len(source) > LONGEST:
        raise ValueError(f"source: a kernel has at most {LONGEST:,} letters, this one {len(source):,}")
    try:
        return ast.parse(source).body
    except SyntaxError as error:
        raise ValueError(f"line {error.lineno}: this is not Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError):  # letters that no file holds, thousands of brackets
        raise ValueError("source: this text cannot be read as Python") from None


def value(node, values, mask):
    """[32]: what an expression is in each lane, given {name: [32]} and the lanes that work. Raises ValueError."""
    try:
        return _value(node, values, mask)
    except RecursionError:
        raise ValueError(f"line {node.lineno}: this expression is nested too deeply") from None


def _value(node, values, mask):
    if isinstance(node, ast.Constant) and type(node.value) is int:
        if node.value > LARGEST:
            raise ValueError(f"line {node.lineno}: a number is at most 2**53")
        return np.full(WARP_LANES, node.value, np.int64)
    if isinstance(node, ast.Name):
        if node.id not in values:
            raise ValueError(f"line {node.lineno}: {node.id} has no value yet")
        return values[node.id]
    if isinstance(node, ast.BinOp):
        return joined(node, _value(node.left, values, mask), _value(node.right, values, mask), mask)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARE:
        left, right = _value(node.left, values, mask), _value(node.comparators[0], values, mask)
        return COMPARE[type(node.ops[0])](left, right).astype(np.int64)
    if isinstance(node, ast.BoolOp):
        parts = [_value(part, values, mask) != 0 for part in node.values]
        return (np.all if isinstance(node.op, ast.And) else np.any)(parts, axis=0).astype(np.int64)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        found = _value(node.operand, values, mask)
        return -found if isinstance(node.op, ast.USub) else (found == 0).astype(np.int64)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "a":
        index = _value(node.slice, values, mask)
        beyond = mask & ((index < 0) | (index >= WARP_LANES))
        if beyond.any():
            lane = int(beyond.argmax())
            said = f"lane {lane} reads {outside('a', (int(index[lane]),), (WARP_LANES,))}"
            raise ValueError(f"line {node.lineno}: {said}")
        return values["a"][index.clip(0, WARP_LANES - 1)]
    raise refused(node)


def outside(name, index, shape):
    """What is said of an index, of whole numbers or slices, that leaves an array: "a[1000], but a ends at a[999]"."""
    axis, ends, at = leaves(index, shape)
    side = name if len(shape) == 1 else f"the {('rows', 'columns')[axis]} of {name}"
    where = f"{ends}s at {name}[{at}]" if len(shape) == 1 else f"{ends} at {at}"
    return f"{name}[{listed(index)}], but {side} {where}"


def leaves(index, shape):
    """(axis, "begin" or "end", the first or the last place there) where an index leaves an array."""
    for axis, (part, side) in enumerate(zip(index, shape, strict=True)):
        first, last = (part.start, part.stop - 1) if isinstance(part, slice) else (part, part)
        if first < 0 or last >= side:
            return axis, "begin" if first < 0 else "end", 0 if first < 0 else side - 1
    raise ValueError(f"{listed(index)} lies within {shape}")


def listed(index):
    """An index as a kernel has it: "3, 0:4"."""
    return ", ".join(f"{part.start}:{part.stop}" if isinstance(part, slice) else f"{part}" for part in index)


def joined(node, left, right, mask):
    """[32]: two values joined by the operator of a node, with what cannot be computed refused in a lane that works."""
    if type(node.op) not in BINARY:
        raise refused(node)
    broken = unfit(type(node.op), left, right, mask)
    if broken:
        what, lanes = broken
        where = f" in lane {int(np.argmax(lanes))}" if what == ZERO else ""
        raise ValueError(f"line {node.lineno}: {what}{where}")
    return apply(type(node.op), left, right)


def unfit(operation, left, right, mask):
    """(what is wrong, the lanes at work where it is) of whole numbers that an operator cannot join, or None."""
    if operation in (ast.FloorDiv, ast.Mod):
        what, lanes = ZERO, mask & (right == 0)
    elif operation in GROWING:
        what = f"a {GROWING[operation]} grows beyond 2**53"
        as_float = operation is ast.Mult  # a product of two such may need more than 64 bits, a sum not
        made = np.multiply(left, right, dtype=float) if as_float else BINARY[operation](left, right)
        lanes = mask & (np.abs(made) > LARGEST)
    else:
        return None
    return (what, lanes) if lanes.any() else None


def apply(operation, left, right):
    """Two values of whole numbers joined by an operator; what a lane divides by zero is worth nothing, but no error."""
    if operation in (ast.FloorDiv, ast.Mod):
        right = np.where(right == 0, 1, right)
    return BINARY[operation](left, right)


def refused(node):
    """The error for what the language does not have."""
    return ValueError(f"line {node.lineno}: this small language has only {ALLOWED}")
