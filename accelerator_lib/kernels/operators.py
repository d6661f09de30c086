"""Operators: arithmetic, comparisons, and, or, not, lane by lane; what goes wrong in a lane at work is a Fault.

total + a[i] * b[i]     one multiply-add           0 <= i < n     two comparisons
i < n and a[i] > 0      a[i] is asked for only in lanes where i < n
"""

import ast
import operator

import numpy as np

from accelerator_lib.gpu.language import ZERO, apply, unfit
from accelerator_lib.kernels.codes import Code, as_number
from accelerator_lib.kernels.language import BINARY, COMPARE, WHOLE_ONLY, constant, refused

CHECKS = 6  # walks over all lanes to find those in which an operator goes wrong


class Operators:
    """The part of Expressions that reads operators."""

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
                f.did(op, m)
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
                f.did(at, m)
                found = np.logical_and(found, function(a, b)) if len(pairs) > 1 else function(a, b)
            return found

        return Code(run, "bool", regs, regs[-1])

    def _boolop(self, node):
        parts, both = [self.truth(part) for part in node.values], isinstance(node.op, ast.And)

        def run(f, m):
            found = parts[0].run(f, m)
            for part in parts[1:]:
                open_still = f.narrow(m, found if both else np.logical_not(found), node.lineno)
                if open_still is None:
                    break
                found = (np.logical_and if both else np.logical_or)(found, part.run(f, open_still))
            return found

        return Code(run, "bool", tuple(r for part in parts for r in part.regs), parts[-1].op)

    def _unaryop(self, node):
        if isinstance(node.op, ast.Not):
            code = self.truth(node.operand)
            return Code(_free(np.logical_not, code, node.lineno), "bool", code.regs, code.op)
        if not isinstance(node.op, (ast.USub, ast.UAdd)):
            raise refused(node)
        code = self.number(node.operand)
        if isinstance(node.op, ast.UAdd):
            return code
        return Code(_free(operator.neg, code, node.lineno), code.kind, code.regs, code.op)


def _free(function, code, line):
    """(frame, mask) -> a function of a Code: no instruction on the chip, but a walk over all lanes here."""

    def run(f, m):
        f.walk(line)
        return function(code.run(f, m))

    return run


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
        f.walk(line, CHECKS)
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
