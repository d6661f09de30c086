"""Wide: statements that move more than a word a lane, that copy while the warp goes on, that multiply tiles of a warp.

    x, y, z, w = load4(a[i])           2, 4 or 8 numbers side by side, at most 16 bytes a lane: one instruction
    store4(out[i], x, y, z, w)
    copy_async(s[i], a[j], 4, j < n)   4 numbers from global to shared memory, through no register; zeros unless j < n
    commit()                           what was asked for since the last commit is a group
    wait_async(1)                      until all groups of a thread but its last one have come
    load_tile(x[0], s[row, col])       a tile of 16 x 16 halves; lane l names 8 of row l % 16, from column l // 16 * 8
    load_tile_t(y[0], s[row, col])     the same, turned
    mma(sums[0], x[0], y[0])           sums += x @ y.T, two instructions of 16 x 8 x 16

A tile lies in rows of 8 numbers a lane: number e of lane l has row l // 4 + e // 2 % 2 * 8 and column
l % 4 * 2 + e % 2 + e // 4 * 8. Source: PTX ISA, ldmatrix and mma.m16n8k16.
"""

import ast

import numpy as np

from accelerator_lib.gpu.arch import WARP_LANES
from accelerator_lib.kernels.expressions import Expressions
from accelerator_lib.kernels.language import LOADS, STORES, Fault, constant, refused

