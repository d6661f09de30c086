"""XLA: what the compiler itself counts for the same computation, beside the model.

    counts("matrix product", 512)    Counts(model_flops, xla_flops, model_bytes, xla_bytes, ...)

The computation is written in JAX, lowered for shapes alone (nothing is allocated, nothing runs), and asked for its
`cost_analysis`. Before compilation it counts every operation's own operands; fusion comes later (chapter 4).
"""

from dataclasses import dataclass

from accelerator_lib.signature import Count, OneOf, Switch, checked
from accelerator_lib.workload import transformer
from accelerator_lib.workload.conv import Conv
from accelerator_lib.workload.work import Elementwise, Gemm

KINDS = ("matrix product", "convolution", "padded convolution", "gated MLP", "attention", "embedding lookup")
DTYPES = {"fp32": "float32", "bf16": "bfloat16"}  # as JAX names them
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


@checked
def counts(
    kind: OneOf(KINDS),
    size: Count(high=65_536) = 512,
    width: Count(high=65_536) = 512,
    dtype: OneOf(DTYPES) = "fp32",
    compiled: Switch = False,
):
    """Counts of a computation: `size` rows (tokens, pixels) by `width` (features, channels). Raises UnknownName.

    compiled=True asks the program compiled for this device, with formats and copies of its own.
    """
    import jax

    function, shapes, works = MAKERS[kind](size, width, dtype)
    lowered = jax.jit(function).lower(*shapes)
    found = cost(lowered.compile() if compiled else lowered)
    model_flops, model_bytes = sum(work.flops for work in works), sum(work.bytes_moved(dtype) for work in works)
    return Counts(kind, model_flops, found["flops"], model_bytes, found["bytes"], found["transcendentals"])


def _shape(*sizes, dtype):
    import jax

    return jax.ShapeDtypeStruct(sizes, DTYPES.get(dtype, dtype))


def _product(size, width, dtype):
    gemm = Gemm(size, width, width)
    return (lambda a, b: a @ b), [_shape(size, width, dtype=dtype), _shape(width, width, dtype=dtype)], [gemm]


def _convolution(size, width, dtype, padding=0):
    import jax

    edge, channels = min(max(size // 8, 7), 224), max(width // 8, 1)
    conv = Conv(1, edge, edge, channels, channels, kernel=3, padding=padding)
    layout = ("NCHW", "OIHW", "NCHW")

    def function(image, filters):
        return jax.lax.conv_general_dilated(image, filters, (1, 1), [(padding,) * 2] * 2, dimension_numbers=layout)

    return (
        function,
        [_shape(1, channels, edge, edge, dtype=dtype), _shape(channels, channels, 3, 3, dtype=dtype)],
        [conv],
    )


def _padded(size, width, dtype):
    return _convolution(size, width, dtype, padding=1)


def _mlp(size, width, dtype):
    """A gated MLP three times as wide as the model."""
    import jax

    def function(x, gate, up, down):
        return (jax.nn.silu(x @ gate) * (x @ up)) @ down

    works = transformer.mlp(size, width, 3 * width).values()
    return function, [_shape(size, width, dtype=dtype), *(_shape(work.k, work.n, dtype=dtype) for work in works)], works


def _attention(size, width, dtype):
    """One head of the whole width: projections, scores, softmax, weighted sum, output."""
    import jax

    def function(x, query, key, value, output):
        weights = jax.nn.softmax((x @ query) @ (x @ key).T)
        return (weights @ (x @ value)) @ output

    works = {**transformer.projections(size, width), **transformer.scores(size, width)}
    return function, [_shape(size, width, dtype=dtype), *[_shape(width, width, dtype=dtype)] * 4], works.values()


def _lookup(size, width, dtype):
    """A table of a million rows; for every token 40 of them are read and added up."""
    work = Elementwise(size * WORDS * width, reads=1, writes=1 / WORDS)
    shapes = [_shape(ROWS, width, dtype=dtype), _shape(size, WORDS, dtype="int32")]
    return (lambda table, words: table[words].sum(1)), shapes, [work]


MAKERS = dict(zip(KINDS, (_product, _convolution, _padded, _mlp, _attention, _lookup), strict=True))
