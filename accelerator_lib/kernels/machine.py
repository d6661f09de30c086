"""Machine: a kernel, its arguments and a launch on one SM; what the kernel leaves, what it costs.

Reals become float32 and whole numbers int32, as on the chip.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from accelerator_lib.checks.inputs import count, described
from accelerator_lib.checks.signature import Count, Given, checked
from accelerator_lib.gpu.arch import BANK_BYTES, LIMITS, MOST_REGISTERS, MOST_THREADS, SECTOR_BYTES, WARP_LANES
from accelerator_lib.gpu.residency import MOST_SHARED, Occupancy, occupancy
from accelerator_lib.kernels import counted, timing, why
from accelerator_lib.kernels.chips import ASm, Sm
from accelerator_lib.kernels.counted import Issued, issued
from accelerator_lib.kernels.frame import Frame
from accelerator_lib.kernels.language import INT32, RESERVED, Fault, Pasted, said
from accelerator_lib.kernels.memory import Memory
from accelerator_lib.kernels.program import Program, program
from accelerator_lib.kernels.scope import Place

MOST_ELEMENTS, MOST_LANES, MOST_BLOCKS, MOST_ARGUMENTS = 2**20, 2**16, 2**12, 16
NUMBER_BYTES, MOST_HELD = 8, 150_000_000  # of a lane's number here; bytes of what all lanes keep
ALIGNED_WORDS, SHARED_WORDS = 64, 4  # an array begins at a multiple of 256 bytes, of 16 in shared memory


@dataclass(frozen=True, eq=False)
class Run:
    """A launch that has ended. What it costs is worked out when it is asked for."""

    program: Program
    arrays: dict  # name -> what the kernel left in it
    blocks: int
    threads: int  # of a block
    sm: Sm
    occupancy: Occupancy
    issued: Issued  # every instruction of every warp
    words: dict  # array -> where it begins, in words of four bytes
    kept: tuple  # what the lanes of the watched block touch
    watched: int
    slice_turns: int = 0  # of the slice of the L2 that adds most often
    filled: int = 0  # sectors of global memory that were stored into in part
    writers: dict = field(default_factory=dict)  # array -> [its places]: who wrote there last, or NONE, SEVERAL
    fault: Fault | None = None  # what stopped it
    at: int | None = None  # the Step of its replay at which it goes wrong; -1: the last

    lines = property(lambda self: self.program.lines)
    counted = cached_property(lambda self: counted.count_up(self))
    timed = cached_property(lambda self: timing.time(self))
    bound = cached_property(lambda self: timing.bound(self))
    why = cached_property(lambda self: why.Why(self))


def _arguments(value):
    """{name: array or number}, or one clear line."""
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise TypeError(f"arguments must be a dict of arrays and numbers by name, not {described(value)}")
    if len(value) > MOST_ARGUMENTS:
        raise ValueError(f"arguments: at most {MOST_ARGUMENTS}, not {len(value)}")
    for name in value:
        if not name.isidentifier() or not name.isascii() or name in RESERVED:
            raise ValueError(f"arguments: {described(name)} cannot be a name in a kernel; choose another")
    found = {name: _argument(name, each) for name, each in value.items()}
    if sum(each.size for each in found.values() if isinstance(each, np.ndarray)) > MOST_ELEMENTS:
        raise ValueError(f"arguments: the arrays hold more than {MOST_ELEMENTS:,} numbers together")
    return found


def _argument(name, value):
    if isinstance(value, np.ndarray) and value.ndim:
        if value.dtype.kind not in "iufb" or not 1 <= value.ndim <= 2 or not value.size:
            raise ValueError(f"arguments: {name} must hold real or whole numbers in one or two dimensions")
        if value.dtype.kind in "iub" and (value.astype(object).max() >= INT32 or value.min() < -INT32):
            raise ValueError(f"arguments: {name} holds whole numbers that do not fit into 32 bits")
        real = np.float16 if value.dtype == np.float16 else np.float32
        return value.astype(real if value.dtype.kind == "f" else np.int64)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"arguments: {name} must be an array or a number, not {described(value)}")
    if isinstance(value, (int, np.integer)):
        return count(name, value, -INT32, INT32 - 1)
    if not abs(value) < 3.4e38:
        raise ValueError(f"arguments: {name} = {value} is no number of 32 bits")
    return float(value)


def _shape(most):
    """A number of threads or blocks, or (x, y) of them, as (how many, how many along x)."""

    def make(value):
        pair = value if isinstance(value, tuple) else (value, 1)
        if len(pair) != 2:
            raise ValueError(f"one whole number or a pair (x, y), not {described(value)}")
        x, y = (count("size", side, 1, most) for side in pair)
        if x * y > most:
            raise ValueError(f"{x} x {y} = {x * y:,} is more than {most:,}")
        return x * y, x

    return make


Arguments = Given("a dict of arrays and numbers", _arguments)
Blocks, Threads = Given("a number of blocks", _shape(MOST_BLOCKS)), Given("a number of threads", _shape(MOST_THREADS))


@checked
def run(
    source,
    arguments: Arguments,
    blocks: Blocks = 1,
    threads: Threads = 32,
    chip: ASm = "a100-80gb-sxm",
    registers: Count(high=MOST_REGISTERS) = 32,
    watched: Count(low=0, high=MOST_BLOCKS) = 0,
):
    """Run of a kernel, a text or a Pasted, on arrays and numbers by name. Raises Fault, with its line, for what is
    wrong with it."""
    if blocks[0] * threads[0] > MOST_LANES:
        raise ValueError(f"{blocks[0]} blocks of {threads[0]} threads are more than {MOST_LANES:,} threads")
    with said(source):
        arguments = source.given(arguments) if isinstance(source, Pasted) else arguments
        made = prepared(source, arguments)
        return _launch(made, arguments, blocks, threads, chip, registers, watched)


def prepared(source, arguments):
    """Program of a kernel with checked arguments. Raises Fault."""
    arrays = {name: each for name, each in arguments.items() if isinstance(each, np.ndarray)}
    loose = isinstance(source, Pasted) and source.language != "Numba"  # a pointer knows no rows
    kinds = {name: "float" if each.dtype.kind == "f" else "int" for name, each in arrays.items()}
    sizes = {name: min(BANK_BYTES, each.dtype.itemsize) for name, each in arrays.items()}
    places = {n: Place(n, kinds[n], each.shape, "global", 0, sizes[n], loose) for n, each in arrays.items()}
    return program(source, places, {name: each for name, each in arguments.items() if name not in arrays})


def _launch(made, arguments, blocks, threads, sm, registers, watched):
    shared = [place for place in made.scope.places.values() if place.space == "shared"]
    shared_bytes = sum(BANK_BYTES * place.words for place in shared)
    most = 1024 * LIMITS[sm.arch]["shared_kib_per_block"]
    if shared_bytes > min(most, MOST_SHARED):
        said = f"a block may use {most:,} bytes of shared memory, this kernel asks for {shared_bytes:,}"
        raise Fault("budget", shared[-1].line, said)
    if shared_bytes * blocks[0] > BANK_BYTES * MOST_ELEMENTS:
        raise Fault("budget", shared[-1].line, "the shared memory of all blocks is more than this machine holds")
    fits = occupancy(sm.arch, threads[0], registers, shared_bytes)
    if not fits.blocks:
        raise ValueError(f"no block of {threads[0]} threads with {registers} registers each fits on an SM")
    if sm.mma_latency is None and (wants := [op for op in made.ops if op.kind in ("copy", "tensor")]):
        said = f"an {sm.name} has neither asynchronous copies nor products of 16 x 8 x 16"
        raise Fault("language", wants[0].line, said)
    _weigh(made, blocks[0] * -(-threads[0] // WARP_LANES) * WARP_LANES)
    room = fits.room["shared"] - fits.blocks * fits.needs["shared"]  # what shared memory leaves is the L1
    frame = Frame(made, blocks, threads, min(watched, blocks[0] - 1), room // fits.blocks // SECTOR_BYTES)
    _allocate(frame, made, arguments)
    try:
        with np.errstate(all="ignore"):
            made.run(frame, frame.all)
    except Fault as fault:
        fault.made = _ended(made, frame, arguments, sm, fits, fault)
        raise
    return _ended(made, frame, arguments, sm, fits)


def _ended(made, frame, arguments, sm, fits, fault=None):
    left = {name: frame.memory[name] for name, each in arguments.items() if isinstance(each, np.ndarray)}
    formats = {name: np.int32 if m.place.kind == "int" else m.values.dtype for name, m in left.items()}
    arrays = {name: m.values.reshape(m.place.shape).astype(formats[name]) for name, m in left.items()}
    filled = sum(memory.filled for memory in left.values())
    words = {name: memory.word for name, memory in frame.memory.items()}
    writers = {name: memory.watch.last["writes"].thread for name, memory in left.items() if memory.watch}
    launched = made, arrays, frame.blocks, frame.block_size, sm, fits, issued(frame), words
    kept, at = (tuple(frame.kept), frame.watched, int(frame.slices.max()), filled), -1 if frame.blamed else None
    return Run(*launched, *kept, writers, fault, at)


def _weigh(made, lanes):
    """Nothing, unless what all lanes keep would fill the memory. Raises Fault before any of it is made."""
    own = [place for place in made.scope.places.values() if place.space == "own"]
    held = NUMBER_BYTES * lanes * (len(made.scope.variables) + sum(place.size for place in own))
    if held > MOST_HELD:
        said = f"variables and zeros(...) of {lanes:,} lanes are {held:,} bytes here, {MOST_HELD:,} at most"
        raise Fault("budget", own[-1].line if own else 1, f"{said}: take fewer threads or smaller arrays")


def _allocate(frame, made, arguments):
    word = {"global": 0, "shared": 0}
    for name, place in made.scope.places.items():
        if place.space == "own":
            continue
        if place.space == "global":
            held = arguments[name].reshape(-1).copy()
        else:
            kind = np.int64 if place.kind == "int" else np.float16 if place.bytes == 2 else np.float32
            held = np.zeros(frame.blocks * place.size, kind)
        frame.memory[name] = Memory(place, held, word[place.space], frame, name in made.scope.written)
        unit = ALIGNED_WORDS if place.space == "global" else SHARED_WORDS
        word[place.space] += -(-place.words // unit) * unit
