"""Kernels: what is run, each a small JAX function with its arrays, its FLOP and the bytes that it has to move.

Arrays are made when a case is run. `scale` is the copy of other benchmarks with a sign: XLA leaves a mere copy out.
"""

from dataclasses import dataclass, field

import numpy as np

from accelerator_lib.workload import Gemm

STEP = 64
ITEM = {"fp32": 4, "fp16": 2, "bf16": 2}
NAMES = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16"}  # as NumPy and ml_dtypes call them


@dataclass(frozen=True)
class Case:
    """One kernel at one size; `make()` gives the function and its arrays."""

    group: str
    name: str
    conditions: dict
    flops: float
    bytes_moved: float
    make: object = field(repr=False)
    in_place: bool = False
    queued: bool = True  # runs are asked for together; else each is waited for


def product(m, n, k, dtype, group="products"):
    """x[M, K] w[K, N]."""
    gemm, conditions = Gemm(m, n, k), {"M": m, "N": n, "K": k, "dtype": dtype}

    def make():
        return lambda x, w: x @ w, drawn((m, k), dtype), drawn((k, n), dtype)

    return Case(group, f"{m} x {n} x {k}", conditions, gemm.flops, gemm.bytes_moved(dtype), make)


ACCESSES = {"read": 1, "scale": 2, "triad": 3}
WORDS = {"read": "1 read", "scale": "1 read + 1 write", "triad": "2 reads + 1 write"}
FLOPS = {"read": 1, "scale": 1, "triad": 2}


def stream(kernel, total_bytes):
    """A kernel over arrays of fp32 that take `total_bytes` together; scale and triad overwrite their first."""
    count = int(total_bytes) // (8 if kernel == "triad" else 4)
    functions = {"read": lambda a: a.sum(), "scale": lambda a: -a, "triad": lambda a, b: 0.5 * a + b}

    def make():
        import jax.numpy as jnp

        return functions[kernel], *(jnp.full(count, 0.5 + i) for i in range(2 if kernel == "triad" else 1))

    conditions = {"kernel": kernel, "access": WORDS[kernel], "array_bytes": int(total_bytes), "dtype": "fp32"}
    name, moved = f"{kernel}, {int(total_bytes)} B", 4.0 * count * ACCESSES[kernel]
    return Case("streams", name, conditions, FLOPS[kernel] * count, moved, make, kernel != "read")


def launch(count, queued):
    """One addition to so many numbers: hardly more than asking for it and waiting."""

    def make():
        import jax.numpy as jnp

        return lambda a: a + 1, jnp.ones(count)

    way = "queued" if queued else "waited for"
    conditions = {"elements": count, "way": way, "dtype": "fp32"}
    return Case("launches", f"{count} elements, {way}", conditions, count, 8.0 * count, make, True, queued)


def attention(batch, heads, seq, head_dim, dtype):
    """Forward, no mask: scores and weights are written to memory unless XLA fuses them."""

    def make():
        import jax
        import jax.numpy as jnp

        def forward(q, k, v):
            scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(head_dim).astype(NAMES["fp32"])
            return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores).astype(q.dtype), v)

        return forward, *(drawn((batch, heads, seq, head_dim), dtype) for _ in range(3))

    conditions = {"seq": seq, "batch": batch, "heads": heads, "head_dim": head_dim, "dtype": dtype, "pass": "forward"}
    flops = 4.0 * batch * heads * seq**2 * head_dim
    moved = 4.0 * batch * heads * seq * head_dim * ITEM[dtype]
    return Case("attention", f"sequence {seq}", conditions, flops, moved, make)


def all_reduce(message_bytes, devices):
    """A sum over all devices of a message of fp32 on each."""
    count = int(message_bytes) // 4

    def make():
        import jax
        from jax.sharding import Mesh, NamedSharding, PartitionSpec

        mesh = Mesh(np.array(jax.devices()[:devices]), ("chips",))
        cut = PartitionSpec("chips")
        total = jax.shard_map(
            lambda part: jax.lax.psum(part, "chips") / devices, mesh=mesh, in_specs=cut, out_specs=PartitionSpec()
        )
        return total, jax.device_put(np.ones((devices, count), np.float32), NamedSharding(mesh, cut))

    conditions = {"message_bytes": 4 * count, "devices": devices, "dtype": "fp32"}
    moved = 4.0 * count * 2 * (devices - 1) / devices  # over each device's link
    return Case("collectives", f"all-reduce, {4 * count} B", conditions, float(count * (devices - 1)), moved, make)


def drawn(shape, dtype):
    """An array of random numbers from -1 to 1 (a chip that multiplies ones draws less power, and may run faster)."""
    import jax.numpy as jnp

    values = np.random.default_rng(0).random(shape, dtype=np.float32) * 2 - 1
    return jnp.asarray(values, dtype=NAMES[dtype])
