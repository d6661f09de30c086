"""Mapping: the layers of a small network on one systolic array behind buffers, as a text lays them; cycles and bytes.

    layer(0, WEIGHTS, OUTPUTS, 64, 32, 32)     layer 0: weights stay in the PEs; blocks of 64 x 32 outputs, 32 deep,
                                               stay in the buffer until they are done
On the array each block is a product: closed_form's cycles, its folds overlapped, its sums drained. A block comes to the
buffer when its index changes, in the order of the loops; twice all blocks must have room. Operands and results have two
bytes, sums on the way four. Ignored: what one layer could leave on the chip for the next.
"""

from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np

from accelerator_lib.hardware import format_bytes
from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.planned import follow
from accelerator_lib.kernels.specs import UNTOUCHED, Left, told
from accelerator_lib.systolic import closed_form
from accelerator_lib.workload import Gemm

FLOWS = ("os", "ws", "is")  # by what stays
STAYS = {"OUTPUTS": 0, "WEIGHTS": 1, "INPUTS": 2}
ORDERS = ("mnk", "nkm", "mkn")  # of the loops, the innermost last, by what stays in the buffer
SIDES = {"inputs": "mk", "weights": "kn", "outputs": "mn"}
NUMBER, SUM = format_bytes("bf16"), format_bytes("fp32")
MOST_BLOCKS, BUFFERS = 20_000, 2


@dataclass(frozen=True)
class Laid:
    """One layer as it was laid: cycles on the array by cause, bytes by operand."""

    line: int
    number: int
    gemm: Gemm
    flow: str
    order: str
    tile: dict  # "m", "n", "k" -> side of a block
    trips: dict  # "m", "n", "k" -> blocks along it
    streamed: float  # cycles of folds in which operands stream
    loading: float  # in which a stream is too short to hide the next load
    ramps: float  # in which a block begins and ends
    moved: dict = field(hash=False)  # bytes by "inputs", "weights", "outputs", "sums"
    footprint_bytes: int
    pes: int  # of the chip, whether its array has so many or not
    bytes_per_cycle: float

    array_cycles = property(lambda self: self.streamed + self.loading + self.ramps)
    moved_bytes = property(lambda self: sum(self.moved.values()))
    memory_cycles = property(lambda self: self.moved_bytes / self.bytes_per_cycle)
    cycles = property(lambda self: max(self.array_cycles, self.memory_cycles))
    least_array_cycles = property(lambda self: self.gemm.flops / 2 / self.pes)  # with every PE at work in every cycle
    least_bytes = property(lambda self: self.gemm.bytes_moved("bf16"))


@dataclass(frozen=True, eq=False)
class Mapped(Left):
    """A text that has laid a network: what it left, the array's shape, the layers in the text's order."""

    shape: tuple
    laid: tuple
    room_bytes: int

    cycles = property(lambda self: sum(each.cycles for each in self.laid))
    moved_bytes = property(lambda self: sum(each.moved_bytes for each in self.laid))
    footprint_bytes = property(lambda self: max((each.footprint_bytes for each in self.laid), default=0))


def run(source, arguments, gemms, pes, room_bytes, bytes_per_cycle):
    """Mapped of a text on the layers' arrays x0, w0, x1, ... Raises Fault, with its line, for what is wrong with it."""
    made = _Map(arguments, gemms, pes, room_bytes, bytes_per_cycle)
    names = {"layers": tuple((gemm.m, gemm.n, gemm.k) for gemm in gemms), "PES": pes, "ROOM": room_bytes, **STAYS}
    left = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    try:
        follow(source, names, {"array": made.array, "layer": made.layer})
    except Fault as fault:
        fault.made = Mapped(source, left, made.shape, tuple(made.laid), room_bytes, fault=fault)
        raise
    return Mapped(source, left | made.outputs, made.shape, tuple(made.laid), room_bytes)


