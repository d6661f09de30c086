"""Hardware: the arrays of chapter 6 as wires, gates and registers. PyRTL builds them, and is imported with `arrays`.

netlist   a design simulated, counted and written out      arrays   the registers of three dataflows
"""
