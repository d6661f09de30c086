"""Expressions: each is read once into a function of the frame and the mask, and into the instructions that it costs.

    out[i] = a[i] * 2 + b   ->   load a; multiply-add; store out        [warps, 32] at a time

An operation is one instruction; a product inside a sum is one with it (multiply-add); a sign and `and`, `or`, `not`
come free with what they belong to; an address of two indices costs one more. Constants are worked out beforehand.
"""

import ast
import operator

import numpy as np

from accelerator_lib.gpu.language import ZERO, apply, unfit
from accelerator_lib.kernels.calls import Calls
from accelerator_lib.kernels.codes import MOST_OPS, Code, Op, as_number
from accelerator_lib.kernels.language import BINARY, COMPARE, GIVEN, WHOLE_ONLY, Fault, constant, refused


class Expressions(Calls):
    """Reads the expressions of one kernel; `known` holds its constants, `ops` its instructions so far,
    `counting` the counters of the loops around."""

    def __init__(self, scope):
        self.scope, self.ops, self.copies = scope, [], 0
        self.known, self.counting = dict(scope.constants), set()

    def emit(self, kind, node, regs, place=""):
        """The number of a new instruction."""
        if len(self.ops) >= MOST_OPS:
            raise Fault("budget", node.lineno, f"more than {MOST_OPS:,} instructions of text once loops are unrolled")
        self.ops.append(Op(kind, node.lineno, len(self.ops), tuple(dict.fromkeys(regs)), place))
        return len(self.ops) - 1

    def code(self, node):
        """Code of an expression."""
        value = constant(node, self.known)
        if value is not None:
            made = np.float32(value) if type(value) is float else value
            return Code(lambda f, m: made, "float" if type(value) is float else "int", value=value, leaf=True)
        return getattr(self, f"_{type(node).__name__.lower()}", refused_here)(node)

    def number(self, node, kind=None):
        """Code of an expression as a number, and as a real where `kind` is "float"."""
        return as_number(self.code(node), kind)

    def truth(self, node):
        """Code of an expression as a condition."""
        code = self.code(node)
        if code.kind == "bool":
            return code
        return Code(lambda f, m: np.not_equal(code.run(f, m), 0), "bool", code.regs, code.op)

    def _name(self, node):
        name = node.id
        if name in GIVEN:
            return Code(lambda f, m: f.given[name], "int", leaf=True)
        if name in self.scope.scalars:
            value = self.scope.scalars[name]
            made = np.float32(value) if type(value) is float else value
            return Code(lambda f, m: made, "float" if type(value) is float else "int", leaf=True)
        if name in self.scope.places:
            raise Fault("language", node.lineno, f"{name} is an array: say which of its places, {name}[i]")
        if name not in self.scope.variables:
            raise Fault("language", node.lineno, f"{name[:40]} has no value yet")

        def read(f, m):
            if name not in f.values:
                raise Fault("language", node.lineno, f"{name} has no value yet")
            return f.values[name]

        return Code(read, self.scope.variables[name], (name,), leaf=True)

    def _binop(self, node, fused=False):
        return self.joined(node, self._part(node, node.left), self._part(node, node.right), fused)

    def _part(self, node, side):
        """An operand; a product is one instruction with the sum that it stands in (the right one, if there are two)."""
        product = isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mult) and constant(side, self.known) is None
        other_first = side is node.left and isinstance(getattr(node.right, "op", None), ast.Mult)
        if product and isinstance(node.op, (ast.Add, ast.Sub)) and not other_first:
            return self._binop(side, fused=True)
        return self.code(side)

    def joined(self, node, left, right, fused=False):
        """Code of two operands joined by the operator of a node."""
        operation = type(node.op)
        if operation not in BINARY:
            raise refused(node)
        kind = "float" if operation is ast.Div or "float" in (left.kind, right.kind) else "int"
        if kind == "float" and operation in WHOLE_ONLY:
            raise refused(node, "+ - * / for reals; this operator is for whole numbers")
        left, right = as_number(left, kind), as_number(right, kind)
        regs = left.regs + right.regs
        op = None if fused else self.emit("alu", node, regs)
        function = BINARY[operation] if kind == "float" else _whole(node, left, right)
        first, second = left.run, right.run

        def run(f, m):
            a, b = first(f, m), second(f, m)
            if op is not None:
                f.trace.append((op, m))
            return function(f, m, a, b) if checked else function(a, b)

        checked = kind == "int" and function is not BINARY[operation]
        return Code(run, kind, regs if fused else (op,), op)

    def _compare(self, node):
        if any(type(op) not in COMPARE for op in node.ops):
            raise refused(node)
        sides = [self.number(side) for side in (node.left, *node.comparators)]
        pairs, regs = [], ()
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            kind = "float" if "float" in (left.kind, right.kind) else "int"
            at = self.emit("alu", node, left.regs + right.regs)
            pairs.append((COMPARE[type(op)], as_number(left, kind).run, as_number(right, kind).run, at))
            regs += (at,)

        def run(f, m):
            found = True
            for function, left, right, at in pairs:
                a, b = left(f, m), right(f, m)
                f.trace.append((at, m))
                found = np.logical_and(found, function(a, b)) if len(pairs) > 1 else function(a, b)
            return found

        return Code(run, "bool", regs, regs[-1])

    def _boolop(self, node):
        parts, both = [self.truth(part) for part in node.values], isinstance(node.op, ast.And)

        def run(f, m):
            found = parts[0].run(f, m)
            for part in parts[1:]:
                open_still = m.narrow(found if both else np.logical_not(found))
                if open_still is None:
                    break
                found = (np.logical_and if both else np.logical_or)(found, part.run(f, open_still))
            return found

        return Code(run, "bool", tuple(r for part in parts for r in part.regs), parts[-1].op)

    def _unaryop(self, node):
        if isinstance(node.op, ast.Not):
            code = self.truth(node.operand)
            return Code(lambda f, m: np.logical_not(code.run(f, m)), "bool", code.regs, code.op)
        if not isinstance(node.op, (ast.USub, ast.UAdd)):
            raise refused(node)
        code = self.number(node.operand)
        if isinstance(node.op, ast.UAdd):
            return code
        return Code(lambda f, m: operator.neg(code.run(f, m)), code.kind, code.regs, code.op)

    def _ifexp(self, node):
        test, yes, no = self.truth(node.test), self.number(node.body), self.number(node.orelse)
        kind = "float" if "float" in (yes.kind, no.kind) else "int"
        yes, no = as_number(yes, kind), as_number(no, kind)
        op = self.emit("alu", node, test.regs + yes.regs + no.regs)

        def run(f, m):
            chosen = test.run(f, m)
            here, there = m.narrow(chosen), m.narrow(np.logical_not(chosen))
            a = None if here is None else yes.run(f, here)
            b = None if there is None else no.run(f, there)
            f.trace.append((op, m))
            return a if there is None else b if here is None else np.where(chosen, a, b)

        return Code(run, kind, (op,), op)

    def _call(self, node):
        return self.call(node)

    def _subscript(self, node):
        place, indices = self.place_of(node), self.indices(node)
        if place.space == "own":
            return self.own(node, place, indices)
        kind = "load" if place.space == "global" else "shared load"
        regs, at = self.address(node, indices)
        op = self.emit(kind, node, regs, place.name)
        return Code(lambda f, m: f.memory[place.name].load(f, m, op, at(f, m)), place.kind, (op,), op, leaf=True)

    def place_of(self, node):
        """The Place that a subscript is of."""
        name = getattr(node.value, "id", None)
        if name not in self.scope.places:
            what = f"{name[:40]} is no array" if name else "an index belongs to an array by its name"
            raise Fault("language", node.lineno, f"{what}; arrays are {', '.join(self.scope.places) or 'not given'}")
        return self.scope.places[name]


def refused_here(node):
    raise refused(node)


def _whole(node, left, right):
    """(frame, mask, a, b) -> value of an operator on whole numbers that can go wrong, or (a, b) -> where it cannot."""
    operation, line = type(node.op), node.lineno
    if operation in (ast.FloorDiv, ast.Mod) and right.value:
        return BINARY[operation]
    if operation in (ast.Add, ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor):
        return BINARY[operation]
    small = any(side.value is not None and abs(side.value) < 2**21 for side in (left, right))
    if operation is ast.Mult and small and left.leaf and right.leaf:
        return BINARY[operation]

    def run(f, m, a, b):
        shift = operation in (ast.LShift, ast.RShift)
        if shift:
            f.need(m, np.greater_equal(b, 0) & np.less(b, 32), "value", line, "a shift goes by 0 to 31 places")
            b = np.clip(b, 0, 31)
        as_product = operation is ast.LShift
        broken = unfit(ast.Mult if as_product else operation, a, np.left_shift(1, b) if as_product else b, m.lanes)
        if broken:
            raise f.fault("division" if broken[0] == ZERO else "value", line, broken[0], broken[1])
        return BINARY[operation](a, b) if shift else apply(operation, a, b)

    return run
