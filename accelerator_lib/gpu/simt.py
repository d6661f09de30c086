"""SIMT: 32 lanes, one instruction at a time. Where they disagree, both ways are run, each with the others masked.

    efficiency = lanes that worked, summed over instructions / (32 x instructions)

`run` steps through a small kernel: assignments, if, else and while, in Python's notation. Each lane has its own values
of all variables. Ignored: since Volta, lanes have program counters of their own and may interleave the two ways; which
lanes work together is as here unless they are told otherwise. Source: CUDA C++ Programming Guide, SIMT architecture.
"""

import ast
import operator
from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.inputs import count, whole

LANES, MOST_STEPS = 32, 2000


def simt_cycles(paths):
    """Instructions that a warp issues for [(lanes, instructions)]: each way that any lane takes costs its length."""
    return sum(length for lanes, length in _paths(paths) if lanes)


def simt_efficiency(paths):
    """Share of the lanes' slots that do useful work for [(lanes, instructions)]. Raises ValueError where none works."""
    paths = _paths(paths)
    useful, issued = sum(lanes * length for lanes, length in paths), sum(length for lanes, length in paths if lanes)
    if not issued:
        raise ValueError("no lane takes any of the paths: there is nothing to divide by")
    return useful / (LANES * issued)


def _paths(paths):
    """Pairs of whole numbers with at most 32 lanes in all, or one clear line."""
    if not isinstance(paths, (list, tuple)) or not all(isinstance(p, (list, tuple)) and len(p) == 2 for p in paths):
        raise TypeError(
            f"paths must be pairs of (lanes, instructions), such as [(31, 10), (1, 100)], not {paths!r:.40}"
        )
    checked = [
        (count("lanes", lanes, low=0, high=LANES), count("instructions", length, low=0, high=10**9))
        for lanes, length in paths
    ]
    if sum(lanes for lanes, _ in checked) > LANES:
        raise ValueError(f"the paths have {sum(lanes for lanes, _ in checked)} lanes; a warp has {LANES}")
    return checked


@dataclass(frozen=True, eq=False)
class Issue:
    """One instruction of the warp: which line, which lanes; the variables after it."""

    number: int
    line: int  # from 1
    text: str
    mask: np.ndarray  # [32] of bool
    values: dict  # name -> [32]
    efficiency: float  # of all instructions so far


def kernels():
    """{name: source} of the small kernels in data/warp_kernels.yaml."""
    return dict(data.load("warp_kernels")["kernels"])


_BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip
_COMPARE = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip
ALLOWED = "assignments, if, else, while, whole numbers, + - * // % & |, comparisons, and, or, not, a[index]"


def run(source, a=None):
    """Yield an Issue for every instruction of a kernel; `lane` is 0 to 31, `a` the data: [32] whole numbers.

    Variables begin at 0. Raises ValueError, with the line, for what this small language does not have, for a division
    by zero in a lane that is at work, and for more than 2,000 instructions.
    """
    own = np.arange(LANES) * 7 % 19 if a is None else np.asarray(whole("a", a, low=-(2**31), high=2**31))
    if own.shape != (LANES,):
        raise ValueError(f"a must hold {LANES} whole numbers, one for each lane, not an array of shape {own.shape}")
    if not isinstance(source, str):
        raise TypeError(f"a kernel is text in Python's notation, not {type(source).__name__}")
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise ValueError(f"line {error.lineno}: this is not Python: {error.msg}") from None
    return _Warp(source.splitlines(), own.astype(np.int64)).steps(tree.body)


