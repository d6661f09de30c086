"""Fusing: what judges a list of kernels for a program of operations.

A program is a list of (name, kind, inputs, elements); a kernel a list of names that run as one and write one value, the
last. The key is found by trying: of all ways to join operations that the rules allow, the one that moves least.
"""

from itertools import pairwise, product

from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_lib.units import si

WORD = 2  # bytes
PROGRAMS = (  # in words, operations, elements of what is given, outputs
    (
        "a layer with a residual",
        (
            ("h", "product", ("x", "w"), 4096),
            ("g", "elementwise", ("h",), 4096),
            ("p", "product", ("g", "v"), 1024),
            ("b", "elementwise", ("p", "c"), 1024),
            ("y", "elementwise", ("b", "x"), 1024),
        ),
        {"x": 1024, "w": 4096, "v": 4096, "c": 32},
        ("y",),
    ),
    (
        "one value with two readers",
        (
            ("h", "product", ("x", "w"), 1024),
            ("r", "elementwise", ("h",), 1024),
            ("s", "elementwise", ("h",), 1024),
            ("t", "elementwise", ("r", "s"), 1024),
        ),
        {"x": 1024, "w": 1024},
        ("t",),
    ),
    (
        "scores, with a row that is small",
        (
            ("bias", "product", ("a", "w"), 64),
            ("s", "product", ("q", "k"), 4096),
            ("m", "elementwise", ("bias", "s"), 4096),
            ("p", "reduction", ("m",), 4096),
            ("d", "elementwise", ("p",), 4096),
            ("o", "product", ("d", "v"), 1024),
        ),
        {"a": 64, "w": 64, "q": 1024, "k": 1024, "v": 1024},
        ("p", "o"),
    ),
)


def readers(ops, value):
    """How many operations read a value."""
    return sum(value in inputs for _, _, inputs, _ in ops)


def moved(ops, given, kernels):
    """Traffic [byte]: every kernel reads what comes from outside, once, and writes its last value."""
    sizes = given | {name: elements for name, _, _, elements in ops}
    inputs = {name: needs for name, _, needs, _ in ops}
    words = 0
    for kernel in kernels:
        outside = {value for name in kernel for value in inputs[name]} - set(kernel)
        words += sum(map(sizes.get, outside)) + sizes[kernel[-1]]
    return WORD * words


def least(ops, given, outputs):
    """The least traffic of all ways that lose no value: every choice of whom an operation joins, or nobody, tried."""
    options = []
    for _, kind, inputs, _ in ops:
        joins = [value for value in inputs if kind == "elementwise" and value not in given]
        options.append([None, *joins])
    found = []
    for choice in product(*options):
        taken = [value for value in choice if value is not None]
        lost = [value for value in taken if value in outputs or readers(ops, value) > 1]
        if lost or len(set(taken)) < len(taken):
            continue
        kernels = []
        for (name, *_), value in zip(ops, choice, strict=True):
            home = next((kernel for kernel in kernels if value is not None and kernel[-1] == value), None)
            kernels.append([name]) if home is None else home.append(name)
        found.append(moved(ops, given, kernels))
    return min(found)


def check_fuse(function):
    for words, ops, given, outputs in PROGRAMS:
        best = least(ops, given, outputs)

        def judge(got, words=words, ops=ops, given=given, outputs=outputs, best=best):
            _judge(got, words, ops, outputs)
            mine = moved(ops, given, got)
            if mine > best:
                raise Wrong(f"For {words}: these kernels move {si(mine, 'B')}; {si(best, 'B')} are enough.")

        call = lambda ops=ops, outputs=outputs: function(list(ops), outputs)  # noqa: E731
        yield case(words, f"{si(best, 'B')} moved", call, judge)
    return "three programs, no value lost, and nothing is moved that could have stayed."


def _judge(got, words, ops, outputs):
    """Whether the kernels can be run at all, and lose nothing."""
    if not isinstance(got, (list, tuple)) or not all(isinstance(kernel, (list, tuple)) and kernel for kernel in got):
        raise Wrong(f"For {words} return kernels, a list of lists of names; you returned {shown(got)}.")
    names, every = [name for kernel in got for name in kernel], [name for name, *_ in ops]
    if sorted(map(str, names)) != sorted(every):
        raise Wrong(f"For {words} every operation must be in one kernel: {', '.join(every)}; yours: {shown(names)}.")
    about = {name: (kind, inputs) for name, kind, inputs, _ in ops}
    for kernel in got:
        for value, name in pairwise(kernel):
            kind, inputs = about[name]
            if kind != "elementwise" or value not in inputs:
                reason = f"it is a {kind}" if kind != "elementwise" else f"it does not read {value}"
                raise Wrong(f"For {words}: {name} cannot join a kernel behind {value}: {reason}.")
            if value in outputs:
                raise Wrong(f"For {words}: {value} is wanted in the end, but its kernel goes on to {name}: it is lost.")
            if readers(ops, value) > 1:
                raise Wrong(f"For {words}: {value} has {readers(ops, value)} readers, and its kernel forgets it.")
