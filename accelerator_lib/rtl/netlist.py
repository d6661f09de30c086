"""Netlist: a PyRTL design in gates of one bit; how many there are, the longest path and the area.

Area and delay are PyRTL's estimates for cells of 130 nm: fit to compare designs, not to predict a chip. Words are
lowered to gates of one bit: multipliers are Wallace trees, adders Kogge-Stone's. Ignored: clock, wires, their delays.
"""

from dataclasses import dataclass

from accelerator_lib import data


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
