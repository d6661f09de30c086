"""Serving: many users of one model: which request's tokens go through in each step, and how long that takes.
1. Running requests, oldest first, take the tokens that they lack, as far as the `budget` of the step goes, and blocks
   for them. While too few are free, the newest running request loses its blocks and heads the queue (preemption).
2. If none did, waiting requests enter in order while slots, budget and blocks last (static: only if nobody runs).
3. Time goes on by `seconds(prompt, decode, cached, pairs)`: on a chip, the slower of bytes and FLOP (passes.in_step).
4. Whoever has all it needs in the cache makes a token; whoever has made its last one frees its blocks.
A lost cache is computed anew, as vLLM does. Rules after vLLM's documentation (optimization) and Orca, OSDI 2022.
Ignored: windows, latents met whole (counts), kernels that do not overlap, launches, sampling, the network.
"""

import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise

from accelerator_lib.checks.inputs import NotAvailable, affordable
from accelerator_lib.checks.signature import Count, Given, Number, Record, Single, Switch, checked
from accelerator_lib.hardware import AChip
from accelerator_lib.llm.counts import of
from accelerator_lib.llm.passes import in_step
from accelerator_lib.llm.steps import Mfu, Step
from accelerator_lib.workload.models import AModel

MOST_REQUESTS, MOST_STEPS = 10_000, 2_000_000  # some seconds
MOST_CELLS = 3 * 10**7  # a quarter of a gigabyte where all states are kept
Tokens, Slots, OneMfu = Count(high=10**7), Count(high=10_000), Single(Mfu)


@dataclass(frozen=True)
@checked
class Request:  # a user's request: when it arrives [s], tokens of its prompt, tokens of its answer
    arrival: Single(Number(low=0, high=1e12, unit="s"))
    prompt: Tokens
    output: Tokens


@dataclass(frozen=True)
class Served:  # a request after some steps
    request: Request
    log: list = field(repr=False)  # when each token was made [s]; shared with later states, which have more of them
    made: int
    preempted: int  # how often it lost its cache
    times = property(lambda self: tuple(self.log[: self.made]))  # when each token so far was made [s]
    done = property(lambda self: self.made == self.request.output)  # whether its last token is made
    ttft = property(lambda self: self.log[0] - self.request.arrival if self.made else None)  # [s]
    tpot = property(lambda self: (self.log[self.made - 1] - self.log[0]) / (self.made - 1) if self.made > 1 else None)
    gaps = property(lambda self: tuple(b - a for a, b in pairwise(self.times)))  # times from token to token [s]
    longest_gap = property(lambda self: max(self.gaps, default=None))  # [s]; None before the second


@dataclass(frozen=True, eq=False)
class State:  # one step of a scheduler: what was done in it, and how things stood when its tokens were made
    step: int  # counted from 1
    began: float  # [s]; later than the step before where nobody was there
    time: float  # [s] at its end
    requests: tuple
    logs: tuple = field(repr=False)  # of each request: see Served.log
    made: tuple  # tokens of each request so far
    lost: tuple  # how often each has lost its cache
    work: dict  # {request: its tokens in this step}, in order
    held: tuple  # (request, its blocks) of those that ran, oldest first
    waiting: tuple  # requests that have arrived and do not run, in order
    preempted: tuple  # requests that lost their blocks in this step
    cached: tuple  # tokens in the cache of each request, after the step
    blocks: int
    block: int  # tokens
    slots: int
    served = cached_property(lambda self: tuple(map(Served, self.requests, self.logs, self.made, self.lost)))  # of each
    taken = property(lambda self: sum(len(pages) for _, pages in self.held))  # blocks with an owner in the step
    free = property(lambda self: self.blocks - self.taken)  # blocks that nobody owned during the step

    @property
    def filled(self):
        """(block, the request that owns it, tokens in it after the step) of each block that is taken."""
        return tuple(
            (page, request, min(self.block, max(0, self.cached[request] - place * self.block)))
            for request, pages in self.held
            for place, page in enumerate(pages)
        )


