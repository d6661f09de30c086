"""Bodies: the statements of a Pallas text: what it names, its kernels, and the calls that walk them over a grid.

A plain `if` is refused, as Pallas refuses it: what a step of the grid is, a kernel that is compiled once does not know.
"""

import ast

import numpy as np

from accelerator_lib.kernels.functions import Wrong, number, number_format, shape_of, whole
from accelerator_lib.kernels.language import Fault, loaded
from accelerator_lib.kernels.notation import Notation, dotted, refused
from accelerator_lib.kernels.refs import Ref
from accelerator_lib.kernels.specs import Call, Function, Shaped, specified

MOST_DEEP = 30
NOTHING = object()  # what a body gives that returns nothing


class Bodies(Notation):
    """Runs statements; `walk(call, operands, line)` is the machine's."""

    def __init__(self, walk):
        super().__init__()
        self.walk, self.place, self.grid, self.deep = walk, None, (), 0

    def run(self, body, names):
        """Run statements; what they return, or NOTHING."""
        for node in body:
            self.spend(node)
            if isinstance(node, ast.Return):
                return None if node.value is None else self.value(node.value, names)
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                self.keep(node.targets[0], self.value(node.value, names), names)
            elif isinstance(node, ast.AugAssign):
                self._more(node, names)
            elif isinstance(node, ast.FunctionDef):
                self._def(node, names)
            elif isinstance(node, ast.For) and not node.orelse:
                self._for(node, names)
            elif isinstance(node, ast.Expr) and isinstance(node.value, (ast.Constant, ast.Call)):
                if isinstance(node.value, ast.Call):
                    self.value(node.value, names)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                raise refused(node, "jnp, jax, pl and pltpu are here already: nothing is imported")
            elif isinstance(node, ast.If):
                made = self.if_(node, names)
                if made is not NOTHING:
                    return made
            elif not isinstance(node, ast.Pass):
                raise refused(node)
        return NOTHING

    def if_(self, node, names):
        """What the branch of an `if` gives: Pallas has none."""
        raise refused(node, "a kernel is compiled once for all steps: use @pl.when(...); jnp.where reads both sides")

    def keep(self, target, value, names):
        """Store what an assignment gives, under a name or in a ref."""
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, ast.Tuple) and isinstance(value, tuple) and len(value) == len(target.elts):
            for part, each in zip(target.elts, value, strict=True):
                self.keep(part, each, names)
        elif isinstance(target, ast.Subscript) and isinstance(ref := self.value(target.value, names), Ref):
            try:
                filled = ref.write(self.value(target.slice, names), number(value), target.lineno)
            except Wrong as wrong:
                raise Fault("value", target.lineno, str(wrong)) from None
            self.spend(target, filled)
        else:
            raise refused(target, "names, tuples of as many values, and refs as in o_ref[...] are assigned to")

    def _more(self, node, names):
        if isinstance(node.target, ast.Name) and node.target.id not in names.maps[0]:
            said = f"{node.target.id} belongs to the function around this one: keep it in scratch, or return it"
            raise refused(node, said)
        old = ast.copy_location(ast.BinOp(loaded(node.target), node.op, node.value), node)
        self.keep(node.target, self.value(old, names), names)

    def _def(self, node, names):
        plain = node.args
        if plain.vararg or plain.kwarg or plain.kwonlyargs or plain.defaults or plain.posonlyargs:
            raise refused(node, "a function takes plain arguments here")
        made = Function(node.name, tuple(arg.arg for arg in plain.args), node.body, names, node.lineno)
        if not node.decorator_list:
            names[node.name] = made
            return
        mark = node.decorator_list[0]
        if len(node.decorator_list) > 1 or not isinstance(mark, ast.Call) or dotted(mark.func) != "pl.when":
            raise refused(node, "only @pl.when(condition) stands above a function")
        if len(mark.args) != 1 or mark.keywords or plain.args:
            raise refused(node, "@pl.when takes one condition, and its function takes nothing")
        condition = self.value(mark.args[0], names)
        known = isinstance(condition, (int, np.generic, np.ndarray))  # NumPy would make a table of tuples of tuples
        if not known or np.shape(condition) or np.asarray(condition).dtype.kind not in "bi":
            raise refused(mark, "@pl.when takes one truth; jnp.where takes an array of them")
        if condition:
            self.enter(made, (), node)

    def _for(self, node, names):
        call = node.iter
        if not isinstance(call, ast.Call) or getattr(call.func, "id", None) != "range" or call.keywords:
            raise refused(node, "for runs over range(...) of sizes that are the same in every step")
        try:
            rounds = range(*(whole(self.value(arg, names), "a range") for arg in call.args))
        except Wrong as wrong:
            raise refused(node, f"{wrong}: jax.lax.fori_loop takes others") from None
        except Fault:
            raise
        except (ValueError, TypeError):
            raise refused(node, "a range has one to three whole numbers") from None
        for count in rounds:
            self.spend(node)
            self.keep(node.target, count, names)
            if self.run(node.body, names) is not NOTHING:
                raise refused(node, "a loop is not left by return")

    def enter(self, function, args, node):
        """What a function of the text gives."""
        if len(args) != len(function.params):
            said = f"{function.name} takes {len(function.params)} arguments, not {len(args)}"
            raise Fault("language", getattr(node, "lineno", function.line), said)
        self.deep += 1
        if self.deep > MOST_DEEP:
            raise refused(node, "functions call each other too deeply")
        names, body = function.names.new_child(dict(zip(function.params, args, strict=True))), function.body
        made = self.run(body, names) if isinstance(body, list) else self.value(body, names)
        self.deep -= 1
        return None if made is NOTHING else made

    def _lambda(self, node, names):
        if node.args.defaults or node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
            raise refused(node, "a lambda takes plain arguments here")
        return Function("lambda", tuple(arg.arg for arg in node.args.args), node.body, names, node.lineno)

    def called(self, node, name, names):
        """What a call of Pallas gives, or of a function of the text's own."""
        more = {word.arg: self.value(word.value, names) for word in node.keywords}
        args = [self.value(arg, names) for arg in node.args]
        if name in ("pl.program_id", "pl.num_programs"):
            return self._program(node, name, *args, **more)
        if name == "jax.lax.fori_loop" and len(args) == 4 and not more:
            return self._rounds(node, *args)
        if name == "pl.BlockSpec":
            return specified(node, *args, **more)
        if name in ("jax.ShapeDtypeStruct", "pltpu.VMEM") and len(args) == 2 and not more:
            return Shaped(dtype=number_format(args[1]), shape=shape_of(args[0]), kind=name)
        if name == "pl.pallas_call" and len(args) == 1 and isinstance(args[0], Function):
            return Call(args[0], more, node.lineno)
        if name is not None:
            raise refused(node, f"{name[:60]} with these arguments is nothing that this small language has")
        if isinstance(node.func, ast.Name) and node.func.id in ("min", "max") and node.func.id not in names and args:
            return {"min": min, "max": max}[node.func.id](whole(arg, node.func.id) for arg in args)
        function = self.value(node.func, names)
        if isinstance(function, Call) and not more and self.place is None:
            return self.walk(function, args, node.lineno)
        if not isinstance(function, Function) or more:
            raise refused(node, f"{ast.unparse(node.func)[:40]} is nothing to call here")
        return self.enter(function, args, node)

    def _program(self, node, name, axis=None):
        if self.place is None or type(axis) is not int or not 0 <= axis < len(self.grid):
            raise refused(node, f"{name} takes an axis of the grid, which has {len(self.grid)} here, within a kernel")
        return np.int32(self.place[axis]) if name == "pl.program_id" else self.grid[axis]

    def _rounds(self, node, first, last, body, state):
        if not isinstance(body, Function) or not all(isinstance(end, (int, np.integer)) for end in (first, last)):
            raise refused(node, "jax.lax.fori_loop takes two whole numbers, a function and what it begins with")
        for count in range(int(first), int(last)):
            self.spend(node)
            state = self.enter(body, (np.int32(count), state), node)
        return state
