"""A program as XLA writes it down, read: its steps, which of them share a kernel, the bytes that each kernel moves.

    %add.1 = f32[8,8]{1,0} add(f32[8,8]{1,0} %a, f32[8,8]{1,0} %b)        ("add.1", "add", "8 × 8", "")

Calls are read as if their bodies stood there. A fusion reads its inputs and writes its output once, whatever is inside.
Loops are one step, counted once.
"""

import re
from dataclasses import dataclass

QUIET = {"parameter", "constant", "tuple", "get-tuple-element", "bitcast"}  # nothing is done for these
LINE = re.compile(r"^\s*(?:ROOT )?%?([\w.-]+) = (\((?:[^()]|\([^()]*\))*\)|\S+) ([\w-]+)\((.*)$")
NOISE = (r", metadata=\{[^}]*\}", r", backend_config=\{.*\}(?=$|\s)", r"(?<=\])\{[\d,]*(?::[^}]*)?\}", r"/\*.*?\*/")


@dataclass(frozen=True)
class Read:
    """steps: (name, opcode, shape, kernel) of all that is done, in order; fusions: how many kernels hold steps."""

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


def _walk(bodies, name, kernel, steps, moved):
    from accelerator_lib.network.hlo import array_bytes

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
