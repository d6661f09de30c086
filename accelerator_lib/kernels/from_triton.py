"""From Triton: a kernel of tiles, in this notation: a program is a block of at most 128 threads, as with four warps.

Thread t has places t, t + 128, ... of a tile, in the order of its numbers. What is loaded or worked out stays in its
registers; numbers of places are worked out where they are used. A sum goes through shuffles and shared memory, a
product of tiles through shared memory. Left out: tensor cores, wide loads, pipelines, layouts of other orders.
"""

import ast
from collections import Counter
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from accelerator_lib.kernels.from_numba import Kernel
from accelerator_lib.kernels.language import constant
from accelerator_lib.kernels.pasted import at, call, filled, name, number, pointed

MOST_THREADS, WARP = 128, 32


class Index(list):
    """A place of a tile, an expression for each side; `own`: in which of a thread's registers it is, where known."""

    own = None


@dataclass(frozen=True)
class Tile:
    """A value at each place of a shape, as `at(index)`; `array`: these are places of it; `kept`: it goes to registers
    once it has a name; `held`: it is there."""

    shape: tuple
    at: object
    kind: str = "int"
    array: str = ""
    kept: bool = False
    held: bool = False


def read(source, arguments=None):
    """Pasted of a Triton kernel, for arguments by name or for none in particular. Raises Fault."""
    return _Program("triton", source, arguments).read()


def _called(node, *functions):
    return isinstance(node, ast.Call) and ast.unparse(node.func) in functions


def _scalar(made, kind="int"):
    return Tile((), lambda index: made, kind)


