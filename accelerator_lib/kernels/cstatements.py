"""C statements: those of a kernel, printed as C. A variable is declared where it is first set, or else at the head."""

import ast

from accelerator_lib.kernels.cexpressions import SIGN, Expressions, free, names
from accelerator_lib.kernels.language import constant
from accelerator_lib.kernels.loops import MOST_UNROLLED


class Statements(Expressions):
    """Prints the statements of one kernel."""

    def __init__(self, scope):
        nodes = [n for statement in scope.body for n in ast.walk(statement)]
        sets = [(n.targets[0].id, n.value) for n in nodes if isinstance(n, ast.Assign) and _named(n.targets[0])]
        for n in nodes:
            if isinstance(n, ast.AugAssign) and _named(n.target):
                sets.append((n.target.id, ast.BinOp(n.target, n.op, n.value)))
            elif isinstance(n, ast.For):
                start, stop, step = _ends(n)
                sets.append((n.target.id, start if constant(step, scope.constants) > 0 else stop))
        super().__init__(scope, set())
        while found := {name for name, value in sets if not self.never_below(value)} - self.negative:
            self.negative |= found
        self.born, mentioned = {}, set()
        for statement in scope.body:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            if target is not None and _named(target) and target.id not in mentioned | names(statement.value):
                self.born[id(statement)] = target.id
            mentioned |= names(statement)
        assigned = {n.id for n in nodes if _named(n) and isinstance(n.ctx, ast.Store)}
        counters = {n.target.id for n in nodes if isinstance(n, ast.For)}
        late = sorted((assigned - counters | {name for name, _ in sets} - counters) - set(self.born.values()))
        self.head = [f"{scope.variables[name]} {free(name)} = 0;" for name in late]

    def block(self, body, depth):
        """Statements as text."""
        return "".join(
            self.statement(each, "    " * depth, depth + 1) for each in body if not isinstance(each, ast.Pass)
        )

    def statement(self, node, pad, inner):
        """One statement as text, what is within it at a depth of `inner`."""
        if isinstance(node, ast.Expr):
            barrier = node.value.func.id == "barrier"
            return f"{pad}{'__syncthreads()' if barrier else self.text(node.value)};\n"
        if isinstance(node, ast.Assign):
            name = self.born.get(id(node))
            kind = f"{self.scope.variables[name]} " if name else ""
            return f"{pad}{kind}{self.text(node.targets[0])} = {self.text(node.value)};\n"
        if isinstance(node, ast.AugAssign):
            if isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod)):
                value = ast.BinOp(node.target, node.op, node.value)
                return f"{pad}{self.text(node.target)} = {self.text(value)};\n"
            return f"{pad}{self.text(node.target)} {SIGN[type(node.op)][0]}= {self.text(node.value)};\n"
        if isinstance(node, ast.If):
            found = f"{pad}if ({self.text(node.test)}) {{\n{self.block(node.body, inner)}{pad}}}"
            return found + (f" else {{\n{self.block(node.orelse, inner)}{pad}}}\n" if node.orelse else "\n")
        if isinstance(node, ast.While):
            return f"{pad}while ({self.text(node.test)}) {{\n{self.block(node.body, inner)}{pad}}}\n"
        return self._for(node, pad, inner)

    def _for(self, node, pad, inner):
        start, stop, step = _ends(node)
        step, name, end = constant(step, self.scope.constants), free(node.target.id), self.text(stop)
        ends = constant(start, self.scope.constants), constant(stop, self.scope.constants)
        few = None not in ends and len(range(*ends, step)) <= MOST_UNROLLED
        head = f"{pad}#pragma unroll\n" if few else ""
        changed = {n.id for s in node.body for n in ast.walk(s) if _named(n) and isinstance(n.ctx, ast.Store)}
        reads = any(isinstance(n, (ast.Subscript, ast.Call)) for n in ast.walk(stop))
        if reads or changed & names(stop):  # Python asks once how far a range goes
            head, end = f"{pad}const int {name}_end = {end};\n", f"{name}_end"
        goes = f"int {name} = {self.text(start)}; {name} {'<' if step > 0 else '>'} {end}; {name} += {step}"
        return f"{head}{pad}for ({goes}) {{\n{self.block(node.body, inner)}{pad}}}\n"


def _named(node):
    return isinstance(node, ast.Name)


def _ends(node):
    """(start, stop, step) of a for over a range."""
    args = node.iter.args
    return [ast.Constant(0), *args, ast.Constant(1)] if len(args) == 1 else [*args, ast.Constant(1)][:3]
