"""Pallas: two kernels, interpreted here; a TPU or a GPU would need the changes that chapter 4 names.

A kernel sees one block of each operand. Which block, an index map says for every step of the grid; a block whose index
does not change is not brought again. Without JAX, NumPy walks the same grid over the same blocks, and one line says so.
"""

from itertools import product
from math import prod

import numpy as np

from accelerator_lib import recorded
from accelerator_lib.checks.inputs import affordable, count, described, table
from accelerator_lib.checks.signature import Count, checked

WALKED = f"JAX is not here: NumPy walks the kernel’s grid, block by block. {recorded.GET}."
MOST_BLOCKS = 10**6  # of a grid that is walked block by block


def _numbers(**matrices):
    """Arrays of numbers, or one clear line."""
    found = {name: table(name, matrix) for name, matrix in matrices.items()}
    for name, matrix in found.items():
        known = matrix.dtype.kind in "iuf" or matrix.dtype.name == "bfloat16"
        if not known or not matrix.size:
            raise TypeError(f"{name} must hold real numbers, not {described(matrices[name])}")
    return found.values()


def _sums_of(a, b):
    """The format of sums: int32 for integers, float32 for floats (JAX has no others here)."""
    if not {a.dtype.kind, b.dtype.kind} <= {"i", "u"}:
        return np.float32
    most = a.shape[1] * max(int(a.max()), -int(a.min())) * max(int(b.max()), -int(b.min()))
    if most >= 2**31:
        raise ValueError(f"sums of a @ b could reach {most:.3g}, more than int32 holds: give floats")
    return np.int32


@checked
def matmul(a, b, tile_m: Count() = 32, tile_n: Count() = 32, tile_k: Count() = 32):
    """a @ b in tiles that divide the sizes, interpreted; integers add up in int32, narrow floats in float32.
    Raises ValueError where the tiles do not divide, and for sums of integers that int32 cannot hold."""
    a, b = _numbers(a=a, b=b)
    if np.ndim(a) != 2 or np.ndim(b) != 2 or np.shape(a)[1] != np.shape(b)[0]:
        raise ValueError(f"a {np.shape(a)} and b {np.shape(b)} cannot be multiplied: need [m, k] and [k, n]")
    if not recorded.here():
        return _walked_product(a, b, *matmul_grid(*a.shape[:1], b.shape[1], a.shape[1], tile_m, tile_n, tile_k))
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def kernel(a_block, b_block, c_block):
        @pl.when(pl.program_id(2) == 0)
        def _():
            c_block[...] = jnp.zeros_like(c_block)

        c_block[...] += jnp.dot(a_block[...], b_block[...], preferred_element_type=sums)

    sums = _sums_of(a, b)
    a, b = jnp.asarray(a), jnp.asarray(b)
    (m, k), n = a.shape, b.shape[1]
    grid, blocks = matmul_grid(m, n, k, tile_m, tile_n, tile_k)
    *ins, out = (pl.BlockSpec(shape, index) for shape, index in blocks.values())
    made = jax.ShapeDtypeStruct((m, n), sums)
    return pl.pallas_call(kernel, grid=grid, in_specs=ins, out_specs=out, out_shape=made, interpret=True)(a, b)


