"""Arrays at work, cycle by cycle: one with its product and its trapezoid, two beside each other."""

from accelerator_course.views.stage import Stage, texts
from accelerator_course.views.systolic.registers import Grid
from accelerator_course.views.systolic.watching import Result, Trapezoid
from accelerator_lib.units import percent

NAMES = {"os": "output-stationary", "ws": "weight-stationary", "is": "input-stationary"}
PHASES = {"full": " The array is full.", "up": "", "down": "", "": ""}


class Wavefront(Stage):
    """A systolic array, cycle by cycle: what each PE multiplies, what waits at the edges, what is done, how busy it is.

    >>> view, ones = Wavefront(), np.ones((4, 4), int)
    >>> run, large = list(systolic.watch(ones, 2 * ones, 4, 3, "ws")), list(systolic.watch(ones, ones, 32, 32))
    >>> view.show(run[0])
    >>> view.show(run[7])
    >>> view.show(large[5])
    """

    size, noun = (740, 440), "cycle"

    def __init__(self):
        self.grid = Grid(6, 22, 418)
        self.result, self.trapezoid = Result(480, 30, 240, 190), Trapezoid(480, 275, 240, 110)

    def marks(self, watched):
        return [*self.grid.marks(watched), *self.result.marks(watched), *self.trapezoid.marks(watched)]

    def say(self, watched):
        now = watched.now
        fold = f", fold {now.fold + 1} of {now.folds}" if now.folds > 1 else ""
        return f"Cycle {now.cycle + 1} of {watched.length}{fold}: {_busy(now)}.{PHASES[watched.phase]}"


class Dataflows(Stage):
    """Two dataflows, cycle by cycle: the same product on arrays that keep different things still.

    >>> view, ones = Dataflows(), np.ones((3, 3), int)
    >>> pairs = list(systolic.side_by_side(*(systolic.watch(ones, ones, 3, 3, flow) for flow in ("os", "ws"))))
    >>> view.show(pairs[0])
    >>> view.show(pairs[5])
    >>> view.show(pairs[-1])
    """

    size, noun = (760, 470), "cycle"

    def __init__(self):
        self.grids = [Grid(left, 40, 350, tag) for left, tag in ((0, "-left"), (395, "-right"))]
        self.trapezoids = [Trapezoid(left, 415, 287, 26, tag) for left, tag in ((58, "-left"), (453, "-right"))]

    def marks(self, pair):
        """`pair`: two systolic.Watched, the left and the right one."""
        found, most = [], max(watched.length for watched in pair)
        for watched, grid, trapezoid in zip(pair, self.grids, self.trapezoids, strict=True):
            found += [*grid.marks(watched), *trapezoid.marks(watched, most)]
        names = [NAMES[watched.now.dataflow] for watched in pair]
        return [*found, texts("names", range(2), [175, 570], 10, names, "ink bold", 15)]

    def say(self, pair):
        told = [
            f"{NAMES[watched.now.dataflow]}: {_busy(watched.now)}" + (" (its last cycle)" if _last(watched) else "")
            for watched in pair
        ]
        both = "; ".join(told)
        cycle = max(watched.now.cycle for watched in pair)
        return f"Cycle {cycle + 1}. {both[0].upper()}{both[1:]}."


def _last(watched):
    return len(watched.busy) == watched.length


def _busy(now):
    if not now.active.any():
        loads = now.dataflow != "os" and now.enters_top.there.any()
        return "nothing to multiply yet, the array is being loaded" if loads else "no PE multiplies"
    return f"{now.active.sum():,} of {now.active.size:,} PEs multiply ({percent(now.active.mean())})"
