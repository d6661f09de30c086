"""Tiles: the rungs of Pallas: bytes between the memory and a chip with so much room."""

from dataclasses import dataclass

from accelerator_course.ladder.rung import Rung
from accelerator_lib.kernels import pallas
from accelerator_lib.kernels.grids import NUMBER_BYTES
from accelerator_lib.kernels.language import Fault
from accelerator_lib.tiling.products import io_lower_bound_words

GENERAL = 0.25  # of what larger blocks might save
LEAST_SIDE = 8  # of a block, as on a TPU: thinner ones would cost no bytes here


def _inputs(rung):
    return 4 * sum(each.size for each in rung.inputs(rung.scoring))


def _passing(made):
    """{name: bytes that were read back} of arrays that one call makes and another takes."""
    outputs = {name for call in made.calls for name in call.outputs}
    found = {}
    for call in made.calls:
        for name in outputs & set(call.inputs):
            found[name] = found.get(name, 0) + call.fetched_bytes[name]
    return found


def _between(rung, made, mine, par):
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


def _again(rung, made, mine, par):
    name, (came, _, line) = max(sorted(_given(made).items()), key=lambda each: each[1][0])
    size = 4 * rung.scoring.arguments[name].size
    text = f"{name} comes {came / size:.3g} times: {came:,} bytes for {size:,}, by the blocks at line {line}."
    return text, line, (mine - par) * _inputs(rung)


def _unread(rung, made, mine, par):
    lost = sum(unread for _, unread, _ in _given(made).values())
    name, (_, _, line) = max(sorted(_given(made).items()), key=lambda each: each[1][1])
    text = f"{lost:,} bytes come and no step looks at them; those of {name} by its blocks at line {line}."
    return text, line, lost


def _results(made):
    """{name: (bytes that left, bytes of the array, line of the spec)} of what is not passed on."""
    passing = _passing(made)
    written = [(call, name, moved) for call in made.calls for name, moved in call.written_bytes.items()]
    written = [each for each in written if each[1] not in passing]
    return {name: (moved, call.outputs[name].nbytes, call.blocks[name][1]) for call, name, moved in written}


def _twice(rung, made, mine, par):
    name, (left, size, line) = max(sorted(_results(made).items()), key=lambda each: each[1][0] / each[1][1])
    text = f"{name} leaves {left / size:.3g} times: {left:,} bytes for {size:,}, by the blocks at line {line}."
    return text, line, left - size


def _room(rung, made, mine, par):
    text = f"{made.footprint_bytes:,} of {rung.room_bytes:,} bytes on the chip are used: larger blocks come less often."
    return text, None, GENERAL * max(0, made.moved_bytes - rung.par)


COUNTERS = {
    "between": (lambda rung, made: 1 + sum(_passing(made).values()) / _inputs(rung), _between),
    "again": (lambda rung, made: sum(came - cold for came, cold, _ in _given(made).values()) / _inputs(rung), _again),
    "unread": (lambda rung, made: 1 + sum(cold for _, cold, _ in _given(made).values()) / _inputs(rung), _unread),
    "twice": (lambda rung, made: max((left / size for left, size, _ in _results(made).values()), default=1), _twice),
    "room": (lambda rung, made: rung.room_bytes / max(1, made.footprint_bytes), _room),
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
        made = pallas.run(source, self.given(case), outputs, self.room_bytes)
        for call in made.calls:
            for name, (block, line) in call.blocks.items():
                if any(side < min(LEAST_SIDE, whole) for side, whole in zip(block, call.shapes[name], strict=True)):
                    raise Fault(
                        "value", line, f"{name} has blocks of {block}; a side is at least {LEAST_SIDE}, or whole"
                    )
        return made

    def score(self, made):
        return made.moved_bytes

    def least(self, case):
        """Each array once; for a product, what no order of work beats in this room."""
        arrays, product = (*self.inputs(case), *self.expected(case).values()), self.work(**case.sizes)
        words = 0 if product is None else float(io_lower_bound_words(product, self.room_bytes / NUMBER_BYTES))
        return NUMBER_BYTES * max(sum(each.size for each in arrays), words)

    def given(self, case):
        outputs = self.expected(case)
        return {name: value for name, value in case.arguments.items() if name not in outputs}

    def inputs(self, case):
        return [each for each in self.given(case).values() if hasattr(each, "size")]
