"""Hardware: the arrays of chapter 6 and the multiply-accumulate units of chapter 7 as wires, gates and registers.

netlist   a design simulated, counted and written out
macs      multiply-accumulate units of each number format      arrays   three dataflows

PyRTL builds the designs, and is imported when one is asked for. Ignored: the clock's tree, wires, and their delays.
"""

from accelerator_lib.rtl import arrays, macs, netlist
