"""C expressions: those of a kernel, printed as C with no more brackets than it needs.

0 <= i < n           ->   0 <= i && i < n              a / b  of whole numbers  ->  (float)a / b
x // 4 where x >= 0  ->   x / 4                        else  ->  floor_div(x, 4)
"""

import ast

import numpy as np

from accelerator_lib.kernels.language import GIVEN
from accelerator_lib.kernels.scope import kind_of
from accelerator_lib.kernels.together import together

TAKEN = """auto break case char const continue default do double else enum extern for goto if inline int long register
    return short signed sizeof static struct switch typedef union unsigned void volatile while bool class delete new
    this template throw try catch namespace using public private protected operator true false asm xor or and not
    main threadIdx blockIdx blockDim gridDim"""
KEYWORDS = frozenset(TAKEN.split())
SIGN = {
    ast.Add: ("+", 11), ast.Sub: ("-", 11), ast.Mult: ("*", 12), ast.Div: ("/", 12), ast.FloorDiv: ("/", 12),
    ast.Mod: ("%", 12), ast.LShift: ("<<", 10), ast.RShift: (">>", 10), ast.BitAnd: ("&", 7), ast.BitXor: ("^", 6),
    ast.BitOr: ("|", 5), ast.Lt: ("<", 9), ast.LtE: ("<=", 9), ast.Gt: (">", 9), ast.GtE: (">=", 9), ast.Eq: ("==", 8),
    ast.NotEq: ("!=", 8),
}  # fmt: skip
ATOM, UNARY, ALL, ANY, CHOICE = 14, 13, 4, 3, 2
SHUFFLE = {
    "shuffle": "__shfl_sync", "shuffle_down": "__shfl_down_sync", "shuffle_up": "__shfl_up_sync",
    "shuffle_xor": "__shfl_xor_sync",
}  # fmt: skip
ALL_LANES, HERE = "0xffffffffu", "__activemask()"  # of a warp: each of the 32; those that are here at the time
REAL = {"min": "fminf", "max": "fmaxf", "abs": "fabsf", "sqrt": "sqrtf", "exp": "expf"}
KEEPS = (ast.Add, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.LShift, ast.RShift)  # of two >= 0


def free(name):
    """A name that C has no other use for."""
    return f"{name}_" if name in KEYWORDS else name


def literal(value):
    """A number as C writes it."""
    if type(value) is not float:
        return str(value)
    plain = value == 0 or 1e-4 <= abs(value) < 1e8  # NumPy's own choice changes from version to version
    if plain:
        return np.format_float_positional(np.float32(value), trim="0") + "f"
    return np.format_float_scientific(np.float32(value), trim="-", exp_digits=2) + "f"


def names(node):
    """The names that a piece of a kernel mentions."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


class Expressions:
    """Prints the expressions of one kernel; `negative` holds the variables that may be below zero."""

    def __init__(self, scope, negative):
        self.scope, self.negative, self.together = scope, negative, together(scope.body)

    def text(self, node, least=0):
        """An expression as text, in brackets where its operator binds less than `least`."""
        words, binds = getattr(self, f"_{type(node).__name__.lower()}")(node)
        return words if binds >= least else f"({words})"

    def never_below(self, node):
        """Whether a whole number is known not to be negative."""
        if isinstance(node, ast.Constant):
            return node.value >= 0
        if isinstance(node, ast.Name):
            known = {**self.scope.constants, **self.scope.scalars}.get(node.id)
            return node.id in GIVEN or (known >= 0 if known is not None else node.id not in self.negative)
        if isinstance(node, ast.BinOp) and isinstance(node.op, KEEPS):
            return self.never_below(node.left) and self.never_below(node.right)
        if isinstance(node, ast.IfExp):
            return self.never_below(node.body) and self.never_below(node.orelse)
        return isinstance(node, (ast.Compare, ast.BoolOp))

    def _constant(self, node):
        return literal(node.value), ATOM

    def _name(self, node):
        return free(node.id), ATOM

    def _binop(self, node):
        sign, binds = SIGN[type(node.op)]
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and not (
            self.never_below(node.left) and self.never_below(node.right)
        ):
            function = "floor_div" if isinstance(node.op, ast.FloorDiv) else "floor_mod"
            return f"{function}({self.text(node.left)}, {self.text(node.right)})", ATOM
        left, right = self.text(node.left, binds), self.text(node.right, binds + 1)
        if isinstance(node.op, ast.Div) and "float" not in (
            kind_of(node.left, self.scope),
            kind_of(node.right, self.scope),
        ):
            left = f"(float){self.text(node.left, UNARY)}"
        return f"{left} {sign} {right}", binds

    def _unaryop(self, node):
        sign = {ast.USub: "-", ast.UAdd: "+", ast.Not: "!"}[type(node.op)]
        return f"{sign}{self.text(node.operand, ATOM)}", UNARY

    def _compare(self, node):
        sides, found = [node.left, *node.comparators], []
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            sign, binds = SIGN[type(op)]
            found.append(f"{self.text(left, binds + 1)} {sign} {self.text(right, binds + 1)}")
        return " && ".join(found), ALL if len(found) > 1 else binds

    def _boolop(self, node):
        sign, binds = ("&&", ALL) if isinstance(node.op, ast.And) else ("||", ANY)
        return f" {sign} ".join(self.text(part, ALL + 1) for part in node.values), binds

    def _ifexp(self, node):
        test, yes, no = (self.text(part, CHOICE + 1) for part in (node.test, node.body, node.orelse))
        return f"{test} ? {yes} : {no}", CHOICE

    def _subscript(self, node):
        return self.place(node.value.id, node.slice), ATOM

    def place(self, name, index):
        """A place of an array."""
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        if self.scope.places[name].space != "global":
            return free(name) + "".join(f"[{self.text(part)}]" for part in parts)
        if len(parts) == 1:
            return f"{free(name)}[{self.text(parts[0])}]"
        return f"{free(name)}[{self.text(parts[0], 12)} * {name}_cols + {self.text(parts[1], 11)}]"

    def _call(self, node):
        name, args = node.func.id, node.args
        if name in SHUFFLE:
            value, by = (self.text(arg) for arg in args)
            return f"{SHUFFLE[name]}({ALL_LANES if id(node) in self.together else HERE}, {value}, {by})", ATOM
        if name == "atomic_add":
            return f"atomicAdd(&{self.place(args[0].id, args[1])}, {self.text(args[2])})", ATOM
        if name in ("float", "int"):
            return f"({name}){self.text(args[0], UNARY)}", UNARY
        function = REAL[name] if kind_of(node, self.scope) == "float" else name
        found = f"{function}({', '.join(self.text(arg) for arg in args[:2])})"
        for arg in args[2:]:
            found = f"{function}({found}, {self.text(arg)})"
        return found, ATOM
