"""Judge: a kernel on visible and hidden cases, its score beside bound and par, hints; nothing in a text raises."""

import ast
from dataclasses import dataclass, replace

import numpy as np

from accelerator_course.ladder.catalog import ARung
from accelerator_course.ladder.rung import Case, Rung
from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.kernels.language import Fault, read
from accelerator_lib.kernels.machine import Run
from accelerator_lib.kernels.pallas import Tiled
from accelerator_lib.kernels.specs import UNTOUCHED
from accelerator_lib.units import number

TOLERANCE = 1e-4  # of the largest number that is expected
EVEN = 1 + 1e-9  # scores that differ by less are the same
ALIKE = 1.05  # how far scores on other numbers may lie apart: queues of atomics depend on them
CLEARLY = 1.25  # times the counter of the worked solution
MOST, WORTH = 3, 0.05  # hints at a time; of the cost, less is not worth a word


@dataclass(frozen=True)
class Hint:
    """One counter at fault: what it says, the line (None: the whole kernel), cycles that it may cost."""

    counter: str
    text: str
    line: int | None
    lost: float


def hints(rung, made):
    """The Hints for a Run of the scored case, the costliest first."""
    found = []
    for name, (value, told) in rung.counters.items():
        mine, par = value(rung, made), value(rung, rung.best)
        if mine > CLEARLY * par:
            found.append(Hint(name, *told(rung, made, mine, par)))
    worth = [hint for hint in found if hint.lost > WORTH * rung.cost(made)]
    return tuple(sorted(worth, key=lambda hint: -hint.lost)[:MOST])


def near(rung, made):
    """A Hint for a kernel that misses the par by too little for a counter: which of its counts are above the par's."""
    mine, par = rung.counts(made), rung.counts(rung.best)
    above = sorted((name for name in mine if mine[name] > EVEN * par[name]), key=lambda name: par[name] / mine[name])
    said = ", ".join(f"{mine[name]:,.0f} {name} (par: {par[name]:,.0f})" for name in above[:MOST])
    why = f"Above the par's counts: {said}." if said else "No count is above the par's: only the lines' order differs."
    return Hint("near", f"{rung.score(made) / rung.par - 1:.1%} short of the par. {why}", None, 0.0)


@dataclass(frozen=True)
class Trial:
    """One Case: what is wrong with what the kernel left, "" where nothing is; the line, where one is to blame."""

    case: Case
    problem: str = ""
    line: int | None = None
    place: tuple = ()  # (name, index) of a wrong number
    unread: bool = False  # whether the text could not be read at all, whatever the case

    right = property(lambda self: not self.problem)


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is to be said of a kernel. Without a score, `made` is None: something is wrong."""

    rung: Rung
    source: str
    problem: str = ""  # one line
    line: int | None = None
    trials: tuple = ()
    made: Run | Tiled | None = None  # of the scored case
    hints: tuple = ()
    begun: bool = True  # whether the text says more than the blank kernel

    right = property(lambda self: self.made is not None)
    score = property(lambda self: self.rung.score(self.made) if self.right else None)  # cycles or bytes
    bound = property(lambda self: self.rung.bound)
    par = property(lambda self: self.rung.par)
    star = property(lambda self: self.right and self.score <= EVEN * self.par)
    beaten = property(lambda self: self.right and EVEN * self.score < self.par)

    @property
    def lines(self):
        if not self.right:
            return (f"{self.rung.title}: {'' if self.begun else 'not begun. '}{self.problem}",)
        score, against, floor, mark = self.parts
        mark = f" ★ {mark}" if mark else ""
        return (f"{self.rung.title}: right. {score}: {against}, {floor}.{mark}", *(hint.text for hint in self.hints))

    @property
    def parts(self):
        unit = self.rung.scored
        return (
            f"{self.score:,.0f} {unit}",
            f"{number(self.score / self.par)} times the par ({self.par:,.0f})",
            f"{number(self.score / self.bound)} times what no kernel beats ({self.bound:,.0f} {unit})",
            "You beat the par." if self.beaten else "You reach the par." if self.star else "",
        )

    def __str__(self):
        return "\n".join(self.lines)


@checked
def judge(rung: ARung, source, seed: Count(low=0, high=2**32) = 0):
    """Verdict on a kernel's text for a rung, by its id; the seed draws the hidden sizes. Nothing in the text raises."""
    if not isinstance(source, str):
        return Verdict(rung, "", f"a kernel is text, not {type(source).__name__}")
    if not begun(rung, source):
        return Verdict(rung, source, rung.task, begun=False)
    trials, runs = [], []
    for case in [*rung.cases(seed), rung.unseen(seed), rung.scoring]:
        trial, made = _tried(rung, source, case)
        trials, runs = [*trials, trial], [*runs[-1:], made]
        if not trial.right:
            return Verdict(rung, source, _said(rung, trial), trial.line, tuple(trials))
    if problem := _fixed(rung, *map(rung.score, runs)):
        return Verdict(rung, source, problem, None, tuple(trials))
    verdict = Verdict(rung, source, trials=tuple(trials), made=made)
    return verdict if verdict.star else replace(verdict, hints=hints(rung, made) or (near(rung, made),))


