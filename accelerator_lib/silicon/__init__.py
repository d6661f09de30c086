"""Silicon: what a chip costs, how much memory it can carry, and when to cut it into pieces.

wafer         dies on a wafer, the reticle
"""
