"""Graphs: a program as operations and values, what it moves when operations share a kernel; ways to instructions.
    bytes = for every kernel: what it reads from outside, once, and what somebody outside reads of it, once
Ways at each stage: the graph 1; fused 2^(values between); mappings (mapspace); orders of the instructions of one small
tile (linear extensions). Ignored: formats, layouts, the split over processors.
"""

from dataclasses import dataclass
from functools import cache
from math import prod

from accelerator_lib.checks.inputs import UnknownName, did_you_mean
from accelerator_lib.checks.signature import Count, Given, Positive, Record, Switch, Whole, checked
from accelerator_lib.codesign import mapspace
from accelerator_lib.workload import Gemm

KINDS = ("product", "elementwise", "reduction")


@dataclass(frozen=True)
class Op:  # one operation: it reads `inputs`, by name, and makes a value of its own name with so many elements
    name: str
    kind: str  # one of KINDS
    inputs: tuple
    elements: int


@dataclass(frozen=True)
class Graph:  # operations in an order in which they can run; `given`: {name: elements} of what comes from outside
    ops: tuple
    given: dict
    outputs: tuple

    def __post_init__(self):
        known = dict(self.given)
        for op in self.ops:
            if op.kind not in KINDS:
                raise UnknownName(f"the kind of {op.name!r} is {op.kind!r}{did_you_mean(op.kind, KINDS)}")
            for name in op.inputs:
                if name not in known:
                    raise UnknownName(f"{op.name!r} reads {name!r} before it is there{did_you_mean(name, known)}")
            if op.name in known:
                raise ValueError(f"two values are called {op.name!r}")
            known[op.name] = op.elements
        for name in self.outputs:
            if name not in known:
                raise UnknownName(f"there is no output {name!r}{did_you_mean(name, known)}")

    def elements(self, name):
        """Of a value."""
        return self.given[name] if name in self.given else self.op(name).elements

    def op(self, name):
        return next(op for op in self.ops if op.name == name)

    def readers(self, name):
        """Names of the operations that read a value."""
        return [op.name for op in self.ops if name in op.inputs]

    def alone(self):
        """Every operation a kernel of its own."""
        return [[op.name] for op in self.ops]


def _kernels(value):
    lists = tuple, list
    good = isinstance(value, lists) and all(isinstance(one, lists) for one in value)
    if not good or not all(type(name) is str for one in value for name in one):
        raise TypeError(f"kernels must be lists of names, such as [['h', 'r'], ['s']], not {value!r}"[:120])
    return value


@checked
def bytes_moved(graph: Record(Graph), kernels: Given("lists of names", _kernels), dtype_bytes: Positive = 2):
    """Traffic [byte] of a graph whose operations run in these kernels, lists of names. Raises ValueError."""
    names, every = [name for kernel in kernels for name in kernel], [op.name for op in graph.ops]
    if sorted(names) != sorted(every):
        missing, strange = set(every) - set(names), set(names) - set(every)
        unknown = f"unknown: {sorted(strange)}" if strange else "one is twice"
        wrong = f"missing: {sorted(missing)}" if missing else unknown
        raise ValueError(f"kernels must hold every operation once; {wrong}")
    moved = 0
    for kernel in kernels:
        outside = {name for op in kernel for name in graph.op(op).inputs} - set(kernel)
        kept = [name for name in kernel if name in graph.outputs or set(graph.readers(name)) - set(kernel)]
        moved += sum(graph.elements(name) for name in (*outside, *kept))
    return moved * dtype_bytes


@checked
def fused(graph: Record(Graph)):
    """Kernels after greedy fusion: an element-wise step joins its largest input’s kernel, unless others read it."""
    kernels = {}  # value: the kernel whose last operation makes it
    for op in graph.ops:
        own = (name for name in op.inputs if name not in graph.given and name not in graph.outputs)
        ready = [name for name in own if graph.readers(name) == [op.name]]
        if op.kind == "elementwise" and ready:
            kernel = kernels.pop(max(ready, key=graph.elements))
            kernel.append(op.name)
        else:
            kernel = [op.name]
        kernels[op.name] = kernel
    return list(kernels.values())


