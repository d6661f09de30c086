"""Arrays: every register of three dataflows as hardware, fed at its edges alone; its state is that of `systolic.steps`.

A number travels with flags: whether it is there, and whether it is its fold's first or last. `take` walks one column
right in each cycle: there sums leave for the chain (os), or weights change places with the next ones (ws, is). `clear`
forgets what stayed, where folds do not overlap. Numbers are two's complement.
"""

from dataclasses import replace
from functools import cache, partial

import numpy as np

from accelerator_lib.rtl import macs, netlist
from accelerator_lib.systolic.registers import Wires, feed

KEPT = {"os": ("across", "down", "held", "done", "chain"), "ws": ("across", "down", "held", "waiting", "chain")}
DRAWN = {"across": 2, "down": 0, "held": 0, "chain": 0}  # and how many flags lie between a number and its `there`


KIND = {"os": "os", "ws": "ws", "is": "ws"}  # which PE a dataflow has: "is" is "ws" on transposes


def _sums_stay(pe, comes, take, clear, bits):
    """What the registers of a PE take next, by name, where sums stay."""
    import pyrtl

    across, down, held = comes["across"], comes["down"], pe["held"]
    last, first = across[bits + 1], across[bits]
    active = across[-1] & down[-1]
    total = _sum(_only(held[:-1], ~(active & first)), across, down, active, bits)
    sums = pyrtl.concat(held[-1] & ~clear | active, total)
    done = pyrtl.select(active & last, sums, pyrtl.concat(pe["done"][-1] & ~clear, pe["done"][:-1]))
    return comes | {"held": sums, "done": done, "chain": pyrtl.select(take, done, comes["chain"])}


def _weights_stay(pe, comes, take, clear, bits):
    """The same where weights stay."""
    import pyrtl

    across, above, held = comes["across"], comes["down"], pe["held"]
    held = pyrtl.select(across[bits], pe["waiting"], pyrtl.concat(held[-1] & ~clear, held[:-1]))
    active = across[-1] & held[-1]
    sums = pyrtl.concat(above[-1] | active, _sum(above[:-1], across, held, active, bits))
    return comes | {"down": sums, "held": held, "waiting": pyrtl.select(take, comes["chain"], pe["waiting"])}


PES = {"os": _sums_stay, "ws": _weights_stay}


def _sum(total, left, right, active, bits):
    product = _only(macs.signed_product(left[:bits], right[:bits]), active)
    return (total + product.sign_extended(len(total)))[: len(total)]


def _only(wires, where):
    """The wires where one wire says so, else 0."""
    return wires & where.sign_extended(len(wires))


@cache
def design(dataflow="os", rows=1, cols=1, bits=8, wide=32):
    """The PyRTL block of a rows x cols array: operands of so many bits, sums of `wide`."""
    import pyrtl

    stays = KIND[dataflow]
    size = dict.fromkeys(KEPT[stays], 1 + (wide if stays == "os" else bits))
    size |= {"across": bits + 3, "down": 1 + (bits if stays == "os" else wide)}
    from_top, leaving = ("down", "chain") if stays == "os" else ("chain", "down")
    block = pyrtl.Block()
    with pyrtl.set_working_block(block, no_sanity_check=True):
        make, nothing = pyrtl.Register, pyrtl.Const(0, size[leaving])
        clear, take = pyrtl.Input(1, "clear"), pyrtl.Input(1, "take")
        left = [pyrtl.Input(size["across"], f"left_{r}") for r in range(rows)]
        top = [pyrtl.Input(size[from_top], f"top_{c}") for c in range(cols)]
        grid = [[{k: make(size[k], f"{k}_{r}_{c}") for k in size} for c in range(cols)] for r in range(rows)]
        for c in range(cols):
            for r in range(rows):
                above = grid[r - 1][c] if r else {from_top: top[c], leaving: nothing}
                comes = {"across": grid[r][c - 1]["across"] if c else left[r]}
                comes |= {key: above[key] for key in ("down", "chain")}
                for key, wires in PES[stays](grid[r][c], comes, take, clear, bits).items():
                    grid[r][c][key].next <<= wires
            if c < cols - 1:
                take, before = make(1, f"take_{c}"), take
                take.next <<= before
        ends = {f"right_{r}": grid[r][-1]["across"] for r in range(rows)}
        ends |= {f"{key}_below_{c}": grid[-1][c][key] for key in ("down", "chain") for c in range(cols)}
        for name, wires in ends.items():
            out = pyrtl.Output(len(wires), name)
            out <<= wires
    return block


function = cache(lambda *shape: netlist.function(design(*shape)))


def counted(dataflow="os", bits=8, wide=32):
    """netlist.Sheet of one PE: what a second row adds to a column. Between PEs is a register: no path is longer."""
    one, two = (netlist.sheet(netlist.gates(design(dataflow, rows, 1, bits, wide))) for rows in (1, 2))
    return netlist.Sheet(two.gates - one.gates, two.flip_flops - one.flip_flops, two.ns, two.um2 - one.um2)


