"""Scheduler: which request's tokens go through the model in each step, and whose cache holds which block.

A request's next token needs its prompt and the tokens made so far in the cache (`need`). A step:

1. Running requests, oldest first, take the tokens that they lack, as far as the `budget` of the step goes, and blocks
   for them. While too few are free, the newest running request loses its blocks and heads the queue (preemption).
2. If none did, waiting requests enter in order while slots, budget and blocks last (static: only if nobody runs).
3. Time goes on by `seconds(prompt, decode, cached)`.
4. Whoever has all it needs in the cache makes a token; whoever has made its last one frees its blocks.

A lost cache is computed anew, as vLLM does. Rules after vLLM's documentation (optimization) and Orca, OSDI 2022.
"""

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Count, Given, Switch, checked
from accelerator_lib.llm.engine import Engine
from accelerator_lib.llm.served import Request

MOST_STEPS = 2_000_000
MOST_CELLS = 3 * 10**7  # some seconds, a quarter of a gigabyte where all states are kept
Tokens = Count(high=10**7)


def _requests(given):
    """A tuple of Requests, at least one."""
    if isinstance(given, Request) or not hasattr(given, "__iter__"):
        raise TypeError(f"requests must be a list of Request, not {type(given).__name__}")
    found = tuple(given)
    if not 1 <= len(found) <= 10_000:
        raise ValueError(f"there are {len(found):,} requests; allowed: 1 to 10,000")
    for one in found:
        if not isinstance(one, Request):
            raise TypeError(f"requests must hold Request(arrival, prompt, output), not {type(one).__name__}")
    return found


def _seconds(given):
    if not callable(given):
        raise TypeError(f"seconds must be a function of (prompt, decode, cached tokens), not {given!r}")
    return given


Requests = Given("a list of Request", _requests)
Clock = Given("a function of (prompt, decode, cached tokens)", _seconds)


def a_step(prompt, decode, cached):
    """One second whatever is done: time counts steps."""
    return 1


@checked
def serve(
    requests: Requests,
    slots: Count(high=10_000),
    blocks: Count() = 10**9,
    block: Tokens = 16,
    budget: Tokens = None,
    static: Switch = False,
    seconds: Clock = a_step,
):
    """A frozen State after each step. `slots` requests run at most, in `blocks` of `block` tokens; None: whole prompts.

    Raises ValueError for a request that needs more than all blocks, and for a run that would not end.
    """
    cells = sum(one.output for one in requests) * len(requests)  # every state tells of every request
    affordable("cells of its states", cells, MOST_CELLS, "the number of requests or their output")
    return _states(_engine(requests, slots, blocks, block, budget, static, seconds))


def blocks_needed(request, block):
    """Blocks that a request holds when it makes its last token, which itself is never cached."""
    return -(-(request.prompt + request.output - 1) // block)


def steps_at_most(requests, budget):
    """Steps that requests take at most. Raises ValueError for a run that would not end."""
    steps = sum(one.output + (one.prompt // budget if budget else 0) for one in requests)
    if steps > MOST_STEPS:
        raise ValueError(f"this may take {steps:,} steps; allowed: up to {MOST_STEPS:,}")
    return steps


def _engine(requests, slots, blocks, block, budget, static, seconds):
    for number, one in enumerate(requests, 1):
        if blocks_needed(one, block) > blocks:
            raise ValueError(
                f"request {number} ({one.prompt:,} + {one.output:,} tokens) needs {blocks_needed(one, block):,} blocks "
                f"of {block:,} tokens, more than all {blocks:,}"
            )
    steps_at_most(requests, budget)
    return Engine(requests, slots, blocks, block, budget, static, seconds)


def _states(engine):
    while engine.step():
        yield engine.state()