@checked
def block(n: Whole() = 4096, steps: Count(high=8) = 3):
    """A Graph: a product of n x n x n and so many element-wise steps behind it."""
    names = ("bias", "GELU", "scale", "dropout", "add", "clip", "mask", "cast")[:steps]
    ops, last = [Op("product", "product", ("x", "w"), n * n)], "product"
    for name in names:
        ops.append(Op(name, "elementwise", (last,), n * n))
        last = name
    return Graph(tuple(ops), {"x": n * n, "w": n * n}, (last,))


@checked
def chain(elements: Whole() = 1024, steps: Count(low=2, high=12) = 6, sums: Count(low=0, high=6) = 1):
    """A Graph of so many element-wise steps; the last `sums` of them also read the sums of all rows before them."""
    if sums >= steps:
        raise ValueError(f"sums must be fewer than the {steps} steps, not {sums}")
    ops, last = [], "x"
    for place in range(steps):
        summed = place >= steps - sums
        if summed:
            ops.append(Op(f"sum{place}", "reduction", (last,), 1))
        ops.append(Op(f"step{place}", "elementwise", (last, f"sum{place}") if summed else (last,), elements))
        last = f"step{place}"
    return Graph(tuple(ops), {"x": elements}, (last,))


@checked
def chain_passes(steps: Count(low=2, high=12) = 6, sums: Count(low=0, high=6) = 1, fuse: Switch = True):
    """How often an array as large as the first passes between memory and chip, after fusion or without."""
    graph = chain(10**6, steps, sums)
    return round(bytes_moved(graph, fused(graph) if fuse else graph.alone(), 1) / 10**6)


@checked
def fork(n: Whole() = 1024):
    """A Graph in which two operations read the product of n x n x n, and both results are wanted."""
    behind = [Op(name, "elementwise", ("h",), n * n) for name in "rs"]
    return Graph((Op("h", "product", ("x", "w"), n * n), *behind), {"x": n * n, "w": n * n}, ("r", "s"))


@checked
def fork_bytes(n: Whole() = 1024):
    """Traffic [byte] of such a graph after fusion."""
    graph = fork(n)
    return bytes_moved(graph, fused(graph))


STAGES = ("graph", "fused graph", "mapping", "instructions")
LOADS = ("a0", "a1", "b0", "b1")
ADDS = {f"c{i}{j}": (f"a{i}", f"b{j}") for i in (0, 1) for j in (0, 1)}  # each multiply-add needs two loads
ISSUED = ("a0", "b0", "c00", "b1", "c01", "a1", "c10", "c11")  # one order that is possible


def ways(stage, n, steps):
    """Ways of one stage, 0 to 3, for a product of n x n x n and so many element-wise steps behind it."""
    counts = lambda: 1, lambda: 2**steps, lambda: mapspace.mapspace(Gemm(n, n, n)).all, orders
    return counts[stage]()


@checked
def cuts(steps: Count(high=64)):
    """Ways to cut a chain of steps into kernels: each value between two of them stays on the chip or does not."""
    return 2 ** (steps - 1)


@checked
def programs(n: Count(low=64, high=2**14) = 4096, steps: Count(high=8) = 3):
    """Ways of all stages together."""
    return prod(ways(stage, n, steps) for stage in range(len(STAGES)))


@cache
def orders():
    """Orders in which the loads and multiply-adds of a 2 x 2 tile can be issued: each after what it needs."""
    needs = {**dict.fromkeys(LOADS, ()), **ADDS}
    names = tuple(needs)

    @cache
    def count(done):
        if len(done) == len(names):
            return 1
        ready = (one for one in names if one not in done and all(need in done for need in needs[one]))
        return sum(count(done | {one}) for one in ready)

    return count(frozenset())
