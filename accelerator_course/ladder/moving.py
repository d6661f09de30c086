"""Moving: blocks that come and go, step by step, for a stage: of Pallas, of a feed, of a network.

Parts of an operand are (top, bottom, left, right), shares of its sides. Of long runs the first steps are shown.
"""

from dataclasses import dataclass, replace
from itertools import product
from math import prod

from accelerator_lib.kernels import mapping
from accelerator_lib.kernels.feeding import Fed
from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.mapping import Mapped
from accelerator_lib.kernels.pallas import Tiled

MOST = 600  # steps


@dataclass(frozen=True)
class Spot:
    """One operand: where its block lies, whether it came with this step, the parts that were there before."""

    name: str
    sides: str  # "64 x 8 of 256 x 256"
    at: tuple
    came: bool
    result: bool
    seen: tuple  # of (part, how often it has come), this step included
    left: tuple | None = None  # the part of a result that has just gone out
    shape: tuple = (1, 1)  # rows and columns; of more sides, the last two

    most_often = property(lambda self: max(times for _, times in self.seen))


@dataclass(frozen=True)
class Moving:
    """The chip in one step."""

    number: int
    length: int
    code: tuple
    line: int
    where: str  # which step this is
    said: str  # what comes and goes
    spots: tuple
    gauges: tuple  # of (name, words, share or None)
    places: tuple = ("in memory", "on the chip")  # from where to where
    fault: Fault | None = None  # what goes wrong in this step


def moving(made):
    """Yield Moving for each of the first steps of a Tiled, Fed or Mapped; where a Fault stopped it, the last has it."""
    for state in {Tiled: _tiled, Fed: _fed, Mapped: _mapped}[type(made)](made):
        fault = made.fault if state.number == state.length else None
        said = f"here line {fault.line} goes wrong: {fault.words}" if fault else state.said
        yield replace(state, line=fault.line if fault else state.line, said=said, fault=fault)


class _Seen:
    """Parts of each operand that have been on the chip, and how often they came."""

    def __init__(self):
        self.times, self.at = {}, {}

    def spot(self, name, shape, span, result):
        """Spot of an operand whose block is span = ((first, last), ...), one for each side."""
        times, came = self.times.setdefault(name, {}), self.at.get(name) != span
        gone = self.at.get(name) if came and result else None
        self.at[name] = span
        times[span] = times.get(span, 0) + came
        part = {each: _shares(each, shape) for each in times}
        block = " x ".join(str(last - first) for first, last in span)
        sides = f"{block} of {' x '.join(map(str, shape))}"
        seen = tuple((part[each], many) for each, many in times.items())
        return Spot(name, sides, part[span], came, result, seen, part.get(gone), (1, *shape)[-2:])


def _shares(span, shape):
    """(top, bottom, left, right) of a part; an array of more sides shows its last two."""
    spans = [(first / side, last / side) for (first, last), side in zip(span, shape, strict=True)]
    return (*((0, 1), *spans)[-2], *spans[-1])


def _told(spots):
    came, stays = [s for s in spots if s.came and not s.result], [s for s in spots if not s.came]
    told, parts = [("comes", "come", came), ("stays", "stay", stays)], []
    told.append(("goes back to memory", "go back to memory", [s for s in spots if s.left]))
    for one, several, which in told:
        names = ", ".join(spot.name for spot in which)
        many = len(which) > 1 or (names.endswith("s") and names != "s")
        if which:
            parts.append(f"{names} {several if many else one}")
    return ", ".join(parts) or "nothing has moved"


