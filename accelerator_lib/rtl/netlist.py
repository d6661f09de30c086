"""Netlist: a PyRTL design turned into a function of its registers and inputs; its gates, longest path and area.

Area and delay are PyRTL's estimates for cells of 130 nm: fit to compare designs, not to predict a chip. Words are
lowered to gates of one bit: multipliers are Wallace trees, adders Kogge-Stone's.
"""

from dataclasses import dataclass
from io import StringIO

from accelerator_lib import data

TWO = {"&": "&", "|": "|", "^": "^", "+": "+", "-": "-", "*": "*", "<": "<", ">": ">", "=": "=="}


@dataclass(frozen=True)
class Sheet:
    """What a design costs: gates, flip-flops, the longest path between them [ns], area [um2], both at 130 nm."""

    gates: int
    flip_flops: int
    ns: float
    um2: float

    def of(self, units):
        """The same for one of so many units that share the design."""
        return Sheet(round(self.gates / units), round(self.flip_flops / units), self.ns, self.um2 / units)


@data.kept
def sheets():
    """{design: Sheet} of all units and PEs, as counted: a large one takes half a minute. data/rtl.yaml."""
    return {name: Sheet(*row) for name, row in data.load("rtl")["sheets"].items()}


def function(block):
    """step(registers, inputs) -> (the next registers, outputs): dicts by name, of whole numbers or of int64 arrays."""
    import pyrtl

    names, kinds = {}, block.wirevector_subset
    known = {wire: str(wire.val) for wire in kinds(pyrtl.Const)}
    name = lambda wire: known.get(wire) or names.setdefault(wire, f"w{len(names)}")  # noqa: E731
    lines = [f"{name(wire)} = inputs[{wire.name!r}]" for wire in kinds(pyrtl.Input)]
    lines += [f"{name(wire)} = registers[{wire.name!r}]" for wire in kinds(pyrtl.Register)]
    following = []
    for net in block:
        (to,), from_ = net.dests, [name(wire) for wire in net.args]
        if net.op == "r":
            following.append(f"{to.name!r}: {from_[0]}")
        else:
            lines.append(f"{name(to)} = {_expression(net, from_)} & {(1 << len(to)) - 1}")
    out = [f"{wire.name!r}: {name(wire)}" for wire in kinds(pyrtl.Output)]
    lines.append(f"return {{{', '.join(following)}}}, {{{', '.join(out)}}}")
    space = {}
    exec("def step(registers, inputs):\n " + "\n ".join(lines), space)
    space["step"].start = {wire.name: 0 for wire in kinds(pyrtl.Register)}
    return space["step"]


def _expression(net, from_):
    if net.op in TWO:
        return f"({from_[0]} {TWO[net.op]} {from_[1]})"
    if net.op == "x":
        select, low, high = from_
        return f"({low} ^ (({low} ^ {high}) & -{select}))"
    if net.op == "c":
        places = [sum(map(len, net.args[at + 1 :])) for at in range(len(from_))]
        return f"({' | '.join(f'({wire} << {by})' for wire, by in zip(from_, places, strict=True))})"
    if net.op == "s":
        taken = net.op_param
        if list(taken) == [*range(taken[0], taken[0] + len(taken))]:
            return f"({from_[0]} >> {taken[0]})"
        return f"({' | '.join(f'(({from_[0]} >> {bit} & 1) << {at})' for at, bit in enumerate(taken))})"
    return {"w": "{}", "~": "~{}", "n": "~({} & {})"}[net.op].format(*from_)


def gates(block):
    """The same design in gates of one bit."""
    import pyrtl
    from pyrtl.rtllib.adders import kogge_stone
    from pyrtl.transform import copy_block, net_transform

    def fast(net):
        """Adds and compares with Kogge-Stone's adder; a - b is what ~a + b leaves to all ones, its carry says a < b."""
        if net.op not in "+-<>" or len(net.args[0]) < 3:
            return True
        (a, b), (to,) = net.args if net.op != ">" else net.args[::-1], net.dests
        total = kogge_stone(a if net.op == "+" else ~a, b)
        to <<= {"+": total, "-": pyrtl.concat(total[-1], ~total[:-1])}.get(net.op, total[-1])
        return False

    own = copy_block(block)
    net_transform(fast, own)
    own = pyrtl.synthesize(update_working_block=False, block=own)
    return pyrtl.optimize(update_working_block=False, block=own)


def sheet(block):
    """The Sheet of a design in gates."""
    import pyrtl

    count = [net.op for net in block.logic]
    area = pyrtl.area_estimation(130, block)[0]
    longest = pyrtl.TimingAnalysis(block).max_length()
    return Sheet(sum(op in "&|^~n" for op in count), count.count("r"), longest / 1e3, area * 1e6)


def verilog(block):
    """The design as a module of Verilog."""
    import pyrtl

    text = StringIO()
    pyrtl.output_to_verilog(text, add_reset=False, block=block)
    return text.getvalue()
