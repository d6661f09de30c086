"""Silicon: what a chip costs, how much memory it can carry, and when to cut it into pieces.

wafer         dies on a wafer, the reticle              yields        four models from one idea; dollars
falling       defects that land one by one              salvage       units of a die, some of them spare
package       one die or pieces of it                   choices       every way to cut one design
ports         a floor plan on the next process          sram, hbm     memory on the die, memory beside it
plans         units, SRAM and stacks, at work           carbon        what making a die emits
bill          guesses behind a package, sorted
"""

from accelerator_lib.silicon import bill
from accelerator_lib.silicon.carbon import carbon_per_good_die
from accelerator_lib.silicon.falling import defects, fall
from accelerator_lib.silicon.hbm import hbm_bytes_per_s, hbm_sites
from accelerator_lib.silicon.package import package_cost
from accelerator_lib.silicon.plans import Plan, cheapest, serve
from accelerator_lib.silicon.ports import ported_area
from accelerator_lib.silicon.salvage import spares
from accelerator_lib.silicon.sram import sram_bytes
from accelerator_lib.silicon.wafer import cut, dies_per_wafer, fits_field, largest, sides, wafer_map
from accelerator_lib.silicon.yields import cost_per_good_die, density_of, die_yield, harvested_yield
