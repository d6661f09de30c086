"""Listing: a class's tokens become a table; every kernel is run again, and nothing that a line claims is believed.

A line is a token, a name before it if one likes; a learner's best kernel for a rung counts, other lines are refused.
"""

from dataclasses import dataclass

from accelerator_course import handed_in
from accelerator_course.ladder.catalog import rungs
from accelerator_course.ladder.judge import judge
from accelerator_course.ladder.tokens import MARK, SHAPE, read_token

MOST_LINES, MOST_KERNELS, TOLD = 5_000, 2_000, 20
NAME = 24  # letters of the words before a token that are kept


@dataclass(frozen=True)
class Row:
    """What one learner's best kernel for a rung is worth; `score` None and a `problem` where it is wrong."""

    learner: str
    rung: str
    score: float | None
    par: float
    star: bool
    beaten: bool
    problem: str = ""

    def __str__(self):
        head = f"{self.learner:<{NAME}}  {self.rung:<12}"
        if self.score is None:
            return f"{head}  wrong: {self.problem}"
        mark = "★ beats the par" if self.beaten else "★" if self.star else ""
        return f"{head}  {self.score:>10,.0f}  {self.par:>10,.0f}  {self.score / self.par:>6.2f}  {mark}".rstrip()


@dataclass(frozen=True)
class Listing:
    """Rows by learner and rung, and {line number: why it was refused}."""

    rows: tuple
    refused: dict

    def __str__(self):
        lines = [f"{'learner':<{NAME}}  {'rung':<12}  {'score':>10}  {'par':>10}  {'ratio':>6}  star"]
        lines += [str(row) for row in self.rows] or ["nobody has sent a kernel"]
        return "\n".join([*lines, *handed_in.refusals(self.refused, TOLD)])

    __repr__ = __str__


def listing(lines, seed=0):
    """Listing of the tokens in so many lines of text; the seed draws the hidden sizes."""
    found, refused, kernels = {}, {}, 0
    for number, line in handed_in.told(lines, MOST_LINES, refused):
        try:
            name, learner, given = _read(line)
            kernels += len(given)
            if kernels > MOST_KERNELS:
                raise ValueError(f"only the first {MOST_KERNELS:,} kernels are run")
        except ValueError as error:
            refused[number] = str(error)
            continue
        for id, source in given.items():
            found.setdefault((name, learner), {}).setdefault(id, {})[source] = None
    return Listing(tuple(_rows(found, seed)), refused)


def _read(line):
    tokens = SHAPE.findall(line)
    if len(tokens) > 1:
        raise ValueError(f"there are {len(tokens)} tokens; one a line is allowed")
    if not tokens:
        return "", *read_token(line)  # which says what is wrong
    before, _, after = line.partition(tokens[0])
    if after.strip():
        raise ValueError(f"nothing may follow a token; words stand before it: {MARK}...")
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in before).split())
    return words[:NAME].rstrip(" ,;:"), *read_token(tokens[0])


def _rows(found, seed):
    """A Row for each learner and rung; a text that several have sent is run once."""
    names, known = [name for name, _ in found], {}
    for (name, learner), given in found.items():
        called = name if name and names.count(name) == 1 else f"{name[: NAME - 11]} ({learner:08x})".strip()
        for id in rungs():
            verdicts = []
            for source in given.get(id, ()):
                if (id, source) not in known:
                    try:
                        said = judge(id, source, seed)
                        known[id, source] = said.score, said.par, said.star, said.beaten, said.problem
                    except Exception as error:  # one text is one row, whatever it breaks
                        known[id, source] = None, 0.0, False, False, f"it cannot be judged: {type(error).__name__}"
                verdicts.append(known[id, source])
            if verdicts:
                yield Row(called, id, *min(verdicts, key=lambda row: (row[0] is None, row[0])))
