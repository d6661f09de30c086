"""XLA: what the compiler itself counts for the same computation, beside the model.

    counts("gemm", 512)    Counts(model_flops, xla_flops, model_bytes, xla_bytes, ...)

The computation is written in JAX, lowered for shapes alone (nothing is allocated, nothing runs), and asked for its
`cost_analysis`. Before compilation it counts every operation's own operands; fusion comes later (chapter 4).
"""

from dataclasses import dataclass

from accelerator_lib.inputs import flag, one_of, whole
from accelerator_lib.workload.work import Conv, Elementwise, Gemm

KINDS = ("matrix product", "convolution", "padded convolution", "gated MLP", "attention", "embedding lookup")
ROWS, WORDS = 1_000_000, 40  # of the embedding table; words looked up and summed for each token


@dataclass(frozen=True)
class Counts:
    """FLOP and bytes of one computation by the model and by XLA; exponentials are counted apart by XLA."""

    kind: str
    model_flops: float
    xla_flops: float
    model_bytes: float
    xla_bytes: float
    exponentials: float

    @property
    def flops_ratio(self):
        return self.xla_flops / self.model_flops

    @property
    def bytes_ratio(self):
        return self.xla_bytes / self.model_bytes


def cost(staged):
    """{"flops", "bytes", "transcendentals"} of a lowered or compiled JAX function, as XLA counts them.

    Not every backend counts, and not at every stage: then the answer is empty, so `cost(compiled) or cost(lowered)`
    takes what there is. An operation that a program does not have is left out by XLA: zero.
    """
    found = staged.cost_analysis()
    found = found[0] if isinstance(found, (list, tuple)) and found else found  # one entry for each program
    names = {"flops": "flops", "bytes": "bytes accessed", "transcendentals": "transcendentals"}
    return {name: float(found.get(key, 0)) for name, key in names.items()} if found else {}


def counts(kind, size=512, width=512, dtype="fp32", compiled=False):
    """Counts of a computation: `size` rows (tokens, pixels) by `width` (features, channels). Raises UnknownName.

    compiled=True asks the program compiled for this device, with formats and copies of its own.
    """
    import jax

    size, width = whole("size", size, high=65_536), whole("width", width, high=65_536)
    function, shapes, flops, moved = MAKERS[one_of("kind", kind, MAKERS)](size, width, dtype)
    lowered = jax.jit(function).lower(*shapes)
    found = cost(lowered.compile() if flag("compiled", compiled) else lowered)
    return Counts(kind, flops, found["flops"], moved, found["bytes"], found["transcendentals"])


def _shape(*sizes, dtype="fp32"):
    import jax
    import jax.numpy as jnp

    kinds = {"fp32": jnp.float32, "bf16": jnp.bfloat16, "int32": jnp.int32}
    return jax.ShapeDtypeStruct(sizes, kinds[one_of("dtype", dtype, kinds)])


def _product(size, width, dtype):
    gemm, (a, b) = Gemm(size, width, width), (_shape(size, width, dtype=dtype), _shape(width, width, dtype=dtype))
    return (lambda a, b: a @ b), (a, b), gemm.flops, gemm.bytes_moved(dtype)


def _convolution(size, width, dtype, padding=0):
    import jax

    edge, channels = min(max(size // 8, 7), 224), max(width // 8, 1)
    conv = Conv(1, edge, edge, channels, channels, kernel=3, padding=padding)
    layout = ("NCHW", "OIHW", "NCHW")

    def function(image, filters):
        return jax.lax.conv_general_dilated(image, filters, (1, 1), [(padding,) * 2] * 2, dimension_numbers=layout)

    shapes = _shape(1, channels, edge, edge, dtype=dtype), _shape(channels, channels, 3, 3, dtype=dtype)
    return function, shapes, conv.flops, conv.bytes_moved(dtype)


def _padded(size, width, dtype):
    return _convolution(size, width, dtype, padding=1)


def _mlp(size, width, dtype):
    import jax

    hidden = 3 * width
    up, down = Gemm(size, hidden, width), Gemm(size, width, hidden)

    def function(x, gate, up, down):
        return (jax.nn.silu(x @ gate) * (x @ up)) @ down

    shapes = (
        _shape(size, width, dtype=dtype),
        *[_shape(width, hidden, dtype=dtype)] * 2,
        _shape(hidden, width, dtype=dtype),
    )
    return function, shapes, 2 * up.flops + down.flops, 2 * up.bytes_moved(dtype) + down.bytes_moved(dtype)


def _attention(size, width, dtype):
    """One head of the whole width: projections, scores, softmax, weighted sum, output."""
    import jax

    square, scores = Gemm(size, width, width), Gemm(size, size, width)

    def function(x, query, key, value, output):
        weights = jax.nn.softmax((x @ query) @ (x @ key).T)
        return (weights @ (x @ value)) @ output

    shapes = (_shape(size, width, dtype=dtype), *[_shape(width, width, dtype=dtype)] * 4)
    moved = 4 * square.bytes_moved(dtype) + 2 * scores.bytes_moved(dtype)
    return function, shapes, 4 * square.flops + 2 * scores.flops, moved


def _lookup(size, width, dtype):
    """A table of a million rows; for every token 40 of them are read and added up."""
    work = Elementwise(size * WORDS * width, reads=1, writes=1 / WORDS)
    shapes = _shape(ROWS, width, dtype=dtype), _shape(size, WORDS, dtype="int32")
    return (lambda table, words: table[words].sum(1)), shapes, work.flops, work.bytes_moved(dtype)


MAKERS = dict(zip(KINDS, (_product, _convolution, _padded, _mlp, _attention, _lookup), strict=True))
