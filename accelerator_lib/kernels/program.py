"""Program: a kernel's statements, read once into functions of the frame and the mask.

    if i < n:            the test, then the body for the lanes where it holds: mask & (i < n)
        out[i] = 2 * a[i]

A way that no lane takes costs nothing; a test and its branch are one instruction.
"""

import ast
from dataclasses import dataclass, replace

import numpy as np

from accelerator_lib.kernels.codes import as_number
from accelerator_lib.kernels.expressions import Expressions
from accelerator_lib.kernels.language import INT32, Fault, read, refused
from accelerator_lib.kernels.loops import Loops
from accelerator_lib.kernels.scope import Scope, scope


@dataclass(frozen=True, eq=False)
class Program:
    """A kernel, ready to run."""

    lines: tuple
    scope: Scope
    ops: tuple  # of Op
    run: object  # (frame, mask)


def program(source, places, scalars):
    """Program of a kernel's text with these global Places and scalars. Raises Fault."""
    body = read(source)
    lines = tuple(source.split("\n"))
    found = scope(body, places, scalars)
    reader = _Statements(found)
    run = reader.block(found.body)
    return Program(lines, found, tuple(reader.ops), run)


class _Statements(Loops, Expressions):
    """Reads the statements of one kernel."""

    def block(self, body):
        runs = [(s.lineno, self.statement(s)) for s in body if not isinstance(s, ast.Pass)]

        def run(f, m):
            for line, each in runs:
                f.spend(line)
                each(f, m)

        return run

    def statement(self, node):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return self._alone(node.value)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            return self._set(node, node.targets[0], lambda: self.code(node.value))
        if isinstance(node, ast.AugAssign):
            same = ast.BinOp(_loaded(node.target), node.op, node.value)
            return self._set(node, node.target, lambda: self.code(ast.copy_location(same, node)))
        if isinstance(node, ast.If):
            return self._if(node)
        if isinstance(node, (ast.While, ast.For)) and not node.orelse:
            return self.loop(node)
        raise refused(node)

    def _alone(self, call):
        name = getattr(call.func, "id", None)
        if name == "barrier" and not call.args and not call.keywords:
            op = self.emit("barrier", call, ())
            return lambda f, m: f.barrier(op, m, call.lineno)
        if name != "atomic_add":
            raise refused(call, "barrier() and atomic_add(array, index, value) as statements of their own")
        return self.atomic(call).run

    def _set(self, node, target, value):
        if isinstance(target, ast.Name):
            return self._variable(node, target.id, value())
        if not isinstance(target, ast.Subscript):
            raise refused(node)
        place = self.place_of(target)
        indices, code = self.indices(target), self.converted(node, value(), place.kind, place.name)
        if place.space == "own":
            return self._own(node, place, indices, code)
        regs, at = self.address(target, indices)
        kind = "store" if place.space == "global" else "shared store"
        op = self.emit(kind, node, code.regs + regs, place.name)

        def run(f, m):
            worth = code.run(f, m)
            f.memory[place.name].store(f, m, op, at(f, m), worth)

        return run

    def converted(self, node, code, kind, name):
        """The same Code as what a place or a variable holds, checked for what 32 bits hold."""
        code = as_number(code, kind)
        if code.kind == "float" and kind == "int":
            raise Fault("language", node.lineno, f"{name} holds whole numbers: int(...) makes one of a real")
        return code if kind == "float" or code.leaf else self.within(node, code)

    def within(self, node, code):
        """The same Code, with a check of what it comes to."""

        def run(f, m):
            value = code.run(f, m)
            if np.max(value) >= INT32 or np.min(value) < -INT32:
                fits = np.less(value, INT32) & np.greater_equal(value, -INT32)
                f.need(m, fits, "value", node.lineno, "a whole number grows beyond 32 bits")
            return value

        return replace(code, run=run)

    def _variable(self, node, name, code):
        if name in self.known or name in self.counting:
            raise Fault("language", node.lineno, f"{name} counts the rounds; store the result under another name")
        kind = self.scope.variables[name]
        code = self.converted(node, code, kind, name)
        zero = np.float32(0) if kind == "float" else 0
        move = self.emit("alu", node, code.regs) if code.op is None else None
        self.ops[code.op if move is None else move].dst = name

        def run(f, m):
            value = code.run(f, m)
            if move is not None:
                f.did(move, m)
            f.values[name] = value if m.full else np.where(m.lanes, value, f.values.get(name, zero))

        return run

    def _own(self, node, place, indices, code):
        fixed = self.fixed(node, place, indices, "writes")
        move = self.emit("alu", node, code.regs) if code.op is None or fixed is None else None
        self.ops[code.op if move is None else move].dst = (place.name, fixed)
        runs = [index.run for index in indices]

        def run(f, m):
            value, held = code.run(f, m), f.own(place)
            if move is not None:
                f.did(move, m)
            if fixed is None:
                f.walk(node.lineno, place.size)
            at = fixed if fixed is not None else f.flat(m, place, node.lineno, [each(f, m) for each in runs], "writes")
            for number in (fixed,) if fixed is not None else range(place.size):
                held[number] = np.where(m.lanes & (at == number), value, held[number])

        return run

    def tested(self, node):
        """A condition, ready to run; it costs one instruction at least, and its branch comes with it."""
        test = self.truth(node.test)
        if test.op is not None:
            return test.run
        op = self.emit("alu", node, test.regs)

        def run(f, m):
            f.did(op, m)
            return test.run(f, m)

        return run

    def _if(self, node):
        test, body, other = self.tested(node), self.block(node.body), self.block(node.orelse)

        def run(f, m):
            chosen = test(f, m)
            here = f.narrow(m, chosen, node.lineno)
            there = f.narrow(m, np.logical_not(chosen), node.lineno)
            if here is not None:
                body(f, here)
            if there is not None and node.orelse:
                other(f, there)

        return run


def _loaded(target):
    """A target as it is read."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    if isinstance(target, ast.Subscript):
        return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
    raise refused(target)
