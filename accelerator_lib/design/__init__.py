"""The accelerator zoo and the capstone: published chips on equal terms, and one of your own.
machine, scale      a chip as a record; one to scale      work, laws      jobs as products; seconds, watts of a step
evaluation          one job on one design, in products    validation      the model beside 32 measurements
bill, merit         area, dollars; one number for a mix   edges           one die, arrays of six edges
grid                all designs at once                   explore         a few designs; what each knob is worth
zoo, kinds          86 records; three kinds of machines   capacity        a model against the memory of chips
forensics           a printed figure taken apart          costs, exotic   from wafer to token; currents that add up
"""

from accelerator_lib.design import capacity, costs, edges, exotic, explore, forensics, kinds, validation, zoo
from accelerator_lib.design.bill import area_mm2, chip_usd, pe_um2, usd_per_hour
from accelerator_lib.design.capacity import chips_for_weights
from accelerator_lib.design.costs import break_even_units, usd_per_million_tokens
from accelerator_lib.design.evaluation import evaluate, steps
from accelerator_lib.design.exotic import analog_pj
from accelerator_lib.design.machine import Design, real, reals
from accelerator_lib.design.merit import MIX, limits, score, violations
from accelerator_lib.design.validation import validate
from accelerator_lib.design.work import jobs
