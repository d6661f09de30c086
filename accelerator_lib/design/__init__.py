"""The accelerator zoo and the capstone: published chips on equal terms, and one of your own.

machine       a chip as a record: arrays, SRAM, stacks, clock, links; published ones told the same way
work          five real jobs as products                laws      seconds and watts of a step, for one or millions
numbers       plain, NumPy or JAX arithmetic            facts     the constants, from data/design.yaml
evaluation    one job on one design, product by product
bill          square millimetres, dollars               merit     one number for a mix of jobs
rules         what no design may exceed                 capacity  chips that hold a model
zoo           86 records of 75 accelerators             kinds     three kinds of machines, and what a job finds
forensics, rebuilding   a figure in print, taken apart  ladder    a model against the memory of chips
battery       edge devices on one charge
validation    the model beside 32 published measurements
watching      one step, product by product              edges     one die, arrays of six edges
costs         from a wafer to a token: dies, chips, hours, tokens
prices        what an hour was offered for, and when     bands     a promise made into what a machine must have
volume        a chip of one's own against one that is bought
explore       all designs of a grid, races of searches, what each knob is worth (grid, compiled, sharded, race,
              elasticities, dual)
floor         where the parts of a design lie
exotic, analog   light, spikes, zeros, currents that add up: each with its budget
"""

from accelerator_lib.design import (
    battery,
    edges,
    explore,
    floor,
    forensics,
    kinds,
    ladder,
    rebuilding,
    validation,
    watching,
    zoo,
)
from accelerator_lib.design.analog import analog_pj
from accelerator_lib.design.bands import band, training_seconds
from accelerator_lib.design.bill import area_mm2, chip_usd, pe_um2, usd_per_hour
from accelerator_lib.design.capacity import chips_for_weights, tops_per_watt
from accelerator_lib.design.costs import owned_usd_per_hour, usd_per_million_tokens
from accelerator_lib.design.evaluation import evaluate, steps
from accelerator_lib.design.machine import Design, real, reals
from accelerator_lib.design.merit import MIX, score
from accelerator_lib.design.prices import offers
from accelerator_lib.design.rules import limits, violations
from accelerator_lib.design.validation import validate
from accelerator_lib.design.volume import break_even_units, total_usd
from accelerator_lib.design.work import jobs

__all__ = [
    "MIX",
    "Design",
    "analog_pj",
    "area_mm2",
    "band",
    "battery",
    "break_even_units",
    "chip_usd",
    "chips_for_weights",
    "edges",
    "evaluate",
    "explore",
    "floor",
    "forensics",
    "jobs",
    "kinds",
    "ladder",
    "limits",
    "offers",
    "owned_usd_per_hour",
    "pe_um2",
    "real",
    "reals",
    "rebuilding",
    "score",
    "steps",
    "tops_per_watt",
    "total_usd",
    "training_seconds",
    "usd_per_hour",
    "usd_per_million_tokens",
    "validate",
    "validation",
    "violations",
    "watching",
    "zoo",
]
