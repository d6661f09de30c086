"""Split: prompts on some chips, answers on others, beside chips that do both.
A chip that reads takes one prompt after the other; then the request moves on, its cache over a link of its own, to a
chip that only writes. Requests go round. Whether a queue would grow for ever is told by what a chip can do in a second.
Ignored: several caches on one link, chips that fail, loads that shift.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Number, Single, checked
from accelerator_lib.data import kept
from accelerator_lib.llm import goodput
from accelerator_lib.llm.counts import of
from accelerator_lib.llm.goodput import CHIP, COUNT, MODEL, OUTPUT, PROMPT, Load
from accelerator_lib.llm.serving import clock
from accelerator_lib.llm.unhindered import steps
from accelerator_lib.workload.models import AModel

CHIPS, SLOTS = 8, 64
WRITING = 256  # slots of a chip that only writes: as many caches fit
LINK = 50e9  # B/s one way between nodes (chapter 11): a cache of 1,024 tokens, 134 MB, moves in 2.7 ms


@dataclass(frozen=True)
class Way:  # one way to use the chips, and how nine of ten users fare
    name: str
    readers: int  # chips that only read prompts; 0 where all do both
    ttft: float  # [s], at most, for nine of ten
    tpot: float  # [s]
    growing: bool  # whether a queue grows without end: then the times are those of a short run


@checked
def moving_seconds(model: AModel, tokens: Count(high=10**8), bytes_per_s: Single(Number(low=1, high=1e15))):
    """Seconds until a cache of so many tokens, in 16 bits, has moved."""
    return tokens * of(model).kv_bytes("bf16") / bytes_per_s


@checked
@kept
def split(readers: Count(high=CHIPS - 1), rate: goodput.Rate, seed: goodput.Seed = goodput.SEED):
    """The Load of a chip that writes, where `readers` of 8 chips read; `rate`: requests a second for each of the 8."""
    writers = CHIPS - readers
    arrive = goodput.arrivals(rate * CHIPS, COUNT * writers, seed)
    step = clock(MODEL, CHIP)
    read = step(PROMPT, 0, 0)
    ends = np.empty_like(arrive)
    for chip in range(readers):  # a queue: an end is `read` after the later of the arrival and the end before
        mine = arrive[chip::readers]
        number = np.arange(len(mine))
        ends[chip::readers] = np.maximum.accumulate(mine - number * read) + (number + 1) * read
    here = np.argsort(ends)[::writers]  # those that one of the writers gets
    read_at, output = ends[here], OUTPUT - 1
    come = read_at + moving_seconds(MODEL, PROMPT, LINK)

    def writing(first, more, cached):  # the prompt is in the cache already
        return step(0, first + more, cached + PROMPT * (first + more))

    made, first = steps(come.tolist(), [1] * len(come), [output] * len(come), WRITING, None, False, writing)
    made, first = np.array(made), np.array(first)
    tpot = (made[first + output - 1] - read_at) / output
    gap = np.lib.stride_tricks.sliding_window_view(np.diff(made), output - 1)[first].max(1)
    longest, seconds = np.maximum(gap, made[first] - read_at), float(made[-1] - arrive[0])
    return Load(rate, seconds, (ends - arrive)[here], tpot, longest, goodput.arrived(arrive) / CHIPS)


@checked
def sustained(readers: Count(high=CHIPS - 1)):
    """(of prompts, of answers): requests a second for each of the 8 chips that a split can keep up with for long."""
    step = clock(MODEL, CHIP)
    writing = step(0, WRITING, WRITING * (PROMPT + OUTPUT // 2))
    return readers / step(PROMPT, 0, 0) / CHIPS, (CHIPS - readers) * WRITING / (writing * (OUTPUT - 1)) / CHIPS


@checked
def ways(readers: Count(high=CHIPS - 1) = 6, rate: goodput.Rate = 20, seed: goodput.Seed = goodput.SEED):
    """A Way for each: prompts whole, in chunks of 512 and of 148 on chips that do both; chips that do one thing."""
    names = {"prompts whole": None, "chunks of 512": 512, "chunks of 148": 148}
    loads = {name: goodput.serve_load(rate, SLOTS, chunk, seed) for name, chunk in names.items()}
    apart = split(readers, rate, seed)
    both = tuple(Way(name, 0, *load.p90(), load.growing) for name, load in loads.items())
    growing = rate > min(sustained(readers))
    return (*both, Way(f"{readers} read, {CHIPS - readers} write", readers, *apart.p90(), growing))