MOST_BYTES, SIDE, OF_LANE = 16, 16, 8  # of a lane at once; of a tile; numbers of a tile that a lane keeps
_e, _lane = np.arange(OF_LANE)[:, None], np.arange(WARP_LANES)
FLAT = (_lane // 4 + _e // 2 % 2 * 8) * SIDE + _lane % 4 * 2 + _e % 2 + _e // 4 * 8  # [8, 32]: place in the tile
HALVES = ((0, 1, 4, 5), (2, 3, 6, 7))  # numbers of y that each instruction of an mma takes


class Wide(Expressions):
    """Reads the wide statements of one kernel."""

    def wide(self, call):
        """(frame, mask) of a wide statement."""
        name = call.func.id
        if call.keywords or any(isinstance(arg, ast.Starred) for arg in call.args):
            raise refused(call, "calls with plain arguments")
        if name in STORES:
            return self._store(call, name)
        if name in ("load_tile", "load_tile_t"):
            return self._load_tile(call, name)
        return getattr(self, f"_{name}")(call)

    def loads(self, node, put):
        """(frame, mask) of x, y = load2(a[i]); `put` gives (register, setter) of a target."""
        call, targets = node.value, node.targets[0].elts
        name = getattr(getattr(call, "func", None), "id", None)
        if name not in LOADS:
            raise refused(node, "several targets for load2, load4 and load8")
        if len(targets) != LOADS[name] or len(call.args) != 1 or call.keywords:
            raise Fault("language", node.lineno, f"{name} takes a[i] and has {LOADS[name]} targets")
        place, regs, at = self._several(call.args[0], name, LOADS[name])
        sets = [put(target, place.kind) for target in targets]
        op = self._emit("load" if place.space == "global" else "shared load", node, regs, place, LOADS[name])
        self.ops[op].dst, *self.ops[op].also = [register for register, _ in sets]

        def run(f, m):
            worths = f.memory[place.name].load(f, m, op, at(f, m), LOADS[name])
            for (_, setter), worth in zip(sets, worths, strict=True):
                setter(f, m, worth)

        return run

    def _several(self, node, name, many, spaces=("global", "shared")):
        """(Place, registers, indices ready to run) of several numbers side by side, from a[i] on."""
        if not isinstance(node, ast.Subscript):
            raise Fault("language", node.lineno, f"{name} takes the first place that it moves, such as a[i]")
        place = self.place_of(node)
        if place.space not in spaces:
            raise Fault("language", node.lineno, f"{name}: {place.name} does not lie in {' or '.join(spaces)} memory")
        if many * place.bytes > MOST_BYTES or many * place.bytes < 4:
            raise Fault("language", node.lineno, f"{name} moves 4, 8 or 16 bytes a lane, not {many * place.bytes}")
        return place, *self.address(node, self.indices(node))

    def _emit(self, kind, node, regs, place, many):
        op = self.emit(kind, node, regs, place.name)
        self.ops[op].bytes = many * place.bytes
        return op

    def _store(self, call, name):
        if len(call.args) != STORES[name] + 1:
            raise Fault("language", call.lineno, f"{name} takes a[i] and {STORES[name]} numbers")
        place, regs, at = self._several(call.args[0], name, STORES[name])
        codes = [self.value_for(arg, place) for arg in call.args[1:]]
        regs += tuple(r for code in codes for r in code.regs)
        op = self._emit("store" if place.space == "global" else "shared store", call, regs, place, STORES[name])

        def run(f, m):
            f.memory[place.name].store(f, m, op, at(f, m), [code.run(f, m) for code in codes])

        return run

    def _copy_async(self, call):
        if not 2 <= len(call.args) <= 4:
            raise Fault("language", call.lineno, "copy_async takes s[i], a[j], how many numbers, and where not zeros")
        many = constant(call.args[2], self.scope.constants) if len(call.args) > 2 else 1
        if many not in (1, 2, 4, 8) or type(many) is not int:
            raise Fault("language", call.lineno, "copy_async copies 1, 2, 4 or 8 numbers, a constant")
        to, to_regs, to_at = self._several(call.args[0], "copy_async, to", many, ("shared",))
        of, of_regs, of_at = self._several(call.args[1], "copy_async, from", many, ("global",))
        if (to.kind, to.bytes) != (of.kind, of.bytes):
            raise Fault("language", call.lineno, f"{to.name} and {of.name} hold numbers of different kinds")
        test = self.truth(call.args[3]) if len(call.args) > 3 else None
        op = self._emit("copy", call, to_regs + of_regs + (test.regs if test else ()), of, many)

        def run(f, m):
            inside = m if test is None else f.narrow(m, test.run(f, m), call.lineno)
            f.copy(m, inside, op, (f.memory[to.name], to_at(f, m)), (f.memory[of.name], of_at(f, m)), many)

        return run

    def _commit(self, call):
        if call.args:
            raise Fault("language", call.lineno, "commit takes nothing")
        op = self.emit("commit", call, ())

        def run(f, m):
            f.groups += m.lanes
            f.did(op, m)

        return run

    def _wait_async(self, call):
        left = constant(call.args[0], self.known) if len(call.args) == 1 else None
        if type(left) is not int or left < 0:
            raise Fault("language", call.lineno, "wait_async takes a constant: how many groups may still be under way")
        op = self.emit("wait", call, ())

        def run(f, m):
            f.did(op, m, (left,))
            f.landed(m, left, call.lineno)

        return run

    def tile(self, node, name, half):
        """(Place, first of 8 numbers) of a tile in registers."""
        whole = isinstance(node, ast.Name)
        place = self.scope.places.get(node.id) if whole else None
        if isinstance(node, ast.Subscript):
            place, row = self.place_of(node), constant(node.slice, self.known)
        shape = () if place is None or place.space != "own" else place.shape
        wanted = "halves, zeros(8, half)" if half else "sums, zeros(8)"
        if shape[-1:] != (OF_LANE,) or len(shape) != 2 - whole or (place.bytes == 2) != half or place.kind == "int":
            said = f"{name} takes 8 {wanted}, or a row of several such, x[i] with a constant i"
            raise Fault("language", node.lineno, said)
        if not whole and (type(row) is not int or not 0 <= row < shape[0]):
            raise Fault("language", node.lineno, f"{place.name} has rows 0 to {shape[0] - 1}, by a constant")
        return place, 0 if whole else OF_LANE * row

    def _load_tile(self, call, name):
        if len(call.args) != 2:
            raise Fault("language", call.lineno, f"{name} takes a tile of zeros(8, half) and s[row, col]")
        tile, first = self.tile(call.args[0], name, half=True)
        place, regs, at = self._several(call.args[1], name, OF_LANE, ("shared",))
        if place.bytes != 2:
            raise Fault("language", call.lineno, f"{name} takes halves: {place.name} = shared(..., half)")
        op = self._emit("shared load", call, regs, place, OF_LANE)
        self.ops[op].dst, *self.ops[op].also = [(tile.name, first + e) for e in range(0, OF_LANE, 2)]

        def run(f, m):
            _whole(f, m, call, name)
            rows = np.stack(f.memory[place.name].load(f, m, op, at(f, m), OF_LANE), axis=-1)  # [warps, lane, 8]
            found = rows.reshape(-1, 2, SIDE, OF_LANE).transpose(0, 2, 1, 3).reshape(-1, SIDE, SIDE)
            found = found.transpose(0, 2, 1) if name == "load_tile_t" else found
            _put(f, m, tile, first, found.reshape(-1, SIDE * SIDE))

        return run

    def _mma(self, call):
        if len(call.args) != 3:
            raise Fault("language", call.lineno, "mma takes sums, x and y: sums += x @ y.T")
        sums, x, y = (self.tile(arg, "mma", half) for arg, half in zip(call.args, (False, True, True), strict=True))
        ops = []
        for number, of_y in enumerate(HALVES):
            mine = [(sums[0].name, sums[1] + 4 * number + e) for e in range(4)]
            regs = [*mine[::2], *((x[0].name, x[1] + e) for e in (0, 2, 4, 6))]
            ops.append(self.emit("tensor", call, (*regs, *((y[0].name, y[1] + e) for e in of_y[::2]))))
            self.ops[ops[-1]].dst, *self.ops[ops[-1]].also = mine

        def run(f, m):
            _whole(f, m, call, "mma")
            for op in ops:
                f.did(op, m)
            left, right, before = (_tiles(f, *each) for each in (x, y, sums))
            _put(f, m, *sums, before + (left @ right.transpose(0, 2, 1)).reshape(before.shape[0], SIDE, SIDE))

        return run


def _whole(f, m, call, name):
    """Nothing, unless some lanes of a warp at work are not. Raises Fault."""
    f.need(m, m.lanes.all(axis=1, keepdims=True), "shuffle", call.lineno, f"{name} takes all 32 lanes of a warp")


def _tiles(f, place, first):
    """[warps, 16, 16]: a tile from the registers of each warp."""
    held = np.stack(f.own(place)[first : first + OF_LANE], axis=1)
    found = np.empty((len(held), SIDE * SIDE), np.float32)
    found[:, FLAT] = held
    return found.reshape(-1, SIDE, SIDE)


def _put(f, m, place, first, tiles):
    """Lay [warps, 16, 16] into registers."""
    flat, held = tiles.reshape(len(tiles), -1), f.own(place)
    for e in range(OF_LANE):
        worth = flat[:, FLAT[e]]
        held[first + e] = worth if m.full else np.where(m.lanes, worth, held[first + e])
