"""C values: the names, the types and the expressions of a kernel in CUDA C, in this notation."""

import ast
import re

from pycparser import c_ast

from accelerator_course.ladder.readers import pasted as p
from accelerator_lib.kernels.language import constant
from accelerator_lib.kernels.scope import Scope, kind_of

SIGNS = {sign: getattr(ast, word) for sign, word in p.WORDS["cuda"]["signs"].items()}
SEVERAL = {f"{kind}{many}": (kind, many) for kind in ("float", "int") for many in (2, 4)}  # numbers side by side
NUMBERS = {"float", "int", "unsigned", "long", "signed", *SEVERAL}
WHOLE = r"(0[xX][\da-fA-F]{1,8}|[1-9]\d{0,9}|0)[uUlL]*"


class Values(p.Reader):
    """Reads expressions, those that point by Places (c_places.py); `masks`: the names of all lanes of a warp."""

    def __init__(self, *given):
        super().__init__(*given)
        self.masks, self.unsigned = set(), set()
        self.known |= {word: self.given(own).id for word, own in self.told["values"].items()}
        self.pointers, self.inner = {}, {}  # by name; the second side of arrays of three, which have two here
        self.used = set()  # rows of variables that are not only loaded and taken apart, each once
        self.scope = Scope({}, {}, self.constants, {}, frozenset(), ())

    def line(self, node):
        return node.coord.line if getattr(node, "coord", None) else 1

    def type(self, node, most=4):
        """(kind, how many) of the numbers of a type such as float or float4, `most` at a time."""
        words = getattr(getattr(node, "type", None), "names", ())
        kind, many = SEVERAL.get("".join(words), ("float" if "float" in words else "int", 1))
        if not words or not NUMBERS.issuperset(words) or many > most:
            self.refuse(node, "a number is a float, an int or an unsigned, and a pointer points to such")
        return kind, many

    def own(self, node):
        """What this notation calls a name."""
        if node.name not in self.known:
            self.refuse(node, f"{node.name[:40]} is not declared")
        return self.known[node.name]

    def kind(self, node):
        return kind_of(node, self.scope)

    def real(self, *nodes):
        return "float" in map(self.kind, nodes)

    def value(self, node):
        """An expression."""
        return p.at(self.line(node), self.expression(node))

    def values(self, nodes):
        return [self.value(each) for each in nodes]

    def expression(self, node):
        match node:
            case c_ast.Constant(type=kind, value=text) if "float" in kind or "double" in kind:
                return ast.Constant(float(text.rstrip("fFlL")))
            case c_ast.Constant(value=text) if re.fullmatch(WHOLE, text):
                return ast.Constant(int(text.rstrip("uUlL"), 0))
            case c_ast.ID() if isinstance(self.own(node), tuple):
                self.refuse(node, f"{node.name} holds several numbers: say which, such as {node.name}.x")
            case c_ast.ID() if self.own(node) in self.pointers:
                self.refuse(node, f"{node.name} points: say which of its places, {node.name}[i]")
            case c_ast.ID() if self.own(node) not in self.scope.places:
                return p.name(self.own(node))
            case c_ast.StructRef(name=c_ast.ID(name=word), field=c_ast.ID(name=axis)) if f"{word}.{axis}" in self.known:
                return p.name(self.known[f"{word}.{axis}"])
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.UnaryOp(op="*"):
                pointer = self.target(node)
                if pointer.many > 1:
                    word = getattr(node.name if isinstance(node, c_ast.ArrayRef) else node.expr, "name", "this")
                    self.refuse(node, f"{word} points to several numbers: take or set all of {word}[i]")
                return self.place(pointer, node)
            case c_ast.UnaryOp(op="!"):
                return p.negated(self.value(node.expr))
            case c_ast.UnaryOp(op="+" | "-" | "~" as sign):
                return p.filled({"+": "x", "-": "-x", "~": "x ^ -1"}[sign], [self.value(node.expr)])
            case c_ast.BinaryOp(op=sign):
                return self.joined(self.value(node.left), SIGNS[sign], self.value(node.right), node)
            case c_ast.TernaryOp():
                return ast.IfExp(*self.values((node.cond, node.iftrue, node.iffalse)))
            case c_ast.Cast():
                return self.converted(self.value(node.expr), self.type(node.to_type.type, 1)[0])
            case c_ast.FuncCall(name=c_ast.ID(name=word)):
                return self.called(word, list(node.args.exprs) if node.args else [], node)
        self.refuse(node, "there is nothing like this here; ++, -- and = stand in lines of their own")

    def converted(self, node, kind, all_kinds=True):
        """What a place of a kind holds; a place of an array makes reals of whole numbers by itself."""
        if kind == self.kind(node) or (kind == "float" and not all_kinds):
            return node
        worth = constant(node, {}) if kind == "float" else None
        return p.call(kind, node) if worth is None else ast.Constant(float(worth))

    def joined(self, left, op, right, node):
        """Two values joined; of whole numbers the quotient is one."""
        if issubclass(op, ast.boolop):
            before = left.values if isinstance(left, ast.BoolOp) and isinstance(left.op, op) else [left]
            return ast.BoolOp(op(), [*before, right])
        if issubclass(op, ast.cmpop):
            return ast.Compare(left, [op()], [right])
        real = self.real(left, right)
        if real and op not in (ast.Add, ast.Sub, ast.Mult, ast.Div):
            self.refuse(node, "of reals there are + - * / and comparisons; this operator is for whole numbers")
        made = ast.BinOp(left, op() if real or op is not ast.Div else ast.FloorDiv(), right)
        made.towards_zero = not real and op in (ast.Div, ast.Mod)
        return p.at(self.line(node), made)

    def called(self, word, given, node):
        functions, shuffles = self.told["functions"], self.told["shuffles"]
        if word == "atomicAdd" and len(given) == 2:
            place = self.value(c_ast.UnaryOp("*", given[0], node.coord))
            return p.call("atomic_add", place.value, place.slice, self.value(given[1]))
        if word in shuffles and len(given) in (3, 4):
            if not self.full(given[0]) or (given[3:] and ast.unparse(self.value(given[3])) != "32"):
                self.refuse(node, f"{word} names all 32 lanes here, 0xffffffff, and goes through all of them")
            return p.call(shuffles[word], *self.values(given[1:3]))
        if word == "__pipeline_memcpy_async" and len(given) in (3, 4):
            return self.copied(given, node)
        made, args = self.function(node, word, given, [*functions, *shuffles, "atomicAdd"]), self.values(given)
        if word in ("fminf", "fmaxf") and not self.real(*args):
            args[0] = self.converted(args[0], "float")
        return p.filled(made, args)

    def full(self, mask):
        """Whether a mask names all lanes of a warp."""
        if isinstance(mask, c_ast.ID):
            return mask.name in self.masks
        if isinstance(mask, c_ast.FuncCall):
            return getattr(mask.name, "name", "") == "__activemask"
        return ast.unparse(self.value(mask)) in ("4294967295", "-1", "0 ^ -1")