def _tiled(made):
    length, number, moved = min(MOST, made.steps), 0, 0
    for count, call in enumerate(made.calls, 1):
        seen, each = _Seen(), 0
        for step in call.steps[: MOST - number]:
            number, each = number + 1, each + 1
            spots = []
            for name, shape in call.shapes.items():
                span = tuple(map(_cut, step.here[name], call.blocks[name][0], shape))
                spots.append(seen.spot(name, shape, span, name in call.outputs))
            moved += step.moved_bytes
            if each == len(call.steps):  # what is still there goes out
                moved += sum(call.fetched_bytes.values()) + sum(call.written_bytes.values())
                moved -= sum(step.moved_bytes for step in call.steps)
            room = call.footprint_bytes / made.room_bytes
            gauges = (
                ("moved so far", f"{moved:,} of {made.moved_bytes:,} bytes", moved / (made.moved_bytes or 1)),
                ("on the chip", f"{call.footprint_bytes:,} of {made.room_bytes:,} bytes", room),
            )
            at = ", ".join(map(str, step.place))
            where = f"at ({at}) in a grid of {' x '.join(map(str, call.grid))}"
            where = f"call {count}, {where}" if len(made.calls) > 1 else where
            yield Moving(number, length, made.lines, call.line, where, _told(spots), tuple(spots), gauges)


def _cut(index, block, side):
    return index * block, min((index + 1) * block, side)


def _fed(made):
    length, seen = min(MOST, len(made.passes)), _Seen()
    shapes = {name: made.arrays[name].shape for name in "abc"}
    waited = spilled = passed = 0
    for number, each in enumerate(made.passes[:MOST], 1):
        rows, cols = each.sums
        spans = {"a": (rows, each.block.along), "b": (each.block.along, cols), "c": (rows, cols)}
        spots = tuple(seen.spot(name, shapes[name], span, name == "c") for name, span in spans.items())
        waited, spilled = waited + each.waited, spilled + each.spilled
        passed += each.length
        end = each.begin + each.length
        lost = "rows wait", f"{waited:,} cycles for blocks, {spilled:,} for sums", None
        gauges = ("rows pass", f"{passed:,} of {end:,} cycles", passed / end), lost
        other = "columns of b" if each.block.stays == "a" else "rows of a"
        said = f"{each.length} {other} pass over a block of {each.block.stays}"
        said += "; the next block comes meanwhile" if each.meanwhile else ""
        waits = [f"{each.waited} cycles for the block"] * (each.waited > 0)
        waits += [f"{each.spilled} cycles for sums that go out or come back"] * (each.spilled > 0)
        said += f"; before that, a wait of {' and '.join(waits)}" if waits else ""
        where, places = f"cycles {each.begin:,} to {end:,}", ("in the buffer", "in the array")
        yield Moving(number, length, made.lines, each.line, where, said, spots, gauges, places)


def _mapped(made):
    blocks = [prod(laid.trips.values()) for laid in made.laid]
    most = [min(many, MOST // len(blocks)) for many in blocks]
    number, before = 0, 0
    for laid, many, shown in zip(made.laid, blocks, most, strict=True):
        seen, places = _Seen(), product(*(range(laid.trips[side]) for side in laid.order))
        for each, place in zip(range(1, shown + 1), places, strict=False):
            number, at = number + 1, dict(zip(laid.order, place, strict=True))
            whole = {side: getattr(laid.gemm, side) for side in "mnk"}
            span = {side: _cut(at[side], laid.tile[side], whole[side]) for side in "mnk"}
            spots = []
            for name, sides in mapping.SIDES.items():
                shape, part = [whole[side] for side in sides], tuple(span[side] for side in sides)
                spots.append(seen.spot(name, shape, part, name == "outputs"))
            room = laid.footprint_bytes / made.room_bytes
            limit = "its array" if laid.array_cycles >= laid.memory_cycles else "the memory"
            cycles = f"array {laid.array_cycles:,.0f}, memory {laid.memory_cycles:,.0f} cycles"
            gauges = (
                ("cycles of the layers before", f"{before:,.0f} of {made.cycles:,.0f}", before / made.cycles),
                ("in the buffer", f"{laid.footprint_bytes:,} of {made.room_bytes:,} bytes", room),
                (f"layer {laid.number} waits for {limit}", cycles, None),
            )
            where, places = f"layer {laid.number}, block {each:,} of {many:,}", ("in memory", "in the buffer")
            yield Moving(number, sum(most), made.lines, laid.line, where, _told(spots), tuple(spots), gauges, places)
        before += laid.cycles
