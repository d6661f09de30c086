"""Expressions: each is read once into a function of the frame and the mask, and into the instructions that it costs.

An operation is one instruction; a product inside a sum is one with it (multiply-add); a sign and `and`, `or`, `not`
come free with what they belong to; an address of two indices costs one more. Constants are worked out beforehand.
After `i < n and`, a[i] is asked for only in lanes where i < n. What goes wrong in a lane at work is a Fault.
"""

import ast
import operator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from accelerator_lib.gpu.arch import WARP_LANES
from accelerator_lib.gpu.language import ZERO, apply, unfit
from accelerator_lib.kernels import language
from accelerator_lib.kernels.budget import look
from accelerator_lib.kernels.language import (
    BINARY,
    GIVEN,
    INT32,
    MATHS,
    SHUFFLES,
    Fault,
    constant,
    named,
    outside,
    refused,
)

MOST_OPS = 20_000
CHECKS = 6  # walks over all lanes to find those in which an operator goes wrong


@dataclass
class Op:
    """One instruction of the kernel's text: its kind, its line, the register it sets and those it waits for."""

    kind: str  # alu, load, store, atomic, each also "shared ...", copy, commit, wait, tensor, shuffle, barrier
    line: int
    dst: object
    srcs: tuple
    place: str = ""
    also: tuple = ()  # registers that it sets together with the first
    bytes: int = 4  # that a lane reads or writes at once

    words = property(lambda self: max(1, self.bytes // 4))


@dataclass(frozen=True)
class Code:
    """An expression, ready to run."""

    run: object  # (frame, mask) -> a number or [warps, 32]
    kind: str  # "int", "float" or "bool"
    regs: tuple = ()  # registers that must be there before its value is
    op: int | None = None  # the instruction that gives the value
    value: object = None  # where it is a constant
    leaf: bool = False  # a value that 32 bits hold


def _number(value):
    made = np.float32(value) if type(value) is float else value
    return Code(lambda f, m: made, "float" if type(value) is float else "int", value=value, leaf=True)


def _each(codes, *ops):
    """(frame, mask) -> what Codes are worth; then these instructions are noted."""
    runs = [code.run for code in codes]

    def run(f, m):
        values = [each(f, m) for each in runs]
        for op in ops:
            f.did(op, m)
        return values

    return run


def as_number(code, kind=None):
    """The same as a whole number or real; "float" makes it a real."""
    if code.value is not None and kind == "float":
        return _number(float(code.value))
    if code.kind == "float" or (code.kind == "int" and kind != "float"):
        return code
    to = np.float32 if kind == "float" else np.int64
    return Code(lambda f, m: to(code.run(f, m)), "float" if kind == "float" else "int", code.regs, code.op, None, True)


def _free(function, code, line):
    """(frame, mask) -> a function of a Code: no instruction on the chip, but a walk over all lanes here."""

    def run(f, m):
        f.walk(line)
        return function(code.run(f, m))

    return run


def _whole(node, left, right):
    """(frame, mask, a, b) -> value of an operator on whole numbers that can go wrong, or (a, b) -> where it cannot."""
    operation, line = type(node.op), node.lineno
    safe = operation in (ast.Add, ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor)
    safe |= operation in (ast.FloorDiv, ast.Mod) and bool(right.value)
    small = any(side.value is not None and abs(side.value) < 2**21 for side in (left, right))
    if safe or (operation is ast.Mult and small and left.leaf and right.leaf):
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


FUNCTIONS = {"min": np.minimum, "max": np.maximum, "abs": np.abs, "sqrt": np.sqrt, "exp": np.exp}


class Expressions:
    """Reads the expressions of one kernel."""

    def __init__(self, scope):
        self.scope, self.ops, self.copies = scope, [], 0  # its instructions so far
        self.known, self.counting = dict(scope.constants), set()  # counters of the loops around

    def emit(self, kind, node, regs, place=""):
        """The number of a new instruction."""
        look()
        if len(self.ops) >= MOST_OPS:
            raise Fault("budget", node.lineno, f"more than {MOST_OPS:,} instructions of text once loops are unrolled")
        self.ops.append(Op(kind, node.lineno, len(self.ops), tuple(dict.fromkeys(regs)), place))
        self.ops[-1].bytes = self.scope.places[place].bytes if place else 4
        return len(self.ops) - 1

    def code(self, node):
        """Code of an expression."""
        value = constant(node, self.known)
        if value is not None:
            return _number(value)
        read = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is None:
            raise refused(node)
        return read(node)

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
            kind = "float" if type(self.scope.scalars[name]) is float else "int"
            return Code(lambda f, m: f.scalars[name], kind, leaf=True)
        if name in self.scope.places:
            raise Fault("language", node.lineno, f"{name} is an array: say which of its places, {name}[i]")
        if name not in self.scope.variables:
            raise Fault("language", node.lineno, f"{name[:40]} has no value yet")

        def read(f, m):
            if name not in f.values:
                raise Fault("language", node.lineno, f"{name} has no value yet")
            return f.values[name]

        return Code(read, self.scope.variables[name], (name,), leaf=True)

    def _ifexp(self, node):
        test, yes, no = self.truth(node.test), self.number(node.body), self.number(node.orelse)
        kind = "float" if "float" in (yes.kind, no.kind) else "int"
        yes, no = as_number(yes, kind), as_number(no, kind)
        op = self.emit("alu", node, test.regs + yes.regs + no.regs)

        def run(f, m):
            chosen = test.run(f, m)
            here = f.narrow(m, chosen, node.lineno)
            there = f.narrow(m, np.logical_not(chosen), node.lineno)
            a = None if here is None else yes.run(f, here)
            b = None if there is None else no.run(f, there)
            f.did(op, m)
            return a if there is None else b if here is None else np.where(chosen, a, b)

        return Code(run, kind, (op,), op)

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
        name = named(node.value)
        if name not in self.scope.places:
            what = f"{name[:40]} is no array" if name else "an index belongs to an array by its name"
            raise Fault("language", node.lineno, f"{what}; arrays are {', '.join(self.scope.places) or 'not given'}")
        return self.scope.places[name]

    def _binop(self, node, fused=False):
        operation, left, right = type(node.op), self._part(node, node.left), self._part(node, node.right)
        if operation not in BINARY:
            raise refused(node)
        kind = "float" if operation is ast.Div or "float" in (left.kind, right.kind) else "int"
        if kind == "float" and operation in language.WHOLE_ONLY:
            raise refused(node, "+ - * / for reals; this operator is for whole numbers")
        left, right = as_number(left, kind), as_number(right, kind)
        regs = left.regs + right.regs
        ops = () if fused else (self.emit("alu", node, regs),)
        function = BINARY[operation] if kind == "float" else _whole(node, left, right)
        both, checked = _each((left, right), *ops), function is not BINARY[operation]

        def run(f, m):
            return function(f, m, *both(f, m)) if checked else function(*both(f, m))

        return Code(run, kind, ops or regs, *ops)

    def _part(self, node, side):
        """An operand; a product is one instruction with the sum that it stands in (the right one, if there are two)."""
        product = isinstance(side, ast.BinOp) and isinstance(side.op, ast.Mult) and constant(side, self.known) is None
        other_first = side is node.left and isinstance(getattr(node.right, "op", None), ast.Mult)
        if product and isinstance(node.op, (ast.Add, ast.Sub)) and not other_first:
            return self._binop(side, fused=True)
        return self.code(side)

    def _compare(self, node):
        if any(type(op) not in language.COMPARE for op in node.ops):
            raise refused(node)
        sides = [self.number(side) for side in (node.left, *node.comparators)]
        pairs, regs = [], ()
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            kind = "float" if "float" in (left.kind, right.kind) else "int"
            at = self.emit("alu", node, left.regs + right.regs)
            pairs.append((language.COMPARE[type(op)], as_number(left, kind).run, as_number(right, kind).run, at))
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

    def _call(self, node):
        name = node.func.id if isinstance(node.func, ast.Name) else None
        if node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
            raise refused(node, "calls with plain arguments")
        if name in SHUFFLES:
            return self._shuffle(node, name)
        if name == "atomic_add":
            return self.atomic(node)
        if name not in MATHS:
            what = f"{name[:40]} is nothing to call here" if name else "only a name can be called"
            raise Fault("language", node.lineno, f"{what}; there are {', '.join((*MATHS, *SHUFFLES))}, atomic_add")
        least, most = (2, 8) if name in ("min", "max") else (1, 1)
        if not least <= len(node.args) <= most:
            raise Fault("language", node.lineno, f"{name} takes {'2 to 8 values' if most > 1 else 'one value'}")
        return self._mathematics(node, name)

    def _mathematics(self, node, name):
        args = [self.number(arg) for arg in node.args]
        real = name in ("sqrt", "exp", "float") or (name != "int" and any(arg.kind == "float" for arg in args))
        kind = "float" if real else "int"
        args = args if name == "int" else [as_number(arg, kind) for arg in args]
        ops = [self.emit("alu", node, [r for arg in args for r in arg.regs])]
        while len(ops) < len(args) - 1:
            ops.append(self.emit("alu", node, ops[-1:]))
        worth = _each(args, *ops)

        def run(f, m):
            values = worth(f, m)
            if name == "float" or (name == "int" and args[0].kind == "int"):
                return values[0]
            if name == "int":
                fits = np.abs(values[0]) < INT32
                f.need(m, fits, "value", node.lineno, "this real does not fit into 32 bits")
                return np.int64(np.where(fits, values[0], 0))
            return reduce(FUNCTIONS[name], values) if len(values) > 1 else FUNCTIONS[name](*values)

        return Code(run, kind, (ops[-1],), ops[-1])

    def _shuffle(self, node, name):
        if len(node.args) != 2:
            raise Fault("language", node.lineno, f"{name} takes a value and a number of lanes")
        value, by = self.number(node.args[0]), self.number(node.args[1])
        if by.kind != "int":
            raise Fault("language", node.lineno, f"{name} goes by a whole number of lanes")
        op, line = self.emit("shuffle", node, value.regs + by.regs), node.lineno
        lanes = np.arange(WARP_LANES)[None]

        def run(f, m):
            own, steps = np.broadcast_to(value.run(f, m), m.lanes.shape), by.run(f, m)
            f.need(m, (steps >= np.int64(0)) & (steps < WARP_LANES), "value", line, f"{name} goes by 0 to 31")
            steps = np.clip(steps, 0, WARP_LANES - 1)
            others = {"shuffle_down": lanes + steps, "shuffle_up": lanes - steps, "shuffle_xor": lanes ^ steps}
            other = np.broadcast_to(others.get(name, steps), m.lanes.shape)
            other = np.where((other < 0) | (other >= WARP_LANES), lanes, other)
            works = np.take_along_axis(m.lanes, other, axis=1)
            f.need(m, works, "shuffle", line, f"{name} reads a lane that is not at work here")
            f.did(op, m, (1,))
            return np.take_along_axis(own, other, axis=1)

        return Code(run, value.kind, (op,), op)

    def atomic(self, node):
        """Code of an atomic addition."""
        target = node.args[0] if len(node.args) == 3 else None
        if named(target) is None:
            raise Fault("language", node.lineno, "atomic_add takes an array by its name, an index and a value")
        subscript = ast.copy_location(ast.Subscript(target, node.args[1], ast.Load()), node)
        place, indices = self.place_of(subscript), self.indices(subscript)
        if place.space == "own":
            raise Fault("language", node.lineno, f"{place.name} belongs to one thread: nobody comes between")
        if place.bytes != 4:
            raise Fault("language", node.lineno, f"atomic_add adds words of four bytes: {place.name} holds halves")
        value = self.value_for(node.args[2], place)
        kind = "atomic" if place.space == "global" else "shared atomic"
        regs, at = self.address(node, indices)
        op = self.emit(kind, node, regs + value.regs, place.name)

        def run(f, m):
            return f.memory[place.name].add(f, m, op, at(f, m), value.run(f, m))

        return Code(run, place.kind, (op,), op, leaf=True)

    def value_for(self, node, place):
        """Code of what is to be stored in a place."""
        value = self.number(node, place.kind)
        if value.kind == "float" and place.kind == "int":
            raise Fault("language", node.lineno, f"{place.name} holds whole numbers: int(...) makes one of a real")
        return value

    def indices(self, node):
        """Codes of the one or two indices of a subscript."""
        place, parts = self.place_of(node), node.slice
        parts = list(parts.elts) if isinstance(parts, ast.Tuple) else [parts]
        sides = 1 if isinstance(node.value, ast.Attribute) else len(place.shape)
        if len(parts) != sides:
            wanted = ("one index", "two indices")[sides - 1]
            raise Fault("language", node.lineno, f"{place.name} takes {wanted}, not {len(parts)}")
        found = [self.number(part) for part in parts]
        if any(code.kind != "int" for code in found):
            raise Fault("language", node.lineno, f"{place.name} is indexed by whole numbers")
        return found

    def address(self, node, indices):
        """(registers that an address waits for, its indices ready to run); two are first made one number."""
        regs = tuple(r for index in indices for r in index.regs)
        if len(indices) == 1 or all(index.value is not None for index in indices):
            return regs, _each(indices)
        op = self.emit("alu", node, regs)
        return (op,), _each(indices, op)

    def own(self, node, place, indices):
        """Code of a number in a register array."""
        fixed = self.fixed(node, place, indices, "reads")
        if fixed is not None:
            reg = (place.name, fixed)
            return Code(lambda f, m: f.own(place)[fixed], place.kind, (reg,), leaf=True)
        op, runs = self.emit("alu", node, ((place.name, None),)), [i.run for i in indices]

        def run(f, m):
            at = f.flat(m, place, node.lineno, [each(f, m) for each in runs], "reads")
            f.did(op, m)
            f.walk(node.lineno, place.size)
            stacked = np.stack([np.broadcast_to(each, m.lanes.shape) for each in f.own(place)])
            return np.take_along_axis(stacked, at[None], axis=0)[0]

        return Code(run, place.kind, (op,), op, leaf=True)

    def fixed(self, node, place, indices, way):
        """The one number that constant indices come to, or None."""
        if any(index.value is None for index in indices):
            return None
        at = [index.value for index in indices]
        shape = place.shape if len(at) == len(place.shape) else (place.size,)
        if not all(0 <= each < side for each, side in zip(at, shape, strict=True)):
            raise Fault("bounds", node.lineno, f"this {way} {outside(place.name, at, shape)}")
        return indices[0].value if len(indices) == 1 else indices[0].value * place.shape[1] + indices[1].value
