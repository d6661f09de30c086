"""From Triton: a kernel of tiles, in this notation: a program is a block of at most 128 threads, as with four warps.

Thread t has places t, t + 128, ... of a tile, in the order of its numbers. What is loaded or worked out stays in its
registers; numbers of places are worked out where they are used. A sum goes through shuffles and shared memory, a
product of tiles through shared memory. Left out: tensor cores, wide loads, pipelines, layouts of other orders.
"""

import ast
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from textwrap import indent

import numpy as np

from accelerator_course.ladder.readers.from_numba import Kernel, called, given_to
from accelerator_course.ladder.readers.pasted import at, pointed
from accelerator_lib.kernels.language import constant

MOST_THREADS, WARP = 128, 32
_inner = partial(indent, prefix="    ")  # statements within another one
JOINS = {ast.BitAnd: ast.And, ast.BitOr: ast.Or}


class Index(list):
    """A place of a tile, as text for each side; `own`: in which of a thread's registers it is, where that is known."""

    own = ""


@dataclass(frozen=True)
class Tile:
    """A value at each place of a shape, as the text `at(index)`; `array`: these are places of it; `kept`: it goes to
    registers once it has a name; `held`: it is there."""

    shape: tuple
    at: object
    kind: str = "int"
    array: str = ""
    kept: bool = False
    held: bool = False


def read(source, arguments=None):
    """Pasted of a Triton kernel, for arguments by name or for none in particular. Raises Fault."""
    return _Program("triton", source, arguments, source).read()


def _scalar(text, kind="int"):
    return Tile((), lambda index: text, kind)


def _under(index, own, shape):
    """The place of a tile of its own shape that belongs to a place of a larger one."""
    sides = zip(index[len(shape) - len(own) :], own, strict=True)
    return index if own == shape else Index(["0" if side == 1 else each for each, side in sides])


def _at(line, text):
    """Statements of a text, at a line."""
    made = ast.parse(text).body
    for each in (node for one in made for node in ast.walk(one) if isinstance(node, (ast.expr, ast.stmt))):
        each.lineno = line
    return made


def _form(node, parts):
    """An operator as it is written, with {0}, {1} ... for its parts."""
    fields, holes = dict(ast.iter_fields(node)), {part: ast.Name(f"{{{i}}}") for i, part in enumerate(parts)}
    for name, value in fields.items():
        several = isinstance(value, list)
        fields[name] = [holes.get(each, each) for each in value] if several else holes.get(value, value)
    return ast.unparse(type(node)(**fields))


