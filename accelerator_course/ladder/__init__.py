"""The kernel ladder: texts to write for a model of a chip, run on sizes unseen, judged beside bound and par.

catalog, rung, specifications (in NumPy); warps, tiles, arrays (rungs of three machines, their counters); judge; replay,
moving, traced, sketch (what is drawn); tokens, listing (of a class); shown, glance
"""

from accelerator_course.ladder.catalog import rung, rungs
from accelerator_course.ladder.judge import Verdict, judge
from accelerator_course.ladder.replay import replay

__all__ = ["Verdict", "judge", "replay", "rung", "rungs"]
