"""Program: a kernel's statements, read once into functions of the frame and the mask.

A way that no lane takes costs nothing; a test and its branch are one instruction. A warp goes round until its last lane
is done: two instructions a round, a test and a step. A `for` with constant ends and few rounds is unrolled, as a
compiler does it: the counter and its test cost nothing, what it indexes is known beforehand.
"""

import ast
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from accelerator_lib.kernels.expressions import MOST_OPS, Code, as_number
from accelerator_lib.kernels.language import (
    GIVEN,
    INT32,
    WIDE,
    Fault,
    Pasted,
    constant,
    lines_of,
    loaded,
    read,
    refused,
)
from accelerator_lib.kernels.scope import Place, Scope, scope
from accelerator_lib.kernels.wide import Wide

MOST_UNROLLED = 16  # rounds


@dataclass(frozen=True, eq=False)
class Program:
    """A kernel, ready to run."""

    lines: tuple
    scope: Scope
    ops: tuple  # of Op
    run: object  # (frame, mask)


def program(source, places, scalars):
    """Program of a kernel's text with these global Places and scalars. Raises Fault."""
    kinds = tuple((name, place.kind, place.bytes, len(place.shape)) for name, place in places.items())
    if not isinstance(source, (str, Pasted)):
        read(source)  # says what it is instead
    made = _read(source, kinds, tuple((name, type(value)) for name, value in scalars.items()))
    return replace(made, scope=replace(made.scope, places={**made.scope.places, **places}, scalars=scalars))


@lru_cache(maxsize=8)
def _read(source, kinds, scalars):
    """Program for any sizes: they are asked for only when it runs."""
    places = {name: Place(name, kind, (1,) * sides, "global", 0, of) for name, kind, of, sides in kinds}
    found = scope(read(source), places, {name: kind() for name, kind in scalars})
    reader = _Statements(found)
    run = reader.block(found.body)
    return Program(tuple(lines_of(source)), found, tuple(reader.ops), run)