class Engine:
    """What changes while requests are served, a method for each rule; `state` freezes it. Nothing is checked here."""

    def __init__(self, requests, slots, blocks, block, budget, static, seconds):
        self.requests, self.slots, self.blocks, self.block = requests, slots, blocks, block
        self.budget, self.static, self.seconds = budget or float("inf"), static, seconds
        count = len(requests)
        self.to_come = deque(sorted(range(count), key=lambda i: requests[i].arrival))
        self.waiting, self.running = deque(), []
        self.cached, self.made, self.lost = [0] * count, [0] * count, [0] * count
        self.times = tuple([] for _ in requests)  # of every token; only ever longer, so that states may share them
        self.pages, self.returned, self.fresh = [()] * count, [], 0
        self.free, self.time, self.began, self.number = blocks, 0.0, 0.0, 0
        self.work, self.preempted, self.held = {}, (), ()

    def step(self):
        """Do a step; False when there is nothing left to do."""
        if not (self.running or self.waiting):
            if not self.to_come:
                return False
            self.time = max(self.time, self.requests[self.to_come[0]].arrival)
        while self.to_come and self.requests[self.to_come[0]].arrival <= self.time:
            self.waiting.append(self.to_come.popleft())
        self.work, self.preempted, left = {}, (), self.budget  # {request: tokens of this step}
        left = self._continue(left)
        if not self.preempted and not (self.static and self.running):
            self._enter(left)
        self._pass_time()
        self._make_tokens()
        return True

    def _continue(self, left):  # rule 1; returns what is left of the budget
        place = 0
        while place < len(self.running):
            i = self.running[place]
            tokens = min(self.requests[i].prompt + self.made[i] - self.cached[i], left)
            blocks = -(-(self.cached[i] + tokens) // self.block) - len(self.pages[i])
            while blocks > self.free and place < len(self.running):
                self._preempt(self.running.pop())
            if place == len(self.running):  # it was itself the newest
                break
            if tokens:
                self._take(i, tokens, blocks)
                left -= tokens
            place += 1
        return left

    def _preempt(self, i):
        self._release(i)
        self.cached[i] = 0
        self.lost[i] += 1
        self.waiting.appendleft(i)
        self.preempted += (i,)

    def _enter(self, left):  # rule 2
        while self.waiting and left and len(self.running) < self.slots:
            i = self.waiting[0]
            tokens = min(self.requests[i].prompt + self.made[i], left)
            blocks = -(-tokens // self.block)
            if blocks > self.free:
                break
            self.running.append(self.waiting.popleft())
            self._take(i, tokens, blocks)
            left -= tokens

    def _take(self, i, tokens, blocks):
        self.work[i] = tokens
        if blocks:
            self.free -= blocks
            taken = [heapq.heappop(self.returned) for _ in range(min(blocks, len(self.returned)))]
            more = blocks - len(taken)
            self.pages[i] += (*taken, *range(self.fresh, self.fresh + more))
            self.fresh += more

    def _release(self, i):
        self.free += len(self.pages[i])
        for page in self.pages[i]:
            heapq.heappush(self.returned, page)
        self.pages[i] = ()

    def _pass_time(self):  # rule 3
        prompt = decode = cached = pairs = 0
        for i, tokens in self.work.items():
            cached += self.cached[i]
            pairs += tokens * self.cached[i] + tokens * (tokens + 1) // 2
            if self.made[i] and self.requests[i].prompt + self.made[i] - self.cached[i] == 1:
                decode += 1
            else:
                prompt += tokens
        passed = self.seconds(prompt, decode, cached, pairs)
        if not 0 < passed < 1e30:
            raise ValueError(f"a step must take a time above 0 s, not {passed!r}")
        self.began, self.time, self.number = self.time, self.time + passed, self.number + 1

    def _make_tokens(self):  # rule 4; `held` keeps the blocks as they were while the step went on
        self.held = tuple((i, self.pages[i]) for i in self.running)
        for i, tokens in self.work.items():
            self.cached[i] += tokens
            request = self.requests[i]
            if self.cached[i] == request.prompt + self.made[i]:
                self.times[i].append(self.time)
                self.made[i] += 1
                if self.made[i] == request.output:
                    self._release(i)
                    self.running.remove(i)

    def states(self):
        """Yield a State after each step."""
        while self.step():
            when = self.number, self.began, self.time, self.requests, self.times, tuple(self.made), tuple(self.lost)
            what = self.work, self.held, tuple(self.waiting), self.preempted, tuple(self.cached)
            yield State(*when, *what, self.blocks, self.block, self.slots)


def _requests(given):
    found = tuple(islice(given, MOST_REQUESTS + 1)) if hasattr(given, "__iter__") else (given, None)
    if not all(isinstance(one, Request) for one in found):
        raise TypeError("requests must be a list of Request(arrival, prompt, output)")
    if not 1 <= len(found) <= MOST_REQUESTS:
        raise ValueError(f"there are {'more' if found else 'no'} requests; allowed: 1 to {MOST_REQUESTS:,}")
    return found


Requests = Given("a list of Request", _requests)
Clock = Record(Callable, "a function of (prompt, decode, cached tokens, pairs)")


def a_step(prompt, decode, cached, pairs):
    """One second whatever is done: time counts steps."""
    return 1


@checked
def serve(
    requests: Requests,
    slots: Slots,
    blocks: Count() = 10**9,
    block: Tokens = 16,
    budget: Tokens = None,
    static: Switch = False,
    seconds: Clock = a_step,
):
    """A State after each step; budget None: whole prompts. Raises ValueError: too many blocks, or no end."""
    cells = sum(one.output for one in requests) * len(requests)  # every state tells of every request
    affordable("cells of its states", cells, MOST_CELLS, "the number of requests or their output")
    for number, one in enumerate(requests, 1):
        if (needed := blocks_needed(one, block)) > blocks:
            asks = f"request {number} ({one.prompt:,} + {one.output:,} tokens) needs {needed:,} blocks"
            raise ValueError(f"{asks} of {block:,} tokens, more than all {blocks:,}")
    steps_at_most(requests, budget)
    return Engine(requests, slots, blocks, block, budget, static, seconds).states()


def blocks_needed(request, block):
    """Blocks that a request holds when it makes its last token, which itself is never cached."""
    return -(-(request.prompt + request.output - 1) // block)


@checked
def blocks_for(requests: Count(high=1000), prompt: Tokens, output: Tokens, block: Tokens):
    """Blocks with which so many equal requests run together and none loses any."""
    return requests * blocks_needed(Request(0, prompt, output), block)


def steps_at_most(requests, budget):
    """Raises ValueError for a run that would not end."""
    steps = sum(one.output + (one.prompt // budget if budget else 0) for one in requests)
    if steps > MOST_STEPS:
        raise ValueError(f"this may take {steps:,} steps; allowed: up to {MOST_STEPS:,}")


@checked
def clock(model: AModel, chip: AChip, mfu: OneMfu = 0.5):
    """A function of passes.in_step's (prompt, decode, cached, pairs): a step's time [s]. Raises NotAvailable."""
    if not blocks_of(model, chip, 1):
        raise NotAvailable(f"the weights of {model.name} in 16 bits leave no room for caches on {chip.short_name}")
    rate, peak = chip.need("bytes_per_s"), chip.peak("bf16") * mfu
    return lambda *step: in_step.__wrapped__(model, *step).least_seconds(rate, peak)


@checked
def mixed_step(model: AModel, chip: AChip, prompt=0, decode=0, cached=0, pairs=None, mfu: OneMfu = 0.5):
    """The Step of the clock for what passes.in_step takes after its model."""
    one = in_step(model, prompt, decode, cached, pairs)
    times = one.bytes_moved / chip.need("bytes_per_s"), one.flops / (chip.peak("bf16") * mfu)
    return Step(one.tokens, one.bytes_moved, one.flops, *times)


@checked
def blocks_of(model: AModel, chip: AChip, block: Count(high=10**6) = 16, usable: Single(Number(0, 1)) = 0.9):
    """Blocks of `block` tokens in the memory that the weights (16 bits) leave; `usable`: share of the chip's memory."""
    room = usable * chip.need("capacity_bytes") - 2 * of(model).weights
    return max(0, int(room // (block * of(model).kv_bytes("bf16"))))
