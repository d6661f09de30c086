"""The kernel ladder: texts to write for a model of a chip, run on sizes unseen, judged beside bound and par."""

from accelerator_course.ladder.catalog import rung, rungs
from accelerator_course.ladder.judge import Verdict, begun, judge
from accelerator_course.ladder.readers import read
from accelerator_course.ladder.replay import replay
