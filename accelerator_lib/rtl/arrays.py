"""Arrays: every register of three dataflows as hardware, fed at its edges alone; its state is that of `systolic.steps`.

A number travels with flags: whether it is there, and whether it is its fold's first or last. `take` walks one column
right in each cycle: there sums leave for the chain (os), or weights change places with the next ones (ws, is). `clear`
forgets what stayed, where folds do not overlap. Numbers are two's complement.
"""

from dataclasses import replace
from functools import cache, partial
from io import StringIO

import numpy as np
import pyrtl

from accelerator_lib.rtl import netlist
from accelerator_lib.systolic.registers import Wires, feed

DRAWN = {"across": 2, "down": 0, "held": 0, "chain": 0}  # and how many flags lie between a number and its `there`


def _sums_stay(pe, comes, take, clear, bits):
    """What the registers of a PE take next, by name, where sums stay."""
    across, held = comes["across"], pe["held"]
    active = across[-1] & comes["down"][-1]
    total = _sum(_only(held[:-1], ~(active & across[bits])), across, comes["down"], active, bits)
    sums = pyrtl.concat(held[-1] & ~clear | active, total)
    apart = pyrtl.select(active & across[bits + 1], sums, pyrtl.concat(pe["apart"][-1] & ~clear, pe["apart"][:-1]))
    return comes | {"held": sums, "apart": apart, "chain": pyrtl.select(take, apart, comes["chain"])}


def _weights_stay(pe, comes, take, clear, bits):
    """The same where weights stay: those of the next fold wait apart until its first input passes."""
    across, above, held = comes["across"], comes["down"], pe["held"]
    held = pyrtl.select(across[bits], pe["apart"], pyrtl.concat(held[-1] & ~clear, held[:-1]))
    active = across[-1] & held[-1]
    sums = pyrtl.concat(above[-1] | active, _sum(above[:-1], across, held, active, bits))
    return comes | {"down": sums, "held": held, "apart": pyrtl.select(take, comes["chain"], pe["apart"])}


PES = {"os": _sums_stay, "ws": _weights_stay}


def _sum(total, left, right, active, bits):
    """A sum and the product of two numbers: that of their bits, less what their signs count too much."""
    a, b = left[:bits], right[:bits]
    more, both = _only(a, b[-1]) + _only(b, a[-1]), a * b
    product = _only(pyrtl.concat((both[bits:] - more)[:bits], both[:bits]), active)
    return (total + product.sign_extended(len(total)))[: len(total)]


def _only(wires, where):
    return wires & where.sign_extended(len(wires))


@cache
def design(stays="os", rows=1, cols=1, bits=8, wide=32):
    """The PyRTL block of a rows x cols array where sums ("os") or weights ("ws") stay; sums have `wide` bits."""
    size = dict.fromkeys(("held", "apart", "chain"), 1 + (wide if stays == "os" else bits))
    size |= {"across": bits + 3, "down": 1 + (bits if stays == "os" else wide)}
    enters, leaves = ("down", "chain") if stays == "os" else ("chain", "down")
    block, make = pyrtl.Block(), pyrtl.Register
    with pyrtl.set_working_block(block, no_sanity_check=True):
        clear, take, nothing = pyrtl.Input(1, "clear"), pyrtl.Input(1, "take"), pyrtl.Const(0, size[leaves])
        left = [pyrtl.Input(size["across"], f"left_{r}") for r in range(rows)]
        top = [pyrtl.Input(size[enters], f"top_{c}") for c in range(cols)]
        grid = [[{k: make(size[k], f"{k}_{r}_{c}") for k in size} for c in range(cols)] for r in range(rows)]
        for c in range(cols):
            for r in range(rows):
                above = grid[r - 1][c] if r else {enters: top[c], leaves: nothing}
                comes = {"down": above["down"], "chain": above["chain"]}
                comes["across"] = grid[r][c - 1]["across"] if c else left[r]
                for key, wires in PES[stays](grid[r][c], comes, take, clear, bits).items():
                    grid[r][c][key].next <<= wires
            if c < cols - 1:
                take, before = make(1, f"take_{c}"), take
                take.next <<= before
        ends = [grid[r][-1]["across"] for r in range(rows)]
        for wires in ends + [grid[-1][c][key] for key in ("down", "chain") for c in range(cols)]:
            out = pyrtl.Output(len(wires), f"out_{wires.name}")
            out <<= wires
    return block


machine = cache(lambda *shape: pyrtl.FastSimulation(tracer=None, block=design(*shape)))


