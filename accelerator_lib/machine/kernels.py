"""Kernels: small JAX functions that are run to measure a machine, each with what the model says about it.

Their arrays are made only when asked for, and hold at most 64 MB together: more than most caches, little for a small
machine. Streams and element-wise kernels may overwrite their first array.
"""

from accelerator_lib.workload import Elementwise, Gemm

TOTAL_BYTES = 64_000_000  # all arrays of one kernel together: more than most caches, little for a small machine
COLS = 4000
TALL, SHORT_ROWS = 4000, 1000  # 64 MB in fp32, rewritten in place; 16 MB where XLA keeps intermediate arrays
SQUARE = 3584  # 51 MB of weights for one vector


def streams():
    """{name: (make, bytes that one run moves)}; `make()` gives a function and its arrays."""
    import jax.numpy as jnp

    one, half = TOTAL_BYTES // 4, TOTAL_BYTES // 8
    return {
        "a = a + 2 b": (lambda: (lambda a, b: a + 2 * b, jnp.ones(half), jnp.ones(half)), 12 * half),
        "a = 2 a": (lambda: (lambda a: 2 * a, jnp.ones(one)), 8 * one),
    }


def products(large):
    """{edge of a square product: (make, FLOP)}."""
    import jax.numpy as jnp

    return {
        n: (lambda n=n: (lambda a, b: a @ b, jnp.ones((n, n)), jnp.ones((n, n))), Gemm(n, n, n).flops)
        for n in (large // 4, large // 2, large)
    }


def operations(large):
    """{name: (make, the model's Gemm or Elementwise)}: six kernels as they occur in networks."""
    import jax
    import jax.numpy as jnp

    def layer_norm(x):
        centred = x - x.mean(-1, keepdims=True)
        return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)

    def product(m, n, k):
        return lambda: (lambda a, b: a @ b, jnp.ones((m, k)), jnp.ones((k, n))), Gemm(m, n, k)

    def table(rows):
        return jnp.full((rows, COLS), 0.5)

    n = SHORT_ROWS * COLS
    return {
        "ReLU": (lambda: (jax.nn.relu, table(TALL)), Elementwise(TALL * COLS)),
        "GEMV": product(1, SQUARE, SQUARE),
        "small GEMM": product(128, 128, 128),
        "large GEMM": product(large, large, large),
        "layer norm": (lambda: (layer_norm, table(SHORT_ROWS)), Elementwise(n, flops_per_element=7, reads=2)),
        "softmax": (lambda: (jax.nn.softmax, table(SHORT_ROWS)), Elementwise(n, flops_per_element=4, reads=2)),
    }
