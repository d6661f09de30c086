"""Kernels to tune: two real ones, in JAX, checked against NumPy's result.
    attention    one head; queries and keys in blocks, softmax kept up to date from block to block
    product      a square product; a tile of rows times a tile of columns, one after the other
`build(configuration)` compiles one choice, aside, so that whoever waits can go on listening. Without JAX a
`recorded_kernel` has a clock of its own, which goes on by seconds that were recorded; its runs come round again.
"""

import time
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from math import inf

import numpy as np

from accelerator_lib import settings
from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.recorded import or_recorded

NAMES = ("attention", "product")
BRIEF = 1.5  # seconds of tuning in short mode, at most
SLICE = 0.1  # seconds of waiting for the compiler, after which whoever waits may listen
TOLERANCE = 1e-3  # of the largest number in NumPy's result: FP32, added up in another order


@dataclass(frozen=True)
class Kernel:  # `build(configuration)` is a generator: it yields while the compiler works, and returns a Built
    name: str
    words: tuple  # what the two block sizes are called
    rows: tuple
    cols: tuple
    build: object
    most_seconds: float = inf  # of a budget: little in short mode
    clock: object = time.perf_counter
    configurations = property(lambda self: tuple((row, col) for row in self.rows for col in self.cols))


@dataclass(frozen=True)
class Built:  # one choice, compiled: `run()` waits for its result, `right()` tells whether it is NumPy's
    compile_seconds: float
    run: object
    right: object


def compiled(kernel, choice):
    """A choice's Built; waits for the compiler."""
    building = kernel.build(choice)
    while True:
        try:
            next(building)
        except StopIteration as end:
            return end.value


def timed(run):
    """Seconds until a call returns; what it has only asked for may still be under way."""
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


@checked
def kernel(name: OneOf(NAMES) = "attention"):
    """The Kernel of a name, at its full size, or a smaller one where settings.short() asks. Raises UnknownName."""
    return _kernel(name, settings.short())


@cache
def _kernel(name, short):
    most = BRIEF if short else inf
    if name == "attention":
        tokens, blocks = (512, (16, 64, 128, 256, 512)) if short else (2048, (16, 64, 256, 1024, 2048))
        q, k, v = given = np.random.default_rng(12).standard_normal((3, tokens, 64)).astype(np.float32)
        scores = q @ k.T / 8
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        wanted = weights / weights.sum(axis=1, keepdims=True) @ v
        words = ("queries in a block", "keys in a block")
        return Kernel(name, words, blocks, blocks, _builder(blocked_attention, given, wanted), most)
    edge, tiles = (128, (8, 16, 32, 64, 128)) if short else (512, (16, 64, 128, 256, 512))
    a, b = np.random.default_rng(12).standard_normal((2, edge, edge)).astype(np.float32)
    words = ("rows of a tile", "columns of a tile")
    return Kernel(name, words, tiles, tiles, _builder(tiled_product, (a, b), a @ b), most)


def blocked_attention(q, k, v, rows, cols):
    """One head without a mask: blocks of queries one after the other, each past all blocks of keys; JAX."""
    import jax
    import jax.numpy as jnp

    tokens, width = q.shape
    keys, values = (one.reshape(tokens // cols, cols, width) for one in (k, v))

    def one_block(queries):
        def meet(state, block):
            most, total, out = state
            scores = queries @ block[0].T / np.sqrt(width).astype(np.float32)
            now = jnp.maximum(most, scores.max(axis=1))
            weights, fade = jnp.exp(scores - now[:, None]), jnp.exp(most - now)
            return (now, total * fade + weights.sum(axis=1), out * fade[:, None] + weights @ block[1]), None

        start = jnp.full(rows, -jnp.inf), jnp.zeros(rows), jnp.zeros((rows, width))
        (_, total, out), _ = jax.lax.scan(meet, start, (keys, values))
        return out / total[:, None]

    return jax.lax.map(one_block, q.reshape(tokens // rows, rows, width)).reshape(tokens, width)


def tiled_product(a, b, rows, cols):
    """A square product: a strip of rows times a strip of columns makes one tile of the result; JAX."""
    import jax

    n = len(a)
    left, right = a.reshape(n // rows, rows, n), b.T.reshape(n // cols, cols, n)
    tiles = jax.lax.map(lambda strip: jax.lax.map(lambda column: strip @ column.T, right), left)
    return tiles.transpose(0, 2, 1, 3).reshape(n, n)


def _builder(function, given, wanted):  # build(configuration) of a JAX function of arrays and two block sizes
    made = {}

    def build(configuration):
        if configuration not in made:
            waiting = _compiler().submit(_compile, function, given, configuration)
            while not _done(waiting):
                yield
            made[configuration] = _built(*waiting.result(), given, wanted)
        return made[configuration]

    return build


@cache
def _compiler():  # one thread: what a stopped run has begun to compile is finished before the next begins
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1, thread_name_prefix="compile")


def _done(waiting):
    end = time.perf_counter() + SLICE
    while not waiting.done() and time.perf_counter() < end:
        time.sleep(0.002)
    return waiting.done()


def _compile(function, given, configuration):
    import jax

    begin = time.perf_counter()
    rows, cols = configuration
    program = jax.jit(lambda *arrays: function(*arrays, rows, cols)).lower(*given).compile()
    return program, time.perf_counter() - begin


def _built(compiled, seconds, given, wanted):
    import jax

    arrays = [jax.numpy.asarray(one) for one in given]

    def run():
        return compiled(*arrays).block_until_ready()  # else only the asking would be timed

    def right():
        return bool(np.abs(np.asarray(run()) - wanted).max() <= TOLERANCE * np.abs(wanted).max())

    return Built(seconds, run, right)


RUNS = 10  # recorded of each choice


@or_recorded
def times(name):
    """{choice: (seconds of compiling, seconds of its runs, whether its result was NumPy's)} of the large kernel."""
    kernel, found = _kernel(name, False), {}
    for choice in kernel.configurations:
        built = compiled(kernel, choice)
        right = built.right()
        runs = tuple(float(f"{timed(built.run):.4g}") for _ in range(RUNS))
        found[choice] = (float(f"{built.compile_seconds:.4g}"), runs, right)
    return found


@checked
def recorded_kernel(name: OneOf(NAMES)):
    """The Kernel of a name, run from its record. Raises NotAvailable where there is none."""
    recorded = times(name)  # says where it was measured
    return _recorded(name, tuple((choice, *rest) for choice, rest in recorded.items()))


@cache
def _recorded(name, recorded):
    now, real = 0.0, _kernel(name, False)

    def wait(seconds):
        nonlocal now
        now += seconds
        return True

    built = {}
    for choice, compiling, runs, right in recorded:
        run = lambda following=cycle(runs): wait(next(following))  # noqa: E731
        built[choice] = Built(compiling, run, lambda first=runs[0], right=right: wait(first) and right)

    def build(choice):
        left = built[choice].compile_seconds
        while left > 0:
            wait(min(left, SLICE))
            left -= SLICE
            yield
        return built[choice]

    return Kernel(name, real.words, real.rows, real.cols, build, clock=lambda: now)
