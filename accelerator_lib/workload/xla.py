"""XLA: what the compiler itself counts for the same computation, beside the model.

    counts("matrix product", 512)    Counts(model_flops, xla_flops, model_bytes, xla_bytes, ...)

The computation is written in JAX, lowered for shapes alone, and asked for its `cost_analysis`; fusion comes later
(chapter 4). Such a count is a polynomial of the shapes: without JAX its recorded coefficients give it for every size.
"""

from dataclasses import dataclass
from functools import partial

from accelerator_lib.checks.signature import Count, OneOf, Switch, checked
from accelerator_lib.recorded import here, jax, or_recorded
from accelerator_lib.workload import transformer
from accelerator_lib.workload.conv import Conv
from accelerator_lib.workload.work import Elementwise, Gemm

KINDS = ("matrix product", "convolution", "padded convolution", "gated MLP", "attention", "embedding lookup")
DTYPES = {"fp32": "float32", "bf16": "bfloat16"}  # as JAX names them
Kind, Size = OneOf(KINDS), Count(high=65_536)
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

    flops_ratio = property(lambda self: self.xla_flops / self.model_flops)
    bytes_ratio = property(lambda self: self.xla_bytes / self.model_bytes)


def cost(staged):
    """{"flops", "bytes", "transcendentals"} of a lowered or compiled JAX function, as XLA counts them.
    Where a backend does not count at this stage the answer is empty: ask `cost(compiled) or cost(lowered)`."""
    found = staged.cost_analysis()
    found = found[0] if isinstance(found, (list, tuple)) and found else found  # one entry for each program
    names = {"flops": "flops", "bytes": "bytes accessed", "transcendentals": "transcendentals"}
    return {name: float(found.get(key, 0)) for name, key in names.items()} if found else {}


@checked
def counts(kind: Kind, size: Size = 512, width: Size = 512, dtype: OneOf(DTYPES) = "fp32", compiled: Switch = False):
    """Counts of a computation: `size` rows (tokens, pixels) by `width` (features, channels). Raises UnknownName.
    compiled=True asks the program compiled for this device, with formats and copies of its own."""
    works = MAKERS[kind](size, width, dtype)[2]
    if compiled or dtype != "fp32":
        found = _asked(kind, size, width, dtype, compiled)
    else:
        found = _counted(kind, size, width) if here() else by_law(kind, size, width)
    model_flops, model_bytes = sum(work.flops for work in works), sum(work.bytes_moved(dtype) for work in works)
    return Counts(kind, model_flops, found["flops"], model_bytes, found["bytes"], found["transcendentals"])


@or_recorded
def _asked(kind, size, width, dtype, compiled):
    return _counted(kind, size, width, dtype, compiled)


def _counted(kind, size, width, dtype="fp32", compiled=False):
    function, shapes, _ = MAKERS[kind](size, width, dtype)
    lowered = jax.jit(function).lower(*(jax.ShapeDtypeStruct(*shape) for shape in shapes))
    return cost(lowered.compile() if compiled else lowered)


def by_law(kind, size, width):
    """What `cost` gives before compilation in fp32, by its polynomial in size and width, of degree 2 in each."""
    terms = _terms(*_variables(kind, size, width))
    made = {name: zip(found, terms, strict=True) for name, found in coefficients(kind).items()}
    return {name: float(sum(c * term for c, term in pairs)) for name, pairs in made.items()}


@or_recorded
def coefficients(kind):
    """{what XLA counts: nine coefficients of 1, w, w^2, s, sw, sw^2 ...}, from nine programs."""
    import numpy as np

    nine = [(size, width) for size in (64, 96, 128) for width in (64, 96, 128)]  # small: XLA counts in 32 bits
    rows = np.array([_terms(*_variables(kind, *one)) for one in nine])
    found = [_counted(kind, *one) for one in nine]
    return {name: np.linalg.solve(rows, [one[name] for one in found]).round().tolist() for name in found[0]}


def _terms(size, width):
    return [float(size**i * width**j) for i in range(3) for j in range(3)]


def _variables(kind, size, width):
    """What a polynomial takes: for a convolution the edge of the image and its channels."""
    return _image(size, width) if "convolution" in kind else (size, width)


def _image(size, width):
    return min(max(size // 8, 7), 224), max(width // 8, 1)


def _shape(*sizes, dtype):
    return sizes, DTYPES.get(dtype, dtype)


def _product(size, width, dtype):
    shapes = _shape(size, width, dtype=dtype), _shape(width, width, dtype=dtype)
    return (lambda a, b: a @ b), shapes, [Gemm(size, width, width)]


def _convolution(size, width, dtype, padding=0):
    edge, channels = _image(size, width)
    layout = ("NCHW", "OIHW", "NCHW")

    def function(image, filters):
        return jax.lax.conv_general_dilated(image, filters, (1, 1), [(padding,) * 2] * 2, dimension_numbers=layout)

    shapes = _shape(1, channels, edge, edge, dtype=dtype), _shape(channels, channels, 3, 3, dtype=dtype)
    return function, shapes, [Conv(1, edge, edge, channels, channels, kernel=3, padding=padding)]


def _mlp(size, width, dtype):
    """A gated MLP three times as wide as the model."""
    works = transformer.mlp(size, width, 3 * width).values()
    shapes = [_shape(size, width, dtype=dtype), *(_shape(work.k, work.n, dtype=dtype) for work in works)]
    return (lambda x, gate, up, down: (jax.nn.silu(x @ gate) * (x @ up)) @ down), shapes, works


def _attention(size, width, dtype):
    """One head of the whole width: projections, scores, softmax, weighted sum, output."""

    def function(x, query, key, value, output):
        weights = jax.nn.softmax((x @ query) @ (x @ key).T)
        return (weights @ (x @ value)) @ output

    works = {**transformer.projections(size, width), **transformer.scores(size, width)}
    return function, [_shape(size, width, dtype=dtype), *[_shape(width, width, dtype=dtype)] * 4], works.values()


def _lookup(size, width, dtype):
    """A table of a million rows; for every token 40 of them are read and added up."""
    shapes = _shape(ROWS, width, dtype=dtype), _shape(size, WORDS, dtype="int32")
    work = Elementwise(size * WORDS * width, reads=1, writes=1 / WORDS)
    return (lambda table, words: table[words].sum(1)), shapes, [work]


PADDED = partial(_convolution, padding=1)
MAKERS = dict(zip(KINDS, (_product, _convolution, PADDED, _mlp, _attention, _lookup), strict=True))