def as_hardware(states, a, b, rows, cols, dataflow, overlap, drain):
    """The cycles of `systolic.steps`, each with the registers that the hardware holds then. Raises ValueError."""
    if max(np.abs(a).max(), np.abs(b).max()) > 127:
        raise ValueError("as hardware a and b hold whole numbers of 8 bits: -127 to 127")
    for state, kept in zip(states, run(a, b, rows, cols, dataflow, overlap, drain), strict=True):
        top = kept["down" if dataflow == "os" else "chain"][0]
        state = replace(state, **kept, enters_left=kept["across"][:, 0], enters_top=top)
        yield replace(state, active=state.across.there & state.partner.there)


def run(a, b, rows, cols, dataflow="os", overlap=False, drain=False, bits=8, wide=32):
    """Yield {register: Wires [rows, cols]} after every cycle of a @ b on the hardware, arguments as for `steps`.
    It ends when the last operand's flag has been seen in the far corner for every fold, not by a count of cycles."""
    stays = KIND[dataflow]
    a, b = (b.T, a.T) if dataflow == "is" else (a, b)
    (m, k), n = a.shape, b.shape[1]
    folds = [(i, j) for i in range(-(-(m if stays == "os" else k) // rows)) for j in range(-(-n // cols))]
    step = function(stays, rows, cols, bits, wide)
    width = dict.fromkeys(DRAWN, bits) | dict.fromkeys(("held", "chain") if stays == "os" else ("down",), wide)
    state, corner = step.start, f"across_{rows - 1}_{cols - 1}"
    for group in [folds] if overlap else [[fold] for fold in folds]:
        fed = partial(_sums_fed if stays == "os" else _weights_fed, a, b, rows, cols, np.array(group).T, bits, drain)
        cycle, seen, after = 0, 0, rows * drain
        while seen < len(group) or after:
            after -= seen == len(group)
            state, _ = step(state, fed(cycle) | {"clear": int(cycle == 0)})
            seen += state[corner] >> bits + 1 & 1
            cycle += 1
            yield {key: _wires(state, key, rows, cols, width[key]) for key in DRAWN}


def _wires(state, key, rows, cols, width):
    """Registers of one name as Wires: the flag on top says whether a number is there."""
    top = DRAWN[key] + width
    held = np.array([[state[f"{key}_{r}_{c}"] for c in range(cols)] for r in range(rows)])
    value = (held & 2**width - 1 ^ 1 << width - 1) - (1 << width - 1)
    return Wires(np.where(there := (held >> top & 1).astype(bool), value, 0), there)


def _sums_fed(a, b, rows, cols, tiles, bits, drain, cycle):
    """{input: bits} of a cycle, where sums stay."""
    k, folds, pitch = a.shape[1], tiles.shape[1], max(a.shape[1], rows) if drain else a.shape[1]
    inputs = {"take": int(drain and feed(np.array(cycle - (k + rows - 2)), 1, pitch, folds)[2])}
    for name, lanes, tile, matrix in (("left", rows, tiles[0], a), ("top", cols, tiles[1], b.T)):
        fold, step, live = feed(cycle - np.arange(lanes), k, pitch, folds)
        line = tile[fold] * lanes + np.arange(lanes)
        flags = (step == 0, step == k - 1) if name == "left" else ()
        inputs |= _packed(name, matrix, line, step, live, flags, bits)
    return inputs


def _weights_fed(a, b, rows, cols, tiles, bits, drain, cycle):
    """The same where weights stay: the last row of a block comes first, inputs follow when all rows are there."""
    m, folds, pitch, row = len(a), tiles.shape[1], max(len(a), rows), np.arange(rows)
    fold, step, live = feed(cycle - np.arange(cols), rows, pitch, folds)
    inputs = {"take": int(live[0] and step[0] == rows - 1)}
    lane = tiles[1][fold] * cols + np.arange(cols)
    inputs |= _packed("top", b.T, lane, tiles[0][fold] * rows + rows - 1 - step, live, (), bits)
    fold, step, live = feed(cycle - rows - row, m, pitch, folds)
    return inputs | _packed("left", a.T, tiles[0][fold] * rows + row, step, live, (step == 0, step == m - 1), bits)


def _packed(name, matrix, line, place, live, flags, bits):
    """{input of a lane: number, flags, whether it is there}; what lies outside the matrix is not."""
    there = live & (line < len(matrix)) & (place < matrix.shape[1])
    word = np.where(there, matrix[np.where(there, line, 0), np.where(there, place, 0)], 0).astype(int) & 2**bits - 1
    for at, flag in enumerate((*(live & flag for flag in flags), there)):
        word |= flag.astype(int) << bits + at
    return {f"{name}_{lane}": int(one) for lane, one in enumerate(word)}
