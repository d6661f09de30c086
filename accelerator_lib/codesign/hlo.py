"""HLO, pass by pass: what XLA makes of a function on its way to kernels, one frame for each program that differs.
XLA writes the program down after every pass that has changed something; where a backend writes nothing, there are two
frames, the first and the last. A program's text is read line by line, calls as if their bodies stood there. Bytes: what
every step outside of a fusion reads and writes on its own; a fusion its inputs and its output once. A loop is one step.
"""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap
from math import prod
from pathlib import Path

from accelerator_lib import data
from accelerator_lib.checks.inputs import described
from accelerator_lib.checks.signature import Count, Record, checked
from accelerator_lib.recorded import or_recorded
from accelerator_lib.workload.xla import cost

QUIET = {"parameter", "constant", "tuple", "get-tuple-element", "bitcast"}  # nothing is done for these
LINE = re.compile(r"^\s*(?:ROOT )?%?([\w.-]+) = (\((?:[^()]|\([^()]*\))*\)|\S+) ([\w-]+)\((.*)$")
NOISE = (r", metadata=\{[^}]*\}", r", backend_config=\{.*\}(?=$|\s)", r"(?<=\])\{[\d,]*(?::[^}]*)?\}", r"/\*.*?\*/")
ELEMENT_BYTES = {"pred": 1, "s8": 1, "u8": 1, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4, "f64": 8, "s64": 8}
SHAPE = re.compile(r"([a-z]+\d+|pred)\[([\d,]*)\]")


@dataclass(frozen=True)
class Read:  # steps: (name, opcode, shape, kernel) of all that is done, in order; fusions: how many kernels hold steps
    steps: tuple
    fusions: int
    bytes: float


def stem(name):
    """multiply.3 -> multiply"""
    return name.rstrip("0123456789").rstrip(".")


def cleaned(text):
    """A program without remarks: where a line came from, layouts, settings of the backend."""
    for noise in NOISE:
        text = re.sub(noise, "", text, flags=re.M)
    body = re.search(r"^(?:%|ENTRY|\w+ \{)", text, re.M)
    return text[body.start() :].strip() if body else text.strip()


def read(text):
    """Read of a cleaned program."""
    found = re.findall(r"^(?:ENTRY )?%?([\w.-]+)[^\n]*\{\n(.*?)^\}", text, re.M | re.S)
    bodies = {name: [line for line in map(LINE.match, body.splitlines()) if line] for name, body in found}
    entry = re.search(r"^ENTRY %?([\w.-]+)", text, re.M)[1]
    steps, moved = [], []
    _walk(bodies, entry, "", steps, moved)
    return Read(tuple(steps), len(dict.fromkeys(step[3] for step in steps if step[3])), float(sum(moved)))


def array_bytes(shapes):
    """Bytes of all arrays in the text of a type: f32[64,1024]{1,0}, or several in brackets. Raises ValueError."""
    found = SHAPE.findall(shapes)
    for element, _ in found:
        if element not in ELEMENT_BYTES:
            raise ValueError(f"the program holds elements of type {element!r}; known: {', '.join(ELEMENT_BYTES)}")
    return sum(prod(map(int, filter(None, dims.split(",")))) * ELEMENT_BYTES[element] for element, dims in found)


def _walk(bodies, name, kernel, steps, moved):
    sizes = {line[1]: array_bytes(line[2]) for line in bodies[name]}
    for step, shape, opcode, rest in (line.groups() for line in bodies[name]):
        called = re.search(r"(?:calls|to_apply)=%?([\w.-]+)", rest) if opcode in ("fusion", "call") else None
        inside = opcode == "call" and called is not None
        if not kernel and not inside and opcode not in QUIET:
            inputs = dict.fromkeys(re.findall(r"%?([\w.-]+)(?=[,)])", rest.partition(")")[0] + ")"))
            moved.append(sizes[step] + sum(sizes.get(one, 0) for one in inputs))
        if called:
            _walk(bodies, called[1], kernel or ("" if inside else step), steps, moved)
        elif opcode not in QUIET:
            dims = re.search(r"\[([\d,]*)\]", shape)
            steps.append((step, opcode, " × ".join(filter(None, dims[1].split(","))) if dims else "", kernel))


FILE = re.compile(r"\.(\d+)\.([\w-]+)\.after_([\w-]+)(?:\.before_([\w-]+))?\.txt$")


@dataclass(frozen=True)
class Instruction:
    """One step: `key` says which it was in the frame before; `kernel` names the fusion that it is in, or nothing."""

    key: int
    name: str
    opcode: str
    shape: str  # "256 × 512"
    kernel: str = ""


