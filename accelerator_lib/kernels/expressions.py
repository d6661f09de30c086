"""Expressions: each is read once into a function of the frame and the mask, and into the instructions that it costs.

    out[i] = a[i] * 2 + b   ->   load a; multiply-add; store out        [warps, 32] at a time

An operation is one instruction; a product inside a sum is one with it (multiply-add); a sign and `and`, `or`, `not`
come free with what they belong to; an address of two indices costs one more. Constants are worked out beforehand.
"""

import numpy as np

from accelerator_lib.kernels import hurry
from accelerator_lib.kernels.calls import Calls
from accelerator_lib.kernels.codes import MOST_OPS, Code, Op, as_number
from accelerator_lib.kernels.language import GIVEN, Fault, constant, refused
from accelerator_lib.kernels.operators import Operators


class Expressions(Operators, Calls):
    """Reads the expressions of one kernel; `known` holds its constants, `ops` its instructions so far,
    `counting` the counters of the loops around."""

    def __init__(self, scope):
        self.scope, self.ops, self.copies = scope, [], 0
        self.known, self.counting = dict(scope.constants), set()

    def emit(self, kind, node, regs, place=""):
        """The number of a new instruction."""
        hurry.look()
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
