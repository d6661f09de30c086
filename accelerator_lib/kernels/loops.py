"""Loops: while, and for over a range; a warp goes round until its last lane is done.

    for k in range(4):        constant ends, few rounds: unrolled, the counter and its test cost nothing
    for k in range(n):        otherwise two instructions a round, a test and a step

A `for` with constant ends is unrolled as a compiler does it: what its counter indexes is known beforehand.
"""

import ast

import numpy as np

from accelerator_lib.kernels.codes import MOST_OPS
from accelerator_lib.kernels.language import GIVEN, Fault, constant, refused

MOST_UNROLLED = 16  # rounds


class Loops:
    """The part of the reader of statements that reads loops."""

    def loop(self, node):
        """A loop, ready to run."""
        if isinstance(node, ast.While):
            return self._while(node)
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
        call, said = node.iter, "for over range(stop), range(start, stop) or range(start, stop, step)"
        ranged = isinstance(call, ast.Call) and getattr(call.func, "id", None) == "range" and not call.keywords
        if not ranged or not isinstance(node.target, ast.Name) or not 1 <= len(call.args) <= 3:
            raise refused(node, said)
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
