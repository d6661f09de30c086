"""Launch: constants of a kernel's text say how it is launched. THREADS = 256, PER_BLOCK = 2048 make ceil(n / 2048)
blocks of 256 threads; THREADS_X, THREADS_Y, PER_BLOCK_X, PER_BLOCK_Y do for two sides."""

import ast
from math import prod

from accelerator_lib.gpu.arch import MOST_REGISTERS, MOST_THREADS
from accelerator_lib.kernels.language import Fault, constant, read

NEEDED_ANYWAY = 32  # registers of a thread for indices, addresses and single numbers
MOST_PER_BLOCK = 2**20


def launch(source, sizes, defaults):
    """(blocks, threads, registers) of a kernel's text for [sizes along x, y]. Raises Fault."""
    found, own = _constants(source)
    if len(sizes) == 1:
        threads, each = _whole(found, defaults, "THREADS"), _whole(found, defaults, "PER_BLOCK")
        return -(-sizes[0] // each), threads, own
    threads = tuple(_whole(found, defaults, f"THREADS_{axis}") for axis in "XY")
    each = [_whole(found, defaults, f"PER_BLOCK_{axis}") for axis in "XY"]
    blocks = tuple(-(-size // many) for size, many in zip(sizes, each, strict=True))
    if prod(threads) > MOST_THREADS:
        line = found["THREADS_Y"][1] if "THREADS_Y" in found else 1
        said = f"a block of {threads[0]} x {threads[1]} = {prod(threads):,} threads; {MOST_THREADS:,} are allowed"
        raise Fault("value", line, said)
    return blocks, threads, own


def defaults(blank):
    """{name: value} of the constants of a blank kernel."""
    return {name: value for name, (value, _) in _constants(blank)[0].items()}


def _whole(found, defaults, name):
    value, line = found.get(name, (defaults.get(name, 1), 1))
    most = MOST_THREADS if name.startswith("THREADS") else MOST_PER_BLOCK
    if type(value) is not int or not 1 <= value <= most:
        raise Fault("value", line, f"{name} is a whole number from 1 to {most:,}, not {value:,}")
    return value


def _constants(source):
    """({name in capitals: (value, line)}, registers of a thread) of a kernel's text."""
    known, lines, own = {}, {}, 0
    for node in read(source):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            continue
        name, call = node.targets[0].id, node.value
        if isinstance(call, ast.Call) and getattr(call.func, "id", None) == "zeros":
            sides = [constant(arg, known) for arg in call.args]
            own += prod(side for side in sides if type(side) is int)
        elif name.isupper():
            value = constant(call, known)
            if value is not None:
                known[name], lines[name] = value, node.lineno
    return {name: (known[name], lines[name]) for name in known}, min(NEEDED_ANYWAY + own, MOST_REGISTERS)
