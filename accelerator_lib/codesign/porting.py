"""Porting: what becomes of a program on another vendor's machine.
A ledger counts lines, not days: a line of assembler costs more than one of a framework. What runs is not yet fast.
Facts: data/codesign.yaml; the lines of the programs are declared there.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import OneOf, checked

FATES = ("as it is", "renamed", "rewritten")
PROGRAMS = ("a model of a course", "a service with Triton", "a library in CUDA", "a tuned engine")
TARGETS = {"an AMD GPU": "amd", "a TPU, through XLA": "tpu", "an Apple GPU": "apple"}
Program, Target = OneOf(PROGRAMS), OneOf(TARGETS)


@dataclass(frozen=True)
class Part:  # lines of a program that share a fate on the target
    name: str
    lines: int
    fate: str
    note: str


@dataclass(frozen=True)
class Ledger:  # what becomes of a program
    program: str
    target: str
    parts: tuple
    lines = property(lambda self: sum(part.lines for part in self.parts))

    def of(self, fate):
        """Lines with a fate."""
        return sum(part.lines for part in self.parts if part.fate == fate)

    kept = property(lambda self: self.of("as it is") / self.lines)  # share of the lines that run as they are


@checked
def ledger(program: Program = "a library in CUDA", target: Target = "an AMD GPU"):
    """Ledger of one of PROGRAMS on one of TARGETS."""
    table = data.load("codesign")["porting"]
    counted = zip(table["parts"], table["programs"][program], strict=True)
    parts = (Part(row["name"], lines, row[TARGETS[target]], row["note"]) for row, lines in counted)
    return Ledger(program, target, tuple(parts))
