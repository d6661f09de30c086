"""Tiles: the rungs of Pallas: bytes between the memory and a chip with so much room.

bound = max(bytes of the specification, once; for a product, what no order of work beats in this room)

What the counters of a text say of it, beside those of the worked solution; lost is in bytes:

between  written by one kernel, read again by the next        again   the same block comes several times
unread   blocks that come and that no step looks at           twice   a block of a result leaves several times
room     left empty: larger blocks come less often
"""

from dataclasses import dataclass

from accelerator_course.ladder.rung import Rung
from accelerator_lib.kernels import onjax, pallas
from accelerator_lib.kernels.grids import NUMBER_BYTES
from accelerator_lib.tiling.products import io_lower_bound_words

GENERAL = 0.25  # of what larger blocks might save


def _inputs(rung):
    """Bytes of the arrays that a text is given."""
    return 4 * sum(each.size for each in rung.inputs(rung.scoring))


def _passing(made):
    """{name: bytes that were read back} of arrays that one call makes and another takes."""
    outputs = {name for call in made.calls for name in call.outputs}
    found = {}
    for call in made.calls:
        for name in outputs & set(call.inputs):
            found[name] = found.get(name, 0) + call.fetched_bytes[name]
    return found


def _between(rung, made):
    return 1 + sum(_passing(made).values()) / _inputs(rung)


def _between_told(rung, made, mine, par):
    read = _passing(made)
    written = {name: moved for call in made.calls for name, moved in call.written_bytes.items() if name in read}
    name, lost = max(read, key=read.get), sum(read.values()) + sum(written.values())
    line = next(call.line for call in made.calls if name in call.outputs)
    text = f"{name} goes to memory and comes back: {written[name]:,} bytes out, {read[name]:,} in again, from the kernel at line {line}."  # noqa: E501
    return text, line, lost


def _given(made):
    """{name: (bytes that came, bytes that no step looked at, line of the spec)} of arrays that were given."""
    found, passing = {}, _passing(made)
    for call in made.calls:
        for name in set(call.inputs) - set(passing):
            came, unread, _ = found.get(name, (0, 0, 0))
            line = call.blocks[name][1]
            found[name] = came + call.fetched_bytes[name], unread + call.unread_bytes[name], line
    return found


def _again(rung, made):
    return sum(came - unread for came, unread, _ in _given(made).values()) / _inputs(rung)


def _again_told(rung, made, mine, par):
    given = _given(made)
    name = max(sorted(given), key=lambda name: given[name][0])
    came, size = given[name][0], 4 * rung.scoring.arguments[name].size
    line = given[name][2]
    text = f"{name} comes {came / size:.3g} times: {came:,} bytes for {size:,}, by the blocks at line {line}."
    return text, line, (mine - par) * _inputs(rung)


def _unread(rung, made):
    return 1 + sum(unread for _, unread, _ in _given(made).values()) / _inputs(rung)


def _unread_told(rung, made, mine, par):
    given = _given(made)
    name = max(sorted(given), key=lambda name: given[name][1])
    lost, line = sum(unread for _, unread, _ in given.values()), given[name][2]
    text = f"{lost:,} bytes come and no step looks at them; those of {name} by its blocks at line {line}."
    return text, line, lost


def _results(made):
    """{name: (bytes that left, bytes of the array, line of the spec)} of what is not passed on."""
    passing = _passing(made)
    return {
        name: (moved, call.outputs[name].nbytes, call.blocks[name][1])
        for call in made.calls
        for name, moved in call.written_bytes.items()
        if name not in passing
    }


def _twice(rung, made):
    return max((left / size for left, size, _ in _results(made).values()), default=1)


def _twice_told(rung, made, mine, par):
    results = _results(made)
    name = max(sorted(results), key=lambda name: results[name][0] / results[name][1])
    left, size, line = results[name]
    text = f"{name} leaves {left / size:.3g} times: {left:,} bytes for {size:,}, by the blocks at line {line}."
    return text, line, left - size


def _room(rung, made):
    return rung.room_bytes / max(1, made.footprint_bytes)


def _room_told(rung, made, mine, par):
    text = f"{made.footprint_bytes:,} of {rung.room_bytes:,} bytes on the chip are used: larger blocks come less often."
    return text, None, GENERAL * max(0, made.moved_bytes - rung.par)


COUNTERS = {
    "between": (_between, _between_told),
    "again": (_again, _again_told),
    "unread": (_unread, _unread_told),
    "twice": (_twice, _twice_told),
    "room": (_room, _room_told),
}


@dataclass(frozen=True, eq=False)
class TileRung(Rung):
    """A rung whose kernel is walked over a grid of blocks; `work` gives its product as a Gemm, or None."""

    machine = "pallas"
    counters = COUNTERS

    room_bytes: int  # on the chip

    def run(self, source, case):
        """Tiled of a text on a Case. Raises Fault."""
        outputs = {name: want.shape for name, want in self.expected(case).items()}
        return pallas.run(source, self.given(case), outputs, self.room_bytes)

    def on_jax(self, source, case, compiled=None):
        """{name: array} of a learner's own text in Pallas itself. Raises ValueError where JAX is missing."""
        return onjax.run(source, self.given(case), list(self.expected(case)), compiled)

    def score(self, made):
        """Bytes that come and go."""
        return made.moved_bytes

    def least(self, case):
        """No kernel moves less on a Case."""
        arrays = *self.inputs(case), *self.expected(case).values()
        moved = NUMBER_BYTES * sum(each.size for each in arrays)
        product = self.work(**case.sizes)
        if product is None:
            return moved
        return max(moved, NUMBER_BYTES * float(io_lower_bound_words(product, self.room_bytes / NUMBER_BYTES)))

    def given(self, case):
        """{name: array or size} that a text has."""
        outputs = self.expected(case)
        return {name: value for name, value in case.arguments.items() if name not in outputs}

    def inputs(self, case):
        """The arrays that a text has."""
        return [each for each in self.given(case).values() if hasattr(each, "size")]
