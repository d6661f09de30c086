"""Language: what a kernel may say, and the one line that answers what it may not; none of it is ever executed.

It is the language of the warp stepper (gpu.language) with reals, shared memory, barriers, atomics and shuffles added.
"""

import ast
import operator
import re
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from math import prod

from accelerator_lib.gpu import language

LONGEST, MOST_WORDS = 20_000, 200  # letters of a kernel, of what is said of it
INT32 = 2**31
BINARY = language.BINARY | {ast.Div: operator.truediv, ast.BitXor: operator.xor}
BINARY |= {ast.LShift: operator.lshift, ast.RShift: operator.rshift}
COMPARE, outside = language.COMPARE, language.outside
WHOLE_ONLY = (ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
SHUFFLES = ("shuffle_down", "shuffle_up", "shuffle_xor", "shuffle")
MATHS = ("min", "max", "abs", "sqrt", "exp", "float", "int")
CALLS = (*MATHS, *SHUFFLES, "atomic_add")
LOADS = {f"load{many}": many for many in (2, 4, 8)}  # and how many numbers they move
STORES = {f"store{many}": many for many in (2, 4, 8)}
TILES = ("load_tile", "load_tile_t", "mma")
WIDE = (*STORES, *TILES, "copy_async", "commit", "wait_async")  # statements of their own
DECLARED = ("shared", "zeros")
SIZED = ("thread", "block", "block_size", "grid_size")  # each also along x and y
GIVEN = ("lane", "warp", *SIZED, *(f"{name}_{axis}" for name in SIZED for axis in "xy"))
RESERVED = {*GIVEN, *CALLS, *DECLARED, *LOADS, *WIDE, "barrier", "range"}
KINDS = ("language", "value", "bounds", "unset", "division", "shuffle", "race", "deadlock", "budget", "alignment")


@dataclass(frozen=True)
class Touch:
    """One thread that has to do with a fault: what it does, to which place."""

    thread: int | None  # of its block; None: several
    block: int | None
    way: str  # "reads", "writes", "adds to", "waits at", "never comes to"
    place: str  # "out[3, 0]"
    line: int

    @property
    def who(self):
        return "several threads" if self.thread is None else f"thread {self.thread} of block {self.block}"


@dataclass(frozen=True)
class Pasted:
    """A kernel in another notation, read: the same in this one. What runs, counts and fails names the lines given."""

    language: str  # "CUDA C", "Numba" or "Triton"
    name: str  # of the kernel
    text: str  # in this notation
    lines: tuple  # where each line of `text` comes from: a line of `source`, from 1
    source: str  # the text given
    parameters: tuple  # its arrays and numbers by the names that `text` has for them, in order
    sizes: tuple = ()  # (name, array, axis) of further numbers that `text` names: they come from an array's shape
    terms: tuple = ()  # (word of this notation, word of the text given)

    def body(self):
        """The statements of `text`, at the lines given."""
        tree = ast.parse(self.text)
        for node in ast.walk(tree):
            if hasattr(node, "lineno"):
                node.lineno = self.lines[node.lineno - 1]
        return tree.body

    def given(self, arguments):
        """Arguments with the further numbers."""
        known = {n: a.shape if axis is None else a.shape[axis:][:1] for n, a, axis in self._shapes(arguments)}
        return arguments | {name: prod(sides) for name, sides in known.items() if sides}

    def _shapes(self, arguments):
        return [(name, arguments[array], axis) for name, array, axis in self.sizes if array in arguments]

    def own(self, fault):
        """What a Fault says of `text`, in the words of the text given."""
        said = reduce(lambda said, term: re.sub(rf"\b{term[0]}\b", term[1], said), self.terms, fault.words)
        masked = "tl.load" if "reads" in said else "tl.store"
        return f"{said}: give {masked} a mask" if (self.language, fault.kind) == ("Triton", "bounds") else said


def lines_of(source):
    """The lines of a text, or of what a Pasted was read from, as Python counts them: a carriage return ends one too."""
    return re.split("\r\n?|\n", source.source if isinstance(source, Pasted) else source)


class Fault(ValueError):
    """What is wrong with a kernel: one of KINDS, at a line; `touches`: threads, first the one that is stopped; `made`:
    what was run until then; `asked`: of an index outside, ("rows of a", how many, [warps, 32] what lanes ask)."""

    def __init__(self, kind, line, words, touches=()):
        super().__init__(kind, line, words)
        self.kind, self.line, self.words, self.text = kind, line, words, ""
        self.touches, self.made, self.asked = touches, None, None

    def __str__(self):
        text = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        text = text.removesuffix(":")  # another one follows
        words = self.words if len(self.words) <= MOST_WORDS else self.words[:MOST_WORDS] + "..."
        said = f"line {self.line}, `{text}`: {words}" if text else f"line {self.line}: {words}"
        return "".join(letter if letter.isprintable() else "?" for letter in said)


@contextmanager
def said(source):
    """Whatever Fault is raised within says the text of its line; so does what Python itself cannot go on with."""
    try:
        try:
            yield
        except RecursionError:
            raise Fault("language", 1, "this text is nested too deeply") from None
        except MemoryError:
            raise Fault("budget", 1, "this text needs more memory than there is here") from None
    except Fault as fault:
        lines = lines_of(source)
        fault.words = source.own(fault) if isinstance(source, Pasted) else fault.words
        fault.text = lines[fault.line - 1].strip() if 0 < fault.line <= len(lines) else ""
        raise


def read(source):
    """The statements of a kernel. Raises Fault with the line that is none, TypeError for what is no text."""
    if isinstance(source, Pasted):
        return source.body()
    if isinstance(source, str) and len(source) > LONGEST:
        raise Fault("budget", 1, f"a kernel has at most {LONGEST:,} letters, this one {len(source):,}")
    try:
        return language.statements(source)
    except ValueError as error:
        line, _, words = str(error).removeprefix("line ").partition(": ")
        raise Fault("language", int(line) if line.isdigit() else 1, words) from None


def refused(node, instead="assignments, if, else, while, for over a range, numbers, arrays, and the calls of its list"):
    """The Fault for what the language does not have."""
    return Fault("language", getattr(node, "lineno", 1), f"this small language has only {instead}")


def named(node):
    """The name of an array, which `a` and `a.flat`, its numbers in one line, are to be indexed by; None for others."""
    flat = isinstance(node, ast.Attribute) and node.attr == "flat"
    return getattr(node.value if flat else node, "id", None)


def loaded(target):
    """A target as something to read."""
    fields = {name: value for name, value in ast.iter_fields(target) if name != "ctx"}
    return ast.copy_location(type(target)(**fields, ctx=ast.Load()), target)


def _within(node, value):
    """A number that 32 bits hold. Raises Fault."""
    if type(value) is int and not -INT32 <= value < INT32:
        raise Fault("value", node.lineno, "this whole number does not fit into 32 bits")
    if type(value) is float and not abs(value) <= 3.4e38:
        raise Fault("value", node.lineno, "this number does not fit into 32 bits")
    return value


def constant(node, known):
    """What an expression of literals and {name: number} is worth, or None where it is none of these."""
    if isinstance(node, ast.Constant):
        if type(node.value) not in (int, float):
            raise refused(node, "whole numbers and reals")
        return _within(node, node.value)
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = constant(node.operand, known)
        return None if value is None else -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        left, right = constant(node.left, known), constant(node.right, known)
        return None if left is None or right is None else folded(node, left, right)
    return None


def folded(node, left, right):
    """Two constants joined by the operator of a node. Raises Fault."""
    real = type(left) is float or type(right) is float
    if isinstance(node.op, WHOLE_ONLY) and real:
        raise refused(node, "+ - * / for reals; this operator is for whole numbers")
    if isinstance(node.op, (ast.FloorDiv, ast.Mod, ast.Div)) and right == 0:
        raise Fault("division", node.lineno, "division by zero")
    if isinstance(node.op, (ast.LShift, ast.RShift)) and not 0 <= right < 32:
        raise Fault("value", node.lineno, "a shift goes by 0 to 31 places")
    return _within(node, BINARY[type(node.op)](left, right))