class _Map:
    """What a text has laid so far."""

    def __init__(self, arguments, gemms, pes, room_bytes, bytes_per_cycle):
        self.arguments, self.gemms, self.pes = arguments, gemms, pes
        self.room_bytes, self.bytes_per_cycle = room_bytes, bytes_per_cycle
        self.shape, self.laid, self.outputs = None, [], {}

    def array(self, line, rows, cols):
        if self.shape:
            raise Fault("value", line, "the chip has one array: array(rows, cols) stands once, before all layers")
        if any(type(side) is not int or side < 1 for side in (rows, cols)) or rows * cols > self.pes:
            raise Fault("budget", line, f"an array has whole rows and columns, {self.pes:,} PEs at most")
        self.shape = rows, cols

    def layer(self, line, number, stays, keeps, tm, tn, tk):
        if not self.shape:
            raise Fault("unset", line, "array(rows, cols) comes first")
        if type(number) is not int or not 0 <= number < len(self.gemms):
            raise Fault("bounds", line, f"there are the layers 0 to {len(self.gemms) - 1}, not {told(number)}")
        if any(each.number == number for each in self.laid):
            raise Fault("value", line, f"layer {number} has been laid already")
        if any(type(each) is not int or each not in STAYS.values() for each in (stays, keeps)):
            raise Fault("value", line, "what stays in the array, and in the buffer, is OUTPUTS, WEIGHTS or INPUTS")
        if any(type(side) is not int or side < 1 for side in (tm, tn, tk)):
            raise Fault("value", line, "a block has whole sides of 1 and more")
        gemm = self.gemms[number]
        whole = {side: getattr(gemm, side) for side in "mnk"}
        tile = {side: min(given, whole[side]) for side, given in zip("mnk", (tm, tn, tk), strict=True)}
        need = footprint(tile)
        if need > self.room_bytes:
            said = f"twice its blocks are {need:,} bytes; the buffer has room for {self.room_bytes:,}"
            raise Fault("budget", line, said)
        trips = {side: -(-whole[side] // tile[side]) for side in "mnk"}
        if prod(trips.values()) > MOST_BLOCKS:
            raise Fault("budget", line, f"{prod(trips.values()):,} blocks; take larger ones: at most {MOST_BLOCKS:,}")
        parts, order = _array_cycles(whole, tile, self.shape, FLOWS[stays]), ORDERS[keeps]
        about = (line, number, gemm, FLOWS[stays], order, tile, trips, *parts, moved_bytes(gemm, trips, order), need)
        self.laid.append(Laid(*about, self.pes, self.bytes_per_cycle))
        self._multiply(number, whole, tile)

    def _multiply(self, number, whole, tile):
        x, w = self.arguments[f"x{number}"], self.arguments[f"w{number}"]
        y = np.full((whole["m"], whole["n"]), UNTOUCHED, np.float32)
        cuts = {side: [slice(at, at + tile[side]) for at in range(0, whole[side], tile[side])] for side in "mnk"}
        for i, j in product(cuts["m"], cuts["n"]):
            y[i, j] = sum(x[i, p] @ w[p, j] for p in cuts["k"])
        self.outputs[f"y{number}"] = y


def footprint(tile):
    """Bytes on the chip for blocks of these sides: one of each operand in use, one on its way."""
    inputs, weights, outputs = (prod(tile[side] for side in sides) for sides in SIDES.values())
    return BUFFERS * (NUMBER * (inputs + weights) + SUM * outputs)


def moved_bytes(gemm, trips, order):
    """{"inputs", "weights", "outputs", "sums": bytes} of so many blocks along each side, in an order of loops."""
    times = {name: _times(trips, order, sides) for name, sides in SIDES.items()}
    once = {name: prod(getattr(gemm, side) for side in sides) for name, sides in SIDES.items()}
    moved = {name: NUMBER * once[name] * times[name] for name in ("inputs", "weights")}
    return moved | {"outputs": NUMBER * once["outputs"], "sums": 2 * SUM * once["outputs"] * (times["outputs"] - 1)}


def _times(trips, order, sides):
    """How often each block of an operand comes: rounds of loops that do not move it, outside of one that does."""
    inner = max((order.index(side) for side in sides if trips[side] > 1), default=-1)
    return prod(trips[side] for side in order[: max(inner, 0)] if side not in sides)


def _array_cycles(whole, tile, shape, flow):
    """(streamed, loading, ramps) cycles of all blocks: full ones, and those cut at an edge."""
    streamed = loading = ramps = 0
    kinds = []  # along each side, (side of a block, how many)
    for side in "mnk":
        full, rest = divmod(whole[side], tile[side])
        kinds.append([(size, many) for size, many in ((tile[side], full), (rest, 1)) if size and many])
    for (m, many_m), (n, many_n), (k, many_k) in product(*kinds):
        block, many = Gemm(m, n, k), many_m * many_n * many_k
        made = closed_form.cycles(block, *shape, flow, True, flow == "os")
        stream = getattr(block, closed_form.DATAFLOWS[flow][2])
        step = max(stream, shape[0])  # the next block is loaded, or the last sums are drained, meanwhile
        streamed, loading = streamed + many * made.folds * stream, loading + many * made.folds * (step - stream)
        ramps += many * (made.total - made.folds * step)
    return streamed, loading, ramps
