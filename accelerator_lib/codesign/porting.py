"""Porting: what becomes of a program on another vendor's machine, and how code should ask what a chip can do.
A ledger counts lines, not days: a line of assembler costs more than one of a framework. What runs is not yet fast.
Facts: data/codesign.yaml; the lines of the programs are declared there.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Given, OneOf, checked

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


@dataclass(frozen=True)
class Device:  # what a program can ask of a chip: its name, its vendor, the number called compute capability, a feature
    name: str
    vendor: str
    capability: tuple
    fp8: bool


@dataclass(frozen=True)
class Detected:  # what a rule says of each Device
    rule: str
    devices: tuple
    says: tuple
    right = property(lambda self: tuple(s == one.fp8 for one, s in zip(self.devices, self.says, strict=True)))
    wrong = property(lambda self: [one.name for one, right in zip(self.devices, self.right, strict=True) if not right])
    misses = property(lambda self: len(self.wrong))  # how many it gets wrong


RULES = {
    "its name contains “H100”": lambda chip: "H100" in chip.name,
    "its capability is 9.0 or more": lambda chip: chip.capability >= (9, 0),
    "its capability is 8.9 or more": lambda chip: chip.capability >= (8, 9),
    "the chip is asked for the feature": lambda chip: chip.fp8,
}
Rule = Given("a rule", lambda value: value if callable(value) else one_of("rule", value, RULES))


def devices():
    """All Devices that are listed."""
    rows = data.load("codesign")["capability"]
    return tuple(Device(row["name"], row["vendor"], tuple(row["capability"]), row["fp8"]) for row in rows)


@checked
def detect(rule: Rule = "its capability is 9.0 or more"):
    """Detected by one of RULES, or by a function of a Device."""
    known = devices()
    ask, name = (rule, "your rule") if callable(rule) else (RULES[rule], rule)
    return Detected(name, known, tuple(_said(ask, chip) for chip in known))


def _said(ask, chip):
    try:
        return bool(ask(chip))
    except Exception as error:
        raise ValueError(f"rule: for {chip.name} it ended with {type(error).__name__}: {error}") from None
