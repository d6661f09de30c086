"""Serving: many users of one model, step by step.

served       what a user asks for and sees           scheduler    whose tokens go through in each step
clocks       how long a step takes                   unhindered   the same outcome, sooner, where memory is plenty
goodput      users served as promised                split        prompts and answers on different chips
prefixes     blocks that several prompts share       engine       the rules of the scheduler
"""

from accelerator_lib.llm.clocks import blocks_of, capacity, clock
from accelerator_lib.llm.prefixes import prefix_hits
from accelerator_lib.llm.scheduler import serve
from accelerator_lib.llm.served import Request

__all__ = ["Request", "blocks_of", "capacity", "clock", "prefix_hits", "serve"]