@checked
def matmul_grid(m: Count(), n: Count(), k: Count(), tile_m: Count(), tile_n: Count(), tile_k: Count()):
    """(grid, {operand: (block shape, index map)}) of the product; the last axis runs along k."""
    for name, size, tile in (("m", m, tile_m), ("n", n, tile_n), ("k", k, tile_k)):
        if size % tile:
            raise ValueError(f"tile_{name} = {tile} must divide {name} = {size}")
    blocks = {
        "inputs": ((tile_m, tile_k), lambda i, j, step: (i, step)),
        "weights": ((tile_k, tile_n), lambda i, j, step: (step, j)),
        "outputs": ((tile_m, tile_n), lambda i, j, step: (i, j)),
    }
    return (m // tile_m, n // tile_n, k // tile_k), blocks


@checked
def flash(q, k, v, block_rows: Count() = 32, block_cols: Count() = 32):
    """softmax(q k^T / sqrt(d)) v for one head [tokens, d], interpreted: online softmax over blocks of keys."""
    q, k, v = _numbers(q=q, k=k, v=v)
    if np.ndim(q) != 2 or not np.shape(q) == np.shape(k) == np.shape(v):
        raise ValueError(f"q, k and v are [tokens, d] alike; got {np.shape(q)}, {np.shape(k)} and {np.shape(v)}")
    tokens, width = q.shape
    for name, block in (("block_rows", block_rows), ("block_cols", block_cols)):
        if tokens % block:
            raise ValueError(f"{name} = {block} must divide the {tokens} tokens")
    if not recorded.here():
        return _walked_attention(q, k, v, block_rows, block_cols)
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    q, k, v = jnp.asarray(q), jnp.asarray(k), jnp.asarray(v)

    def kernel(q_block, k_all, v_all, o_block):
        rows = q_block[...] / jnp.sqrt(jnp.float32(width))

        def step(place, state):
            maximum, total, output = state
            here = pl.ds(place * block_cols, block_cols)
            scores = rows @ k_all[here, :].T
            largest = jnp.maximum(maximum, scores.max(axis=1, keepdims=True))
            scale, weights = jnp.exp(maximum - largest), jnp.exp(scores - largest)
            total = total * scale + weights.sum(axis=1, keepdims=True)
            return largest, total, output * scale + weights @ v_all[here, :]

        one = jnp.full((block_rows, 1), -jnp.inf, jnp.float32)
        start = one, jnp.zeros_like(one), jnp.zeros((block_rows, width), jnp.float32)
        _, total, output = jax.lax.fori_loop(0, tokens // block_cols, step, start)
        o_block[...] = (output / total).astype(o_block.dtype)

    own = pl.BlockSpec((block_rows, width), lambda i: (i, 0))
    everything = pl.BlockSpec((tokens, width), lambda i: (0, 0))
    shape = jax.ShapeDtypeStruct(q.shape, q.dtype)
    grid, ins = (tokens // block_rows,), [own, everything, everything]
    return pl.pallas_call(kernel, grid=grid, in_specs=ins, out_specs=own, out_shape=shape, interpret=True)(q, k, v)


def _part(block, index):
    """Where a block lies in its array."""
    shape, places = block[0], block[1](*index)
    return tuple(slice(place * length, (place + 1) * length) for place, length in zip(places, shape, strict=True))


def _walked_product(a, b, grid, blocks):
    recorded.tell(WALKED)
    sums = _sums_of(a, b)
    c = np.zeros((len(a), b.shape[1]), sums)
    for place in product(*map(range, grid)):
        one, other, own = (_part(block, place) for block in blocks.values())
        c[own] += a[one].astype(sums) @ b[other].astype(sums)
    return c


def _walked_attention(q, k, v, block_rows, block_cols):
    recorded.tell(WALKED)
    made = np.zeros(q.shape, q.dtype)
    for start in range(0, len(q), block_rows):
        rows = q[start : start + block_rows] / np.float32(q.shape[1] ** 0.5)
        maximum, total, output = -np.inf, 0.0, 0.0
        for place in range(0, len(k), block_cols):
            scores = rows @ k[place : place + block_cols].T
            largest = np.maximum(maximum, scores.max(axis=1, keepdims=True))
            scale, weights = np.exp(maximum - largest), np.exp(scores - largest)
            total = total * scale + weights.sum(axis=1, keepdims=True)
            maximum, output = largest, output * scale + weights @ v[place : place + block_cols]
        made[start : start + block_rows] = output / total
    return made


def traffic(grid, blocks, element_bytes=4):
    """{operand: bytes} moved by a walk over the grid, last axis fastest: a block counts when its index changes."""
    grid = [count(f"axis {axis} of the grid", steps) for axis, steps in enumerate(grid)]
    affordable("blocks of the grid", prod(grid), MOST_BLOCKS, "the grid: take larger tiles")
    moved = {}
    for name, (shape, index) in blocks.items():
        changes, before = 0, None
        for place in product(*map(range, grid)):
            own = index(*place)
            changes += own != before
            before = own
        moved[name] = changes * int(np.prod(shape)) * element_bytes
    return moved
