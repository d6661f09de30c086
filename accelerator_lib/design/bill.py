"""Bill: square millimetres, dollars and dollars an hour of a design.
    mm2     = arrays x edge^2 x PE / logic + 0.775 MB / SRAM + 56 stacks / analog         densities beside 7 nm
    PE      = 596 a (1 + rows / e) + 1,830 (1 - s + 128 s / e) um2     e = min(edge, 128); s: what feeds along the edges
    a       = 1 in 16 bits; each product more in a cycle (2 in 8 bits, 4 in 4) adds 0.72, an accumulator of 32 bits
    chip    = dies x wafer / (dies of a wafer x yield) + 15 / GB + 135 / stack + package
    hour    = (chip + host) / four years + electricity
From 128 x 128 on, multipliers set an array's area; in small ones wires do (CACM 63(7), 2020). Fitted on whole chips.
"""

from accelerator_lib.checks.signature import Number, Share, Watts, checked
from accelerator_lib.design.laws import PLAIN
from accelerator_lib.design.machine import ADesign, Machine, assumed, facts

WAFER_MM, PI = 300.0, 3.141592653589793
MM2_PER_CM2, UM2_PER_MM2 = 100.0, 1e6


def pe(edge, share, rows, sums=1.0):
    """um2 of a PE at 7 nm, all that feeds it included: [any shape, in any arithmetic]. Its slope is 0 from 128 on."""
    known = facts()
    edge = known.even_from + (edge - known.even_from) * (edge < known.even_from)
    flat = known.pe_flat_um2 * (1 + known.accumulator_share * (sums - 1))
    return flat * (1 + rows / edge) + known.pe_fed_um2 * (1 - share + 128 * share / edge)


def areas(machine: Machine):
    """mm2 of (arrays, SRAM, interfaces of the stacks)."""
    known, node, given = facts(), machine.process, machine.assumed
    each = pe(machine.edge, given.share, given.rows, machine.sums) / UM2_PER_MM2
    return (
        machine.arrays * machine.edge**2 * each / node.logic,
        known.sram_mm2_per_mb * machine.sram_mb / node.sram,
        known.stack_mm2 * machine.stacks / node.analog,
    )


def whole_area(machine: Machine):
    """mm2 of all dies together."""
    return sum(areas(machine))


def die_usd(area_mm2, process, on=PLAIN):
    """Dollars of one good die (ch. 9: dies of a wafer by the formula, Murphy's yield)."""
    dies = PI * (WAFER_MM / 2) ** 2 / area_mm2 - PI * WAFER_MM / on.sqrt(2 * area_mm2)
    hit = area_mm2 * facts().defects_per_cm2 / MM2_PER_CM2
    return process.wafer_usd / (on.maximum(dies, 1e-3) * ((1 - on.exp(-hit)) / hit) ** 2)


def usd(machine: Machine, area_mm2, on=PLAIN):
    """Dollars to make the chip, with its memory and its package."""
    known, dies = facts(), machine.dies
    memory = machine.assumed.usd_per_gb * machine.memory_bytes / 1e9 + known.usd_per_stack * machine.stacks
    return dies * die_usd(area_mm2 / dies, machine.process, on) + memory + machine.assumed.package_usd


def usd_hour(machine: Machine, chip, watts):
    """Dollars an hour: the chip and its part of a server over four years, and electricity."""
    known = facts()
    return (chip + machine.assumed.host_usd) / known.hours + known.usd_per_kwh * watts / 1000


@checked
def pe_um2(edge: Number(low=1, high=4096), share: Share = None, rows: Number(low=0, high=1e4) = None):
    """um2 of a PE at 7 nm and what feeds it, `share` of that along the edges, which take `rows` of PEs."""
    given = assumed()
    return pe(edge, given.share if share is None else share, given.rows if rows is None else rows)


@checked
def area_mm2(design: ADesign):
    """mm2 of a design, all its dies together."""
    return whole_area(design.machine())


@checked
def chip_usd(design: ADesign):
    """Dollars to make one chip of a design."""
    machine = design.machine()
    return usd(machine, whole_area(machine))


@checked
def usd_per_hour(design: ADesign, watts: Watts):
    """Dollars an hour of a design that draws so many watts."""
    machine = design.machine()
    return usd_hour(machine, usd(machine, whole_area(machine)), watts)
