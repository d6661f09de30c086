"""Fast cache: millions of accesses a second; sets are independent, so all of them take a step at once.

    hits(addresses, cache)     equals sum(replay(addresses, cache))

With JAX the steps are one compiled loop over the LRU stacks of all sets; the longest queue of any set is padded to a
power of two, so that traces of similar length share a program. Without JAX NumPy takes the same steps.
"""

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Switch, checked
from accelerator_lib.memory.addresses import Trace
from accelerator_lib.memory.cache import ACache

LONG = 2**16  # steps
MOST_PLACES, MOST_COMPARED = 2**27, 2**31  # places in all queues: 500 MB; tags compared: some seconds
MOST_LINES = 2**22  # of a cache, all copied in each step, 16 steps at least


@checked
def hits(addresses: Trace, cache: ACache, use_jax: Switch = True):
    """How many accesses hit."""
    affordable("lines of a cache", cache.lines, MOST_LINES, "sets or ways")
    lines = addresses // cache.line_bytes
    if not lines.size:
        return 0
    queues = _queues(lines, cache.sets)
    affordable("compared tags", queues.size * cache.ways, MOST_COMPARED, "sets, ways or the length of the trace")
    if use_jax:
        try:
            unroll = 16 if len(queues) >= LONG else 4  # a longer body costs compiling, and pays in long loops
            return int(_program(cache.ways, unroll)(queues))
        except ImportError:
            pass
    return _steps(queues, cache.ways)


def _queues(lines, sets):
    """Accesses of each set in order, [steps, sets]: tags + 1, and 0 where a set has nothing left to do."""
    own = (lines & (sets - 1)).astype(np.uint16 if sets <= 2**16 else np.int64)  # radix sort needs short keys
    tags = (lines >> (sets.bit_length() - 1)) + 1
    if tags.max() >= 2**31:  # more than int32 holds: which tags are equal is all that counts
        tags = np.unique(tags, return_inverse=True)[1] + 1
    counts = np.bincount(own, minlength=sets)
    longest = 1 << max(4, int(counts.max() - 1).bit_length())
    affordable("places in queues", sets * longest, MOST_PLACES, "the sets or the length of the trace")
    queues = np.zeros((sets, longest), dtype=np.int32)
    ends = np.cumsum(counts)
    ordered = tags.astype(np.int32)[np.argsort(own, kind="stable")]
    for row, end, count in zip(queues, ends, counts, strict=True):  # far faster than a mask
        row[:count] = ordered[end - count : end]
    return np.ascontiguousarray(queues.T)


def _program(ways, unroll):
    """The compiled loop for so many ways; jit keeps one program for each shape."""
    if (ways, unroll) not in _programs:
        import jax
        import jax.numpy as jnp

        def step(state, tags):
            stacks, found = state
            busy = tags > 0
            moved, carry, moving = [], tags, busy  # everything down to the old place of the tag moves down by one
            for stack in stacks:
                moved.append(jnp.where(moving, carry, stack))
                carry, moving = stack, moving & (stack != tags)
            return (tuple(moved), found + (busy & ~moving)), None

        def run(queues):
            empty = jnp.zeros(queues.shape[1], jnp.int32)
            (_, found), _ = jax.lax.scan(step, ((empty,) * ways, empty), queues, unroll=unroll)
            return found.sum()

        _programs[ways, unroll] = jax.jit(run)
    return _programs[ways, unroll]


_programs = {}


def _steps(queues, ways):
    stacks, found = np.zeros((ways, queues.shape[1]), dtype=np.int32), 0
    for tags in queues:
        equal = stacks == tags
        hit, busy = equal.any(axis=0), tags > 0
        found += int((hit & busy).sum())
        place = np.where(hit, equal.argmax(axis=0), ways - 1)
        down = (np.arange(ways)[:, None] <= place) & busy
        shifted = np.vstack([tags, stacks[:-1]])
        stacks = np.where(down, shifted, stacks)
    return found