class _Program(Kernel):
    tiles, kinds, pointers = {}, {}, {}  # those of a text come with its parameters

    def parameters(self, nodes):
        given, self.tiles, self.kinds, self.before = self.kernel.args, {}, {}, ""
        self.counter, self.step = map(self.names.fresh, ("e", "step"))
        self.turns = Counter(ast.unparse(n.value) for n in nodes if isinstance(n, ast.Subscript))
        self.reads = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        values = dict(zip([each.arg for each in given.args[::-1]], given.defaults[::-1], strict=False))
        for each in [one for one in given.args if one.annotation and one.arg not in self.known]:
            if each.arg not in values:
                self.refuse(each, f"{each.arg} is to be a number: write {each.arg} = 128 above the kernel")
            self.fixed(ast.Name(each.arg, lineno=each.lineno), values[each.arg])
        sides = sorted([self.side(n.args[-1]) for n in nodes if called(n, "tl.arange") and n.args]) or [1]
        two = any(isinstance(n, ast.Constant) and n.value is None for n in nodes)
        self.threads = min(MOST_THREADS, sides[-1] * (sides[-2:][0] if two else 1))
        for word in ("THREADS",) if "block" in self.flat else ("THREADS_X", "THREADS_Y"):
            self.declared(f"{word} = {1 if word[-1] == 'Y' else self.threads}")
        assigned = [n for n in nodes if isinstance(n, ast.Assign)]
        first = {getattr(each.targets[0], "id", ""): each.value for each in reversed(assigned)}
        reached = [n.args[0] for n in nodes if called(n, "tl.load", "tl.store", "tl.atomic_add") and n.args]
        pointers = set()
        for node in reached:  # what an expression of places begins with, through variables
            while isinstance(node, ast.BinOp) or getattr(node, "id", "") in first:
                node = node.left if isinstance(node, ast.BinOp) else first.pop(node.id)
                reached += [node] if isinstance(node, ast.BinOp) else []
            pointers.add(getattr(node, "id", ""))
        asked, values = [each.arg for each in given.args if not each.annotation], self.arguments or {}
        made = self.bound(asked, pointers)
        for word, own in zip(asked, made, strict=True):
            worth = values.get(own, 0.0 if word in pointers else 1)
            self.kinds[own] = "float" if np.asarray(worth).dtype.kind == "f" else "int"
            self.pointers = self.pointers | ({own: getattr(worth, "shape", ())} if word in pointers else {})
        self.numbers = {word: worth for word, worth in values.items() if not isinstance(worth, np.ndarray)}
        return made

    def declared(self, text):
        self.head.append((self.kernel.lineno, text))

    def side(self, node):
        known = all(n.id in self.known for n in ast.walk(node) if isinstance(n, ast.Name))
        worth = constant(self.visit(node), self.constants) if known else None
        if type(worth) is not int or worth < 1 or worth & (worth - 1):
            self.refuse(node, "a side of a tile is a constant power of two")
        return worth

    def statement(self, node):
        match node:
            case ast.Expr(value=ast.Call()) if called(node.value, "tl.store", "tl.atomic_add"):
                made = self.stored(node.value)
            case ast.Assign(targets=[ast.Name() as target]):
                made = self.kept(target, self.tile(node.value))
            case ast.AugAssign(target=ast.Name() as target):
                value = ast.BinOp(ast.Name(target.id, ast.Load()), node.op, node.value)
                made = self.kept(target, self.tile(at(node.lineno, value)))
            case _:
                made = super().statement(node)
        before, self.before = self.before, ""
        made = _at(node.lineno, made) if isinstance(made, str) else made
        return [*_at(node.lineno, before), *made]

    def visit(self, node):
        """An expression of numbers that are the same for the whole program."""
        tile = self.tile(node)
        if tile.shape or tile.array:
            self.refuse(node, "one number is needed here, not a tile or a pointer")
        return _at(node.lineno, tile.at(Index()))[0].value

    def kept(self, target, tile):
        """Give a value a name: numbers of places have no line of their own, unless they are set again."""
        word, again = target.id, self.sets[target.id] > 1
        if not tile.shape and not tile.array:
            own = self.visit_Name(target).id
            self.kinds[own] = "float" if "float" in (tile.kind, self.kinds.get(own)) else tile.kind
            return f"{own} = {tile.at(Index())}"
        turned = self.turns[word] == self.reads[word]  # asked for in another shape alone: it is loaded so
        if not again and ((not tile.kept and tile.kind == "int") or turned):
            self.tiles[word] = tile
            return ""
        if word not in self.tiles or not again:
            self.tiles[word] = self.registers(word, tile)
        held = self.tiles[word]
        if (held.shape, held.array) != (tile.shape, tile.array):
            self.refuse(target, f"{word} keeps its shape {held.shape} and what it points to")
        return self.each(tile.shape, lambda index: f"{held.at(index)} = {tile.at(index)}\n")

    def registers(self, word, tile):
        """A Tile of a thread's own numbers."""
        own, many = self.names.fresh(word), max(1, prod(tile.shape) // self.threads)
        if many > 1:
            self.declared(f"{own} = zeros({many}{', int' if tile.kind == 'int' else ''})")

        def place(index):
            if not index.own and tile.shape:
                self.refuse(self.kernel, f"{word} is asked for in another shape: write {word}[None, :] for it")
            return f"{own}[{index.own}]" if many > 1 else own

        return replace(tile, at=place, kept=True, held=True)

    def each(self, shape, make):
        """Statements for each place of a shape, `make(index)` for those of a thread."""
        size, e, threads = prod(shape), self.counter, self.threads
        many = size // threads
        index = Index([f"({e} * {threads} + thread)" if many > 1 else "thread"] if shape else [])
        if len(shape) == 2 and shape[1] >= threads:
            across = shape[1] // threads
            column = f"({e} % {across} * {threads} + thread)" if across > 1 else "thread"
            index = Index([f"({e} // {across})" if many > 1 else "0", column])
        elif len(shape) == 2:
            before = f"{e} * {threads // shape[1]} + " if many > 1 else ""
            index = Index([f"({before}thread // {shape[1]})", f"(thread % {shape[1]})"])
        index.own = e if many > 1 else "0"
        if size == threads:
            return make(index)
        return (f"for {e} in range({many}):\n" if many > 1 else f"if thread < {size}:\n") + _inner(make(index))

    def stored(self, node):
        """tl.store or tl.atomic_add."""
        given = self.given_to(node, ("pointer", "value", "mask"))
        parts = [self.tile(given[word]) for word in ("pointer", "value", "mask") if word in given]
        shape = self.shape(node, parts)
        if not parts[0].array:
            self.refuse(node, "tl.store goes to a pointer with numbers of places added to it")

        def make(index):
            place, value, *mask = self.worth(index, parts, shape)
            made = f"{place} = {value}\n"
            if called(node, "tl.atomic_add"):
                to = ast.parse(place, mode="eval").body
                made = f"atomic_add({ast.unparse(to.value)}, {ast.unparse(to.slice)}, {value})\n"
            return f"if {mask[0]}:\n{indent(made, '    ')}" if mask else made

        return self.each(shape, make)

    def given_to(self, node, words):
        """{word: argument} of a call; all words that are no option must be there."""
        found = given_to(node, words)
        if missing := [word for word in words if word not in found and word not in ("mask", "other", "axis")]:
            self.refuse(node, f"{ast.unparse(node.func)} lacks its {missing[0]}")
        return found

    def worth(self, index, tiles, shape):
        """What tiles are worth at a place of a larger shape; the first, where it points, as a place of its array."""
        found = [tile.at(_under(index, tile.shape, shape)) for tile in tiles]
        if array := tiles[0].array:
            two = self.pointers[array][1:]
            across = {word for word, worth in self.numbers.items() if worth in two}
            place = pointed(array, ast.parse(found[0], mode="eval").body, bool(two), across)
            found[0] = ast.unparse(place)
        return found

    def shape(self, node, tiles):
        """The shape that tiles fill together."""
        try:
            return np.broadcast_shapes(*(tile.shape for tile in tiles))
        except ValueError:
            self.refuse(node, f"tiles of {' and '.join(str(tile.shape) for tile in tiles)} do not fit together")

    def joined(self, node, form, *tiles, kind=""):
        """A Tile of values at each place, put into a form of {0}, {1} ..."""
        shape = self.shape(node, tiles)
        parts = [replace(tile, array="") for tile in tiles]
        kind = kind or ("float" if any(tile.kind == "float" for tile in tiles) else "int")
        array = next((tile.array for tile in tiles if tile.array), "")
        kept = any(tile.kept for tile in tiles)
        return Tile(shape, lambda i: f"({form.format(*self.worth(i, parts, shape))})", kind, array, kept)

    def tile(self, node):
        """An expression."""
        match node:
            case ast.Name(id=word) if word in self.tiles:
                return self.tiles[word]
            case ast.Name():
                own = self.visit_Name(node).id
                if own in self.pointers:
                    return replace(_scalar("0"), array=own)
                return _scalar(own, "float" if type(self.constants.get(own)) is float else self.kinds.get(own, "int"))
            case ast.Constant():
                text = ast.unparse(self.visit_Constant(node))
                return _scalar(text, "float" if type(node.value) is float else "int")
            case ast.BinOp() | ast.Compare(ops=[_]) | ast.BoolOp() | ast.UnaryOp() | ast.IfExp():
                return self.operated(node)
            case ast.Subscript(value=value, slice=ast.Tuple(elts=[ast.Slice() | ast.Constant() as first, _])):
                return self.turned(node, self.tile(value), 0 if isinstance(first, ast.Slice) else 1)
            case ast.Call(func=ast.Attribute(attr="to", value=value), args=[to]):
                made, kind = self.tile(value), ast.unparse(to).removeprefix("tl.").removesuffix("32")
                if kind not in ("float", "int"):
                    self.refuse(node, "a tile goes to tl.float32 or to tl.int32")
                return made if made.kind == kind else self.joined(node, f"{kind}({{}})", made, kind=kind)
            case ast.Call():
                return self.function_called(node, ast.unparse(node.func))
        self.refuse(node, "there is nothing like this here: tiles come of tl.arange, tl.load, tl.zeros and arithmetic")

    def operated(self, node):
        """What an operator gives, whose parts may be tiles; & and | of tests are `and` and `or`."""
        parts = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        tiles, op = [self.tile(each) for each in parts], type(getattr(node, "op", None))
        if isinstance(node, ast.BinOp) and tiles[0].array and not tiles[0].shape and tiles[0].at(Index()) == "0":
            return replace(tiles[1], array=tiles[0].array)
        if op in JOINS and all(isinstance(each, (ast.Compare, ast.BinOp, ast.BoolOp, ast.Name)) for each in parts):
            node = at(node.lineno, ast.BoolOp(JOINS[op](), parts))
        kind = "float" if op is ast.Div else "int" if isinstance(node, ast.Compare) else ""
        return self.joined(node, _form(node, parts), *tiles, kind=kind)

    def turned(self, node, tile, side):
        """[:, None] or [None, :] of a tile of one side, which goes to side 0 or 1."""
        if len(tile.shape) != 1:
            self.refuse(node, "a tile of one side becomes one of two by [:, None] or [None, :]")
        if tile.held:  # a thread has places of its own: the others come through shared memory
            held = self.placed(tile)
            tile = replace(tile, at=lambda index: f"{held}[{index[0]}]", held=False)
        shape = (1, tile.shape[0]) if side else (tile.shape[0], 1)
        return replace(tile, shape=shape, at=lambda index: tile.at(Index([index[side]])))

    def function_called(self, node, text):
        match text, node.args:
            case "tl.program_id" | "tl.num_programs", _:
                axis = constant(self.given_to(node, ("axis",)).get("axis", ast.Constant(2)), {})
                if type(axis) is not int or axis not in (0, 1):
                    self.refuse(node, f"{text} has axis 0 or 1 here")
                return _scalar(self.given(f"{'block' if text == 'tl.program_id' else 'grid_size'}_{'xy'[axis]}").id)
            case "tl.arange", [ast.Constant(value=0), last]:
                return Tile((self.side(last),), lambda index: index[0])
            case "tl.zeros" | "tl.full", [shape, *rest]:
                sides = tuple(self.side(each) for each in getattr(shape, "elts", [shape]))
                value = self.tile(rest[0]).at(Index()) if text == "tl.full" and rest else "0.0"
                return Tile(sides, lambda index: value, "float", kept=True)
            case "tl.load", _:
                return self.loaded(node)
            case "tl.dot", [left, right, *more] if len(more) < 2:
                made = self.dot(node, self.tile(left), self.tile(right))
                return self.joined(node, "{} + {}", self.tile(more[0]), made) if more else made
            case _ if text in self.told["reductions"]:
                return self.reduced(node, text)
        there = [*self.told["reductions"], *self.told["functions"], "tl.load", "tl.store", "tl.dot"]
        made = self.function(node, text, node.args, there)
        real = "exp" in made or "sqrt" in made
        return self.joined(node, made, *map(self.tile, node.args), kind="float" if real else "")

    def loaded(self, node):
        given = self.given_to(node, ("pointer", "mask", "other"))
        parts = [self.tile(given[word]) for word in ("pointer", "mask", "other") if word in given]
        if not parts[0].array:
            self.refuse(node, "tl.load reads from a pointer with numbers of places added to it")
        kind, shape = self.kinds[parts[0].array], self.shape(node, parts)

        def value(index):
            place, *more = self.worth(index, parts, shape)
            other = [*more, "0.0" if kind == "float" else "0"][1:2]
            return f"({place} if {more[0]} else {other[0]})" if more else place

        return Tile(shape, value, kind, kept=True)

    def reduced(self, node, text):
        given, (start, more) = self.given_to(node, ("tile", "axis")), self.told["reductions"][text]
        tile, own, step = self.tile(given["tile"]), self.names.fresh(text[3:]), self.step
        if len(tile.shape) == 2:
            return self.lines(node, tile, own, constant(given.get("axis", ast.Constant(0)), {}), start, more)
        made = f"{own} = {start}\n" + self.each(tile.shape, lambda i: f"{own} = {more.format(own, tile.at(i))}\n")
        if far := min(WARP, self.threads) // 2:
            turn = more.format(own, f"shuffle_xor({own}, {far} >> {step})")
            made += f"for {step} in range({far.bit_length()}):\n    {own} = {turn}\n"
        if (warps := self.threads // WARP) > 1:
            part = self.shared("part", (warps,))
            made += f"if lane == 0:\n    {part}[warp] = {own}\nbarrier()\n{own} = {part}[0]\n"
            made += f"for {step} in range(1, {warps}):\n    {own} = {more.format(own, f'{part}[{step}]')}\nbarrier()\n"
        self.before += made
        return _scalar(own, tile.kind)

    def shared(self, word, shape):
        own = self.names.fresh(word)
        self.declared(f"{own} = shared({', '.join(map(str, shape))})")
        return own

    def placed(self, tile, spare=0):
        """A tile in shared memory, as its name: written when all have read, read when all have written."""
        own = self.shared("tile", (*tile.shape[:-1], tile.shape[-1] + spare))
        put = self.each(tile.shape, lambda index: f"{own}[{', '.join(index)}] = {tile.at(index)}\n")
        self.before += f"barrier()\n{put}barrier()\n"
        return own

    def lines(self, node, tile, own, axis, start, more):
        """A reduction along one side of two: each thread goes along a line of the tile in shared memory."""
        if type(axis) is not int or axis not in (0, 1) or tile.shape[1 - axis] > self.threads:
            self.refuse(node, f"a tile is reduced along axis 0 or 1, to {self.threads} numbers at most")
        many, long = tile.shape[1 - axis], tile.shape[axis]
        held, result = self.placed(tile, 1), self.shared("result", (many,))
        value = f"{held}[thread, {self.step}]" if axis else f"{held}[{self.step}, thread]"
        made = f"{own} = {start}\nfor {self.step} in range({long}):\n    {own} = {more.format(own, value)}\n"
        made += f"{result}[thread] = {own}\n"
        self.before += (
            made if many == self.threads else f"if thread < {many}:\n{indent(made, '    ')}"
        ) + "barrier()\n"
        return Tile((many,), lambda index: f"{result}[{index[0]}]", tile.kind, kept=True)

    def dot(self, node, left, right):
        if len(left.shape) != 2 or len(right.shape) != 2 or left.shape[1] != right.shape[0]:
            self.refuse(node, "tl.dot multiplies a tile of (m, k) by one of (k, n)")
        a, b, step = self.placed(left), self.placed(right), self.step
        tile = self.registers("dot", Tile((left.shape[0], right.shape[1]), None, "float"))

        def make(index):
            own = tile.at(index)
            turn = f"{own} += {a}[{index[0]}, {step}] * {b}[{step}, {index[1]}]"
            return f"{own} = 0.0\nfor {step} in range({left.shape[1]}):\n    {turn}\n"

        self.before += self.each(tile.shape, make)
        return tile
