"""The kernel ladder: texts to write for a model of a chip, run on sizes unseen, judged beside bound and par.

    ladder.judge("transpose", source)      Verdict: right on sizes unseen? Then score, bound, par and hints
    ladder.replay(made)     yields a Step for each access of one block: lanes to sectors, lanes to banks
    ladder.watch(made)      the same with the text and the counts so far, for a stage

catalog      rungs, by name      rung       what one asks, its bound, par     specifications   the same in NumPy
warps        of the SM           tiles      in Pallas, with advice      arrays     of systolic arrays, with remarks
judge        and hints: what is said of a text
replay       one block, step by step     watching   with the counts so far, moving: blocks
tokens       kernels as a line           listing    a class's kernels, run again
traced       up to where one goes wrong  sketch     what is drawn while one types
shown        kernels of the course       glance     all rungs on one page
"""

from accelerator_course.ladder.catalog import rung, rungs
from accelerator_course.ladder.judge import Verdict, judge
from accelerator_course.ladder.replay import replay
from accelerator_course.ladder.watching import watch

__all__ = ["Verdict", "judge", "replay", "rung", "rungs", "watch"]