def counted(stays="os", bits=8, wide=32):
    """netlist.Sheet of one PE: what a second row adds to a column. Between PEs is a register: no path is longer."""
    one, two = (netlist.sheet(netlist.gates(design(stays, rows, 1, bits, wide))) for rows in (1, 2))
    return netlist.Sheet(two.gates - one.gates, two.flip_flops - one.flip_flops, two.ns, two.um2 - one.um2)


def verilog(stays="os", rows=1, cols=1, bits=8, wide=32):
    """The text of a design in Verilog."""
    pyrtl.output_to_verilog(text := StringIO(), add_reset=False, block=design(stays, rows, cols, bits, wide))
    return text.getvalue()


def as_hardware(states, a, b, rows, cols, dataflow, overlap, drain):
    """The cycles of `systolic.steps`, each with the registers that the hardware holds then. Raises ValueError."""
    if any(((x < -128) | (x > 127) | (x % 1 != 0)).any() for x in (a, b)):
        raise ValueError("as hardware a and b hold whole numbers of 8 bits: -128 to 127")
    for state, kept in zip(states, run(a, b, rows, cols, dataflow, overlap, drain), strict=True):
        top = kept["down" if dataflow == "os" else "chain"][0]
        state = replace(state, **kept, enters_left=kept["across"][:, 0], enters_top=top)
        yield replace(state, active=state.across.there & state.partner.there)


def run(a, b, rows, cols, dataflow="os", overlap=False, drain=False, bits=8, wide=32):
    """Yield {register: Wires [rows, cols]} after every cycle of a @ b on the hardware, arguments as for `steps`.
    It ends when the last operand's flag has been seen in the far corner for every fold, not by a count of cycles."""
    stays, (a, b) = ("ws", (b.T, a.T)) if dataflow == "is" else (dataflow, (a, b))  # on transposes
    down, wider = (len(a), ("held", "chain")) if stays == "os" else (a.shape[1], ("down",))
    folds = [(i, j) for i in range(-(-down // rows)) for j in range(-(-b.shape[1] // cols))]
    simulated, corner = machine(stays, rows, cols, bits, wide), f"across_{rows - 1}_{cols - 1}"
    state = dict.fromkeys(simulated.regs, 0)  # each run's own: the machine is compiled once for all
    for group in [folds] if overlap else [[fold] for fold in folds]:
        fed, cycle, seen = partial(_fed, stays, a, b, rows, cols, np.array(group).T, bits, drain), 0, 0
        after = rows * drain
        while seen < len(group) or after:
            after -= seen == len(group)
            simulated.regs = state
            simulated.step(fed(cycle) | {"clear": int(cycle == 0)})
            state = simulated.regs
            seen += state[corner] >> bits + 1 & 1
            cycle += 1
            yield {key: _wires(state, key, rows, cols, wide if key in wider else bits) for key in DRAWN}


def _wires(state, key, rows, cols, width):
    held = np.array([[state[f"{key}_{r}_{c}"] for c in range(cols)] for r in range(rows)], np.int64)
    there = (held >> DRAWN[key] + width & 1).astype(bool)
    value = (held & 2**width - 1 ^ 1 << width - 1) - (1 << width - 1)
    return Wires(np.where(there, value, 0), there)


def _fed(stays, a, b, rows, cols, tiles, bits, drain, cycle):
    """{input: bits} of a cycle. Where weights stay, the last row of a block comes first, and inputs wait for all."""
    own, (m, k), folds = stays == "os", a.shape, tiles.shape[1]
    stream, loads = (k, k) if own else (m, rows)
    pitch = max(stream, rows) if drain or not own else stream
    from_left = "left", rows, tiles[0], a if own else a.T, 0 if own else rows, stream
    began = cycle - (k + rows - 2 if own else rows - 1)
    inputs = {"take": int((drain or not own) and feed(np.array(began), 1, pitch, folds)[2])}
    for name, lanes, tile, matrix, late, lasts in (from_left, ("top", cols, tiles[1], b.T, 0, loads)):
        lane = np.arange(lanes)
        fold, step, live = feed(cycle - late - lane, lasts, pitch, folds)
        place = step if own or name == "left" else tiles[0][fold] * rows + rows - 1 - step
        line = tile[fold] * lanes + lane
        there = live & (line < len(matrix)) & (place < matrix.shape[1])
        word = np.where(there, matrix[np.where(there, line, 0), np.where(there, place, 0)], 0).astype(int) & 2**bits - 1
        flags = (step == 0, step == stream - 1) if name == "left" else ()
        for at, flag in enumerate((*(live & flag for flag in flags), there)):
            word |= flag.astype(int) << bits + at
        inputs |= {f"{name}_{at}": int(one) for at, one in enumerate(word)}
    return inputs