@dataclass(frozen=True)
class Frame:  # a program as a pass has left it; `snapshot` of `snapshots` that XLA wrote, most of them alike
    pass_name: str
    instructions: tuple
    fusions: int
    bytes: float
    removed: tuple  # Instructions of the frame before that are gone
    added: tuple  # keys of those that were not there
    snapshot: int
    snapshots: int
    text: str
    operations = property(lambda self: self.fusions + sum(not one.kernel for one in self.instructions))
    what = property(lambda self: data.load("codesign")["passes"].get(self.pass_name, ""))  # what it does


OfArrays = Record(Callable, "one of arrays, such as lambda x: x + 1")


@checked
def passes(function: OfArrays, *shapes):
    """A tuple of Frames for fp32 arrays of such shapes; nothing is run. Raises TypeError, ValueError."""
    return _frames(tuple(_snapshots(function, tuple(starmap(_shape, enumerate(shapes))))))


def _shape(place, given):
    name = f"shape {place + 1}"
    if not isinstance(given, (tuple, list)) or not given or len(given) > 4:
        raise TypeError(f"{name} must be a tuple of one to four lengths such as (256, 512), not {described(given)}")
    return tuple(Count(high=10**5)(name, length) for length in given)


@or_recorded
@lru_cache(maxsize=64)
def _snapshots(function, shapes):  # [(pass, text without remarks)]; no text where the pass has changed nothing
    import jax

    try:
        lowered = jax.jit(function).lower(*(jax.ShapeDtypeStruct(shape, "float32") for shape in shapes))
    except Exception as error:  # whatever the reader's function does
        first = str(error).strip().partition("\n")[0]
        raise ValueError(f"JAX cannot trace the function: {type(error).__name__}: {first}") from None
    found, before = [], None
    written = dump(lowered) or [("as written", lowered.as_text("hlo")), ("compiled", lowered.compile().as_text())]
    for name, text in written:
        text = cleaned(text)
        found.append((name, None if text == before else text))
        before = text
    return found


@checked
def traffic(function: OfArrays, *shapes):
    """(before, after) [B]: what XLA itself counts for a program as written and as compiled; None where it does not."""
    shapes = tuple(starmap(_shape, enumerate(shapes)))
    _snapshots(function, shapes)  # says what cannot be traced
    return _traffic(function, shapes)


@or_recorded
def _traffic(function, shapes):
    import jax

    lowered = jax.jit(function).lower(*(jax.ShapeDtypeStruct(shape, "float32") for shape in shapes))
    before, after = cost(lowered), cost(lowered.compile())
    return (before["bytes"], after["bytes"]) if before and after else None


def dump(lowered):
    """[(pass, text)] as XLA writes them down while it compiles; empty where it does not."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            lowered.compile(compiler_options={"xla_dump_to": folder, "xla_dump_hlo_pass_re": ".*"})
        except Exception:  # a backend that does not know these options
            return []
        files = [(FILE.search(path.name), path) for path in Path(folder).iterdir()]
        found = sorted((int(name[1]), path, name) for name, path in files if name)
        return [(_called(number, *name.group(2, 3, 4)), path.read_text("utf-8")) for number, path, name in found]


def _called(number, pipeline, after, before):  # the pass that a file’s name tells; between two groups: what comes
    if after != "pipeline-start":
        return after
    return "as written" if number == 0 else "scheduling" if "after_scheduling" in pipeline else f"before {before}"


@lru_cache(maxsize=64)
def _frames(snapshots):
    before, fresh, found = None, 0, []
    for place, (name, text) in enumerate(snapshots):
        if text is None:
            continue
        program = read(text)
        steps, known = program.steps, _known(before.instructions if before else (), program.steps)
        keys = [known[i] if i in known else (fresh := fresh + 1) for i in range(len(steps))]
        made = tuple(Instruction(key, *step) for key, step in zip(keys, steps, strict=True))
        gone = tuple(one for one in before.instructions if one.key not in keys) if before else ()
        new = tuple(key for i, key in enumerate(keys) if i not in known) if before else ()
        before = Frame(name, made, program.fusions, program.bytes, gone, new, place + 1, len(snapshots), text)
        found.append(before)
    return tuple(found)


def _known(old, steps):
    """{place of a step: key of the same step before}: the same name, else the same stem, else alike in what it does."""
    found, free = {}, {one.key: one for one in old}
    alike = (
        lambda one, step: (one.name, one.opcode) == step[:2],
        lambda one, step: (stem(one.name), one.opcode, one.shape) == (stem(step[0]), *step[1:3]),
        lambda one, step: (one.opcode, one.shape) == step[1:3],
    )
    for rule in alike:
        for place, step in enumerate(steps):
            same = next((key for key, one in free.items() if rule(one, step)), None) if place not in found else None
            if same is not None:
                found[place] = same
                del free[same]
    return found
