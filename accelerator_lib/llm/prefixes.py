"""Prefixes: prompts that begin alike share the blocks of their beginning.
A block is known by its tokens and by the block before it (chained hashes). Only full blocks are kept. Where the cache
is full, the block that was used least recently goes (LRU); the end of a prompt goes before its beginning.
Each of several servers has a cache. A prompt goes to the next in turn, to who has computed least (load), to who keeps
most of it (prefix), or to who will have computed least once it is read (both).
Ignored: blocks of requests that still run, the last token, which is computed in any case.
"""

from collections import OrderedDict
from dataclasses import dataclass

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Count, Given, OneOf, checked

ROUTES = ("in turn", "by load", "by prefix", "by both")
LONGEST, MOST_CELLS = 100_000, 3 * 10**7  # tokens of all prompts; blocks and prompts that all visits tell of: 250 MB


def _prompts(given):
    try:
        found = None if isinstance(given, str) else tuple(map(tuple, given))
        hash(found)
    except TypeError:
        found = None
    if found is None:
        raise TypeError("prompts must be a list of lists of tokens, such as whole numbers")
    if not found or not all(found):
        raise ValueError("prompts must hold at least one prompt, and a token in each")
    if sum(map(len, found)) > LONGEST:
        raise ValueError(f"{sum(map(len, found)):,} tokens in all prompts; allowed: up to {LONGEST:,}")
    return found


Prompts = Given("a list of lists of tokens", _prompts)


@dataclass(frozen=True)
class Node:  # a block in the cache
    number: int
    parent: int | None  # the block before it
    depth: int  # how many blocks are before it
    by: int  # the prompt that made it


@dataclass(frozen=True)
class Visit:  # a prompt that has come, and the cache after it
    prompt: int  # its place in the list
    length: int  # tokens
    block: int  # tokens
    room: int  # blocks of all caches
    hits: tuple  # numbers of the blocks that were there
    made: tuple  # numbers of its blocks that are new
    gone: tuple  # numbers of the blocks that had to go
    nodes: tuple  # every Node in a cache now
    reused: tuple  # tokens that each prompt so far need not compute
    servers: tuple  # the server of each prompt so far
    done: tuple  # tokens that each server has computed
    computed = property(lambda self: self.length - self.reused[-1])  # tokens of this prompt that had to be computed
    full = property(lambda self: len(self.nodes) / self.room)  # share of the blocks that are taken
    busiest = property(lambda self: max(self.done) * len(self.done) / sum(self.done))  # over the mean server


@checked
def visits(
    prompts: Prompts,
    block: Count(high=10**6) = 16,
    cache: Count() = 10**9,
    servers: Count(high=64) = 1,
    route: OneOf(ROUTES) = "in turn",
):
    """A Visit for each prompt; each server keeps `cache` blocks of `block` tokens."""
    blocks = min(cache, sum(len(prompt) // block for prompt in prompts))
    affordable("blocks in all visits", len(prompts) * (len(prompts) + blocks), MOST_CELLS, "the number of prompts")
    return _visits(prompts, block, cache, servers, route)


def _missing(prompt, block, kept):
    """Tokens of a prompt that a cache cannot give."""
    met, before = 0, None
    while (node := kept.get((before, prompt[met : met + block]))) is not None:
        met, before = met + block, node.number
    return len(prompt) - met


def _visits(prompts, block, cache, servers, route):
    caches = [OrderedDict() for _ in range(servers)]  # {(number of the block before, tokens): Node}, least recent first
    number, reused, went, done = 0, (), (), [0] * servers
    for place, prompt in enumerate(prompts):
        new = [_missing(prompt, block, kept) for kept in caches]
        pairs = list(zip(new, done, strict=True))
        turns = [(n - place) % servers for n in range(servers)]
        rank = {"in turn": turns, "by load": done, "by prefix": pairs, "by both": list(map(sum, pairs))}[route]
        here = min(range(servers), key=rank.__getitem__)
        kept, went = caches[here], (*went, here)
        keys, hits, made, gone, before = {}, [], [], [], None  # keys: of this prompt, in order
        for begin in range(0, len(prompt) - block + 1, block):
            key = before, prompt[begin : begin + block]
            if key in kept:
                hits.append(kept[key].number)
                kept.move_to_end(key)  # behind all that may go
            elif len(kept) >= cache and next(iter(kept)) in keys:
                break  # it fills the cache alone
            else:
                if len(kept) >= cache:
                    gone.append(kept.popitem(last=False)[1].number)
                kept[key] = Node(number, before, begin // block, place)
                made.append(number)
                number += 1
            keys[key] = None
            before = kept[key].number
        for key in reversed(keys):
            kept.move_to_end(key)
        reused += (len(hits) * block,)
        done[here] += len(prompt) - reused[-1]
        told = map(tuple, (hits, made, gone, (node for one in caches for node in one.values())))
        yield Visit(place, len(prompt), block, cache * servers, *told, reused, went, tuple(done))


@checked
def chats(shared: Count(low=0, high=10_000) = 100):
    """{name: tokens} of nine prompts behind `shared` tokens; whoever comes back brings the whole talk so far."""
    fresh = iter(range(10**6))
    talks, found = {}, {}
    for turn in ("Ann 1", "Ben 1", "Cem 1", "Ann 2", "Dora 1", "Ben 2", "Ann 3", "Eli 1", "Cem 2"):
        who = turn.split()[0]
        before = talks.get(who, [-1] * shared)
        more = 20 + 3 * len(who) if who not in talks else 44
        talks[who] = before + [next(fresh) for _ in range(more)]
        found[turn] = talks[who]
    return found
