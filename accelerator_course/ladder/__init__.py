"""The kernel ladder: texts to write for a model of a chip, run on sizes unseen, judged beside bound and par.

    ladder.judge("transpose", source)      Verdict: right on sizes unseen? Then score, bound, par and hints
    ladder.replay(made)     yields a state for each access of one block: lanes to sectors, lanes to banks, counts so far

catalog      rungs, by name      rung       what one asks, its bound, par     specifications   the same in NumPy
warps        of the SM, tiles in Pallas, arrays: rungs of three machines, each with the counters that its hints name
judge        and hints: what is said of a text
replay       one block, access by access; moving: blocks that come and go
tokens       kernels as a line           listing    a class's kernels, run again
traced       up to where one goes wrong  sketch     what is drawn while one types
shown        kernels of the course       glance     all rungs on one page
"""

from accelerator_course.ladder.catalog import rung, rungs
from accelerator_course.ladder.judge import Verdict, judge
from accelerator_course.ladder.replay import replay

__all__ = ["Verdict", "judge", "replay", "rung", "rungs"]