class _Statements(Wide):
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
            if isinstance(node.targets[0], ast.Tuple):
                return self.loads(node, lambda target, kind: self._target(node, target, kind))
            return self._set(node, node.targets[0], lambda: self.code(node.value))
        if isinstance(node, ast.AugAssign):
            same = ast.BinOp(loaded(node.target), node.op, node.value)
            return self._set(node, node.target, lambda: self.code(ast.copy_location(same, node)))
        if isinstance(node, ast.If):
            return self._if(node)
        if isinstance(node, (ast.While, ast.For)) and not node.orelse:
            return self._while(node) if isinstance(node, ast.While) else self._for(node)
        raise refused(node)

    def _alone(self, call):
        name = getattr(call.func, "id", None)
        if name == "barrier" and not call.args and not call.keywords:
            op = self.emit("barrier", call, ())
            return lambda f, m: f.barrier(op, m, call.lineno)
        if name in WIDE:
            return self.wide(call)
        if name != "atomic_add":
            said = "barrier() and atomic_add(array, index, value) as statements of their own, or"
            raise refused(call, f"{said} {', '.join(WIDE)}")
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
        if kind == "float" or code.leaf:
            return code

        def run(f, m):
            value = code.run(f, m)
            if np.max(value) >= INT32 or np.min(value) < -INT32:
                fits = np.less(value, INT32) & np.greater_equal(value, -INT32)
                f.need(m, fits, "value", node.lineno, "a whole number grows beyond 32 bits")
            return value

        return replace(code, run=run)

    def _target(self, node, target, kind):
        """(register, (frame, mask, value)) of a variable, or of a number in a register array, that a load sets."""
        given = Code(lambda f, m: None, kind, leaf=True)
        if isinstance(target, ast.Name):
            self.converted(node, given, self.scope.variables[target.id], target.id)
            return target.id, self._keeps(node, target.id)
        place = self.place_of(target) if isinstance(target, ast.Subscript) else None
        fixed = self.fixed(node, place, self.indices(target), "writes") if place and place.space == "own" else None
        if fixed is None:
            raise refused(node, "variables, and places of zeros(...) by constants, as targets of a load")
        self.converted(node, given, place.kind, place.name)

        def put(f, m, value):
            f.own(place)[fixed] = np.where(m.lanes, value, f.own(place)[fixed])

        return (place.name, fixed), put

    def _keeps(self, node, name):
        """(frame, mask, value): set a variable in the lanes at work."""
        if name in self.known or name in self.counting:
            raise Fault("language", node.lineno, f"{name} counts the rounds; store the result under another name")
        zero = np.float32(0) if self.scope.variables[name] == "float" else 0

        def put(f, m, value):
            f.values[name] = value if m.full else np.where(m.lanes, value, f.values.get(name, zero))

        return put

    def _variable(self, node, name, code):
        keep = self._keeps(node, name)
        code = self.converted(node, code, self.scope.variables[name], name)
        move = self.emit("alu", node, code.regs) if code.op is None else None
        self.ops[code.op if move is None else move].dst = name

        def run(f, m):
            value = code.run(f, m)
            if move is not None:
                f.did(move, m)
            keep(f, m, value)

        return run

    def _own(self, node, place, indices, code):
        fixed = self.fixed(node, place, indices, "writes")
        move = self.emit("alu", node, code.regs) if code.op is None or fixed is None else None
        self.ops[code.op if move is None else move].dst = (place.name, fixed)
        runs = [index.run for index in indices]

        def run(f, m):
            value, held = code.run(f, m), f.own(place)
            value = np.float32(np.float16(value)) if place.bytes == 2 else value
            if move is not None:
                f.did(move, m)
            if fixed is not None:
                held[fixed] = np.where(m.lanes, value, held[fixed])
                return
            f.walk(node.lineno, place.size)
            at = f.flat(m, place, node.lineno, [each(f, m) for each in runs], "writes")
            held[:] = [np.where(m.lanes & (at == number), value, held[number]) for number in range(place.size)]

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

    def _for(self, node):
        start, stop, step = self._range(node)
        name = node.target.id
        if name in self.known or name in self.counting or name in GIVEN:
            raise Fault("language", node.lineno, f"{name} has a meaning already; count with another name")
        ends = constant(start, self.known), constant(stop, self.known)
        if all(type(end) is int for end in ends) and len(range(*ends, step)) <= MOST_UNROLLED:
            return self._unrolled(node, range(*ends, step))
        return self._counted(node, start, stop, step)

    def _while(self, node):
        test, body = self.tested(node), self.block(node.body)

        def run(f, m):
            while True:
                f.spend(node.lineno)
                m = f.narrow(m, test(f, m), node.lineno)
                if m is None:
                    return
                body(f, m)

        return run

    def _range(self, node):
        call = node.iter
        ranged = isinstance(call, ast.Call) and getattr(call.func, "id", None) == "range" and not call.keywords
        if not ranged or not isinstance(node.target, ast.Name) or not 1 <= len(call.args) <= 3:
            raise refused(node, "for over range(stop), range(start, stop) or range(start, stop, step)")
        args = call.args if len(call.args) > 1 else [ast.copy_location(ast.Constant(0), call), *call.args]
        step = constant(args[2], self.known) if len(args) > 2 else 1
        if type(step) is not int or step == 0:
            raise Fault("language", node.lineno, "the step of a range is a constant whole number, not 0")
        return args[0], args[1], step

    def _unrolled(self, node, rounds):
        copies, name = [], node.target.id
        for number in rounds:
            self.copies += 1
            if self.copies > MOST_OPS:
                raise Fault("budget", node.lineno, f"more than {MOST_OPS:,} rounds are unrolled")
            self.known[name] = number
            copies.append(self.block(node.body))
        self.known.pop(name, None)

        def run(f, m):
            for body in copies:
                body(f, m)

        return run

    def _counted(self, node, start, stop, step):
        name, line = node.target.id, node.lineno
        first, last = self.number(start), self.number(stop)
        if "float" in (first.kind, last.kind):
            raise Fault("language", line, "a range goes from a whole number to a whole number")
        begin = self.emit("alu", node, first.regs)
        test, tick = self.emit("alu", node, (name, *last.regs)), self.emit("alu", node, (name,))
        self.ops[begin].dst = self.ops[tick].dst = name
        self.counting.add(name)
        body = self.block(node.body)
        self.counting.discard(name)
        goes_on = np.less if step > 0 else np.greater

        def run(f, m):
            at, end = first.run(f, m), last.run(f, m)
            f.did(begin, m)
            while True:
                f.spend(line)
                f.did(test, m)
                m = f.narrow(m, goes_on(at, end), line)
                if m is None:
                    break
                f.values[name] = at  # who has left the loop asks no more
                body(f, m)
                f.did(tick, m)
                at = at + step
            f.values.pop(name, None)

        return run
