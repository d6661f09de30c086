"""The accelerator zoo and the capstone: published chips on equal terms, and one of your own.

machine, facts   a chip as a record: arrays, SRAM, stacks, clock, links; the constants, from data/design.yaml
work, laws       five real jobs as products; seconds and watts of a step, for one design or millions
numbers          plain, NumPy, JAX or dual arithmetic
evaluation       one job on one design, product by product
bill, merit      square millimetres, dollars; one number for a mix of jobs, and what no design may exceed
validation       the model beside 32 published measurements
edges, floor     one die, arrays of six edges; where the parts of a design lie
grid, explore    all designs of a grid; ways to try a few; what each knob is worth (elasticities); sharded, hosts
zoo, kinds       86 records of 75 accelerators; three kinds of machines, and what a job finds
capacity         a model against the memory of chips
forensics        a figure in print, taken apart
costs            from a wafer to a token, offers, a chip of one's own
exotic           currents that add up, and what it takes to read them
"""

from accelerator_lib.design import capacity, costs, edges, exotic, explore, floor, forensics, kinds, validation, zoo
from accelerator_lib.design.bill import area_mm2, chip_usd, pe_um2, usd_per_hour
from accelerator_lib.design.capacity import chips_for_weights
from accelerator_lib.design.costs import break_even_units, offers, owned_usd_per_hour, usd_per_million_tokens
from accelerator_lib.design.evaluation import evaluate, steps
from accelerator_lib.design.exotic import analog_pj
from accelerator_lib.design.machine import Design, real, reals
from accelerator_lib.design.merit import MIX, limits, score, violations
from accelerator_lib.design.validation import validate
from accelerator_lib.design.work import jobs

__all__ = ["MIX", "Design", "analog_pj", "area_mm2", "break_even_units", "capacity", "chip_usd", "chips_for_weights"]
__all__ += ["costs", "edges", "evaluate", "exotic", "explore", "floor", "forensics", "jobs", "kinds", "limits"]
__all__ += ["offers", "owned_usd_per_hour", "pe_um2", "real", "reals", "score", "steps", "usd_per_hour"]
__all__ += ["usd_per_million_tokens", "validate", "validation", "violations", "zoo"]
