"""The accelerator zoo and the capstone: published chips on equal terms, and one of your own.

machine       a chip as a record: arrays, SRAM, stacks, clock, links; published ones told the same way
work          five real jobs as products                laws      seconds and watts of a step, for one or millions
numbers       plain, NumPy or JAX arithmetic            facts     the constants, from data/design.yaml
evaluation    one job on one design, product by product
bill          square millimetres, dollars               merit     one number for a mix of jobs
rules         what no design may exceed                 capacity  chips that hold a model
validation    the model beside 32 published measurements
costs         from a wafer to a token: dies, chips, hours, tokens
volume        a chip of one's own against one that is bought
exotic        analog, light, spikes, zeros: each with its budget
"""

from accelerator_lib.design.bill import area_mm2, chip_usd, pe_um2, usd_per_hour
from accelerator_lib.design.capacity import chips_for_weights, tops_per_watt
from accelerator_lib.design.evaluation import evaluate, steps
from accelerator_lib.design.machine import Design, real, reals
from accelerator_lib.design.merit import MIX, score
from accelerator_lib.design.rules import limits, violations
from accelerator_lib.design.validation import validate
from accelerator_lib.design.work import jobs

__all__ = [
    "MIX",
    "Design",
    "area_mm2",
    "chip_usd",
    "chips_for_weights",
    "evaluate",
    "jobs",
    "limits",
    "pe_um2",
    "real",
    "reals",
    "score",
    "steps",
    "tops_per_watt",
    "usd_per_hour",
    "validate",
    "violations",
]