class _Warp:
    """32 lanes that share one instruction stream."""

    def __init__(self, lines, data):
        self.lines, self.number, self.worked = lines, 0, 0
        self.values = {"lane": np.arange(LANES), "a": data}

    def steps(self, body):
        yield from self._block(body, np.ones(LANES, bool))

    def _block(self, statements, mask):
        for statement in statements:
            if isinstance(statement, ast.If):
                yield from self._if(statement, mask)
            elif isinstance(statement, ast.While) and not statement.orelse:
                yield from self._while(statement, mask)
            elif isinstance(statement, (ast.Assign, ast.AugAssign)):
                yield self._assign(statement, mask)
            elif not isinstance(statement, ast.Pass):
                raise _refused(statement)

    def _if(self, statement, mask):
        chosen = self._value(statement.test, mask) != 0
        yield self._issued(statement, mask)
        for body, lanes in ((statement.body, mask & chosen), (statement.orelse, mask & ~chosen)):
            if lanes.any():  # a way that no lane takes costs nothing
                yield from self._block(body, lanes)

    def _while(self, statement, mask):
        while mask.any():
            staying = mask & (self._value(statement.test, mask) != 0)
            yield self._issued(statement, mask)
            mask = staying
            if mask.any():
                yield from self._block(statement.body, mask)

    def _assign(self, statement, mask):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if not isinstance(target, ast.Name) or len(getattr(statement, "targets", [target])) > 1:
            raise _refused(statement)
        if target.id in ("lane", "a"):
            raise ValueError(f"line {statement.lineno}: {target.id} is given; store the result under another name")
        value = self._value(statement.value, mask)
        if isinstance(statement, ast.AugAssign):
            value = self._binary(statement, statement.op, self._named(target.id), value, mask)
        self.values = {**self.values, target.id: np.where(mask, value, self._named(target.id))}
        return self._issued(statement, mask)

    def _issued(self, statement, mask):
        self.number, self.worked = self.number + 1, self.worked + int(mask.sum())
        if self.number > MOST_STEPS:
            raise ValueError(f"line {statement.lineno}: more than {MOST_STEPS:,} instructions; does a loop never end?")
        text = self.lines[statement.lineno - 1].strip()
        share = self.worked / (LANES * self.number)
        return Issue(self.number, statement.lineno, text, mask.copy(), dict(self.values), share)

    def _named(self, name):
        return self.values.get(name, np.zeros(LANES, np.int64))

    def _value(self, node, mask):
        """[32]: what an expression is in each lane."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return np.full(LANES, node.value, np.int64)
        if isinstance(node, ast.Name):
            if node.id not in self.values:
                raise ValueError(f"line {node.lineno}: {node.id} has no value yet")
            return self.values[node.id]
        if isinstance(node, ast.BinOp):
            left, right = self._value(node.left, mask), self._value(node.right, mask)
            return self._binary(node, node.op, left, right, mask)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _COMPARE:
            left, right = self._value(node.left, mask), self._value(node.comparators[0], mask)
            return _COMPARE[type(node.ops[0])](left, right).astype(np.int64)
        if isinstance(node, ast.BoolOp):
            parts = [self._value(part, mask) != 0 for part in node.values]
            return (np.all if isinstance(node.op, ast.And) else np.any)(parts, axis=0).astype(np.int64)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
            value = self._value(node.operand, mask)
            return -value if isinstance(node.op, ast.USub) else (value == 0).astype(np.int64)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "a":
            index = self._value(node.slice, mask)
            if np.any(mask & ((index < 0) | (index >= LANES))):
                raise ValueError(f"line {node.lineno}: a has the places 0 to {LANES - 1}")
            return self.values["a"][index.clip(0, LANES - 1)]
        raise _refused(node)

    def _binary(self, node, op, left, right, mask):
        if type(op) not in _BINARY:
            raise _refused(node)
        if isinstance(op, (ast.FloorDiv, ast.Mod)):
            if np.any(mask & (right == 0)):
                raise ValueError(f"line {node.lineno}: division by zero in lane {int(np.argmax(mask & (right == 0)))}")
            right = np.where(right == 0, 1, right)
        if isinstance(op, ast.Mult) and np.any(mask & (np.abs(left.astype(float) * right) > 2**53)):
            raise ValueError(f"line {node.lineno}: a product grows beyond 2**53")
        return _BINARY[type(op)](left, right)


def _refused(node):
    return ValueError(f"line {node.lineno}: this small language has only {ALLOWED}")


def branch_efficiency(lanes, long, short):
    """Share of slots that work when so many lanes take a path of `long` instructions and all others one of `short`."""
    lanes = count("lanes", lanes, low=0, high=LANES)
    return simt_efficiency([(lanes, long), (LANES - lanes, short)])
