"""C places: what points, the places of arrays that it points to, and several numbers side by side.

A pointer is an array, and a place in it where it moves: `a[row * cols + col]` becomes a[row, col] where the array has
cols columns, else a.flat[...]. A float4 v is four variables, v_x to v_w, which one load sets and one store takes.
"""

import ast
from dataclasses import dataclass, replace

from pycparser import c_ast

from accelerator_course.ladder.readers import pasted as p
from accelerator_course.ladder.readers.c_values import SEVERAL, SIGNS, Values
from accelerator_lib.kernels.cuda import names
from accelerator_lib.kernels.language import constant

MAKE = {"make_row", *(f"make_{each}" for each in SEVERAL)}
NO_POINTER = "this is no array, nor a place in one: a pointer is an array with a whole number added"


@dataclass(frozen=True)
class Pointer:
    """A place of an array by its indices, without any its first, and how many numbers from there on are meant."""

    array: str
    at: tuple = ()
    many: int = 1


class Places(Values):
    def pointer(self, node):
        """The Pointer that an expression is."""
        match node:
            case c_ast.ID() if self.own(node) in self.pointers:
                return self.pointers[self.own(node)]
            case c_ast.BinaryOp(op="+" | "-" as sign):
                return self.moved(self.pointer(node.left), SIGNS[sign], self.value(node.right), node)
            case c_ast.UnaryOp(op="&"):
                return self.target(node.expr)
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl(type=to))):
                (kind, many), start = self.type(to), self.pointer(node.expr)
                if kind != self.scope.places[start.array].kind:
                    self.refuse(node, f"{kind}{many} are other numbers than those of this array")
                return replace(start, many=many)
        self.refuse(node, NO_POINTER)

    def target(self, node):
        """The Pointer to what may be set."""
        match node:
            case c_ast.ID() if self.own(node) in self.scope.places:
                return Pointer(self.own(node))
            case c_ast.ArrayRef():
                parts = []
                while isinstance(node, c_ast.ArrayRef):
                    parts, node = [self.value(node.subscript), *parts], node.name
                start = self.moved(self.pointer(node), ast.Add, parts[0], node)
                return replace(start, at=(self.linear(start, node), *parts[1:])) if parts[1:] else start
            case c_ast.UnaryOp(op="*"):
                return self.pointer(node.expr)
            case c_ast.Cast(expr=c_ast.ArrayRef(name=start, subscript=by)):  # that of C++ binds closer
                return self.target(c_ast.ArrayRef(c_ast.Cast(node.to_type, start, node.coord), by, node.coord))
        self.refuse(node, NO_POINTER)

    def linear(self, pointer, node):
        """The place of a pointer in the line of an array's numbers."""
        if len(pointer.at) > 1:
            self.refuse(node, NO_POINTER)
        return pointer.at[0] if pointer.at else ast.Constant(0)

    def moved(self, pointer, op, by, node):
        """A pointer so many of its own steps further on."""
        steps = getattr(by, "value", None)
        if type(steps) is int and steps == 0:
            return pointer
        if type(steps) is int:
            by = ast.Constant(pointer.many * steps)
        elif pointer.many > 1:
            by = ast.BinOp(ast.Constant(pointer.many), ast.Mult(), by)
        start = self.linear(pointer, node)
        return replace(pointer, at=(ast.BinOp(start, op(), by) if pointer.at or op is ast.Sub else by,))

    def place(self, pointer, node):
        """A place of an array by its indices, or by one in its line of numbers."""
        array, parts = pointer.array, pointer.at or (ast.Constant(0),)
        shape, space = self.scope.places[array].shape, self.scope.places[array].space
        if self.inner.get(array) and len(parts) == 3:
            parts = p.filled("x * y + z", (parts[0], self.inner[array], parts[1])), parts[2]
        if self.real(*parts):
            self.refuse(node, "an array is indexed by whole numbers")
        if len(parts) == 1:
            across = {own for own, base, _ in self.sizes if base == array}
            fixed = {**self.scope.scalars, **self.constants}
            across |= {own for own, worth in fixed.items() if len(shape) == 2 and worth == shape[1]}
            two = len(shape) == 2 or bool(across)
            return p.pointed(array, parts[0], two, across if space == "global" else ())
        if len(parts) != len(shape):
            self.refuse(node, f"this array takes {max(1, len(shape))} of [], not {len(parts)}")
        return ast.Subscript(p.name(array), ast.Tuple(list(parts), ast.Load()), ast.Load())

    def row(self, node):
        """Several numbers side by side: a list of them, or a Pointer to the first; or else None."""
        match node:
            case c_ast.ID() if isinstance(self.own(node), tuple):
                return [p.name(each) for each in self.own(node)]
            case c_ast.InitList(exprs=parts):
                return self.values(parts)
            case c_ast.FuncCall(name=c_ast.ID(name=word), args=c_ast.ExprList(exprs=parts)) if word in MAKE:
                return self.values(parts)
            case (
                c_ast.ArrayRef()
                | c_ast.UnaryOp(op="*")
                | c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl()), expr=c_ast.ArrayRef())
            ):
                pointer = self.target(node)
                return pointer if pointer.many > 1 else None

    def taken(self, row, value, node):
        """Statements that set variables to several numbers."""
        many = len(row)
        if isinstance(value, Pointer) and value.many == many:
            load = p.call(f"load{many}", self.place(value, node))
            return [ast.Assign([ast.Tuple([p.name(each) for each in row], ast.Store())], load)]
        if not isinstance(value, list) or len(value) != many:
            self.refuse(node, f"here {many} numbers are read from one place, or listed by make_float{many}()")
        if any(names(each) & set(row[:at]) for at, each in enumerate(value)):
            self.refuse(node, "this needs what it sets: use another variable")
        values = [self.converted(each, self.scope.variables[own]) for own, each in zip(row, value, strict=True)]
        return [ast.Assign([p.name(own)], each) for own, each in zip(row, values, strict=True)]

    def put(self, pointer, value, node):
        """Statements that store several numbers."""
        place, many, first = self.place(pointer, node), pointer.many, []
        kind = self.kind(place)
        if isinstance(value, Pointer):
            row = [self.variable(f"row_{axis}", kind) for axis in "xyzw"[:many]]
            first, value = self.taken(row, value, node), [p.name(each) for each in row]
        if not value or len(value) != many:
            self.refuse(node, f"{many} numbers are stored here: list them by make_float{many}()")
        stored = [self.converted(each, kind, False) for each in value]
        return [*first, ast.Expr(p.call(f"store{many}", place, *stored))]

    def copied(self, given, node):
        """A call of __pipeline_memcpy_async."""
        size, zeros = self.fixed(given[2]), given[3:]
        if size not in (4, 8, 16):
            self.refuse(node, "4, 8 or 16 bytes are copied at a time")
        match zeros:
            case [c_ast.TernaryOp(cond=inside, iftrue=c_ast.Constant(value="0"), iffalse=rest)] if (
                self.fixed(rest) == size
            ):
                zeros = [self.value(inside)]
            case [none] if self.fixed(none) == 0:
                zeros = []
            case [_]:
                self.refuse(node, f"all of it or none is zeros: inside ? 0 : {size}")
        return p.call("copy_async", *map(self.begins, given[:2]), ast.Constant(size // 4), *zeros)

    def fixed(self, node):
        """What a constant expression is worth; None for others."""
        return constant(p.Plain().visit(self.value(node)), self.constants)

    def begins(self, node):
        """The place that a pointer points to, whatever it is cast to."""
        while isinstance(node, c_ast.Cast):
            node = node.expr
        return self.place(self.pointer(node), node)
