"""Edges: one die, filled with arrays of one edge or another.
    arrays = what SRAM and memory leave of the die / area of one array, rounded down
Small arrays fit every product, large ones cost less for each PE; by how much nobody publishes: both can be moved.
"""

from typing import NamedTuple

from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Count, Given, Number, Positive, Share, Single, checked
from accelerator_lib.design.bill import areas, pe, whole_area
from accelerator_lib.design.evaluation import Result, evaluate
from accelerator_lib.design.explore import elasticities
from accelerator_lib.design.laws import outcome
from accelerator_lib.design.machine import Design, assumed, facts
from accelerator_lib.design.merit import TIE, score, sites
from accelerator_lib.design.work import jobs, vision

EDGES = (16, 32, 64, 128, 256, 512)
MIXED = "mix"  # the five jobs, for the money
CLOCK_HZ, LINK_BYTES_PER_S = 1.5e9, 300e9


class Filled(NamedTuple):  # a die full of arrays of one edge; where not one fits, the design is None
    edge: int
    arrays: int
    design: Design | None
    die_mm2: float
    room: float  # share of the die that SRAM and memory leave
    arrays_mm2: float
    multiplying: float  # share of an array's area that its PEs take, not what feeds them
    gain: float  # units of the job a second, or score for the money beside an H100
    busy: float  # of PEs and cycles while the arrays work
    pes = property(lambda self: self.arrays * self.edge**2)
    rest = property(lambda self: 1 - self.room)  # share of the die that no array may take, the same for all edges


class Dies(tuple):
    """Filled of one die, one for each edge."""

    best = property(lambda self: max(self, key=lambda one: one.gain))  # the one that gains most
    least = property(lambda self: min((one for one in self if one.gain), key=lambda one: one.gain, default=None))

    @property
    def alike(self):
        """Places of those that the model cannot tell from the best."""
        most = self.best.gain
        return tuple(i for i, one in enumerate(self) if most and one.gain > (1 - TIE) * most)


Die, Mb = Single(Number(low=50, high=858, unit="mm²")), Single(Number(low=1, high=1024, unit="MB"))
Job = Given("a job or 'mix'", lambda value: one_of("job", value, (*jobs(), MIXED)))
Part, Rows, Few, One = Single(Share), Single(Number(low=0, high=1e3)), Count(low=0, high=8), Single(Positive)


@checked
def filled(
    die_mm2: Die = 800.0, job: Job = "prefill", share: Part = None, rows: Rows = None, sram_mb: Mb = 64, stacks: Few = 6
):
    """Dies: a Filled for each of EDGES, 5 nm, 1.5 GHz; no more of the `stacks` than find room along the die."""
    usual = assumed()
    stacks = min(stacks, int(sites(die_mm2)))
    given = usual._replace(share=usual.share if share is None else share, rows=usual.rows if rows is None else rows)
    return Dies(_filled(edge, die_mm2, job, given, sram_mb, stacks) for edge in EDGES)


def _filled(edge, die_mm2, job, given, sram_mb, stacks):
    one = Design(edge, 1, sram_mb, stacks, CLOCK_HZ, LINK_BYTES_PER_S)
    array, *rest = areas(one.machine(given))
    arrays = int((die_mm2 - sum(rest)) // array)
    flat = facts().pe_flat_um2 / pe(edge, given.share, given.rows)
    room = max(0.0, 1 - sum(rest) / die_mm2)
    if arrays < 1:
        return Filled(edge, 0, None, die_mm2, room, 0.0, flat, 0.0, 0.0)
    design = Design(edge, arrays, sram_mb, stacks, CLOCK_HZ, LINK_BYTES_PER_S)
    machine = design.machine(given)
    result = Result(*outcome(machine, jobs()["prefill" if job == MIXED else job], whole_area(machine)))
    gain = score(design, given=given).value if job == MIXED else result.per_chip_s
    return Filled(edge, arrays, design, die_mm2, room, arrays * array, flat, gain, busy(design, result))


def busy(design, result):
    """Share of PEs and cycles that multiply, while the arrays work."""
    machine = design.machine()
    cycles = result.compute * machine.assumed.clocked * machine.clock_hz * 2 / machine.element_bytes
    return result.macs / (cycles * design.macs)


@checked
def one_image(edge: Single(Number(low=16, high=256))):
    """Busy share for ResNet-50, one image at a time, on 65,536 PEs in arrays of this edge (16 to 256)."""
    design = Design(int(edge), int(65536 // edge**2), 64, 6, CLOCK_HZ, LINK_BYTES_PER_S)
    return busy(design, evaluate(design, vision(1)))


class Verdict(NamedTuple):  # how many times as much the better of two does, and whether this model can tell
    times: float
    word: str  # "a tie" or "a lead"


@checked
def on_equal_area(busy: One, um2: One, others_busy: One, others_um2: One):
    """Verdict of two kinds of arrays: busy PEs on a square millimetre."""
    one, other = busy / um2, others_busy / others_um2
    times = max(one, other) / min(one, other)
    return Verdict(times, "a tie" if (1 - TIE) * times < 1 else "a lead")


@checked
def rounds(tiles: Single(Count(high=10**9)), arrays: Single(Count(high=10**6))):
    """Rounds in which so many tiles go through so many arrays: tiles come whole."""
    return -(-tiles // arrays)


@checked
def tiles(rows: Single(Count(high=10**9)), columns: Single(Count(high=10**9)), edge: Single(Count(high=4096))):
    """Tiles of edge x edge in so many rows and columns of weights."""
    return -(-rows // edge) * -(-columns // edge)


@checked
def slope_of_arrays(edge: Single(Count(high=512)) = 128, arrays: Single(Count(high=2048)) = 20):
    """Percent of score for one percent more arrays, as such a chip is built; 128 MB, six stacks."""
    return elasticities(Design(edge, arrays, 128, 6, CLOCK_HZ, LINK_BYTES_PER_S), False)["arrays"]


@checked
def tied_up_to():
    """The largest share along the edges, in steps of 5 %, at which the edge 64 ties with 128 for the money."""
    gains = {step / 20: {one.edge: one.gain for one in filled(800.0, MIXED, step / 20)} for step in range(21)}
    return max((share for share, gain in gains.items() if gain[64] > (1 - TIE) * gain[128]), default=0.0)


@checked
def best_edge(job: Job = MIXED):
    """The edge of EDGES that `filled` finds best on 800 mm²."""
    return filled(800.0, job).best.edge
