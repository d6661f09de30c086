"""Netlist: a PyRTL design turned into a function of its registers and inputs; its gates, longest path and area.

Area and delay are PyRTL's estimates for cells of 130 nm: fit to compare designs, not to predict a chip. Words are
lowered to gates of one bit: multipliers are Wallace trees, adders Kogge-Stone's. Ignored: clock, wires, their delays.
"""

from dataclasses import dataclass
from io import StringIO

from accelerator_lib import data

TEXT = {"&": "{} & {}", "|": "{} | {}", "^": "{} ^ {}", "+": "{} + {}", "-": "{} - {}", "*": "{} * {}"}
TEXT |= {"w": "{}", "~": "~{}", "n": "~({} & {})", "x": "{1} ^ (({1} ^ {2}) & -{0})"}


@dataclass(frozen=True)
class Sheet:
    """What a design costs: gates, flip-flops, the longest path between them [ns], area [um2], both at 130 nm."""

    gates: int
    flip_flops: int
    ns: float
    um2: float


@data.kept
def sheets():
    """{design: Sheet}, as counted: where a page runs, counting takes seconds. data/rtl.yaml."""
    return {name: Sheet(*row) for name, row in data.load("rtl")["sheets"].items()}


def function(block):
    """step(registers, inputs) -> the next registers: dicts by name, of whole numbers or of int64 arrays."""
    import pyrtl

    names, kinds, following = {}, block.wirevector_subset, []
    known = {wire: str(wire.val) for wire in kinds(pyrtl.Const)}
    name = lambda wire: known.get(wire) or names.setdefault(wire, f"w{len(names)}")  # noqa: E731
    lines = [f"{name(wire)} = inputs[{wire.name!r}]" for wire in kinds(pyrtl.Input)]
    lines += [f"{name(wire)} = registers[{wire.name!r}]" for wire in kinds(pyrtl.Register)]
    for net in block:
        (to,), wires = net.dests, [name(wire) for wire in net.args]
        if net.op == "r":
            following.append(f"{to.name!r}: {wires[0]}")
            continue
        if net.op == "c":
            places = [sum(map(len, net.args[at + 1 :])) for at in range(len(wires))]
            text = " | ".join(f"({wire} << {by})" for wire, by in zip(wires, places, strict=True))
        elif net.op == "s":  # neighbours: nothing here takes others
            text = f"{wires[0]} >> {net.op_param[0]}"
        else:
            text = TEXT[net.op].format(*wires)
        lines.append(f"{name(to)} = ({text}) & {(1 << len(to)) - 1}")
    space = {}
    exec("def step(registers, inputs):\n " + "\n ".join([*lines, f"return {{{', '.join(following)}}}"]), space)
    space["step"].start = {wire.name: 0 for wire in kinds(pyrtl.Register)}
    return space["step"]


def gates(block):
    """The same design in gates of one bit."""
    import pyrtl
    from pyrtl.rtllib.adders import kogge_stone
    from pyrtl.transform import copy_block, net_transform

    def fast(net):
        """Adds with Kogge-Stone's adder; a - b is what ~a + b leaves to all ones, its carry says a < b."""
        if net.op not in "+-" or len(net.args[0]) < 3:
            return True
        (a, b), (to,) = net.args, net.dests
        total = kogge_stone(a if net.op == "+" else ~a, b)
        to <<= total if net.op == "+" else pyrtl.concat(total[-1], ~total[:-1])
        return False

    own = copy_block(block)
    net_transform(fast, own)
    own = pyrtl.synthesize(update_working_block=False, block=own)
    return pyrtl.optimize(update_working_block=False, block=own)


def sheet(block):
    """The Sheet of a design in gates."""
    import pyrtl

    count, area = [net.op for net in block.logic], pyrtl.area_estimation(130, block)[0]
    longest = pyrtl.TimingAnalysis(block).max_length()
    return Sheet(sum(op in "&|^~n" for op in count), count.count("r"), longest / 1e3, area * 1e6)


def verilog(block):
    """The design as a module of Verilog."""
    import pyrtl

    pyrtl.output_to_verilog(text := StringIO(), add_reset=False, block=block)
    return text.getvalue()