def _fixed(rung, unseen, score):
    """What is wrong with a kernel whose score is not that of the task, in one line; "" where nothing is."""
    if EVEN * score < rung.bound:
        return f"{score:,.0f} {rung.scored} are less than the task takes ({rung.bound:,.0f}): its numbers were not used"
    if unseen > ALIKE * score:
        return f"{score:,.0f} {rung.scored}, but {unseen:,.0f} with other numbers: it knows these"
    return ""


def begun(rung, source):
    """Whether a text says anything that the blank kernel does not; remarks say nothing."""
    try:
        said = [ast.dump(ast.Module(read(text), [])) for text in (source, rung.blank, "")]
        return said[0] not in said[1:]
    except (ValueError, RecursionError):  # a Fault, a number of 5,000 digits: it does say something
        return True


def _said(rung, trial):
    if trial.unread:
        return trial.problem
    what = "numbers" if trial.case.sizes == rung.measured else "a size"
    hidden = f", {what} that you have not seen" if trial.case.hidden else ""
    return f"{trial.problem} ({trial.case}{hidden})"


def _tried(rung, source, case):
    try:
        made = rung.run(source, case)
    except Fault as fault:
        return Trial(case, " ".join(str(fault).split()), fault.line, unread=fault.kind == "language"), None
    except (ValueError, TypeError) as error:
        return Trial(case, " ".join(str(error).split())), None
    except (RecursionError, MemoryError) as error:
        return Trial(case, f"the machine gave up: {type(error).__name__}"), None
    problem, *place = _wrong(made.arrays, rung.expected(case), case)
    return Trial(case, problem, place=tuple(place)), made


def _wrong(left, expected, case):
    """(what is wrong with the arrays that a kernel left, in one line, the array, the place); ("",) where nothing is."""
    for name, want in expected.items():
        got, want = left[name], np.asarray(want)
        with np.errstate(invalid="ignore"):
            near = 0 if want.dtype.kind in "iu" else TOLERANCE * max(1, np.abs(want).max())  # whole numbers are exact
            bad = ~(np.abs(got - want) <= near)
        if bad.any():
            at = tuple(map(int, np.argwhere(bad)[0]))
            place, found = f"{name}[{', '.join(map(str, at))}]", got[at]
            many = f"; {bad.sum():,} of {bad.size:,} places are wrong" if bad.size > 1 else ""
            if found == case.arguments[name][at] == UNTOUCHED:
                return f"{place} was never written, expected is {want[at]:.7g}{many}", name, at
            return f"{place} is {found:.7g}, expected is {want[at]:.7g}{many}", name, at
    for name, before in case.arguments.items():
        if isinstance(before, np.ndarray) and name not in expected and not np.array_equal(left[name], before):
            at = tuple(map(int, np.argwhere(left[name] != before)[0]))
            return f"{name}[{', '.join(map(str, at))}] was changed; {name} is only to be read", name, at
    return ("",)
