"""SIMT: 32 lanes, one instruction at a time. Where they disagree, both ways are run, each with the others masked.

    instructions = sum over the ways that any lane takes
    efficiency   = lanes that worked, summed over instructions / (32 x instructions)

Each lane has its own values of all variables. Ignored: since Volta, lanes have program counters of their own and may
interleave the two ways; which lanes work together is as here. Source: CUDA C++ Programming Guide, SIMT architecture.
"""

import ast
from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.inputs import count
from accelerator_lib.checks.signature import Count, Given, OneOf, Whole, checked
from accelerator_lib.gpu.arch import WARP_LANES
from accelerator_lib.gpu.language import joined, refused, statements, value

MOST_STEPS = 2000
Instructions = Count(low=0, high=10**9)


@dataclass(frozen=True, eq=False)
class Issue:
    """One instruction of the warp: which line, which lanes; the variables after it."""

    number: int
    line: int  # from 1
    text: str
    mask: np.ndarray  # [32] of bool
    values: dict  # name -> [32]
    efficiency: float  # of all instructions so far
    target: str  # the variable that it sets; "" where it tests a condition
    result: np.ndarray  # [32]: what that variable is now, or whether the condition holds

    working = property(lambda self: int(self.mask.sum()))  # lanes that this instruction is for


def kernels():
    """{name: source} of the small kernels in data/warp_kernels.yaml."""
    return dict(data.load("warp_kernels")["kernels"])


@checked
def run(source, a: Whole(low=-(2**31), high=2**31) = None):
    """Yield an Issue for every instruction of a kernel; `lane` is 0 to 31, `a` the data: [32] whole numbers.
    Variables begin at 0. Raises ValueError, with the line, for what this small language does not have, for a division
    by zero in a lane that is at work, and for more than 2,000 instructions."""
    own = np.arange(WARP_LANES) * 7 % 19 if a is None else np.asarray(a)
    if own.shape != (WARP_LANES,):
        raise ValueError(f"a must hold {WARP_LANES} whole numbers, one a lane, not an array of shape {own.shape}")
    body = statements(source)
    return _Warp(source.splitlines(), own.astype(np.int64)).steps(body, np.ones(WARP_LANES, bool))


@checked
def share(kernel: OneOf(kernels())):
    """Share of the lanes' slots that work in one of the small kernels, to its end."""
    *_, last = run(kernels()[kernel])
    return last.efficiency


class _Warp:
    """32 lanes that share one instruction stream."""

    def __init__(self, lines, own):
        self.lines, self.number, self.worked = lines, 0, 0
        self.values = {"lane": np.arange(WARP_LANES), "a": own}

    def steps(self, body, mask):
        for statement in body:
            if isinstance(statement, ast.If):
                yield from self._if(statement, mask)
            elif isinstance(statement, ast.While) and not statement.orelse:
                yield from self._while(statement, mask)
            elif isinstance(statement, (ast.Assign, ast.AugAssign)):
                yield self._assign(statement, mask)
            elif not isinstance(statement, ast.Pass):
                raise refused(statement)

    def _if(self, statement, mask):
        chosen = value(statement.test, self.values, mask) != 0
        yield self._issued(statement, mask, chosen)
        for body, lanes in ((statement.body, mask & chosen), (statement.orelse, mask & ~chosen)):
            if lanes.any():  # a way that no lane takes costs nothing
                yield from self.steps(body, lanes)

    def _while(self, statement, mask):
        while mask.any():
            staying = mask & (value(statement.test, self.values, mask) != 0)
            yield self._issued(statement, mask, staying)
            mask = staying
            if mask.any():
                yield from self.steps(statement.body, mask)

    def _assign(self, statement, mask):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if not isinstance(target, ast.Name) or len(getattr(statement, "targets", [target])) > 1:
            raise refused(statement)
        if target.id in ("lane", "a"):
            raise ValueError(f"line {statement.lineno}: {target.id} is given; store the result under another name")
        before = self.values.get(target.id, np.zeros(WARP_LANES, np.int64))
        after = value(statement.value, self.values, mask)
        if isinstance(statement, ast.AugAssign):
            after = joined(statement, before, after, mask)
        self.values = {**self.values, target.id: np.where(mask, after, before)}
        return self._issued(statement, mask, self.values[target.id], target.id)

    def _issued(self, statement, mask, result, target=""):
        self.number, self.worked = self.number + 1, self.worked + int(mask.sum())
        if self.number > MOST_STEPS:
            raise ValueError(f"line {statement.lineno}: more than {MOST_STEPS:,} instructions; does a loop never end?")
        text = self.lines[statement.lineno - 1].strip()
        share = self.worked / (WARP_LANES * self.number)
        return Issue(self.number, statement.lineno, text, mask.copy(), dict(self.values), share, target, result)


def _ways(paths):
    """Pairs of whole numbers with at most 32 lanes in all, or one clear line."""
    if not isinstance(paths, (list, tuple)) or not all(isinstance(p, (list, tuple)) and len(p) == 2 for p in paths):
        raise TypeError(f"paths must be pairs (lanes, instructions) such as [(31, 10), (1, 100)], not {paths!r:.40}")
    ways = [(count("lanes", lanes, 0, WARP_LANES), Instructions("instructions", length)) for lanes, length in paths]
    if sum(lanes for lanes, _ in ways) > WARP_LANES:
        raise ValueError(f"the paths have {sum(lanes for lanes, _ in ways)} lanes; a warp has {WARP_LANES}")
    return ways


Paths = Given("pairs of lanes and instructions", _ways)


@checked
def simt_cycles(paths: Paths):
    """Instructions that a warp issues for [(lanes, instructions)]: each way that any lane takes costs its length."""
    return sum(length for lanes, length in paths if lanes)


@checked
def simt_efficiency(paths: Paths):
    """Share of the lanes' slots that do useful work for [(lanes, instructions)]. Raises ValueError where none works."""
    issued = simt_cycles(paths)
    if not issued:
        raise ValueError("no lane takes any of the paths: there is nothing to divide by")
    return sum(lanes * length for lanes, length in paths) / (WARP_LANES * issued)


@checked
def branch_efficiency(lanes: Count(low=0, high=WARP_LANES), long: Instructions, short: Instructions):
    """Share of slots that work when so many lanes take a path of `long` instructions and all others one of `short`."""
    return simt_efficiency([(lanes, long), (WARP_LANES - lanes, short)])
