"""Calls: what an expression may call, and the places of an array that it may name.

min  max  abs  sqrt  exp  float  int        in each lane
shuffle_down(v, d)                          the value of the lane d further; past the last one, the lane's own
atomic_add(array, index, value)             adds at once what others cannot come between; gives what was there
"""

import ast

import numpy as np

from accelerator_lib.gpu.arch import WARP_LANES
from accelerator_lib.kernels.codes import Code, as_number
from accelerator_lib.kernels.language import INT32, MATHS, SHUFFLES, Fault, outside, refused

FUNCTIONS = {"min": np.minimum, "max": np.maximum, "abs": np.abs, "sqrt": np.sqrt, "exp": np.exp}


class Calls:
    """The part of Expressions that reads calls and indices."""

    def call(self, node):
        """Code of a call."""
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
        regs = tuple(r for arg in args for r in arg.regs)
        ops = [self.emit("alu", node, regs)]
        while len(ops) < len(args) - 1:
            ops.append(self.emit("alu", node, ops[-1:]))
        runs = [arg.run for arg in args]

        def run(f, m):
            values = [each(f, m) for each in runs]
            for op in ops:
                f.did(op, m)
            if name == "float":
                return values[0]
            if name == "int":
                value = values[0]
                if args[0].kind == "float":
                    f.need(m, np.abs(value) < INT32, "value", node.lineno, "this real does not fit into 32 bits")
                    value = np.int64(np.where(np.abs(value) < INT32, value, 0))
                return value
            found = FUNCTIONS[name](*values[:2])
            for value in values[2:]:
                found = FUNCTIONS[name](found, value)
            return found

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
        if not isinstance(target, ast.Name):
            raise Fault("language", node.lineno, "atomic_add takes an array by its name, an index and a value")
        subscript = ast.copy_location(ast.Subscript(target, node.args[1], ast.Load()), node)
        place, indices = self.place_of(subscript), self.indices(subscript)
        if place.space == "own":
            raise Fault("language", node.lineno, f"{place.name} belongs to one thread: nobody comes between")
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
        if len(parts) != len(place.shape):
            wanted = "one index" if len(place.shape) == 1 else "two indices"
            raise Fault("language", node.lineno, f"{place.name} takes {wanted}, not {len(parts)}")
        found = [self.number(part) for part in parts]
        if any(code.kind != "int" for code in found):
            raise Fault("language", node.lineno, f"{place.name} is indexed by whole numbers")
        return found

    def address(self, node, indices):
        """(registers that an address waits for, its indices ready to run); two are first made one number."""
        regs, runs = tuple(r for index in indices for r in index.regs), [index.run for index in indices]
        if len(indices) == 1 or all(index.value is not None for index in indices):
            return regs, lambda f, m: [each(f, m) for each in runs]
        op = self.emit("alu", node, regs)

        def run(f, m):
            found = [each(f, m) for each in runs]
            f.did(op, m)
            return found

        return (op,), run

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
        if not all(0 <= each < side for each, side in zip(at, place.shape, strict=True)):
            raise Fault("bounds", node.lineno, f"this {way} {outside(place.name, at, place.shape)}")
        return indices[0].value if len(indices) == 1 else indices[0].value * place.shape[1] + indices[1].value
