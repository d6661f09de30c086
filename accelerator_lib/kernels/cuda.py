"""CUDA: the same kernel as CUDA C, ready for a compiler.

    i = block * block_size + thread     ->     int i = block * block_size + thread;

The arguments keep their order; an array of two dimensions is followed by the number of its columns, `a_cols`. What a
kernel reads of its launch is declared at its head. Whole numbers are divided as Python does it: where a number may be
negative, by a function of its own. A shuffle names all 32 lanes; where lanes may have left, in a branch or a loop, it
names those that are here as __activemask(), and the text says what that does not promise.
"""

import ast

import numpy as np

from accelerator_lib.checks.signature import checked
from accelerator_lib.kernels.cexpressions import HERE, free, literal
from accelerator_lib.kernels.cstatements import Statements
from accelerator_lib.kernels.language import GIVEN, said
from accelerator_lib.kernels.machine import Arguments, Blocks, Threads, prepared

APART = """// __activemask(): not all lanes of a warp may come to this shuffle, so it names those that are here. CUDA
// does not promise that lanes which went apart are together again; a shuffle outside of the branch or loop is safer.
"""
FLOORS = """__device__ int floor_div(int a, int b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
__device__ int floor_mod(int a, int b) { return a - floor_div(a, b) * b; }
"""


@checked
def to_cuda(source, arguments: Arguments, threads: Threads = 256, blocks: Blocks = 1, name="kernel"):
    """The text of a kernel in CUDA C, for these arguments and this launch. Raises Fault, as `run` does."""
    if not isinstance(name, str) or not (name.isascii() and name.isidentifier()):
        raise ValueError("name: the kernel's name in C, such as 'kernel'")
    with said(source):
        scope = prepared(source, arguments).scope
    printer = Statements(scope)
    body = printer.block(scope.body, 1)
    head = [*_given(scope, threads, blocks), *_declared(scope), *printer.head]
    signature = ", ".join(_parameters(arguments, scope))
    text = f"__global__ void {free(name)}({signature}) {{\n" + "".join(f"    {line}\n" for line in head) + body + "}\n"
    return (FLOORS + "\n" if "floor_" in body else "") + (APART if HERE in body else "") + text


def _parameters(arguments, scope):
    for name, value in arguments.items():
        if not isinstance(value, np.ndarray):
            yield f"{'float' if type(value) is float else 'int'} {free(name)}"
            continue
        place = scope.places[name]
        yield f"{'' if name in scope.written else 'const '}{place.kind} *{free(name)}"
        if len(place.shape) == 2:
            yield f"int {name}_cols"


def _given(scope, threads, blocks):
    """Lines for what the kernel reads of its launch."""
    used = {n.id for s in scope.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    flat, flat_grid = threads[0] == threads[1], blocks[0] == blocks[1]
    thread = "threadIdx.x" if flat else "threadIdx.y * blockDim.x + threadIdx.x"
    nested = thread if flat else f"({thread})"
    of = {
        "thread": thread, "lane": f"{nested} % 32", "warp": f"{nested} / 32",
        "block": "blockIdx.x" if flat_grid else "blockIdx.y * gridDim.x + blockIdx.x",
        "block_size": "blockDim.x" if flat else "blockDim.x * blockDim.y",
        "grid_size": "gridDim.x" if flat_grid else "gridDim.x * gridDim.y",
    }  # fmt: skip
    axes = {"thread": "threadIdx", "block": "blockIdx", "block_size": "blockDim", "grid_size": "gridDim"}
    of |= {f"{name}_{axis}": f"{its}.{axis}" for name, its in axes.items() for axis in "xy"}
    return [f"const int {name} = {of[name]};" for name in GIVEN if name in used]


def _declared(scope):
    """Lines for constants and for arrays of the block and of the thread."""
    for name, value in scope.constants.items():
        real = type(value) is float
        yield f"constexpr {'float' if real else 'int'} {free(name)} = {literal(value)};"
    for place in scope.places.values():
        if place.space != "global":
            sides = "".join(f"[{side}]" for side in place.shape)
            kind = f"{'__shared__ ' if place.space == 'shared' else ''}{place.kind}"
            yield f"{kind} {free(place.name)}{sides}{'' if place.space == 'shared' else ' = {}'};"
