"""From Numba: a kernel for numba.cuda, in this notation.

Read is one function and the constants above it. What is set once to a number is a constant. A range's step is above
zero where it is no constant. Left out: numbers of other than 32 bits, and indices that count from an array's end.
"""

import ast
from collections import Counter

from accelerator_course.ladder.readers import pasted as p
from accelerator_lib.kernels import language
from accelerator_lib.kernels.language import Fault, constant


def read(source, arguments=None):
    """Pasted of a kernel for numba.cuda, for arguments by name or for none in particular. Raises Fault."""
    return Kernel("numba", source, arguments, source).read()


def given_to(call, words):
    """{word: argument} of a call whose arguments have these names, in order."""
    return dict(zip(words, call.args, strict=False)) | {each.arg: each.value for each in call.keywords}


def called(node, *functions):
    return isinstance(node, ast.Call) and ast.unparse(node.func) in functions


class Kernel(p.Reader, ast.NodeTransformer):
    """Reads one function in Python's notation; as a transformer, its expressions."""

    def read(self):
        """Pasted of the function."""
        around = language.read(self.text)
        found = [node for node in p.walked(around) if isinstance(node, ast.FunctionDef)]
        found = [one for one in found if not any(isinstance(each, ast.FunctionDef) for each in p.walked(one.body))]
        if len(found) != 1:
            line = found[1].lineno if found else 1
            raise Fault("language", line, f"one kernel, a function, is read at a time, here are {len(found)}")
        self.kernel, nodes = found[0], p.walked(found[0].body)
        self.sets = Counter(each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
        beside = (ast.Import, ast.ImportFrom, ast.FunctionDef)
        for each in around:
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
                self.fixed(each.targets[0], each.value)
            elif not isinstance(each, beside) and not isinstance(getattr(each, "value", None), ast.Constant):
                self.refuse(each, "paste the kernel and its constants alone, without what launches it")
        parameters = self.parameters(nodes)
        made = [p.Plain().visit(each) for each in self.block(self.kernel.body)]
        return self.written(self.kernel.name, made, parameters)

    def parameters(self, nodes):
        used = {getattr(each.value, "id", "") for each in nodes if isinstance(each, (ast.Subscript, ast.Attribute))}
        calls = [each for each in nodes if called(each, "cuda.atomic.add") and each.args]
        used |= {getattr(each.args[0], "id", "") for each in calls}
        return self.bound([each.arg for each in self.kernel.args.args], used)

    def bound(self, asked, arrays):
        """The names of parameters in this notation; `arrays`: which of them are arrays."""
        self.found = p.bound({word: word in arrays for word in asked}, self.arguments)
        return [self.bind(self.kernel, word, "array" if word in arrays else "number") for word in asked]

    def fixed(self, target, value):
        value = self.visit(value)
        if constant(value, self.constants) is None:
            self.refuse(target, f"{target.id} is to be a constant number")
        return self.fix(target, target.id, value)

    def block(self, body):
        return [p.at(node.lineno, each) for node in body for each in self.statement(node)]

    def statement(self, node):
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                return []
            case ast.Expr(value=ast.Call()):
                return [ast.Expr(self.visit(node.value))]
            case ast.Return(value=None) | ast.Continue() | ast.Break():
                return [node]
            case ast.Assign() | ast.AnnAssign(value=ast.expr()):
                return self.assigned(getattr(node, "targets", None) or [node.target], node.value)
            case ast.AugAssign():
                return [ast.AugAssign(self.visit(node.target), node.op, self.visit(node.value))]
            case ast.If():
                return [ast.If(self.visit(node.test), self.block(node.body), self.block(node.orelse))]
            case ast.While(orelse=[]):
                return [ast.While(self.visit(node.test), p.guarded(self.block(node.body), ast.Continue), [])]
            case ast.For(target=ast.Name(), iter=ast.Call(args=[*args]), orelse=[]) if (
                ast.unparse(node.iter.func) in self.told["ranges"] and 0 < len(args) < 4
            ):
                own, ends = self.visit_Name(node.target).id, [self.visit(each) for each in args]
                ends = [*([ast.Constant(0)] if len(ends) == 1 else []), *ends, ast.Constant(1)][:3]
                return p.ranged(own, ends, self.block(node.body), self.constants)
        self.refuse(node, "there is nothing like this line here: use =, if, else, while, for over a range, and calls")

    def assigned(self, targets, value):
        target, text = targets[0], ast.unparse(getattr(value, "func", value))
        if len(targets) > 1:
            return [each for one in reversed(targets) for each in self.assigned([one], value)]
        if isinstance(target, ast.Tuple):
            pairs = list(enumerate(target.elts))
            if not isinstance(value, (ast.Tuple, ast.Attribute)) or len(getattr(value, "elts", pairs)) != len(pairs):
                self.refuse(target, "several names are set to as many values, or to the shape of an array")
            sides = [p.at(target.lineno, ast.Subscript(value, ast.Constant(i), ast.Load())) for i, _ in pairs]
            parts = getattr(value, "elts", sides)
            return [each for i, one in pairs for each in self.assigned([one], parts[i])]
        if isinstance(target, ast.Name) and text in self.told["arrays"]:
            return self.array(target, value, self.told["arrays"][text])
        if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and self.sets[target.id] == 1:
            return self.fixed(target, value)
        made = p.Plain().visit(self.visit(value))
        if isinstance(target, ast.Name) and getattr(made, "id", "") == target.id:
            self.known[target.id] = target.id  # thread = cuda.threadIdx.x
            return []
        return [ast.Assign([self.visit(target)], made)]

    def array(self, target, node, declared):
        given = given_to(node, ("shape", "dtype"))
        sides = getattr(given.get("shape"), "elts", [given.get("shape", ast.Constant(0))])
        kind = self.told["types"].get(ast.unparse(given["dtype"]).rpartition(".")[2] if "dtype" in given else "")
        if kind is None:
            self.refuse(node, f"the machine has numbers of 32 bits only: {', '.join(self.told['types'])}")
        self.declare(node, target.id, declared, map(self.visit, sides), kind)
        return []

    def size(self, array, axis):
        """How many places an array has, or along one of its sides."""
        own = f"{self.known.get(array, array)}_{ {None: 'size', 0: 'rows', 1: 'cols', -1: 'cols'}[axis] }"
        self.sizes.append((own, self.known.get(array, array), axis))
        return p.name(own)

    def visit_Name(self, node):
        if node.id not in self.known:
            if isinstance(node.ctx, ast.Load) and node.id not in self.sets:
                self.refuse(node, f"{node.id[:40]} is not known here")
            self.known[node.id] = self.names.fresh(node.id)
        return ast.copy_location(p.name(self.known[node.id]), node)

    def visit_Constant(self, node):
        if type(node.value) not in (bool, int, float):
            self.refuse(node, "values are whole numbers and reals")
        return p.at(node.lineno, ast.Constant(node.value + 0))  # True is 1

    def visit_Attribute(self, node):
        text = ast.unparse(node)
        if isinstance(node.value, ast.Name) and node.attr == "size":
            return self.size(node.value.id, None)
        if text not in self.told["values"]:
            self.refuse(node, f"{text} is not read; there are {', '.join(self.told['values'])}")
        return self.given(self.told["values"][text])

    def visit_Subscript(self, node):
        match node:
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id=array), attr="shape"), slice=side):
                axis = constant(side, {})
                if axis not in (0, 1, -1):
                    self.refuse(node, "an array has one or two sides: shape[0], shape[1]")
                return self.size(array, axis)
            case ast.Subscript(value=ast.Subscript(slice=first) as inner):
                both = ast.Tuple([self.visit(first), self.visit(node.slice)], ast.Load())
                return ast.Subscript(self.visit(inner.value), both, node.ctx)
        return self.generic_visit(node)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        if constant(node.left, {}) == 2:
            return p.filled("1 << x", (node.right,))
        if constant(node.right, {}) != 2 or not isinstance(node.left, ast.Name):
            self.refuse(node, "of powers there are 2 ** k and the square of a variable: write products")
        return p.filled("x * x", (node.left,))

    def visit_Call(self, node):
        text = ast.unparse(node.func)
        made = self.function(node, text, node.args, self.told["functions"], node.keywords)
        if "mask" in made and ast.unparse(node.args[0]) not in ("4294967295", "-1", "0xffffffff"):
            self.refuse(node, f"{text} names all 32 lanes here: 0xffffffff")
        args = [self.visit(each) for each in (node.args[1:] if "mask" in made else node.args)]
        return p.filled(made.removeprefix("mask "), args)