class _Program(Kernel):
    tiles, kinds, pointers = {}, {}, {}  # those of a text come with its parameters

    def parameters(self, nodes):
        given, self.tiles, self.kinds, self.before = self.function.args, {}, {}, []
        self.counter, self.step = map(self.names.fresh, ("e", "step"))
        self.turns = Counter(ast.unparse(n.value) for n in nodes if isinstance(n, ast.Subscript))
        self.reads = Counter(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
        values = dict(zip([each.arg for each in given.args[::-1]], given.defaults[::-1], strict=False))
        for each in [one for one in given.args if one.annotation]:
            if each.arg in values and each.arg not in self.known:
                self.fixed(ast.Name(each.arg, lineno=each.lineno), values[each.arg])
            if each.arg not in self.known:
                self.refuse(each, f"{each.arg} is to be a number: write {each.arg} = 128 above the kernel")
        sides = sorted([self.number_of(n.args[-1]) for n in nodes if _called(n, "tl.arange") and n.args]) or [1]
        two = any(isinstance(n, ast.Constant) and n.value is None for n in nodes)
        self.threads = min(MOST_THREADS, sides[-1] * (sides[-2:][0] if two else 1))
        for word in ("THREADS",) if "block" in self.flat else ("THREADS_X", "THREADS_Y"):
            self.head.append((self.function.lineno, f"{word} = {1 if word[-1] == 'Y' else self.threads}"))
        first = {}
        for each in nodes:
            if isinstance(each, ast.Assign):
                first.setdefault(getattr(each.targets[0], "id", ""), each.value)
        reached = [n.args[0] for n in nodes if _called(n, "tl.load", "tl.store", "tl.atomic_add") and n.args]
        pointers = set()
        for node in reached:  # what an expression of places begins with, through variables
            while isinstance(node, ast.BinOp) or getattr(node, "id", "") in first:
                node = node.left if isinstance(node, ast.BinOp) else first.pop(node.id)
                reached += [node] if isinstance(node, ast.BinOp) else []
            pointers.add(getattr(node, "id", ""))
        asked = [each.arg for each in given.args if not each.annotation]
        made, found = self.bind(asked, pointers), [word for word in asked if word in pointers]
        values = self.arguments or {}
        for word in asked:
            worth = values.get(self.known[word], 0.0 if word in pointers else 1)
            self.kinds[self.known[word]] = "float" if np.asarray(worth).dtype.kind == "f" else "int"
        self.pointers = {self.known[word]: getattr(values.get(self.known[word]), "shape", ()) for word in found}
        self.numbers = {word: worth for word, worth in values.items() if not isinstance(worth, np.ndarray)}
        return made

    def number_of(self, node):
        known = all(n.id in self.known for n in ast.walk(node) if isinstance(n, ast.Name))
        worth = constant(self.visit(node), self.constants) if known else None
        if type(worth) is not int or worth < 1 or worth & (worth - 1):
            self.refuse(node, "a side of a tile is a constant power of two")
        return worth

    # Statements

    def statement(self, node):
        match node:
            case ast.Expr(value=ast.Call()) if _called(node.value, "tl.store", "tl.atomic_add"):
                made = self.stored(node.value)
            case ast.Assign(targets=[ast.Name() as target]) | ast.AugAssign(target=ast.Name() as target):
                value = node.value
                if isinstance(node, ast.AugAssign):
                    value = at(node.lineno, ast.BinOp(ast.Name(target.id, ast.Load()), node.op, value))
                made = self.kept(target, self.tile(value))
            case _:
                made = super().statement(node)
        before, self.before = self.before, []
        return [*before, *made]

    def visit(self, node):
        """An expression of numbers that are the same for the whole program."""
        tile = self.tile(node)
        if tile.shape or tile.array:
            self.refuse(node, "one number is needed here, not a tile or a pointer")
        return tile.at(Index())

    def kept(self, target, tile):
        """Give a value a name: numbers of places have no line of their own, unless they are set again."""
        word, again = target.id, self.sets[target.id] > 1
        if not tile.shape and not tile.array:
            own = self.visit_Name(target).id
            self.kinds[own] = "float" if "float" in (tile.kind, self.kinds.get(own)) else tile.kind
            return [ast.Assign([name(own)], tile.at(Index()))]
        turned = self.turns[word] == self.reads[word]  # asked for in another shape alone: it is loaded so
        if not again and ((not tile.kept and tile.kind == "int") or turned):
            self.tiles[word] = tile
            return []
        held = self.tiles.get(word)
        if held is None or not again:
            held = self.tiles[word] = self.registers(word, tile)
        if held.shape != tile.shape or held.array != tile.array:
            self.refuse(target, f"{word} keeps its shape {held.shape} and what it points to")
        return self.each(tile.shape, lambda index: [ast.Assign([held.at(index)], tile.at(index))])

    def registers(self, word, tile):
        """A Tile of a thread's own numbers."""
        own, many = self.names.fresh(word), max(1, prod(tile.shape) // self.threads)
        if many > 1:
            kind = ", int" if tile.kind == "int" else ""
            self.head.append((self.function.lineno, f"{own} = zeros({many}{kind})"))

        def place(index):
            if index.own is None and tile.shape:
                self.refuse(self.function, f"{word} is asked for in another shape: write {word}[None, :] for it")
            return ast.Subscript(name(own), index.own, ast.Load()) if many > 1 else name(own)

        return replace(tile, at=place, kept=True, held=True)

    def each(self, shape, make):
        """Statements for each place of a shape, `make(index)` for those of a thread."""
        size, thread = prod(shape), name("thread")
        many, counter = size // self.threads, self.counter
        index = Index([filled("x * y + z", (name(counter), number(self.threads), thread)) if many > 1 else thread])
        if len(shape) == 2 and shape[1] >= self.threads:
            across = shape[1] // self.threads
            row = filled("x // y", (name(counter), number(across))) if many > 1 else number(0)
            column = filled("x % y * z", (name(counter), number(across), number(self.threads))) if across > 1 else None
            index = Index([row, filled("x + y", (column, thread)) if column else thread])
        elif len(shape) == 2:
            row = filled("x // y", (thread, number(shape[1])))
            more = filled("x * y", (name(counter), number(self.threads // shape[1]))) if many > 1 else None
            index = Index([filled("x + y", (more, row)) if more else row, filled("x % y", (thread, number(shape[1])))])
        index = index if shape else Index()
        index.own = name(counter) if many > 1 else number(0)
        made = make(index)
        if many > 1:
            return [ast.For(name(counter), call("range", number(many)), made, [])]
        return made if size == self.threads else [ast.If(filled("x < y", (thread, number(size))), made, [])]

    def stored(self, node):
        """tl.store or tl.atomic_add."""
        given = self.given_to(node, ("pointer", "value", "mask"))
        pointer, value = self.tile(given["pointer"]), self.tile(given["value"])
        parts = [pointer, value, *([self.tile(given["mask"])] if "mask" in given else [])]
        shape = self.shape(node, parts)
        if not pointer.array:
            self.refuse(node, "tl.store goes to a pointer with numbers of places added to it")

        def make(index):
            place = self.pointed(pointer, self.under(index, pointer.shape, shape))
            worth = value.at(self.under(index, value.shape, shape))
            if ast.unparse(node.func) == "tl.store":
                made = ast.Assign([place], worth)
            else:
                made = ast.Expr(call("atomic_add", place.value, place.slice, worth))
            return [ast.If(parts[2].at(self.under(index, parts[2].shape, shape)), [made], [])] if parts[2:] else [made]

        return self.each(shape, make)

    def given_to(self, node, words):
        """{word: argument} of a call; all words that are no option must be there."""
        found = dict(zip(words, node.args, strict=False)) | {each.arg: each.value for each in node.keywords}
        if missing := [word for word in words if word not in found and word not in ("mask", "other", "axis")]:
            self.refuse(node, f"{ast.unparse(node.func)} lacks its {missing[0]}")
        return found

    def pointed(self, pointer, index):
        shape = self.pointers[pointer.array]
        across = {word for word, worth in self.numbers.items() if len(shape) == 2 and worth == shape[1]}
        return pointed(pointer.array, pointer.at(index), len(shape) == 2, across)

    # Expressions: each gives a Tile.

    def shape(self, node, tiles):
        """The shape that tiles fill together."""
        sides = max((tile.shape for tile in tiles), key=len)
        for tile in tiles:
            for place in range(1, len(tile.shape) + 1):
                if tile.shape[-place] != 1:
                    if sides[-place] not in (1, tile.shape[-place]):
                        self.refuse(node, f"tiles of {sides} and {tile.shape} do not fit together")
                    sides = (*sides[: len(sides) - place], tile.shape[-place], *sides[len(sides) - place + 1 :])
        return sides

    def under(self, index, own, shape):
        """The place of a tile of its own shape that belongs to a place of a larger one."""
        if own == shape:
            return index
        sides = zip(list(index)[len(shape) - len(own) :], own, strict=True)
        return Index([number(0) if side == 1 else each for each, side in sides])

    def joined(self, node, make, *tiles):
        """A Tile of what `make` makes of the values at each place."""
        shape, kind = self.shape(node, tiles), "float" if any(tile.kind == "float" for tile in tiles) else "int"

        def value(index):
            return at(node.lineno, make(*(tile.at(self.under(index, tile.shape, shape)) for tile in tiles)))

        arrays = [tile.array for tile in tiles if tile.array]
        return Tile(shape, value, kind, arrays[0] if arrays else "", any(tile.kept for tile in tiles))

    def tile(self, node):
        match node:
            case ast.Name(id=word) if word in self.tiles:
                return self.tiles[word]
            case ast.Name():
                own = self.visit_Name(node).id
                if own in self.pointers:
                    return Tile((), lambda index: number(0), "int", own)
                worth = self.constants.get(own)
                return _scalar(name(own), "float" if type(worth) is float else self.kinds.get(own, "int"))
            case ast.Constant():
                return _scalar(self.visit_Constant(node), "float" if type(node.value) is float else "int")
            case ast.BinOp(left=left, op=op, right=right):
                tiles = self.tile(left), self.tile(right)
                pair = {ast.BitAnd: ast.And, ast.BitOr: ast.Or}.get(type(op))
                if pair and all(isinstance(n, (ast.Compare, ast.BinOp, ast.BoolOp, ast.Name)) for n in (left, right)):
                    return self.joined(node, lambda x, y: ast.BoolOp(pair(), [x, y]), *tiles)
                made = self.joined(node, lambda x, y: ast.BinOp(x, op, y), *tiles)
                if tiles[0].array and not tiles[0].shape and constant(tiles[0].at(Index()), {}) == 0:
                    made = replace(tiles[1], array=tiles[0].array)
                return replace(made, kind="float") if isinstance(op, ast.Div) else made
            case ast.Compare(ops=[op], comparators=[right]):
                made = self.joined(node, lambda x, y: ast.Compare(x, [op], [y]), self.tile(node.left), self.tile(right))
                return replace(made, kind="int")
            case ast.BoolOp():
                return self.joined(node, lambda *parts: ast.BoolOp(node.op, list(parts)), *map(self.tile, node.values))
            case ast.UnaryOp():
                return self.joined(node, lambda x: ast.UnaryOp(node.op, x), self.tile(node.operand))
            case ast.IfExp(test=test, body=body, orelse=other):
                return self.joined(node, ast.IfExp, *map(self.tile, (test, body, other)))
            case ast.Subscript(value=value, slice=ast.Tuple(elts=[ast.Slice() | ast.Constant() as first, _])):
                return self.turned(node, self.tile(value), 0 if isinstance(first, ast.Slice) else 1)
            case ast.Call(
                func=ast.Attribute(attr="to", value=value), args=[ast.Attribute(attr="float32" | "int32" as to)]
            ):
                made, kind = self.tile(value), to.removesuffix("32")
                return (
                    made if made.kind == kind else replace(self.joined(node, lambda x: call(kind, x), made), kind=kind)
                )
            case ast.Call():
                return self.function_called(node, ast.unparse(node.func))
        self.refuse(node, "there is nothing like this here: tiles come of tl.arange, tl.load, tl.zeros and arithmetic")

    def turned(self, node, tile, side):
        """[:, None] or [None, :] of a tile of one side, which goes to side 0 or 1."""
        if len(tile.shape) != 1:
            self.refuse(node, "a tile of one side becomes one of two by [:, None] or [None, :]")
        if tile.held:  # a thread has places of its own: the others come through shared memory
            held = self.placed(node, tile)
            tile = replace(tile, at=lambda index: ast.Subscript(name(held), index[0], ast.Load()), held=False)
        shape = (1, tile.shape[0]) if side else (tile.shape[0], 1)
        return replace(tile, shape=shape, at=lambda index: tile.at(Index([index[side]])))

    def function_called(self, node, text):
        match text, node.args:
            case "tl.program_id" | "tl.num_programs", _:
                axis = constant(self.given_to(node, ("axis",)).get("axis", number(2)), {})
                if axis not in (0, 1):
                    self.refuse(node, f"{text} has axis 0 or 1 here")
                word = "block" if text == "tl.program_id" else "grid_size"
                return _scalar(self.given(f"{word}_{'xy'[axis]}"))
            case "tl.arange", [first, last]:
                if constant(first, {}) != 0:
                    self.refuse(node, "tl.arange begins at 0 here")
                return Tile((self.number_of(last),), lambda index: index[0])
            case "tl.zeros" | "tl.full", [shape, *rest]:
                sides = tuple(self.number_of(each) for each in getattr(shape, "elts", [shape]))
                filled_with = self.visit(rest[0]) if text == "tl.full" else number(0.0)
                return Tile(sides, lambda index: filled_with, "float", kept=True)
            case "tl.load", _:
                return self.loaded(node)
            case "tl.dot", [left, right, *more] if len(more) < 2:
                made = self.dot(node, self.tile(left), self.tile(right))
                return (
                    self.joined(node, lambda x, y: filled("x + y", (x, y)), self.tile(more[0]), made) if more else made
                )
            case _ if text in self.told["reductions"]:
                return self.reduced(node, text)
        made, many = self.told["functions"].get(text, ("", -1))
        if many != len(node.args):
            there = ", ".join([*self.told["reductions"], *self.told["functions"], "tl.load", "tl.store", "tl.dot"])
            self.refuse(node, f"{text[:40]} with {len(node.args)} values is not read; there are {there}")
        tile = self.joined(node, lambda *parts: filled(made, parts), *map(self.tile, node.args))
        return replace(tile, kind="float") if "exp" in made or "sqrt" in made else tile

    def loaded(self, node):
        given = self.given_to(node, ("pointer", "mask", "other"))
        pointer, parts = self.tile(given["pointer"]), []
        if not pointer.array:
            self.refuse(node, "tl.load reads from a pointer with numbers of places added to it")
        kind = self.kinds.get(pointer.array, "float")
        other = self.tile(given["other"]) if "other" in given else _scalar(number(0.0 if kind == "float" else 0))
        parts = [self.tile(given["mask"]), other] if "mask" in given else []
        shape = self.shape(node, [pointer, *parts])

        def value(index):
            place = self.pointed(pointer, self.under(index, pointer.shape, shape))
            mask, beside = [each.at(self.under(index, each.shape, shape)) for each in parts] or (None, None)
            return at(node.lineno, ast.IfExp(mask, place, beside) if parts else place)

        return Tile(shape, value, kind, kept=True)

    def reduced(self, node, text):
        given = self.given_to(node, ("tile", "axis"))
        tile, (start, more) = self.tile(given["tile"]), self.told["reductions"][text]
        own, total = self.names.fresh(text[3:]), lambda *parts: filled(more, parts)
        if len(tile.shape) == 2:
            return self.lines(node, tile, constant(given.get("axis", number(0)), {}), start, total)

        def add(value):
            return [ast.Assign([name(own)], total(name(own), value))]

        made = [ast.Assign([name(own)], filled(start, ())), *self.each(tile.shape, lambda index: add(tile.at(index)))]
        step, far = self.step, min(WARP, self.threads) // 2
        shuffle = call("shuffle_xor", name(own), filled("x >> y", (number(far), name(step))))
        made += [ast.For(name(step), call("range", number(far.bit_length())), add(shuffle), [])] if far else []
        if (warps := self.threads // WARP) > 1:
            part = self.declared("part", (warps,))
            put = ast.Assign([ast.Subscript(name(part), name("warp"), ast.Load())], name(own))
            made += [ast.If(filled("x == 0", (name("lane"),)), [put], []), ast.Expr(call("barrier"))]
            made += [ast.Assign([name(own)], ast.Subscript(name(part), number(0), ast.Load()))]
            rest = ast.Subscript(name(part), name(step), ast.Load())
            made += [ast.For(name(step), call("range", number(1), number(warps)), add(rest), [])]
            made += [ast.Expr(call("barrier"))]
        self.before += [at(node.lineno, each) for each in made]
        return _scalar(name(own), tile.kind)

    def declared(self, word, shape):
        own = self.names.fresh(word)
        self.head.append((self.function.lineno, f"{own} = shared({', '.join(map(str, shape))})"))
        return own

    def placed(self, node, tile, spare=0):
        """A tile in shared memory, as its name."""
        own = self.declared("tile", (*tile.shape[:-1], tile.shape[-1] + spare))

        def put(index):
            place = ast.Tuple([*index], ast.Load()) if len(index) > 1 else index[0]
            return [ast.Assign([ast.Subscript(name(own), place, ast.Load())], tile.at(index))]

        barrier = ast.Expr(call("barrier"))  # nobody writes before all have read, nor reads before all have written
        self.before += [at(node.lineno, each) for each in (barrier, *self.each(tile.shape, put), barrier)]
        return own

    def lines(self, node, tile, axis, start, total):
        """A reduction along one side of two: each thread goes along a line of the tile in shared memory."""
        many, long = tile.shape[1 - axis], tile.shape[axis]
        if many > self.threads:
            self.refuse(node, f"at most {self.threads} lines are reduced at a time here, not {many}")
        held, result = self.placed(node, tile, 1), self.declared("result", (many,))
        own, step = self.names.fresh("line"), self.step
        index = [name("thread"), name(step)][:: -1 if axis == 0 else 1]
        value = ast.Subscript(name(held), ast.Tuple(index, ast.Load()), ast.Load())
        turn = ast.For(name(step), call("range", number(long)), [ast.Assign([name(own)], total(name(own), value))], [])
        put = ast.Assign([ast.Subscript(name(result), name("thread"), ast.Load())], name(own))
        body = [ast.Assign([name(own)], filled(start, ())), turn, put]
        sure = body if many == self.threads else [ast.If(filled("x < y", (name("thread"), number(many))), body, [])]
        made = [*sure, ast.Expr(call("barrier"))]
        self.before += [at(node.lineno, each) for each in made]
        return Tile((many,), lambda at: ast.Subscript(name(result), at[0], ast.Load()), tile.kind, kept=True)

    def dot(self, node, left, right):
        if len(left.shape) != 2 or len(right.shape) != 2 or left.shape[1] != right.shape[0]:
            self.refuse(node, "tl.dot multiplies a tile of (m, k) by one of (k, n)")
        a, b = self.placed(node, left), self.placed(node, right)
        tile = self.registers("dot", Tile((left.shape[0], right.shape[1]), None, "float"))
        step = self.step

        def make(index):
            parts = ((a, index[0], name(step)), (b, name(step), index[1]))
            pair = [ast.Subscript(name(one), ast.Tuple([*both], ast.Load()), ast.Load()) for one, *both in parts]
            turn = ast.Assign([tile.at(index)], filled("x + y * z", (tile.at(index), *pair)))
            body = ast.For(name(step), call("range", number(left.shape[1])), [turn], [])
            return [ast.Assign([tile.at(index)], number(0.0)), body]

        self.before += [at(node.lineno, each) for each in self.each(tile.shape, make)]
        return tile
