"""Split: prompts on some chips, answers on others, beside chips that do both.
A chip that reads takes one prompt after the other; then the request moves on, its cache over a link of its own, to a
chip that only writes. Requests go round. Whether a queue would grow for ever is told by what a chip can do in a second.
Ignored: several caches on one link, chips that fail, loads that shift; a beginning that is kept is on every chip.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Number, Single, checked
from accelerator_lib.data import kept
from accelerator_lib.llm import goodput
from accelerator_lib.llm.counts import of
from accelerator_lib.llm.goodput import ALIKE, CHIP, COUNT, MODEL, SEED, Lengths, Load, Rate, Seed
from accelerator_lib.llm.serving import clock
from accelerator_lib.llm.unhindered import steps
from accelerator_lib.workload.models import AModel

CHIPS, SLOTS = 8, 64
WRITING = 256  # slots of a chip that only writes; fewer are taken where the caches have no room
LINK = 50e9  # B/s one way between nodes (chapter 11): a cache of 1,024 tokens, 134 MB, moves in 2.7 ms
Readers = Count(high=CHIPS - 1)


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
def split(readers: Readers, rate: Rate, seed: Seed = SEED, lengths: Lengths = ALIKE):
    """The Load of a chip that writes, where `readers` of 8 chips read; `rate`: requests a second for each of the 8."""
    writers, step = CHIPS - readers, clock(MODEL, CHIP)
    arrive = goodput.arrivals(rate * CHIPS, COUNT * writers, seed)
    new, at_hand, output = goodput.drawn(lengths, COUNT * writers, seed)
    read, ends = _reading(new, at_hand), np.empty_like(arrive)
    for chip in range(readers):  # a queue: an end is `read` after the later of the arrival and the end before
        mine, each = arrive[chip::readers], read[chip::readers]
        done = np.cumsum(each)
        ends[chip::readers] = np.maximum.accumulate(mine - done + each) + done
    here = np.argsort(ends)[::writers]  # those that one of the writers gets
    read_at, prompt, more = ends[here], (new + at_hand)[here], output[here] - 1
    told = (one.tolist() for one in (read_at + moving_seconds(MODEL, 1, LINK) * prompt, np.ones_like(more), more))
    writing = lambda first, answering, cached, _: step(0, first + answering, cached)  # noqa: E731  prompts are cached already
    made, first = map(np.array, steps(*told, WRITING, None, False, writing, prompt.tolist(), goodput.room()))
    tpot, arrived = (made[first + more - 1] - read_at) / more, (len(arrive) - 1) / float(arrive[-1] - arrive[0])
    return Load(rate, float(made[-1] - arrive[0]), (ends - arrive)[here], tpot, arrived / CHIPS)


def _reading(new, at_hand):  # seconds that each prompt takes alone
    step, told = clock(MODEL, CHIP), zip(new.tolist(), at_hand.tolist(), strict=True)
    return np.array([step(tokens, 0, kept, tokens * kept + tokens * (tokens + 1) / 2) for tokens, kept in told])


@checked
def sustained(readers: Readers, lengths: Lengths = ALIKE):
    """(of prompts, of answers): requests a second for each of the 8 chips that a split can keep up with for long."""
    new, at_hand, output = goodput.drawn(lengths, 10_000, SEED)
    # whoever looks into a full chip meets a request as often as it has steps, on average halfway through its answer
    prompt, half = (float(np.average(tokens, weights=output)) for tokens in (new + at_hand, output / 2))
    users = min(WRITING, int(goodput.room() / (prompt + 2 * half)))
    each = clock(MODEL, CHIP)(0, users, users * (prompt + half)) * float(output.mean() - 1) / users
    return readers / float(_reading(new, at_hand).mean()) / CHIPS, (CHIPS - readers) / each / CHIPS


@checked
def ways(readers: Readers = 6, rate: Rate = 20, seed: Seed = SEED, lengths: Lengths = ALIKE):
    """A Way for each: prompts whole, in chunks of 512 and of 148 on chips that do both; chips that do one thing."""
    names = {"prompts whole": None, "chunks of 512": 512, "chunks of 148": 148}
    loads = {name: goodput.serve_load(rate, SLOTS, chunk, seed, lengths) for name, chunk in names.items()}
    apart = split(readers, rate, seed, lengths)
    both = tuple(Way(name, 0, *load.p90(), load.growing) for name, load in loads.items())
    growing = rate > min(sustained(readers, lengths))
    return (*both, Way(f"{readers} read, {CHIPS - readers} write", readers, *apart.p90(), growing))
